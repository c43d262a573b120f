"""Dumps from strangers: whether their numbers are in their ranges, before a state is filled."""

from __future__ import annotations

from typing import Any, Final

from cartulary.engine.carcassonne.position import PLACE_FOLLOWER, PLACE_TILE
from cartulary.engine.carcassonne.tiles import LETTERS, NUMBER, START, TILES
from cartulary.engine.core import Json, is_whole

_MANY: Final = 10_000
"""More points, or tiles of a letter, than any game has."""


def is_sound(dump: Json) -> bool:
    """Return whether all numbers of a dump are in their ranges, and followers on what they say.

    Nothing else is judged: a position that no game leads to may be sound.
    """
    seats, tiles = dump["seats"], len(LETTERS)
    asked = dump["kind"] == PLACE_TILE
    return (
        dump["kind"] in ("", PLACE_TILE, PLACE_FOLLOWER)
        and _is_row(dump["scores"], seats)
        and _is_row(dump["bag"], tiles)
        and all(is_whole(one, range(tiles)) for one in dump["discarded"])
        and is_whole(dump["turn"], range(seats))
        and is_whole(dump["tile"], range(tiles) if asked else range(-1, 0))
        and all(one[3] in (0, 90, 180, 270) for one in dump["laid"])
        and _are_pieces_sound(dump)
    )


def _are_pieces_sound(dump: Json) -> bool:
    """Return whether each follower is on a segment of its kind; tiles count in their order."""
    laid = [START, *(NUMBER[letter] for letter, *_ in dump["laid"])]
    kinds = [segment.kind for tile in laid for segment in TILES[tile].segments]
    return all(
        is_whole(node, range(len(kinds)))
        and is_whole(seat, range(dump["seats"]))
        and kinds[node] == kind
        for node, seat, kind in dump["pieces"]
    )


def _is_row(values: list[Any], length: int) -> bool:
    return len(values) == length and all(is_whole(one, range(_MANY)) for one in values)
