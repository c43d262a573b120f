"""Seats: sit down, leave, decline; and what the host may change before the start."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from cartulary.events.opening import SeatRequest
from cartulary.events.players import Player
from cartulary.service.description.schemas.arranging import (
    HostRequest,
    PlainWrite,
    SeatChangeRequest,
    SeatTakingRequest,
    StartRequest,
)
from cartulary.service.description.schemas.games import GameAnswer
from cartulary.service.description.schemas.history import WrittenAnswer
from cartulary.service.http.answers import answer_game, answer_written
from cartulary.service.http.conditions import Versions, write_at
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf

blueprint = Blueprint("seats", __name__)
_HEADERS = ("ETag", "Idempotency-Replayed")
_KEYS = ("Idempotency-Key", "If-Match")


@blueprint.post("/games/<game:game_id>/seats")
@operation(
    "seats",
    "Take a seat",
    {201: AnswerOf("Seated.", GameAnswer, headers=("Location", *_HEADERS))},
    body=SeatTakingRequest,
    body_optional=True,
    headers=_KEYS,
    limit="writes",
    refusals=(
        *("not_found", "removed", "seat_taken", "seat_offered", "already_started"),
        *("seat_forfeited", "game_not_running", "quota_exceeded"),
    ),
    token="required",
)
def take_seat(
    here: Parts,
    game_id: str,
    who: Player,
    key: str | None,
    body: dict[str, Any],
    if_match: Versions | None,
) -> Response:
    """Without a number: the seat that is offered to the caller, else the first open seat.

    The last seat that is taken starts the game, unless the host is to start it.
    """
    join, seat, entropy = here.store.commands.join, body.get("seat"), body.get("entropy")
    expected = body.get("expected_version")
    # A release that did not know it made the digest of a repeated key without it.
    asked = None if expected is None else body
    done = write_at(
        here,
        game_id,
        if_match,
        lambda at: join(who, game_id, seat, key, at, entropy, asked),
        expected,
    )
    return answer_game(here, done)


@blueprint.delete("/games/<game:game_id>/seats/<whole:seat>")
@operation(
    "seats",
    "Leave a seat before the start, or decline its offer",
    {200: AnswerOf("Left or declined; the event is stored.", GameAnswer, headers=_HEADERS)},
    headers=_KEYS,
    limit="writes",
    refusals=("not_found", "not_seated", "already_started", "game_not_running"),
    token="required",
)
def leave_seat(
    here: Parts, game_id: str, seat: int, who: Player, key: str | None, if_match: Versions | None
) -> Response:
    """The seat is open again. When the host leaves, the next player at the table is the host.

    When the last player leaves, the game is aborted.
    """
    leave = here.store.commands.leave
    done = write_at(here, game_id, if_match, lambda at: leave(who, game_id, seat, key, at))
    return answer_game(here, done, 200)


@blueprint.put("/games/<game:game_id>/seats/<whole:seat>")
@operation(
    "seats",
    "Open a seat, put a bot on it, or invite a player",
    {200: AnswerOf("The seat is as wished.", WrittenAnswer, headers=_HEADERS)},
    body=SeatChangeRequest,
    headers=_KEYS,
    limit="writes",
    refusals=("not_found", "not_host", "already_started", "game_not_running", "seat_taken"),
    token="required",
)
def change_seat(
    here: Parts,
    game_id: str,
    seat: int,
    who: Player,
    key: str | None,
    body: dict[str, Any],
    if_match: Versions | None,
) -> Response:
    """For the host, before the start. A player who is removed may not come back.

    A bot or an offer gives way to what is asked for; a player has to be removed first, with
    `{"kind":"open"}`. A bot on the last open seat starts the game, unless the host is to start it.
    In a running game the host may offer a vacant seat, and withdraw the offer.
    """
    wish = SeatRequest(body["kind"], body.get("bot"), body.get("player"))
    change = here.store.commands.arranging.change_seat
    done = write_at(
        here,
        game_id,
        if_match,
        lambda at: change(who, game_id, seat, wish, key, at, body),
        body.get("expected_version"),
    )
    return answer_written(here, done, 200)


@blueprint.post("/games/<game:game_id>/start")
@operation(
    "seats",
    "Start the game",
    {201: AnswerOf("Started.", WrittenAnswer, headers=_HEADERS)},
    body=StartRequest,
    body_optional=True,
    headers=_KEYS,
    limit="writes",
    refusals=("not_found", "not_host", "already_started", "game_not_running", "seats_open"),
    token="required",
)
def start_game(
    here: Parts,
    game_id: str,
    who: Player,
    key: str | None,
    body: dict[str, Any],
    if_match: Versions | None,
) -> Response:
    """For the host. Open seats are dropped where the host says so, and offers withdrawn.

    The other seats close up in their order; enough of them must be left for the game.
    """
    start, drop = here.store.commands.arranging.start, body["drop_open_seats"]
    done = write_at(
        here,
        game_id,
        if_match,
        lambda at: start(who, game_id, drop, key, at, body),
        body.get("expected_version"),
    )
    return answer_written(here, done)


@blueprint.put("/games/<game:game_id>/host")
@operation(
    "seats",
    "Hand the table over",
    {200: AnswerOf("The player is the host.", WrittenAnswer, headers=_HEADERS)},
    body=HostRequest,
    headers=_KEYS,
    limit="writes",
    refusals=("not_found", "not_host", "game_not_running"),
    token="required",
)
def change_host(
    here: Parts,
    game_id: str,
    who: Player,
    key: str | None,
    body: dict[str, Any],
    if_match: Versions | None,
) -> Response:
    """For the host: another player who sits at the table arranges it from now on."""
    hand_over = here.store.commands.arranging.hand_over
    done = write_at(
        here,
        game_id,
        if_match,
        lambda at: hand_over(who, game_id, body["player"], key, at, body),
        body.get("expected_version"),
    )
    return answer_written(here, done, 200)


@blueprint.post("/games/<game:game_id>/abort")
@operation(
    "seats",
    "End a game before it has really begun",
    {201: AnswerOf("Aborted, or left.", WrittenAnswer, headers=_HEADERS)},
    body=PlainWrite,
    body_optional=True,
    headers=_KEYS,
    limit="writes",
    refusals=(
        *("not_found", "not_host", "not_seated", "game_not_running", "seat_forfeited"),
        "too_late",
    ),
    token="required",
)
def abort_game(
    here: Parts,
    game_id: str,
    who: Player,
    key: str | None,
    body: dict[str, Any],
    if_match: Versions | None,
) -> Response:
    """Before the start for the host: the game ends without a result.

    Later for each player until everybody has answered once: with two persons the game ends without
    a result, with more of them the player leaves and the others play on.
    """
    abort = here.store.commands.abort
    done = write_at(
        here,
        game_id,
        if_match,
        lambda at: abort(who, game_id, key, at, body),
        body.get("expected_version"),
    )
    return answer_written(here, done)
