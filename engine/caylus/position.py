"""Everything that lies on the table, without a rule in it: flat lists and small numbers.

`copy` is what a search pays for each node, so nothing in here is an object of its own: purses and
houses are flat lists, sets of places and tiles are bit masks, orders are tuples that are replaced.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Self

from cartulary.engine.caylus.buildings import (
    EMPTY,
    FIXED_SPACES,
    POINTS,
    TILE_NUMBER,
    stock_of,
)
from cartulary.engine.caylus.goods import DENIERS, KINDS
from cartulary.engine.caylus.moves import Move
from cartulary.engine.caylus.places import (
    CASTLE,
    INN_RIGHT,
    NEUTRAL_SPACES,
    ROAD,
    SPECIAL_PLACES,
    STABLES,
    START_SPACE,
    bit,
    mask_of,
)
from cartulary.engine.caylus.tables import (
    LINES,
    SECTIONS,
    START_CUBES,
    START_DENIERS,
    START_DENIERS_OF_TWO,
    WORKERS,
)
from cartulary.engine.core import State

Favour = tuple[int, str, str]
"""A favour on the stack: seat, kind of the question that is due, and what brought it."""

NO_SEAT: Final = -1


class Position(State[Move]):
    """The table.

    What is asked: `seat`, `kind`, `legal`; `stack`, the open favours, the last one first to take.
    How far the round is: `round`, `phase` (its number in `PHASE_NAMES`), `cursor` (how far the
    phase is: index in turn order, place, space, slot) and `stage` (how far within that).
    Per seat: `goods` (six each), `workers` left, `markers` (four each), `batches` given in this
    castle phase, `own` (mask of the spaces with own craft buildings).
    Road, by space: `building`, `owner`; `worker` by place; `free`, the mask of the places that
    take a worker; `pending`, the (space, seat) of residences to come.
    `used`: four bits per seat, the favour lines used in this phase. `houses`: sections × seats.
    """

    __slots__ = (
        "bailiff",
        "batches",
        "building",
        "castle",
        "cursor",
        "free",
        "goods",
        "houses",
        "kind",
        "legal",
        "markers",
        "own",
        "owner",
        "passed",
        "pending",
        "phase",
        "provost",
        "round",
        "scored",
        "seat",
        "stables",
        "stack",
        "stage",
        "stock",
        "tile_points",
        "turn_order",
        "used",
        "worker",
        "workers",
    )

    seat: int
    kind: str
    legal: Sequence[Move]
    stack: tuple[Favour, ...]
    round: int
    phase: int
    cursor: int
    stage: int
    turn_order: tuple[int, ...]
    passed: tuple[int, ...]
    provost: int
    bailiff: int
    goods: list[int]
    workers: list[int]
    markers: list[int]
    batches: list[int]
    own: list[int]
    building: list[int]
    owner: list[int]
    worker: list[int]
    free: int
    pending: tuple[tuple[int, int], ...]
    stables: tuple[int, ...]
    castle: tuple[int, ...]
    houses: list[int]
    scored: int
    stock: int
    used: int
    tile_points: tuple[int, ...]

    def copy(self) -> Self:
        """Return an independent copy; tuples and lists of moves are never changed in place."""
        twin = type(self)()
        twin.seats = self.seats
        twin.options = self.options
        twin.scores = self.scores[:]
        twin.facts = None
        twin.seat = self.seat
        twin.kind = self.kind
        twin.legal = self.legal
        twin.stack = self.stack
        twin.round = self.round
        twin.phase = self.phase
        twin.cursor = self.cursor
        twin.stage = self.stage
        twin.turn_order = self.turn_order
        twin.passed = self.passed
        twin.provost = self.provost
        twin.bailiff = self.bailiff
        twin.goods = self.goods[:]
        twin.workers = self.workers[:]
        twin.markers = self.markers[:]
        twin.batches = self.batches[:]
        twin.own = self.own[:]
        twin.building = self.building[:]
        twin.owner = self.owner[:]
        twin.worker = self.worker[:]
        twin.free = self.free
        twin.pending = self.pending
        twin.stables = self.stables
        twin.castle = self.castle
        twin.houses = self.houses[:]
        twin.scored = self.scored
        twin.stock = self.stock
        twin.used = self.used
        twin.tile_points = self.tile_points
        return twin

    def set_up(
        self,
        seats: int,
        options: Mapping[str, str | int],
        turn_order: Sequence[int],
        neutrals: Sequence[str],
    ) -> None:
        """Lay the table for the first round, before its income (rules 3, setup)."""
        self.seats, self.options, self.facts = seats, options, None
        self.scores = [0] * seats
        self.seat, self.kind, self.legal, self.stack = NO_SEAT, "", (), ()
        self.round, self.phase, self.cursor, self.stage = 1, 0, 0, 0
        self.turn_order, self.passed = tuple(turn_order), ()
        self.goods = [0] * (KINDS * seats)
        deniers = START_DENIERS_OF_TWO if seats == 2 else START_DENIERS
        for seat, money in zip(turn_order, deniers, strict=False):
            self.goods[KINDS * seat : KINDS * seat + KINDS] = START_CUBES
            self.goods[KINDS * seat + DENIERS] += money
        self.workers = [WORKERS] * seats
        self.markers = [0] * (len(LINES) * seats)
        self.batches = [0] * seats
        self.houses = [0] * (len(SECTIONS) * seats)
        self.scored = self.used = 0
        self.stock = stock_of(str(options["edition"]))
        self.tile_points = POINTS[str(options["edition"])]
        self._lay_road(neutrals)

    def _lay_road(self, neutrals: Sequence[str]) -> None:
        self.building = [EMPTY] * ROAD.stop
        self.owner = [NO_SEAT] * (INN_RIGHT + 1)
        self.worker = [NO_SEAT] * (INN_RIGHT + 1)
        self.own = [0] * self.seats
        self.pending = self.stables = self.castle = ()
        self.provost = self.bailiff = START_SPACE
        self.free = mask_of(SPECIAL_PLACES) | bit(CASTLE)
        if self.seats == 2:
            self.free &= ~bit(STABLES)
        printed = dict(zip(NEUTRAL_SPACES, neutrals, strict=True)) | FIXED_SPACES
        for space, name in printed.items():
            self.building[space] = TILE_NUMBER[name]
            self.free |= bit(space)
