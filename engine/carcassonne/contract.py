"""The contract of Carcassonne: its moves, decisions, facts and view (`docs/moves.md`)."""

from __future__ import annotations

from typing import Final

from cartulary.engine.carcassonne.scoring import REASONS
from cartulary.engine.carcassonne.tiles import KINDS, LETTERS, TILES
from cartulary.engine.contract import (
    COUNT,
    POSITIVE,
    SEAT,
    WHOLE,
    Contract,
    Question,
    facts_of,
    list_of,
    moves_of,
    object_of,
    one_of,
    or_null,
    with_text,
)
from cartulary.engine.schema import Schema, reference

_IDS: Final = sorted({segment.id for tile in TILES for segment in tile.segments})
_COMPLETED: Final = [reason for reason in REASONS if reason in KINDS]
"""The features that can be completed; a farm is counted at the end only."""

_LETTER: Final = reference("Letter")
_SEGMENT: Final = reference("Segment")
_X: Final = with_text(WHOLE, "Grows to the east.")
_Y: Final = with_text(WHOLE, "Grows to the south.")
_ROTATION: Final[Schema] = {
    "type": "integer",
    "enum": [0, 90, 180, 270],
    "description": "Degrees clockwise.",
}
_LYING: Final = {"tile": _LETTER, "x": _X, "y": _Y, "rotation": _ROTATION}
_STANDING: Final = {"x": _X, "y": _Y, "segment": _SEGMENT}
_TILES: Final = {"tiles": with_text(POSITIVE, "Tiles of the feature.")}
_PENNANTS: Final = {"pennants": with_text(COUNT, "Pennants of the city; for a city only.")}

_DEFINITIONS: Final = {
    "Letter": one_of(LETTERS, "tile", "The letter of a type of tile."),
    "Segment": one_of(
        _IDS,
        "segment",
        "City (c), road (r), field (f) or monastery (m) of the tile; the id stays with the tile "
        "when it is rotated.",
    ),
    "Follower": object_of("A follower that stands on a tile.", {"seat": SEAT, "segment": _SEGMENT}),
    "PlacedTile": object_of(
        "A tile on the table.", {**_LYING, "follower": or_null(reference("Follower"))}
    ),
}

_MOVES: Final = {
    "place_tile": ("Lay the tile in hand.", {"x": _X, "y": _Y, "rotation": _ROTATION}),
    "place_follower": (
        "Put a follower on a segment of the tile just laid.",
        {"segment": _SEGMENT},
    ),
    "skip_follower": ("Put no follower down.", {}),
}

_DECISIONS: Final = {
    "place_tile": Question(
        "Where does the tile go?",
        ("place_tile",),
        object_of("The tile in hand.", {"tile": _LETTER}),
    ),
    "place_follower": Question(
        "Does a follower go on the tile just laid?",
        ("place_follower", "skip_follower"),
        object_of("The tile just laid, and where it lies.", _LYING),
    ),
}

_FACTS: Final = {
    "tile_placed": object_of("A tile is laid.", {"seat": SEAT, **_LYING}),
    "follower_placed": object_of(
        "A follower is put on the tile just laid.",
        {"seat": SEAT, "feature": one_of(KINDS), **_STANDING},
    ),
    "feature_completed": object_of(
        "A feature is complete, also when no follower stands in it.",
        {"feature": one_of(_COMPLETED), **_TILES},
        _PENNANTS,
    ),
    "points": object_of(
        "A seat with the majority scores a completed feature.",
        {"seat": SEAT, "points": WHOLE, "reason": one_of(_COMPLETED), **_TILES},
        _PENNANTS,
    ),
    "follower_returned": object_of(
        "A follower goes home from where it stood.", {"seat": SEAT, **_STANDING}
    ),
    "tile_set_aside": object_of(
        "The tile drawn fits nowhere; the same seat draws again.", {"tile": _LETTER}
    ),
    "tile_drawn": object_of(
        "A seat draws the tile that it lays next.", {"seat": SEAT, "tile": _LETTER}
    ),
    "play_over": object_of("The bag is empty: only counting is left.", {}),
}

_VIEW: Final = object_of(
    "The table of Carcassonne: what everybody may see.",
    {
        "tile": or_null(_LETTER, "Drawn and not yet placed."),
        "board": list_of(reference("PlacedTile"), "In placement order."),
        "discarded": list_of(_LETTER, "Set aside because they fitted nowhere, in drawing order."),
        "remaining": {
            "type": "object",
            "description": "How many tiles of each letter are left in the bag.",
            "propertyNames": _LETTER,
            "additionalProperties": POSITIVE,
        },
        "scores": list_of(WHOLE, "By seat."),
        "followers": list_of(COUNT, "Followers in supply, by seat."),
    },
)

_COUNTED: Final = {
    "road": object_of("An unfinished road.", _TILES),
    "city": object_of("An unfinished city.", {**_TILES, **_PENNANTS}),
    "monastery": object_of("An unfinished monastery.", _TILES),
    "farm": object_of("A farm.", {"cities": with_text(COUNT, "Completed cities that it touches.")}),
}

CONTRACT: Final = Contract(
    moves=moves_of(_MOVES),
    decisions=_DECISIONS,
    facts=facts_of(_FACTS),
    view=_VIEW,
    counts={reason: _COUNTED[reason] for reason in REASONS},
    definitions=_DEFINITIONS,
)
