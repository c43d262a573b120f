"""The vacations of the caller."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request
from marshmallow import validate

from cartulary.events.model.clock import format_time
from cartulary.events.model.time.intervals import Intervals
from cartulary.events.people.players import Player
from cartulary.service.http.answers import answer_json, revalidate, set_caching
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.write_outcome import mark_stored
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Request, list_of, moment, time

blueprint = Blueprint("vacations", __name__)


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


class VacationListAnswer(Answer):
    """The vacations of the caller, past ones included; vacations that touch are one vacation."""

    vacations = list_of(VacationAnswer)


@blueprint.get("/players/me/vacations")
@operation("players", "One's own vacations", {200: AnswerOf("The vacations.", VacationListAnswer)})
def show_vacations(services: Services, who: Player) -> Response:
    """In games whose `pace` allows vacations the clock of a player stands in the vacation."""
    return _answer(services.store.vacations.read(who.id))


@blueprint.put("/players/me/vacations")
@operation(
    "players",
    "Plan one's vacations",
    {200: AnswerOf("The vacations as they are now.", VacationListAnswer)},
    body=VacationsRequest,
    limit="writes",
)
def change_vacations(services: Services, who: Player, body: dict[str, Any]) -> Response:
    """14 days at a time and 35 days in a calendar year (UTC) at most, from now on.

    A vacation that runs and is missing from the body ends now.
    """
    vacations = [(one["since"], one["until"]) for one in body["vacations"]]
    found = services.store.clock_news.change_vacations(who.id, vacations)
    mark_stored(request.environ)
    return _answer(found)


def _answer(found: Intervals) -> Response:
    shown = [{"from": format_time(begin), "until": format_time(end)} for begin, end in found]
    return set_caching(answer_json({"vacations": shown}), revalidate("private"))
