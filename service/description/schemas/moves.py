"""All moves, decisions and views, of whichever game: the place where a new game is added."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from cartulary.service.description.schemas import carcassonne, caylus
from cartulary.service.description.schemas.base import Answer, AnyOf, JsonObject, OneOf, seat

GAMES: dict[str, dict[str, list[str]]] = {
    "carcassonne": carcassonne.DECISIONS,
    "caylus": caylus.DECISIONS,
}
"""Per game and kind of decision, the types of the moves that answer it."""

MOVES: dict[str, type[Schema]] = {**carcassonne.MOVES, **caylus.MOVES}
VIEWS: list[type[Schema]] = [carcassonne.CarcassonneView, caylus.CaylusView]


def move(**kwargs: Any) -> OneOf:
    """Return a field that holds a move, as we send it."""
    return OneOf("Move", "type", MOVES, required=True, **kwargs)


def move_asked(**kwargs: Any) -> JsonObject:
    """Return a field that takes a move as it is: whether it is legal is the engine's to say."""
    return JsonObject(component="Move", required=True, **kwargs)


def view(**kwargs: Any) -> AnyOf:
    """Return a field that holds the view of a game, null before the start."""
    return AnyOf("View", VIEWS, required=True, allow_none=True, **kwargs)


def decisions_table() -> str:
    """Return, in Markdown, what is asked in each game and what answers it."""
    rows = [
        f"| {game} | `{kind}` | {', '.join(f'`{name}`' for name in names)} |"
        for game, kinds in GAMES.items()
        for kind, names in kinds.items()
    ]
    return "\n".join(["| game | decision | moves |", "|---|---|---|", *rows])


class DecisionAnswer(Answer):
    """What the game waits for: exactly one seat, one kind of question."""

    seat = seat(required=True)
    kind = fields.String(
        required=True, metadata={"description": "Tells which types of moves answer it."}
    )
    context = fields.Dict(
        required=True,
        metadata={
            "description": "For people and clients; never needed to tell two legal moves apart."
        },
    )
