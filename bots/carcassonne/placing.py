"""A placement in the imagination: what it changes for the seat that decides, no tile laid.

Only what the tile touches changes: the features that it joins, the monasteries round it, the farms
next to the cities that it joins, and the supplies.
"""

from __future__ import annotations

from typing import Final

from cartulary.bots.carcassonne.ratings import CITY, FIELD, KINDS, MONASTERY, Ratings, weigh
from cartulary.engine.carcassonne.board import LAID_BITS, LAID_MASK
from cartulary.engine.carcassonne.features import FOLLOWERS, OPEN_ENDS, RECORDS
from cartulary.engine.carcassonne.laid import AROUND, LAID, OCCUPIED
from cartulary.engine.carcassonne.position import SKIP
from cartulary.engine.carcassonne.tiles import TILES

TOUCHES: Final = tuple(tuple(s.touches for s in tile.segments) for tile in TILES)
"""By tile: the cities of the tile that each of its segments touches."""

Option = tuple[int, int]
"""The worth of a placement, and the segment for the follower, `SKIP` for none."""


class Placing:
    """A tile on an open cell: `lead`, the first segment of each group of joined segments.

    `records` and `marks`, as in `Features`, hold at the leads; `joined` has the lead of each
    feature that the tile joins.
    """

    __slots__ = (
        "cell",
        "cities",
        "joined",
        "lead",
        "marks",
        "merged",
        "ratings",
        "records",
        "tile",
    )

    def __init__(self, ratings: Ratings, cell: int, laid: int) -> None:
        self.ratings, self.cell, self.tile = ratings, cell, laid >> 2
        self.records = RECORDS[self.tile][:]
        self.lead = list(range(len(self.records)))
        self.marks = [0] * len(self.records)
        self.joined: dict[int, int] = {}
        self.merged = False
        self._join(laid)
        kinds = KINDS[self.tile]
        self.cities = [item for item in self.joined.items() if kinds[item[1]] == CITY]

    def _join(self, laid: int) -> None:
        """Join the segments to the features round the cell, as `Features.lay` does."""
        ratings, joined, lead = self.ratings, self.joined, self.lead
        own, marks, records = self.records, self.marks, ratings.records
        board, parent = ratings.state.board, ratings.parent
        for step, side, ports in LAID[laid].joins[OCCUPIED[board.open[self.cell]]]:
            packed = board.tiles[self.cell + step]
            there = packed >> LAID_BITS
            for mine, other in zip(ports, LAID[packed & LAID_MASK].ports[side]):  # noqa: B905
                root = there + other
                while parent[root] != root:
                    root = parent[root]
                while lead[mine] != mine:
                    mine = lead[mine]
                if root in joined:
                    self._merge(joined[root], mine)
                else:
                    joined[root] = mine
                    own[mine] += records[root] - 2
                    marks[mine] |= ratings.marks[root]
        if self.merged:
            for root, segment in joined.items():
                joined[root] = self._lead_of(segment)

    def _merge(self, one: int, two: int) -> None:
        """Join two groups that meet in one feature; they may be one already."""
        one, records = self._lead_of(one), self.records
        records[two] -= 2
        if one != two:
            self.lead[one] = two
            records[two] += records[one]
            self.marks[two] |= self.marks[one]
            self.merged = True

    def _lead_of(self, segment: int) -> int:
        lead = self.lead
        while lead[segment] != segment:
            segment = lead[segment]
        return segment

    # -- what it changes ------------------------------------------------------------------------

    def list_options(self) -> list[Option]:
        """Return the worth without a follower, and with a follower on each free group."""
        ratings, kinds, records = self.ratings, KINDS[self.tile], self.records
        change, back = self._change_around()
        has_follower = ratings.state.supply[ratings.seat] > 0
        gains: list[tuple[int, bool, int]] = []
        for segment, lead in enumerate(self.lead):
            if lead != segment:
                continue
            if records[segment] >> FOLLOWERS:
                worth, home = self._rate(segment, kinds[segment])
                change += worth
                back += home
            elif has_follower:
                gain, stays = self._gain(segment, kinds[segment])
                gains.append((gain, stays, segment))
        plain = change + ratings.rate_supply(back, 0) if back else change
        options = [(plain, SKIP)]
        if gains:
            spent = change + ratings.rate_supply(back, 1)
            options += [(gain + (spent if stays else plain), s) for gain, stays, s in gains]
        return options

    def _rate(self, lead: int, kind: int) -> tuple[int, int]:
        """Return the worth of a group with followers, and the followers that come home."""
        ratings, record = self.ratings, self.records[lead]
        if kind == FIELD:
            return ratings.rate_held(kind, record, 0, self._close_cities(lead)), 0
        tiles = self.marks[lead].bit_count() + 1
        if record & OPEN_ENDS:
            return ratings.rate_held(kind, record, tiles, 0), 0
        held = record >> FOLLOWERS
        majority, _ = weigh(held, ratings.seat, ratings.seats)
        return majority * ratings.rate_closed(kind, record, tiles), held

    def _gain(self, lead: int, kind: int) -> tuple[int, bool]:
        """Return what a follower on a group without followers brings, and whether it stays."""
        ratings, record = self.ratings, self.records[lead]
        if kind == FIELD:
            return ratings.rate_farmer(self._close_cities(lead)), True
        if kind == MONASTERY:
            tiles = self.ratings.state.board.tiles
            record -= sum(self.cell + step in tiles for step in AROUND)
        size = self.marks[lead].bit_count() + 1
        if not record & OPEN_ENDS:
            return ratings.own * ratings.rate_closed(kind, record, size), False
        points, home = ratings.rate_open(kind, record, size)
        return ratings.own * (points + home), True

    def _close_cities(self, lead: int) -> int:
        """Return the chances of the cities that a group of fields touches, added up."""
        touches = TOUCHES[self.tile]
        own = touches[lead]
        if self.merged:
            own = tuple(
                self._lead_of(city)
                for segment, cities in enumerate(touches)
                if cities and self._lead_of(segment) == lead
                for city in cities
            )
        marks = self.marks[lead]
        if own or self.cities:
            return self._close_with(marks, set(own))
        return self.ratings.close_cities(marks) if marks else 0

    def _close_with(self, marks: int, groups: set[int]) -> int:
        """Return the chances of cities by marks, and of groups of the tile, each once."""
        ratings, closes = self.ratings, self.ratings.chances.city
        total = ratings.close_cities(marks)
        if self.cities:
            touched = ratings.find_cities(marks)
            for city, lead in self.cities:
                if city in touched:
                    total -= closes[ratings.records[city] & OPEN_ENDS]
                    groups.add(lead)
        for lead in groups:
            total += closes[self.records[lead] & OPEN_ENDS]
        return total

    def _change_around(self) -> tuple[int, int]:
        """Return the change outside the groups, and the followers that come home.

        What the tile joins loses its worth of before; monasteries and farms get another worth.
        """
        ratings, joined, worths = self.ratings, self.joined, self.ratings.worths
        change, back = 0, 0
        for root in joined:
            if root in worths:
                change -= worths[root]
        for cell, node in ratings.monasteries:
            if self.cell - cell in AROUND:
                worth, home = self._fill(ratings.records[node] - 1)
                change += worth - worths[node]
                back += home
        if ratings.farms and self.cities:
            change += self._change_farms()
        return change, back

    def _change_farms(self) -> int:
        """Return the change of the farms that the tile does not join but whose cities it does."""
        ratings, change = self.ratings, 0
        farms = {farm for city, _ in self.cities for farm in ratings.farms.get(city, ())}
        for farm in farms.difference(self.joined):
            closing = self._close_with(ratings.marks[farm], set())
            change += ratings.rate_held(FIELD, ratings.records[farm], 0, closing)
            change -= ratings.worths[farm]
        return change

    def _fill(self, record: int) -> tuple[int, int]:
        """Return the worth of a monastery with followers, and the followers that come home."""
        ratings = self.ratings
        if record & OPEN_ENDS:
            return ratings.rate_held(MONASTERY, record, 1, 0), 0
        held = record >> FOLLOWERS
        majority, _ = weigh(held, ratings.seat, ratings.seats)
        return majority * ratings.rate_closed(MONASTERY, record, 1), held
