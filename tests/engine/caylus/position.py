"""Tables laid by hand: any position, in the words of the move contract.

A `Table` is a Caylus state that a test arranges (`put`, `build`, `purse`, …), starts at the phase
it wants (`begin`) and plays with contract moves. All facts told on the way are kept.
"""

from __future__ import annotations

from cartulary.engine.caylus import CAYLUS
from cartulary.engine.caylus.buildings import EMPTY, TILE_NUMBER
from cartulary.engine.caylus.flow import advance
from cartulary.engine.caylus.goods import GOOD_NAMES, KINDS
from cartulary.engine.caylus.places import CASTLE, INN_RIGHT, PLACE_NUMBER, STABLES, STABLES_SLOTS
from cartulary.engine.caylus.position import NO_SEAT
from cartulary.engine.caylus.road import lay, take_away
from cartulary.engine.caylus.tables import LINES, PHASE_NAMES, SECTIONS
from cartulary.engine.chance import RecordedSource
from cartulary.engine.core import Json

NEUTRALS = [
    "neutral_carpenter",
    "neutral_farm",
    "neutral_forest",
    "neutral_sawmill",
    "neutral_quarry",
    "neutral_marketplace",
]
"""Neutral buildings on road-1 to road-6, unless a test wants others."""

DECLINE: Json = {"type": "decline"}
PASS: Json = {"type": "pass"}


def place(space: str) -> Json:
    return {"type": "place_worker", "space": space}


def take(**goods: int) -> Json:
    return {"type": "take", "goods": goods}


def trade(give: Json, get: Json) -> Json:
    return {"type": "trade", "give": give, "get": get}


def build(building: str, **pay: int) -> Json:
    return {"type": "build", "building": building, "pay": pay}


def prestige(building: str, space: str, **pay: int) -> Json:
    return {"type": "build_prestige", "building": building, "space": space, "pay": pay}


def convert(space: str, **pay: int) -> Json:
    return {"type": "convert", "space": space, "pay": pay}


def batch(**goods: int) -> Json:
    return {"type": "offer_batch", "goods": {"food": 1, **goods}}


def favour(line: str) -> Json:
    return {"type": "choose_favour", "line": line}


def provost(steps: int) -> Json:
    return {"type": "move_provost", "steps": steps}


class Table:
    """A position in the making. Seat n is the n-th in turn order; all purses start empty."""

    def __init__(
        self,
        seats: int = 3,
        *,
        turn_order: list[int] | None = None,
        neutrals: list[str] = NEUTRALS,
        **options: str,
    ) -> None:
        setup = {"turn_order": turn_order or list(range(seats)), "neutrals": neutrals}
        self.state = CAYLUS.new(seats, options, setup)
        self.state.goods = [0] * (KINDS * seats)
        self.facts: list[Json] = []

    # -- arranging ----------------------------------------------------------------------------

    def purse(self, seat: int, **goods: int) -> Table:
        """Set all goods of a seat; those not named to 0."""
        counts = [goods.pop(name, 0) for name in GOOD_NAMES]
        assert not goods
        self.state.goods[KINDS * seat : KINDS * seat + KINDS] = counts
        return self

    def points(self, *scores: int) -> Table:
        self.state.scores = list(scores)
        return self

    def build(self, seat: int, space: str, building: str) -> Table:
        """Put a building of a seat on an empty space or on a neutral one."""
        number = PLACE_NUMBER[space]
        if self.state.building[number] != EMPTY:
            take_away(self.state, number)
        lay(self.state, seat, TILE_NUMBER[building], number)
        return self

    def clear(self, space: str) -> Table:
        """Take the building of a space away."""
        take_away(self.state, PLACE_NUMBER[space])
        return self

    def put(self, seat: int, space: str) -> Table:
        """Put a worker of a seat on a place (`inn` is the left circle, `inn-right` the other)."""
        state = self.state
        state.workers[seat] -= 1
        assert state.workers[seat] >= 0
        number = INN_RIGHT if space == "inn-right" else PLACE_NUMBER[space]
        if number == CASTLE:
            state.castle += (seat,)
        elif number == STABLES:
            state.stables += (seat,)
            if len(state.stables) == STABLES_SLOTS:
                state.free &= ~(1 << STABLES)
        else:
            assert state.worker[number] == NO_SEAT
            state.worker[number] = seat
            state.free &= ~(1 << number)
        return self

    def markers(self, seat: int, **columns: int) -> Table:
        for line, column in columns.items():
            self.state.markers[len(LINES) * seat + LINES.index(line)] = column
        return self

    def houses(self, section: str, *counts: int) -> Table:
        number = [row.id for row in SECTIONS].index(section)
        seats = self.state.seats
        self.state.houses[number * seats : (number + 1) * seats] = counts
        return self

    def scored(self, sections: int) -> Table:
        self.state.scored = sections
        return self

    def provost(self, space: int) -> Table:
        self.state.provost = space
        return self

    def bailiff(self, space: int) -> Table:
        self.state.bailiff = space
        return self

    def passed(self, *seats: int) -> Table:
        self.state.passed = seats
        return self

    def fill_road(self, seat: int = 0) -> Table:
        """Leave no empty space: residences of a seat wherever nothing stands."""
        for number, tile in enumerate(self.state.building[1:], 1):
            if tile == EMPTY:
                self.build(seat, f"road-{number}", "residence")
        return self

    def begin(self, phase: str, turn: int = 0) -> Table:
        """Start a phase; in `place_workers` the `turn`-th in turn order comes first."""
        state = self.state
        state.phase, state.cursor, state.stage = PHASE_NAMES.index(phase), turn, 0
        state.stack, state.used = (), 0
        state.facts = self.facts
        if not state.passed and phase not in ("income", "place_workers"):
            state.passed = state.turn_order
        advance(state)
        state.facts = None
        return self

    # -- playing ------------------------------------------------------------------------------

    def play(self, *moves: Json) -> Table:
        for move in moves:
            self.facts += self.state.apply(move, RecordedSource([])).facts
        return self

    @property
    def asked(self) -> tuple[int, str]:
        return self.state.seat, self.state.kind

    @property
    def legal(self) -> list[Json]:
        return self.state.legal_moves()

    @property
    def view(self) -> Json:
        return self.state.view()

    @property
    def scores(self) -> list[int]:
        return self.state.scores

    def player(self, seat: int) -> Json:
        player: Json = self.view["players"][seat]
        return player

    def goods(self, seat: int) -> Json:
        """Return what a seat holds, without zeros."""
        held = {**self.player(seat)["cubes"], "deniers": self.player(seat)["deniers"]}
        return {name: count for name, count in held.items() if count}

    def space(self, number: int) -> Json:
        entry: Json = self.view["road"][number - 1]
        return entry

    def told(self, fact: str) -> list[Json]:
        return [said for said in self.facts if said["type"] == fact]


def of_type(moves: list[Json], name: str) -> list[Json]:
    return [move for move in moves if move["type"] == name]


def spaces(moves: list[Json]) -> set[str]:
    return {move["space"] for move in moves if "space" in move}
