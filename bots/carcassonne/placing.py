"""A placement in the imagination: what it changes for the seat that decides, no tile laid.

Only what the tile touches changes: the features that it joins, the monasteries round it, the farms
next to the cities that it joins, and the supplies.
"""

from __future__ import annotations

from typing import Final

from cartulary.bots.carcassonne.ratings import CITY, FIELD, KINDS, MONASTERY, Ratings, weigh
from cartulary.engine.carcassonne.features import FOLLOWERS, OPEN_ENDS, RECORDS
from cartulary.engine.carcassonne.laid import AROUND, LAID, LAID_BITS, LAID_MASK, OCCUPIED
from cartulary.engine.carcassonne.position import SKIP
from cartulary.engine.carcassonne.tiles import TILES

TOUCHES: Final = tuple(tuple(s.touches for s in tile.segments) for tile in TILES)
"""By tile: the cities of the tile that each of its segments touches."""

Option = tuple[int, int]
"""The worth of a placement, and the segment for the follower, `SKIP` for none."""


class Prospect:
    """What a placement brings, to the seat `Ratings.view`.

    `change`, the worth of what changes on the table; `back`, the followers that come home, packed.
    `gains`: for each free group but fields what a follower brings there, whether it stays, and the
    segment. `farmers`: for each free field its marks, what the tile adds to the chances of its
    cities, and the segment. As long as no feature next to the cell changes, the prospect holds,
    unless it `is_fleeting`: then it also depends on cities that lie elsewhere.
    """

    __slots__ = ("back", "change", "farmers", "gains", "is_fleeting")

    def __init__(
        self,
        change: int,
        back: int,
        gains: list[tuple[int, bool, int]],
        farmers: list[tuple[int, int, int]],
        is_fleeting: bool,
    ) -> None:
        self.change, self.back = change, back
        self.gains, self.farmers = gains, farmers
        self.is_fleeting = is_fleeting

    def limit(self, known: int) -> None:
        """Leave out the marks of nodes that are not known."""
        self.farmers = [(marks & known, more, segment) for marks, more, segment in self.farmers]

    def list_options(self, ratings: Ratings) -> list[Option]:
        """Return the worth without a follower, and with a follower on each free group."""
        change = ratings.sign * self.change
        plain = change + ratings.rate_supply(self.back, 0) if self.back else change
        options = [(plain, SKIP)]
        if ratings.state.supply[ratings.seat] and (self.gains or self.farmers):
            spent = change + ratings.rate_supply(self.back, 1)
            options += [(gain + (spent if stays else plain), s) for gain, stays, s in self.gains]
            for marks, more, segment in self.farmers:
                closing = ratings.close_cities(marks) + more
                options.append((spent + ratings.rate_farmer(closing), segment))
        return options

    def choose(self, ratings: Ratings) -> Option:
        """Return the best of the options, of equal ones the one with the last segment."""
        change = ratings.sign * self.change
        best = change + ratings.rate_supply(self.back, 0) if self.back else change
        plain, choice = best, SKIP
        if ratings.state.supply[ratings.seat]:
            spent = change + ratings.rate_supply(self.back, 1)
            for gain, stays, segment in self.gains:
                worth = gain + (spent if stays else plain)
                if worth > best or (worth == best and segment > choice):
                    best, choice = worth, segment
            for marks, more, segment in self.farmers:
                worth = spent + ratings.rate_farmer(ratings.close_cities(marks) + more)
                if worth > best or (worth == best and segment > choice):
                    best, choice = worth, segment
        return best, choice


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

    def is_in(self, segment: int, lead: int) -> bool:
        """Return whether a segment, `SKIP` for none, belongs to a group."""
        return segment != SKIP and self._lead_of(segment) == lead

    # -- what it changes ------------------------------------------------------------------------

    def list_options(self) -> list[Option]:
        """Return the worth without a follower, and with a follower on each free group."""
        return self.foresee().list_options(self.ratings)

    def foresee(self) -> Prospect:
        """Return what the placement brings, without what followers in the supply are worth."""
        kinds, records = KINDS[self.tile], self.records
        change, back = self._change_around()
        gains: list[tuple[int, bool, int]] = []
        farmers: list[tuple[int, int, int]] = []
        is_fleeting = False
        for segment, lead in enumerate(self.lead):
            if lead != segment:
                continue
            kind = kinds[segment]
            if records[segment] >> FOLLOWERS:
                worth, home = self._rate(segment, kind)
                change += worth
                back += home
                is_fleeting = is_fleeting or (kind == FIELD and self._gains_cities(segment))
            elif kind == FIELD:
                farmers.append((self.marks[segment], self._close_more(segment), segment))
            else:
                gain, stays = self._gain(segment, kind)
                gains.append((gain, stays, segment))
        return Prospect(change, back, gains, farmers, is_fleeting)

    def _gains_cities(self, lead: int) -> bool:
        """Return whether a farm joins others, which may bring cities that the tile is far from."""
        ratings, farms = self.ratings, 0
        for root, segment in self.joined.items():
            if segment == lead and ratings.records[root] >> FOLLOWERS:
                farms += 1
                if ratings.marks[root] != self.marks[lead]:
                    return True
        return farms > 1

    def list_changed_fields(self, follower: int) -> set[int]:
        """Return the groups of fields that differ from the field that they join, if they join one.

        They touch more cities, join several fields, or get the follower.
        """
        kinds, marks, seen = KINDS[self.tile], self.ratings.marks, set[int]()
        changed = {self._lead_of(follower)} if follower >= 0 and kinds[follower] == FIELD else set()
        for root, segment in self.joined.items():
            if kinds[segment] == FIELD:
                if segment in seen or marks[root] != self.marks[segment] or self._brings(segment):
                    changed.add(segment)
                seen.add(segment)
        return changed

    def _brings(self, lead: int) -> bool:
        """Return whether the tile has cities that a group of fields did not touch before."""
        own = self._list_own_cities(lead)
        if not own:
            return False
        touched = self.ratings.find_cities(self.marks[lead])
        return not {segment for city, segment in self.cities if city in touched}.issuperset(own)

    def _rate(self, lead: int, kind: int) -> tuple[int, int]:
        """Return the worth of a group with followers, and the followers that come home."""
        ratings, record = self.ratings, self.records[lead]
        if kind == FIELD:
            closing = ratings.close_cities(self.marks[lead]) + self._close_more(lead)
            return ratings.rate_held(kind, record, 0, closing), 0
        tiles = self.marks[lead].bit_count() + 1
        if record & OPEN_ENDS:
            return ratings.rate_held(kind, record, tiles, 0), 0
        held = record >> FOLLOWERS
        majority, _ = weigh(held, ratings.view, ratings.seats)
        return majority * ratings.rate_closed(kind, record, tiles), held

    def _gain(self, lead: int, kind: int) -> tuple[int, bool]:
        """Return what a follower on a group without followers brings, and whether it stays."""
        ratings, record = self.ratings, self.records[lead]
        if kind == MONASTERY:
            tiles = self.ratings.state.board.tiles
            record -= sum(self.cell + step in tiles for step in AROUND)
        size = self.marks[lead].bit_count() + 1
        if not record & OPEN_ENDS:
            return ratings.own * ratings.rate_closed(kind, record, size), False
        points, home = ratings.rate_open(kind, record, size)
        return ratings.own * (points + home), True

    def _list_own_cities(self, lead: int) -> tuple[int, ...]:
        """Return the groups of cities on the tile that a group of fields touches."""
        touches = TOUCHES[self.tile]
        if not self.merged:
            return touches[lead]
        return tuple(
            self._lead_of(city)
            for segment, cities in enumerate(touches)
            if cities and self._lead_of(segment) == lead
            for city in cities
        )

    def _close_more(self, lead: int) -> int:
        """Return what the tile adds to the chances of the cities that a group of fields touches."""
        own = self._list_own_cities(lead)
        return self._add_up(self.marks[lead], set(own)) if own or self.cities else 0

    def _add_up(self, marks: int, groups: set[int]) -> int:
        """Return the chances of groups of the tile, each once, less those of before.

        The cities with these marks count, as far as they are joined.
        """
        ratings, closes, total = self.ratings, self.ratings.chances.city, 0
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
        ratings, records, kinds = self.ratings, self.ratings.records, KINDS[self.tile]
        change, back = 0, 0
        for root, segment in self.joined.items():
            if records[root] >> FOLLOWERS:
                change -= ratings.rate_before(root, kinds[segment])
        for cell, node in ratings.monasteries:
            if self.cell - cell in AROUND:
                worth, home = self._fill(records[node] - 1)
                change += worth - ratings.rate_before(node, MONASTERY)
                back += home
        if self.cities:
            change += self._change_farms()
        return change, back

    def _change_farms(self) -> int:
        """Return the change of the farms that the tile does not join but whose cities it does."""
        ratings, change = self.ratings, 0
        by_city = ratings.find_farms()
        if not by_city:
            return 0
        farms = {farm for city, _ in self.cities for farm in by_city.get(city, ())}
        for farm in farms.difference(self.joined):
            more = self._add_up(ratings.marks[farm], set())
            change += ratings.rate_held(FIELD, ratings.records[farm], 0, more)
        return change

    def _fill(self, record: int) -> tuple[int, int]:
        """Return the worth of a monastery with followers, and the followers that come home."""
        ratings = self.ratings
        if record & OPEN_ENDS:
            return ratings.rate_held(MONASTERY, record, 1, 0), 0
        held = record >> FOLLOWERS
        majority, _ = weigh(held, ratings.view, ratings.seats)
        return majority * ratings.rate_closed(MONASTERY, record, 1), held
