"""Pieces: what the things on the table cost, do and are worth, for people who learn the game.

The rows come from the tables that the rules themselves use, so they never differ from the play.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Piece(NamedTuple):
    """One thing on the table: a building, a column of favours, a tile, a feature.

    `id` is unique within its `kind`; `rules` is the section of the rules that it is taken from.
    `does` says for machines what it does: its keys are the names of effects, and the game says what
    they mean. `price`, `points` (at once or in all) and `column` are None where they make no sense.
    `owner` are the goods of which the owner gets one bundle when another seat uses the piece.
    """

    id: str
    kind: str
    rules: str
    does: Mapping[str, Any]
    price: Mapping[str, int] | None = None
    points: int | None = None
    favours: int = 0
    owner: tuple[Mapping[str, int], ...] = ()
    column: int | None = None
    copies: int | None = None
