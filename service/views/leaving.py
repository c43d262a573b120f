"""Leaving: resign, be away, come back, and claim the seat of somebody who does not answer."""

from __future__ import annotations

from flask import Blueprint, Response

from cartulary.service.description.schemas.arranging import PlainWrite
from cartulary.service.description.schemas.leaving import ClaimRequest, ResignationRequest
from cartulary.service.views.game_writes import GameWrite, describe_written, game_write

blueprint = Blueprint("leaving", __name__)
_REFUSALS = ("not_found", "not_seated", "game_not_running")
_NOTHING = describe_written("Nothing had to be done.")


@blueprint.post("/games/<game:game_id>/resignation")
@game_write(
    "seats",
    "Resign",
    {201: describe_written("The seat is lost for good.")},
    body=ResignationRequest,
    body_optional=True,
    refusals=(*_REFUSALS, "seat_forfeited"),
)
def resign(asked: GameWrite) -> Response:
    """Of two players the other wins. With more, a bot plays on, and the seat is ranked last."""
    command, seat = asked.commands.leaving.resign, asked.body.get("seat")
    return asked.answer(
        lambda at: command(asked.who, asked.game_id, seat, asked.key, at, asked.body)
    )


@blueprint.post("/games/<game:game_id>/seats/<whole:seat>/stand_in")
@game_write(
    "seats",
    "Be away",
    {201: describe_written("A bot answers for the seat."), 200: _NOTHING},
    body=PlainWrite,
    body_optional=True,
    refusals=(*_REFUSALS, "seat_forfeited", "alone"),
)
def seat_stand_in(asked: GameWrite, seat: int) -> Response:
    """A bot answers for one's own seat until one returns; it is never stronger than a bot there.

    Who has come back three times and goes away again has lost the seat for good.
    """
    command = asked.commands.leaving.go_away
    return asked.answer(
        lambda at: command(asked.who, asked.game_id, seat, asked.key, at, asked.body)
    )


@blueprint.post("/games/<game:game_id>/seats/<whole:seat>/return")
@game_write(
    "seats",
    "Come back",
    {201: describe_written("The owner answers again."), 200: _NOTHING},
    body=PlainWrite,
    body_optional=True,
    refusals=(*_REFUSALS, "seat_forfeited"),
)
def return_to_seat(asked: GameWrite, seat: int) -> Response:
    """Answer for one's own seat again. A move by its owner does the same."""
    command = asked.commands.leaving.come_back
    return asked.answer(
        lambda at: command(asked.who, asked.game_id, seat, asked.key, at, asked.body)
    )


@blueprint.post("/games/<game:game_id>/seats/<whole:seat>/claim")
@game_write(
    "seats",
    "Claim the seat of somebody who does not answer",
    {201: describe_written("Done, proposed to the others, or accepted."), 200: _NOTHING},
    body=ClaimRequest,
    refusals=(*_REFUSALS, "not_overdue", "proposal_open"),
)
def claim_seat(asked: GameWrite, seat: int) -> Response:
    """After 14 days without an answer of the seat that is asked, for everybody else who plays.

    A remedy that needs others is a proposal; the same claim by another player accepts it.
    """
    command, remedy = asked.commands.leaving.claim, asked.body["remedy"]
    return asked.answer(
        lambda at: command(asked.who, asked.game_id, seat, remedy, asked.key, at, asked.body)
    )
