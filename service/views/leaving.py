"""Leaving: resign, be away, come back, and claim the seat of somebody who does not answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response

from cartulary.events.players import Player
from cartulary.events.writer import Written
from cartulary.service.description.schemas.arranging import PlainWrite
from cartulary.service.description.schemas.history import WrittenAnswer
from cartulary.service.description.schemas.leaving import ClaimRequest, ResignationRequest
from cartulary.service.http.answers import answer_written
from cartulary.service.http.conditions import Versions, write_at
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf

blueprint = Blueprint("leaving", __name__)
_HEADERS = ("ETag", "Idempotency-Replayed")
_KEYS = ("Idempotency-Key", "If-Match")
_REFUSALS = ("not_found", "not_seated", "game_not_running")
_NOTHING = AnswerOf("Nothing had to be done.", WrittenAnswer, headers=_HEADERS)


@blueprint.post("/games/<game:game_id>/resignation")
@operation(
    "seats",
    "Resign",
    {201: AnswerOf("The seat is lost for good.", WrittenAnswer, headers=_HEADERS)},
    body=ResignationRequest,
    body_optional=True,
    headers=_KEYS,
    limit="writes",
    refusals=(*_REFUSALS, "seat_forfeited"),
    token="required",
)
def resign(
    here: Parts,
    game_id: str,
    who: Player,
    key: str | None,
    body: dict[str, Any],
    if_match: Versions | None,
) -> Response:
    """Of two players the other wins. With more, a bot plays on, and the seat is ranked last."""
    command, seat = here.store.commands.leaving.resign, body.get("seat")
    return _answer(
        here, game_id, if_match, body, lambda at: command(who, game_id, seat, key, at, body)
    )


@blueprint.post("/games/<game:game_id>/seats/<whole:seat>/stand_in")
@operation(
    "seats",
    "Be away",
    {201: AnswerOf("A bot answers for the seat.", WrittenAnswer, headers=_HEADERS), 200: _NOTHING},
    body=PlainWrite,
    body_optional=True,
    headers=_KEYS,
    limit="writes",
    refusals=(*_REFUSALS, "seat_forfeited", "alone"),
    token="required",
)
def seat_stand_in(
    here: Parts,
    game_id: str,
    seat: int,
    who: Player,
    key: str | None,
    body: dict[str, Any],
    if_match: Versions | None,
) -> Response:
    """A bot answers for one's own seat until one returns; it is never stronger than a bot there.

    Who has come back three times and goes away again has lost the seat for good.
    """
    command = here.store.commands.leaving.go_away
    return _answer(
        here, game_id, if_match, body, lambda at: command(who, game_id, seat, key, at, body)
    )


@blueprint.post("/games/<game:game_id>/seats/<whole:seat>/return")
@operation(
    "seats",
    "Come back",
    {201: AnswerOf("The owner answers again.", WrittenAnswer, headers=_HEADERS), 200: _NOTHING},
    body=PlainWrite,
    body_optional=True,
    headers=_KEYS,
    limit="writes",
    refusals=(*_REFUSALS, "seat_forfeited"),
    token="required",
)
def return_to_seat(
    here: Parts,
    game_id: str,
    seat: int,
    who: Player,
    key: str | None,
    body: dict[str, Any],
    if_match: Versions | None,
) -> Response:
    """Answer for one's own seat again. A move by its owner does the same."""
    command = here.store.commands.leaving.come_back
    return _answer(
        here, game_id, if_match, body, lambda at: command(who, game_id, seat, key, at, body)
    )


@blueprint.post("/games/<game:game_id>/seats/<whole:seat>/claim")
@operation(
    "seats",
    "Claim the seat of somebody who does not answer",
    {
        201: AnswerOf(
            "Done, proposed to the others, or accepted.", WrittenAnswer, headers=_HEADERS
        ),
        200: _NOTHING,
    },
    body=ClaimRequest,
    headers=_KEYS,
    limit="writes",
    refusals=(*_REFUSALS, "not_overdue", "proposal_open"),
    token="required",
)
def claim_seat(
    here: Parts,
    game_id: str,
    seat: int,
    who: Player,
    key: str | None,
    body: dict[str, Any],
    if_match: Versions | None,
) -> Response:
    """After 14 days without an answer of the seat that is asked, for everybody else who plays.

    A remedy that needs others is a proposal; the same claim by another player accepts it.
    """
    command, remedy = here.store.commands.leaving.claim, body["remedy"]
    return _answer(
        here,
        game_id,
        if_match,
        body,
        lambda at: command(who, game_id, seat, remedy, key, at, body),
    )


def _answer(
    here: Parts,
    game_id: str,
    if_match: Versions | None,
    body: dict[str, Any],
    write: Callable[[int | None], Written],
) -> Response:
    """Write at a version that the request allows, and answer what was done."""
    done = write_at(here, game_id, if_match, write, body.get("expected_version"))
    return answer_written(here, done)
