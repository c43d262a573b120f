"""What features are worth, during the play and at its end (rules 2)."""

from __future__ import annotations

from typing import Final, NamedTuple

from cartulary.engine.carcassonne.features import MONASTERY_ENDS, OPEN_ENDS, Features
from cartulary.engine.core import Json

FARM_POINTS_PER_CITY: Final = 3
CITY_POINTS: Final = 2
"""For each tile and each pennant of a completed city; 1 for those of other features."""
MONASTERY_POINTS: Final = 9
REASONS: Final = {"road": 0, "city": 1, "monastery": 2, "farm": 3}
"""The reasons of the end count, in the order of the breakdown (`contract`, end of the game)."""


class Worth(NamedTuple):
    """What a feature pays to each seat with the majority, and the counts that explain it."""

    reason: str
    points: int
    detail: dict[str, int]


def majority(followers: list[int]) -> list[int]:
    """Return the seats with the most followers; all of them in a tie, none without followers."""
    most = max(followers)
    return [seat for seat, count in enumerate(followers) if count == most] if most else []


def rate_completed(features: Features, root: int, kind: str, tiny_city: int) -> Worth:
    """Return what a completed road, city or monastery is worth."""
    if kind == "monastery":
        return Worth(kind, MONASTERY_POINTS, {"tiles": 1 + MONASTERY_ENDS})
    tiles = features.tiles(root)
    if kind == "road":
        return Worth(kind, tiles, {"tiles": tiles})
    pennants = features.pennants(root)
    # No city of two tiles can hold a pennant: it consists of two caps, and no cap has one.
    points = tiny_city if tiles == 2 else CITY_POINTS * (tiles + pennants)
    return Worth(kind, points, {"tiles": tiles, "pennants": pennants})


def rate_unfinished(features: Features, root: int, kind: str) -> Worth:
    """Return what a feature is worth at the end of the game: not completed, or a farm."""
    if kind == "field":
        cities = features.completed_cities(root)
        return Worth("farm", FARM_POINTS_PER_CITY * cities, {"cities": cities})
    if kind == "monastery":
        tiles = 1 + MONASTERY_ENDS - (features.records[root] & OPEN_ENDS)
        return Worth(kind, tiles, {"tiles": tiles})
    tiles = features.tiles(root)
    if kind == "road":
        return Worth(kind, tiles, {"tiles": tiles})
    pennants = features.pennants(root)
    return Worth(kind, tiles + pennants, {"tiles": tiles, "pennants": pennants})


def breakdown(features: Features, kinds: dict[int, str], seats: int) -> list[Json]:
    """Return the end count: an entry per feature and seat with the majority, also when worth 0.

    `kinds` gives the kind of segment of every root in which a follower stands.
    """
    entries: list[Json] = []
    for root in sorted(kinds):
        worth = rate_unfinished(features, root, kinds[root])
        entries += [
            {"seat": seat, "reason": worth.reason, "points": worth.points, "detail": worth.detail}
            for seat in majority(features.followers(root, seats))
        ]
    return sorted(entries, key=lambda entry: (entry["seat"], REASONS[entry["reason"]]))
