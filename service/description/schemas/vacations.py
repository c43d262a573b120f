"""Bodies and answers: the vacations of a player."""

from __future__ import annotations

from marshmallow import fields, validate

from cartulary.service.description.schemas.base import Answer, Request, list_of, moment, time

MOST = 200
"""Most vacations in a body: those that have passed may be in it as well."""


class VacationRequest(Request):
    """A vacation."""

    since = moment(
        "The begin: now, later, or that of a vacation that has begun.",
        required=True,
        data_key="from",
    )
    until = moment("The end.", required=True)


class VacationsRequest(Request):
    """All vacations that are to come; those that have passed stay whether they are here or not."""

    vacations = fields.List(
        fields.Nested(VacationRequest), required=True, validate=validate.Length(max=MOST)
    )


class VacationAnswer(Answer):
    """A vacation."""

    since = time("The begin, UTC.", data_key="from")
    until = time("The end, UTC.")


class VacationsAnswer(Answer):
    """The vacations of the caller, past ones included; vacations that touch are one vacation."""

    vacations = list_of(VacationAnswer)
