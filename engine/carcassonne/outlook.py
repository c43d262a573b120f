"""What lies on the table and what it is worth: for people who look, not for a search."""

from __future__ import annotations

from typing import Final

from cartulary.engine.carcassonne import scoring
from cartulary.engine.carcassonne.features import OPEN_ENDS, Features
from cartulary.engine.carcassonne.position import Position
from cartulary.engine.core import Json

_NAMES: Final = {"field": "farm"}
"""The word of the end count for a kind of segment, where the two differ."""


def list_features(position: Position) -> list[Json]:
    """Return every feature on the table, in the order of its first segment.

    `segments` are its parts; `tiles` is its size, of a monastery with the tiles round it; `open`
    counts the ports that no tile faces, of a monastery the empty cells round it; `followers` are
    those of each seat. `now` is what the seats with the majority score if the play ends now, of a
    completed feature what they score at once. `done` is what they score when it is completed as
    large as it is; None for a farm, which is never completed. A city has its `pennants`, a farm
    the completed `cities` that it touches and all cities `beside` it.
    """
    return [
        {
            "kind": _NAMES.get(kind, kind),
            "segments": segments,
            "tiles": len({(part["x"], part["y"]) for part in segments}),
            "open": position.features.records[root] & OPEN_ENDS,
            "followers": position.features.followers(root, position.seats),
            **_rate(position, root, kind),
        }
        for root, (kind, segments) in _gather_segments(position).items()
    ]


def _gather_segments(position: Position) -> dict[int, tuple[str, list[Json]]]:
    """Return the kind and the segments of every feature by its root."""
    found: dict[int, tuple[str, list[Json]]] = {}
    for cell in position.board.tiles:
        placed = position.board.read_tile(cell)
        for number, segment in enumerate(placed.tile.segments):
            root = position.features.root(placed.base + number)
            _, segments = found.setdefault(root, (segment.kind, []))
            segments.append({"x": placed.x, "y": placed.y, "segment": segment.id})
    return found


def _rate(position: Position, root: int, kind: str) -> Json:
    """Return what a feature is worth, and the counts that explain it."""
    features = position.features
    unfinished = scoring.rate_unfinished(features, root, kind)
    if kind == "field":
        cities = len(list_cities(features, root))
        return {"now": unfinished.points, "done": None, **unfinished.detail, "beside": cities}
    done = scoring.rate_completed(features, root, kind, int(position.options["tiny_city"])).points
    is_open = features.records[root] & OPEN_ENDS
    return {"now": unfinished.points if is_open else done, "done": done, **unfinished.detail}


def list_cities(features: Features, root: int) -> set[int]:
    """Return the cities that a field touches, each by its root."""
    marks = features.marks[root]
    return {features.root(node) for node in range(marks.bit_length()) if marks >> node & 1}
