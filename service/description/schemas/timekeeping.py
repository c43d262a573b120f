"""Time at the table: readiness, gifts of time, the clock."""

from __future__ import annotations

from marshmallow import fields, validate

from cartulary.events.pace import MODES
from cartulary.service.description.schemas.arranging import expected_version
from cartulary.service.description.schemas.base import Answer, Flag, Request, count, seat, whole


class ReadyRequest(Request):
    """Whether a player is ready for the start."""

    ready = Flag(required=True)
    expected_version = expected_version()


class TimeRequest(Request):
    """Time for the seat of somebody else."""

    seat = seat(required=True)
    seconds = whole(
        1,
        1_209_600,
        required=True,
        metadata={
            "description": "At most the delay of the game; in all, three times the bank of the "
            "start."
        },
    )
    expected_version = expected_version()


def _moment(description: str) -> fields.String:
    return fields.String(
        allow_none=True, metadata={"format": "date-time", "description": description}
    )


class ClockAnswer(Answer):
    """The clock of a game now; an untimed game has nothing but `mode`."""

    mode = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(MODES),
        metadata={"description": "Null: the game is untimed."},
    )
    seat = seat(
        allow_none=True,
        metadata={"description": "The seat whose clock runs; null: a bot is asked, or nobody is."},
    )
    since = _moment("When this seat came to be asked for this decision.")
    turn_used = count("What this turn had used before this decision, in ms.")
    banks = fields.List(
        whole(0), metadata={"description": "By seat, in ms, before this decision; [] at first."}
    )
    deadline_at = _moment("When the time of the seat is over; a flag falls soon after it.")
    stopped_by = fields.String(
        allow_none=True,
        validate=validate.OneOf(["pause", "vacation", "outage"]),
        metadata={"description": "What stops the clock now; null: the clock runs."},
    )
    overdue = fields.Boolean(metadata={"description": "Whether the flag of the seat has fallen."})
    now = fields.String(metadata={"format": "date-time", "description": "The time of the service."})
