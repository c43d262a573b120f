"""Continuations: branch off, play once more with the same people."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response
from werkzeug.datastructures import ETags

from cartulary.events.commands.commands import Intent, SeatRequest
from cartulary.events.commands.table.branching import NewBranch
from cartulary.events.commands.table.rematch import NewRematch
from cartulary.events.model.types import GAME_CREATED
from cartulary.events.people.players import Player
from cartulary.service.api.game.games_schema import GameAnswer
from cartulary.service.api.table import continuations_schema
from cartulary.service.http.answers import answer_changed, answer_game, answer_seated, revalidate
from cartulary.service.http.conditions import tag_table
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.shared.services import Services

blueprint = Blueprint("continuations", __name__)


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
    body=continuations_schema.BranchRequest,
    refusals=("not_found", "branch_not_allowed", "round_open", "quota_exceeded"),
    limit="imports",
)
def open_branch(
    services: Services, game_id: str, who: Player, key: str | None, body: dict[str, Any]
) -> Response:
    """Open a new game that goes on from any version of this game, with draws of its own.

    This game must be over, or all others who play it must be bots. Moves that were taken back are
    not part of the branch. A branch counts as an import for the limits.
    """
    branch, intent = services.store.commands.again.branch, Intent(who, key=key)
    return answer_game(services, branch(intent, game_id, _read(body)))


def _read(body: dict[str, Any]) -> NewBranch:
    seats = body.get("seats")
    wished = seats and [SeatRequest(seat["kind"], seat.get("bot")) for seat in seats]
    return NewBranch(**{**body, "seats": wished})


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
    body=continuations_schema.RematchRequest,
    body_optional=True,
    refusals=(
        *("not_found", "not_seated", "removed", "game_running", "seat_taken"),
        *("quota_exceeded", "account_needed", "rated_game", "round_open"),
    ),
    limit="games",
)
def open_rematch(
    services: Services, game_id: str, who: Player, key: str | None, body: dict[str, Any]
) -> Response:
    """Open the next game with the same people, or sit down at it.

    A game has one rematch. The caller sits, the other persons have offers of their seats, bots
    sit. The seat of a player who went away during the game is open.
    """
    wish = NewRematch(body.pop("seats"), **body)
    done = services.store.commands.again.open_rematch(Intent(who, key=key), game_id, wish)
    is_new = bool(done.events) and done.events[0]["type"] == GAME_CREATED
    return answer_seated(services, who, done, 201 if is_new else 200)


@blueprint.get("/games/<game:game_id>/rematch")
@operation(
    "games",
    "The rematch as it stands",
    {
        200: AnswerOf("The game.", GameAnswer, headers=("ETag",)),
        304: AnswerOf("It is at the version that the client has."),
    },
    refusals=("not_found",),
)
def show_rematch(services: Services, game_id: str, who: Player | None, known: ETags) -> Response:
    """There is no rematch until a player of this game opens it."""
    table = services.store.commands.again.find_rematch(game_id, who and who.id)
    return answer_changed(
        known, table.text, tag_table(services, table), revalidate(table.visibility)
    )
