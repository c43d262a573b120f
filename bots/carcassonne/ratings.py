"""What features are worth to the seat that decides, as far as the answers of a decision share it.

The worth of a position is what `Outlook` promises to the seat, times the number of the others, less
what it promises to the others. It is a sum over features, so a change of one feature changes the
worth by exactly the difference of two ratings.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from cartulary.bots.carcassonne.chances import UNIT, list_chances
from cartulary.engine.carcassonne.features import FOLLOWERS, OPEN_ENDS
from cartulary.engine.carcassonne.scoring import FARM_POINTS_PER_CITY
from cartulary.engine.carcassonne.state import CarcassonneState
from cartulary.engine.carcassonne.tiles import TILES

CITY, ROAD, MONASTERY, FIELD = range(4)
KIND: Final = {"city": CITY, "road": ROAD, "monastery": MONASTERY, "field": FIELD}
KINDS: Final = tuple(tuple(KIND[segment.kind] for segment in tile.segments) for tile in TILES)
"""By tile: the kind of each segment as a number."""

PENNANTS: Final = 0xF
MONASTERY_POINTS: Final = 9


@lru_cache(maxsize=1 << 13)
def weigh(held: int, seat: int, seats: int) -> tuple[int, int]:
    """Return the weight of the majority in a feature, and that of all its followers together.

    `held` packs the followers as in `Features`. A point of `seat` weighs as much as a point of
    every other seat together.
    """
    counts = [held >> 4 * other & 0xF for other in range(seats)]
    most = max(counts)
    majority = followers = 0
    for other, count in enumerate(counts):
        weight = seats - 1 if other == seat else -1
        followers += weight * count
        majority += weight * (count == most and most > 0)
    return majority, followers


class Ratings:
    """Ratings for one decision, cached by what they depend on.

    `farmer_cost`, in units, is subtracted for each new follower on a field; so many tiles are taken
    to be `left`, those in the bag without a number. Features are rated as
    the seat `view` sees them: of two seats it is the first, and `sign` says whether the seat that
    decides sees the opposite. So what one of two seats has rated holds for the other.
    """

    __slots__ = (
        "_cities",
        "_closing",
        "_farms",
        "_supplies",
        "_worths",
        "chances",
        "farmer_cost",
        "left",
        "marks",
        "monasteries",
        "own",
        "parent",
        "records",
        "root",
        "seat",
        "seats",
        "sign",
        "state",
        "tiny_city",
        "view",
    )

    def __init__(self, state: CarcassonneState, farmer_cost: int = 0, left: int = -1) -> None:
        self.state, self.farmer_cost = state, farmer_cost
        self.seat, self.seats = state.turn, state.seats
        self.view = 0 if state.seats == 2 else state.turn
        self.sign = 1 if self.view == state.turn else -1
        self.own = state.seats - 1
        self.left = left if left >= 0 else state.left
        self.chances = list_chances(self.left)
        self.records, self.marks = state.features.records, state.features.marks
        self.root, self.parent = state.features.root, state.features.parent
        self.tiny_city = int(state.options["tiny_city"])
        self._cities: dict[int, tuple[int, ...]] = {}
        self._closing: dict[int, int] = {}
        self._supplies: dict[tuple[int, int], int] = {}
        self._worths: dict[int, int] = {}
        self._farms: dict[int, list[int]] | None = None
        self.monasteries = [
            (cell, node)
            for cell, node in state.monasteries.items()
            if self.records[node] >> FOLLOWERS
        ]

    def rate_before(self, root: int, kind: int) -> int:
        """Return the worth of a feature with followers as it lies."""
        found = self._worths.get(root)
        if found is None:
            record, marks = self.records[root], self.marks[root]
            closing = self.close_cities(marks) if kind == FIELD else 0
            found = self.rate_held(kind, record, marks.bit_count(), closing)
            self._worths[root] = found
        return found

    def find_farms(self) -> dict[int, list[int]]:
        """Return the fields with followers by the cities that they touch."""
        if self._farms is None:
            self._farms, root = {}, self.root
            pieces = self.state.pieces.items()
            for farm in {root(node) for node, (_, kind) in pieces if kind == "field"}:
                for city in self.find_cities(self.marks[farm]):
                    self._farms.setdefault(city, []).append(farm)
        return self._farms

    def rate_held(self, kind: int, record: int, tiles: int, closing: int) -> int:
        """Return the worth of a feature that stays open, to those who have followers in it.

        `closing` is for a farm what `close_cities` says of its cities.
        """
        majority, followers = weigh(record >> FOLLOWERS, self.view, self.seats)
        if kind == FIELD:
            return majority * FARM_POINTS_PER_CITY * closing
        points, home = self.rate_open(kind, record, tiles)
        return majority * points + followers * home

    def rate_farmer(self, closing: int) -> int:
        """Return the worth of a new follower on a field; `closing` is that of its cities."""
        return self.own * (FARM_POINTS_PER_CITY * closing - self.farmer_cost)

    def rate_open(self, kind: int, record: int, tiles: int) -> tuple[int, int]:
        """Return the expected points of a feature that stays open, and the worth of coming home."""
        chances, ends = self.chances, record & OPEN_ENDS
        if kind == CITY:
            now = tiles + (record >> 12 & PENNANTS)
            closed = self.tiny_city if tiles == 2 else 2 * now
            return UNIT * now + chances.city[ends] * (closed - now), chances.city_home[ends]
        if kind == ROAD:
            return UNIT * tiles, chances.road_home[ends]
        return chances.monastery[ends], chances.monastery_home[ends]

    def rate_closed(self, kind: int, record: int, tiles: int) -> int:
        """Return the points of a feature that is completed."""
        if kind == CITY:
            pennants = record >> 12 & PENNANTS
            return UNIT * (self.tiny_city if tiles == 2 else 2 * (tiles + pennants))
        return UNIT * (tiles if kind == ROAD else MONASTERY_POINTS)

    def find_cities(self, marks: int) -> tuple[int, ...]:
        """Return the cities that a field with these marks touches, each once."""
        found = self._cities.get(marks)
        if found is None:
            root, cities, left = self.root, set(), marks
            while left:
                lowest = left & -left
                left ^= lowest
                cities.add(root(lowest.bit_length() - 1))
            found = self._cities[marks] = tuple(cities)
        return found

    def close_cities(self, marks: int) -> int:
        """Return the chances of these cities to be closed, added up."""
        found = self._closing.get(marks)
        if found is None:
            closes, records, found = self.chances.city, self.records, 0
            for city in self.find_cities(marks):
                found += closes[records[city] & OPEN_ENDS]
            self._closing[marks] = found
        return found

    def rate_supply(self, back: int, spent: int) -> int:
        """Return the change when the followers packed in `back` come home and the seat spends some.

        The seat has those that it spends.
        """
        found = self._supplies.get((back, spent))
        if found is None:
            supply, found = self.chances.supply, 0
            for seat, count in enumerate(self.state.supply):
                after = count + (back >> 4 * seat & 0xF)
                if seat == self.seat:
                    found += self.own * (supply[after - spent] - supply[count])
                else:
                    found -= supply[after] - supply[count]
            self._supplies[back, spent] = found
        return found
