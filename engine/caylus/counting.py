"""The end of the game: points for gold, other cubes and deniers (rules 2, end bonuses)."""

from __future__ import annotations

from cartulary.engine.caylus.goods import DENIERS, GOLD, KINDS
from cartulary.engine.caylus.position import Position
from cartulary.engine.caylus.tables import CUBES_PER_POINT, DENIERS_PER_POINT, POINTS_PER_GOLD
from cartulary.engine.core import Json


def count(state: Position) -> list[Json]:
    """Return one entry per seat and reason with points; changes nothing."""
    return [
        {"seat": seat, "reason": reason, "points": points, "detail": held}
        for seat in range(state.seats)
        for reason, points, held in _entries(state, seat)
        if points
    ]


def _entries(state: Position, seat: int) -> tuple[tuple[str, int, int], ...]:
    purse = KINDS * seat
    gold = state.goods[purse + GOLD]
    cubes = sum(state.goods[purse : purse + GOLD])
    deniers = state.goods[purse + DENIERS]
    return (
        ("gold", gold * POINTS_PER_GOLD, gold),
        ("cubes", cubes // CUBES_PER_POINT, cubes),
        ("deniers", deniers // DENIERS_PER_POINT, deniers),
    )
