"""What features, tiles and followers are worth under the options of a game (rules 1 and 2).

`Piece.does` of a feature says what it pays when it is `completed` and at the `end`: points for each
`tile`, `pennant` or `city`, or in `all`; a completed city of two tiles pays `tiny`. That of a tile
has its `edges` (N, E, S, W) and its `segments`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cartulary.engine.carcassonne.position import SUPPLY
from cartulary.engine.carcassonne.scoring import (
    CITY_POINTS,
    FARM_POINTS_PER_CITY,
    MONASTERY_POINTS,
)
from cartulary.engine.carcassonne.tiles import TILES, Tile
from cartulary.engine.core import Json
from cartulary.engine.pieces import Piece


def list_pieces(options: Mapping[str, str | int]) -> list[Piece]:
    """Return the features, the followers and the tiles under these (complete) options."""
    city = {
        "completed": {"tile": CITY_POINTS, "pennant": CITY_POINTS, "tiny": options["tiny_city"]},
        "end": {"tile": 1, "pennant": 1},
    }
    return [
        Piece("city", "feature", "2", city, points=CITY_POINTS),
        *_FEATURES,
        Piece("follower", "follower", "2", {}, copies=SUPPLY),
        *map(_describe_tile, TILES),
    ]


_FEATURES: Final = (
    Piece("road", "feature", "2", {"completed": {"tile": 1}, "end": {"tile": 1}}, points=1),
    Piece(
        "monastery",
        "feature",
        "2",
        {"completed": {"all": MONASTERY_POINTS}, "end": {"tile": 1}},
        points=MONASTERY_POINTS,
    ),
    Piece(
        "farm",
        "feature",
        "2",
        {"end": {"city": FARM_POINTS_PER_CITY}},
        points=FARM_POINTS_PER_CITY,
    ),
)


def _describe_tile(tile: Tile) -> Piece:
    segments: list[Json] = [
        {"id": segment.id, "kind": segment.kind, "pennant": segment.pennant}
        for segment in tile.segments
    ]
    does = {"edges": list(tile.edges), "segments": segments}
    return Piece(tile.letter, "tile", "1", does, copies=tile.copies)
