"""What a position promises when the open cells are compared with the tiles that are left.

`Outlook` takes every open end for as likely to be closed as any other. Here the chance of an open
cell follows from how many of the tiles that are left fit it: a city that needs a tile which is no
longer left is never closed. The beliefs are in `weights`.
"""

from __future__ import annotations

from typing import Final

from cartulary.bots.carcassonne.chances import UNIT
from cartulary.bots.carcassonne.weights import PARTS, WEIGHTS, Tables, Weights, list_tables
from cartulary.engine.carcassonne.features import OPEN_ENDS
from cartulary.engine.carcassonne.laid import (
    AROUND,
    FIT,
    LAID,
    LAID_BITS,
    LAID_MASK,
    STEPS,
    demand,
    opposite,
)
from cartulary.engine.carcassonne.scoring import FARM_POINTS_PER_CITY, majority
from cartulary.engine.carcassonne.state import CarcassonneState

SIDES_ASKED: Final = tuple(
    tuple((STEPS[side], opposite(side)) for side in range(4) if demand(code, side))
    for code in range(256)
)
"""By code of an open cell: the ways to the tiles next to it, and their sides that face the cell."""


class Fitting:
    """Estimates for positions that are some turns after `state`; its bag says which tiles fit."""

    def __init__(self, state: CarcassonneState, weights: Weights = WEIGHTS) -> None:
        self._weights = weights
        self._bag = [(FIT[tile], count) for tile, count in enumerate(state.bag) if count]
        self._left = max(state.left, 1)
        self._tiny_city = int(state.options["tiny_city"])
        self._parts: dict[int, int] = {}

    def seats(self, state: CarcassonneState) -> list[int]:
        """Return what each seat may expect to have in the end, in units."""
        tables, features = list_tables(self._weights, state.left), state.features
        values = [
            UNIT * score + tables.supply[count]
            for score, count in zip(state.scores, state.supply, strict=True)
        ]
        root = features.root
        kinds = {root(node): kind for node, (_, kind) in state.pieces.items()}
        closes = self._close(state, tables)
        for feature, kind in kinds.items():
            points, home = self._rate(state, feature, kind, closes, tables)
            followers = features.followers(feature, state.seats)
            for seat in majority(followers):
                values[seat] += points
            for seat, count in enumerate(followers):
                values[seat] += count * home
        return values

    def _rate(
        self, state: CarcassonneState, root: int, kind: str, closes: dict[int, int], tables: Tables
    ) -> tuple[int, int]:
        """Return the expected points of a feature, and what each follower gains by coming home."""
        features = state.features
        ends = features.records[root] & OPEN_ENDS
        if kind == "field":
            later = min(ends, self._weights.most_farm_ends) * tables.farm_end
            return self._rate_farm(state, root, closes) + tables.later_cities + later, 0
        if kind == "monastery":
            return self._rate_monastery(state, root, tables)
        tiles, closing = features.tiles(root), closes.get(root, UNIT)
        if kind == "road":
            return UNIT * tiles + ends * tables.road_end, closing * tables.road_home // UNIT
        now = tiles + features.pennants(root)
        closed = self._tiny_city if tiles == 2 else 2 * now
        points = UNIT * now + closing * (closed - now) + ends * tables.city_end
        return points, closing * tables.city_home // UNIT

    def _rate_farm(self, state: CarcassonneState, root: int, closes: dict[int, int]) -> int:
        """Return the points of the cities of a farm, as far as the farm's owner keeps them.

        After the last tile they are the points that the rules say.
        """
        features = state.features
        cities, marks = set(), features.marks[root]
        while marks:
            lowest = marks & -marks
            marks ^= lowest
            cities.add(features.root(lowest.bit_length() - 1))
        total, open_city = 0, self._weights.open_city
        for city in cities:
            total += closes[city] * open_city // 100 if city in closes else UNIT
        keeps = self._weights.farm if state.left else 100
        return FARM_POINTS_PER_CITY * total * keeps // 100

    def _rate_monastery(
        self, state: CarcassonneState, node: int, tables: Tables
    ) -> tuple[int, int]:
        """Count the empty cells: a tile fits where no tile lies yet, as often as usual."""
        empty = state.features.records[node] & OPEN_ENDS
        cell = next(cell for cell, found in state.monasteries.items() if found == node)
        table = tables.monastery
        points, closing, open_cells = UNIT * (9 - empty), UNIT, state.board.open
        for step in AROUND:
            if cell + step not in state.board.tiles:
                code = open_cells.get(cell + step)
                chance = table[PARTS if code is None else self._count(code)]
                points += chance
                closing = closing * chance // UNIT
        return points, closing * tables.monastery_home // UNIT

    def _close(self, state: CarcassonneState, tables: Tables) -> dict[int, int]:
        """Return the chance of each city and road with open ends to be closed."""
        parent, tiles = state.features.parent, state.board.tiles
        city, road, parts = tables.city, tables.road, self._parts
        closes: dict[int, int] = {}
        for cell, code in state.board.open.items():
            count = parts[code] if code in parts else self._count(code)
            seen = []
            for step, side in SIDES_ASKED[code]:
                demanded = code >> 2 * opposite(side) & 3
                if demanded == 1:
                    continue
                packed = tiles[cell + step]
                root = (packed >> LAID_BITS) + LAID[packed & LAID_MASK].ports[side][0]
                while parent[root] != root:
                    root = parent[root]
                if root not in seen:
                    seen.append(root)
                    chance = (city if demanded == 3 else road)[count]
                    closes[root] = closes.get(root, UNIT) * chance // UNIT
        return closes

    def _count(self, code: int) -> int:
        """Return how many of the tiles left fit a cell, in parts of the usual share of them."""
        found = self._parts.get(code)
        if found is None:
            fitting = sum(count for fit, count in self._bag if fit[code])
            share = 100 * PARTS * fitting // (self._weights.usual * self._left)
            found = self._parts[code] = min(3 * PARTS, share)
        return found
