"""What a position promises when the open cells are compared with the tiles that are left.

`Outlook` takes every open end for as likely to be closed as any other. Here the chance of an open
cell follows from how many of the tiles that are left fit it: a city that needs a tile which nobody
can draw any more is closed never.
"""

from __future__ import annotations

from math import isqrt
from typing import Final

from cartulary.bots.carcassonne.chances import UNIT, list_chances, rate_stay
from cartulary.engine.carcassonne.board import LAID_BITS, LAID_MASK
from cartulary.engine.carcassonne.features import OPEN_ENDS
from cartulary.engine.carcassonne.laid import AROUND, FIT, LAID, STEPS, demand, opposite
from cartulary.engine.carcassonne.scoring import FARM_POINTS_PER_CITY, majority
from cartulary.engine.carcassonne.state import CarcassonneState

USUAL: Final = 33
"""The share of the tiles left, in %, that fit an open cell of usual difficulty."""

PARTS: Final = 8
"""Chances are computed for eighths of the usual share of tiles."""

SIDES_ASKED: Final = tuple(
    tuple((STEPS[side], opposite(side)) for side in range(4) if demand(code, side))
    for code in range(256)
)
"""By code of an open cell: the ways to the tiles beside it, and their sides that face the cell."""


class Fitting:
    """Estimates for positions that are some turns after `state`; its bag says which tiles fit."""

    def __init__(self, state: CarcassonneState) -> None:
        self._bag = [(FIT[tile], count) for tile, count in enumerate(state.bag) if count]
        self._left = max(state.left, 1)
        self._tiny_city = int(state.options["tiny_city"])
        self._eighths: dict[int, int] = {}
        self._tables: dict[int, tuple[tuple[int, ...], ...]] = {}

    def seats(self, state: CarcassonneState) -> list[int]:
        """Return what each seat may expect to have in the end, in units."""
        chances, features = list_chances(state.left), state.features
        values = [
            UNIT * score + chances.supply[count]
            for score, count in zip(state.scores, state.supply, strict=True)
        ]
        root = features.root
        kinds = {root(node): kind for node, (_, kind) in state.pieces.items()}
        closes, stay = self._close(state), rate_stay(state.left)
        for feature, kind in kinds.items():
            points, chance = self._rate(state, feature, kind, closes)
            home = chance * chances.city_home[0] // UNIT if kind != "field" else -stay
            followers = features.followers(feature, state.seats)
            for seat in majority(followers):
                values[seat] += points
            for seat, count in enumerate(followers):
                values[seat] += count * home
        return values

    def _rate(
        self, state: CarcassonneState, root: int, kind: str, closes: dict[int, int]
    ) -> tuple[int, int]:
        """Return the expected points of a feature, and the chance that it is closed."""
        features = state.features
        if kind == "field":
            return self._rate_farm(state, root, closes), 0
        if kind == "monastery":
            return self._rate_monastery(state, root)
        tiles, closing = features.tiles(root), closes.get(root, UNIT)
        if kind == "road":
            return UNIT * tiles, closing
        now = tiles + features.pennants(root)
        closed = self._tiny_city if tiles == 2 else 2 * now
        return UNIT * now + closing * (closed - now), closing

    def _rate_farm(self, state: CarcassonneState, root: int, closes: dict[int, int]) -> int:
        features = state.features
        cities, marks = set(), features.marks[root]
        while marks:
            lowest = marks & -marks
            marks ^= lowest
            cities.add(features.root(lowest.bit_length() - 1))
        return FARM_POINTS_PER_CITY * sum(closes.get(city, UNIT) for city in cities)

    def _rate_monastery(self, state: CarcassonneState, node: int) -> tuple[int, int]:
        """Count the empty cells: a tile fits where no tile lies yet, as often as usual."""
        empty = state.features.records[node] & OPEN_ENDS
        cell = next(cell for cell, found in state.monasteries.items() if found == node)
        table = self._chances_of(state.left)[2]
        points, closing, open_cells = UNIT * (9 - empty), UNIT, state.board.open
        for step in AROUND:
            if cell + step not in state.board.tiles:
                code = open_cells.get(cell + step)
                chance = table[PARTS if code is None else self._count(code)]
                points += chance
                closing = closing * chance // UNIT
        return points, closing

    def _close(self, state: CarcassonneState) -> dict[int, int]:
        """Return the chance of each city and road with open ends to be closed."""
        parent, tiles = state.features.parent, state.board.tiles
        city, road, _ = self._chances_of(state.left)
        closes: dict[int, int] = {}
        for cell, code in state.board.open.items():
            seen = []
            for step, side in SIDES_ASKED[code]:
                packed = tiles[cell + step]
                ports = LAID[packed & LAID_MASK].ports[side]
                demanded = code >> 2 * opposite(side) & 3
                if demanded == 1:
                    continue
                root = (packed >> LAID_BITS) + ports[0]
                while parent[root] != root:
                    root = parent[root]
                if root not in seen:
                    seen.append(root)
                    chance = (city if demanded == 3 else road)[self._count(code)]
                    closes[root] = closes.get(root, UNIT) * chance // UNIT
        return closes

    def _count(self, code: int) -> int:
        """Return how many of the tiles left fit a cell, in eighths of the usual share of them."""
        found = self._eighths.get(code)
        if found is None:
            fitting = sum(count for fit, count in self._bag if fit[code])
            found = min(3 * PARTS, (100 * PARTS * fitting) // (USUAL * self._left))
            self._eighths[code] = found
        return found

    def _chances_of(self, left: int) -> tuple[tuple[int, ...], ...]:
        """Return, for cities, roads and monasteries, the chance of a cell by eighths."""
        found = self._tables.get(left)
        if found is None:
            chances = list_chances(left)
            usual = chances.city[1], chances.road[1], chances.monastery[1] - 8 * UNIT
            found = self._tables[left] = tuple(spread(chance) for chance in usual)
        return found


def spread(usual: int) -> tuple[int, ...]:
    """Return the chance of a cell by eighths of the usual share: each eighth is a try."""
    missed = UNIT - usual
    for _ in range(3):  # the eighth root, as three square roots
        missed = isqrt(missed * UNIT)
    chances, stays_open = [], UNIT
    for _ in range(3 * PARTS + 1):
        chances.append(UNIT - stays_open)
        stays_open = stays_open * missed // UNIT
    return tuple(chances)
