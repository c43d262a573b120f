"""Again: try a move before it is made, branch off, play once more with the same people."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Blueprint, Response
from werkzeug.datastructures import ETags

from cartulary.events.branching import BranchRequest
from cartulary.events.commands import SeatRequest
from cartulary.events.players import Player
from cartulary.events.types import GAME_CREATED
from cartulary.service.description.schemas import again as schemas
from cartulary.service.description.schemas.games import GameAnswer
from cartulary.service.description.schemas.history import PreviewAnswer
from cartulary.service.description.schemas.requests import PreviewRequest
from cartulary.service.http.answers import answer_changed, answer_game, answer_json, revalidate
from cartulary.service.http.conditions import tag_table
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.shortcuts import is_plain_preview

blueprint = Blueprint("again", __name__)


@blueprint.post("/games/<game:game_id>/preview")
@operation(
    "moves",
    "Try a move",
    {200: AnswerOf("What the move would lead to.", PreviewAnswer)},
    body=PreviewRequest,
    quick=is_plain_preview,
    limit="previews",
    refusals=(
        *("not_found", "not_seated", "game_not_running", "stale_version", "seat_forfeited"),
        *("not_your_turn", "illegal_move"),
    ),
    token="required",
    stores_nothing=True,
)
def preview_move(here: Parts, game_id: str, who: Player, body: dict[str, Any]) -> Response:
    """Say what a move would lead to, up to the first draw; store nothing.

    A preview refuses a move for the reasons for which `POST …/moves` refuses it. With `next` it
    says as well what would be possible after the move.
    """
    found = describe_preview(here, game_id, who, body)
    return answer_json(found, headers={"Cache-Control": "no-store"})


def describe_preview(
    here: Parts, game_id: str, who: Player, body: dict[str, Any]
) -> dict[str, Any]:
    """Return the members of the answer to a preview; raises what `Commands.move` raises."""
    again, move, at = here.store.commands.again, body["move"], body.get("version")
    if not body.get("next"):
        found = again.preview(who, game_id, move, at)
        return {**found._asdict(), "view": orjson.Fragment(found.view)}
    found, outlook = again.preview_further(who, game_id, move, at)
    return {**found._asdict(), "view": orjson.Fragment(found.view), **outlook._asdict()}


@blueprint.post("/games/<game:game_id>/branches")
@operation(
    "games",
    "Branch off",
    {
        201: AnswerOf(
            "The branch is running.",
            GameAnswer,
            headers=("Location", "ETag", "Idempotency-Replayed", *STANDING),
        )
    },
    body=schemas.BranchRequest,
    headers=("Idempotency-Key",),
    refusals=("not_found", "branch_not_allowed", "quota_exceeded"),
    limit="imports",
    token="required",
)
def open_branch(
    here: Parts, game_id: str, who: Player, key: str | None, body: dict[str, Any]
) -> Response:
    """Open a new game that goes on from any version of this game, with draws of its own.

    This game must be over, or all others who play it must be bots. Moves that were taken back are
    not part of the branch. A branch counts as an import for the limits.
    """
    return answer_game(here, here.store.commands.again.branch(who, game_id, _read(body), key))


def _read(body: dict[str, Any]) -> BranchRequest:
    seats = body.get("seats")
    wished = seats and [SeatRequest(seat["kind"], seat.get("bot")) for seat in seats]
    return BranchRequest(**{**body, "seats": wished})


@blueprint.post("/games/<game:game_id>/rematch")
@operation(
    "games",
    "Open the rematch",
    {
        201: AnswerOf(
            "Opened.", GameAnswer, headers=("Location", "ETag", "Idempotency-Replayed", *STANDING)
        ),
        200: AnswerOf(
            "It was there already, and the caller sits.",
            GameAnswer,
            headers=("ETag", "Idempotency-Replayed", *STANDING),
        ),
    },
    body=schemas.RematchRequest,
    body_optional=True,
    headers=("Idempotency-Key",),
    refusals=(
        *("not_found", "not_seated", "removed", "game_running", "seat_taken"),
        "quota_exceeded",
    ),
    limit="games",
    token="required",
)
def open_rematch(
    here: Parts, game_id: str, who: Player, key: str | None, body: dict[str, Any]
) -> Response:
    """Open the next game with the same people, or sit down at it.

    A game has one rematch. The caller sits, the other persons have offers of their seats, bots
    sit. The seat of a player who went away during the game is open.
    """
    done = here.store.commands.again.open_rematch(who, game_id, body["seats"], key)
    is_new = bool(done.events) and done.events[0]["type"] == GAME_CREATED
    return answer_game(here, done, 201 if is_new else 200)


@blueprint.get("/games/<game:game_id>/rematch")
@operation(
    "games",
    "The rematch as it stands",
    {
        200: AnswerOf("The game.", GameAnswer, headers=("ETag",)),
        304: AnswerOf("It is at the version that the client has."),
    },
    headers=("If-None-Match",),
    refusals=("not_found",),
    token="optional",
)
def show_rematch(here: Parts, game_id: str, who: Player | None, known: ETags) -> Response:
    """There is no rematch until a player of this game opens it."""
    table = here.store.commands.again.find_rematch(game_id, who and who.id)
    return answer_changed(known, table.text, tag_table(here, table), revalidate(table.visibility))
