"""Leaving: resign, be away, come back, and claim the seat of a player who does not answer."""

from __future__ import annotations

from flask import Blueprint, Response
from marshmallow import validate

from cartulary.events.commands.game.overdue import REMEDIES
from cartulary.service.api.game.game_writes import GameWrite, describe_written, game_write
from cartulary.service.schemas.base import Request, seat, text
from cartulary.service.schemas.game_bodies import PlainWrite, expected_version

blueprint = Blueprint("leaving", __name__)
_REFUSALS = ("not_found", "not_seated", "game_not_running")
_NOTHING = describe_written("Nothing had to be done.")


class ResignationRequest(Request):
    """The seat to give up; needed by a player who holds several."""

    seat = seat()
    expected_version = expected_version()


class ClaimRequest(Request):
    """What is to become of the seat of a player who does not answer."""

    remedy = text(
        "`stand_in`: a bot answers until the owner returns. `forfeit`: the "
        "owner is out for good. `abort`: the game ends without a result. The last two need "
        "everybody else who plays and is not away.",
        validate=validate.OneOf(REMEDIES),
    )
    expected_version = expected_version()


@blueprint.post("/games/<game:game_id>/resignation")
@game_write(
    "seats",
    "Resign",
    {201: describe_written("The seat is lost for good.")},
    body=ResignationRequest,
    body_optional=True,
    refusals=(*_REFUSALS, "seat_forfeited"),
)
def resign(write: GameWrite) -> Response:
    """Of two players the other wins. With more, a bot plays on, and the seat is ranked last."""
    return write.answer(write.give(write.commands.leaving.resign, write.body.get("seat")))


@blueprint.post("/games/<game:game_id>/seats/<whole:seat>/stand_in")
@game_write(
    "seats",
    "Be away",
    {201: describe_written("A bot answers for the seat."), 200: _NOTHING},
    body=PlainWrite,
    body_optional=True,
    refusals=(*_REFUSALS, "seat_forfeited", "alone", "rated_game", "round_open"),
)
def seat_stand_in(write: GameWrite, seat: int) -> Response:
    """A bot answers for one's own seat until one returns; it is never stronger than a bot there.

    Who has come back three times and goes away again has lost the seat for good.
    """
    return write.answer(write.give(write.commands.leaving.go_away, seat))


@blueprint.post("/games/<game:game_id>/seats/<whole:seat>/return")
@game_write(
    "seats",
    "Come back",
    {201: describe_written("The owner answers again."), 200: _NOTHING},
    body=PlainWrite,
    body_optional=True,
    refusals=(*_REFUSALS, "seat_forfeited"),
)
def return_to_seat(write: GameWrite, seat: int) -> Response:
    """Answer for one's own seat again. A move by its owner does the same."""
    return write.answer(write.give(write.commands.leaving.come_back, seat))


@blueprint.post("/games/<game:game_id>/seats/<whole:seat>/claim")
@game_write(
    "seats",
    "Claim the seat of a player who does not answer",
    {201: describe_written("Done, proposed to the others, or accepted."), 200: _NOTHING},
    body=ClaimRequest,
    refusals=(*_REFUSALS, "not_overdue", "proposal_open", "rated_game", "round_open"),
)
def claim_seat(write: GameWrite, seat: int) -> Response:
    """After 14 days without an answer of the seat that is asked, for everybody else who plays.

    A remedy that needs others is a proposal; the same claim by another player accepts it.
    """
    return write.answer(write.give(write.commands.leaving.claim, seat, write.body["remedy"]))
