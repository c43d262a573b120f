"""Caylus as numbers: the table of actions, and what a position looks like as floats."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from cartulary.engine.caylus.buildings import TILES
from cartulary.engine.caylus.flow import LEGAL
from cartulary.engine.caylus.goods import KINDS
from cartulary.engine.caylus.moves import ALL_MOVES, find_move
from cartulary.engine.caylus.places import (
    CASTLE,
    GATE,
    INN,
    INN_RIGHT,
    JOUST_FIELD,
    MERCHANTS_GUILD,
    PLACE_IDS,
    ROAD,
    STABLES_SLOTS,
    TRADING_POST,
)
from cartulary.engine.caylus.position import NO_SEAT, Position
from cartulary.engine.caylus.tables import LINES, PHASE_NAMES, SECTIONS, WORKERS
from cartulary.engine.coded import (
    FLOAT_BYTES,
    Actions,
    check_seat,
    lay_out,
    open_array,
    size_of,
    zeros,
)

ACTIONS_VERSION: Final = 1
TENSOR_VERSION: Final = 1

# -- moves ---------------------------------------------------------------------------------------


class CaylusActions(Actions):
    """The interned moves in their order."""

    def __init__(self) -> None:
        super().__init__(ACTIONS_VERSION)

    def __len__(self) -> int:
        """Return how many moves there are."""
        return len(ALL_MOVES)

    def _make(self, code: int) -> dict[str, Any]:
        return ALL_MOVES[code].to_json()

    def _find(self, move: Mapping[str, Any]) -> int:
        found = find_move(dict(move))
        return 0 if found is None else max(found.code, 0)


ACTIONS: Final = CaylusActions()


def all_actions() -> CaylusActions:
    """Return the table."""
    return ACTIONS


def list_codes(state: Position) -> list[int]:
    """Return the codes of the legal moves."""
    return [move.code for move in state.legal]


# -- positions -----------------------------------------------------------------------------------

_SEATS: Final = 5
_KINDS: Final = tuple(LEGAL)
_FAVOUR_KINDS: Final = ("favour", "favour_cubes", "favour_buildings")
_SOURCES: Final = (
    PLACE_IDS[JOUST_FIELD],
    *(tile.id for tile in TILES if tile is not None and tile.favours),
    PLACE_IDS[CASTLE],
    *(section.id for section in SECTIONS),
)
_SINGLE: Final = (GATE, TRADING_POST, MERCHANTS_GUILD, JOUST_FIELD, INN, INN_RIGHT)
_WAITING: Final = 4
"""How many of the open favours are shown, the next one first."""
_FAVOUR: Final = _SEATS + len(_FAVOUR_KINDS) + len(_SOURCES)
_HELD: Final = 3 + KINDS + 2 * len(LINES) + len(SECTIONS)
"""Floats of what a seat holds."""
_TILES: Final = len(TILES) - 1
_OWNER: Final = _TILES
_WORKER: Final = _OWNER + _SEATS
_PENDING: Final = _WORKER + _SEATS
_SPACE: Final = _PENDING + _SEATS
"""Floats of a space of the road."""
_SPACES: Final = len(ROAD)
_LONGEST: Final = 20.0
"""About the most rounds of a game."""

PLANES: Final = lay_out(
    (
        ("seats", (4,), "2, 3, 4 or 5 seats, one of them 1"),
        ("options", (2,), "1 for simplified favours, 1 for the second edition"),
        ("round", (1,), "number of the round / 20"),
        ("phase", (len(PHASE_NAMES),), f"1 for the phase: {', '.join(PHASE_NAMES)}"),
        ("kind", (len(_KINDS),), f"1 for the pending decision: {', '.join(_KINDS)}"),
        ("seat", (_SEATS,), "1 for the seat that decides; 0 is the seat that looks"),
        ("turn_order", (_SEATS, _SEATS), "by place in the order: 1 for the seat"),
        ("passed", (_SEATS, _SEATS), "by place in the passing order: 1 for the seat"),
        ("stables", (STABLES_SLOTS, _SEATS), "by slot: 1 for the seat"),
        ("castle", (_SEATS, _SEATS), "by slot: 1 for the seat"),
        (
            "single",
            (len(_SINGLE), _SEATS),
            "whose worker stands on gate, trading post, merchants' guild, joust field, inn on the "
            "left, inn on the right: 1 for the seat",
        ),
        ("scored", (len(SECTIONS),), "1 for each section of the castle that has been scored"),
        (
            "favours",
            (_WAITING, _FAVOUR),
            "the open favours, the next one first, four at most: whose (5), which question is due "
            f"(3: {', '.join(_FAVOUR_KINDS)}), what brought it ({len(_SOURCES)}: "
            f"{', '.join(_SOURCES)})",
        ),
        ("waiting", (1,), "how many favours are open / 8"),
        (
            "held",
            (_SEATS, _HELD),
            "by seat, from the seat that looks: points / 100, workers in supply / 6, batches given "
            "in this phase / 5, food, wood, stone, cloth, gold and deniers / 10, columns of the "
            "favour lines / 5 (4), lines used in this phase (4), houses by section / 5 (3)",
        ),
        ("stock", (_TILES,), "1 for each building that can be built, in the order of the rules"),
        ("provost", (_SPACES,), "1 for its space"),
        ("bailiff", (_SPACES,), "1 for its space"),
        ("active", (_SPACES,), "1 for the space whose building is being used"),
        (
            "road",
            (_SPACES, _SPACE),
            f"by space: its building ({_TILES}), owner (5), worker (5), who has a residence "
            "pending there (5), each from the seat that looks",
        ),
    )
)
SIZE: Final = size_of(PLANES)
_START: Final[dict[str, int]] = {plane.name: plane.start for plane in PLANES}
_OPTIONS: Final = _START["options"]
_ROUND: Final = _START["round"]
_PHASE: Final = _START["phase"]
_KIND: Final = _START["kind"]
_SEAT: Final = _START["seat"]
_TURN_ORDER: Final = _START["turn_order"]
_PASSED: Final = _START["passed"]
_STABLES: Final = _START["stables"]
_CASTLE: Final = _START["castle"]
_SINGLES: Final = _START["single"]
_SCORED: Final = _START["scored"]
_FAVOURS: Final = _START["favours"]
_OPEN: Final = _START["waiting"]
_HOLDINGS: Final = _START["held"]
_STOCK: Final = _START["stock"]
_PROVOST: Final = _START["provost"]
_BAILIFF: Final = _START["bailiff"]
_ACTIVE: Final = _START["active"]
_ROAD: Final = _START["road"]
_KIND_NUMBER: Final[dict[str, int]] = {kind: at for at, kind in enumerate(_KINDS)}
_BUILDINGS_PHASE: Final = PHASE_NAMES.index("buildings")


def fill_tensor(state: Position, seat: Any, out: Any) -> None:
    """Write the planes of a position, as a seat sees it, into an array."""
    me = check_seat(seat, state.seats)
    target = open_array(out, SIZE)
    floats = zeros(_ROAD)
    _fill_table(state, floats)
    _fill_seats(state, me, floats)
    _fill_favours(state, me, floats)
    for other in range(state.seats):
        at = _HOLDINGS + (other - me) % state.seats * _HELD
        floats[at : at + _HELD] = array("f", _list_held(state, other))
    first = _ROAD * FLOAT_BYTES
    target[:first] = floats.tobytes()
    target[first:] = b"".join(_list_spaces(state, me))


def _fill_table(state: Position, floats: array[float]) -> None:
    """Write what is the same for every seat."""
    floats[state.seats - 2] = 1.0
    floats[_OPTIONS] = float(state.options["favours"] == "simplified")
    floats[_OPTIONS + 1] = float(state.options["edition"] == "second")
    floats[_ROUND] = state.round / _LONGEST
    floats[_PHASE + state.phase] = 1.0
    if state.kind:
        floats[_KIND + _KIND_NUMBER[state.kind]] = 1.0
    for number in range(state.scored):
        floats[_SCORED + number] = 1.0
    floats[_OPEN] = len(state.stack) / 8
    floats[_PROVOST + state.provost - 1] = 1.0
    floats[_BAILIFF + state.bailiff - 1] = 1.0
    if state.phase == _BUILDINGS_PHASE and state.cursor in ROAD:
        floats[_ACTIVE + state.cursor - 1] = 1.0
    stock, at = state.stock >> 1, _STOCK
    while stock:
        if stock & 1:
            floats[at] = 1.0
        stock >>= 1
        at += 1


def _fill_seats(state: Position, me: int, floats: array[float]) -> None:
    """Write which seat is where."""
    seats = state.seats
    if state.kind:
        floats[_SEAT + (state.seat - me) % seats] = 1.0
    _fill_order(state.turn_order, me, seats, _TURN_ORDER, floats)
    _fill_order(state.passed, me, seats, _PASSED, floats)
    _fill_order(state.stables, me, seats, _STABLES, floats)
    _fill_order(state.castle, me, seats, _CASTLE, floats)
    for at, place in enumerate(_SINGLE):
        worker = state.worker[place]
        if worker != NO_SEAT:
            floats[_SINGLES + _SEATS * at + (worker - me) % seats] = 1.0


def _fill_order(
    order: Sequence[int], me: int, seats: int, start: int, floats: array[float]
) -> None:
    for other in order:
        floats[start + (other - me) % seats] = 1.0
        start += _SEATS


def _fill_favours(state: Position, me: int, floats: array[float]) -> None:
    start = _FAVOURS
    for seat, kind, source in state.stack[: -_WAITING - 1 : -1]:
        floats[start + (seat - me) % state.seats] = 1.0
        floats[start + _SEATS + _FAVOUR_KINDS.index(kind)] = 1.0
        floats[start + _SEATS + len(_FAVOUR_KINDS) + _SOURCES.index(source)] = 1.0
        start += _FAVOUR


def _list_held(state: Position, seat: int) -> list[float]:
    """Return what a seat holds, as floats."""
    lines = len(LINES)
    used = state.used >> lines * seat
    return [
        state.scores[seat] / 100,
        state.workers[seat] / WORKERS,
        state.batches[seat] / 5,
        *[count / 10 for count in state.goods[KINDS * seat : KINDS * seat + KINDS]],
        *[column / 5 for column in state.markers[lines * seat : lines * seat + lines]],
        *[float(used >> line & 1) for line in range(lines)],
        *[houses / 5 for houses in state.houses[seat :: state.seats]],
    ]


def _list_spaces(state: Position, me: int) -> list[bytes]:
    """Return the bytes of each space of the road."""
    seats, building = state.seats, state.building
    owner, worker = state.owner, state.worker
    waiting = dict(state.pending)
    return [
        _draw_space(
            building[space],
            NO_SEAT if owner[space] == NO_SEAT else (owner[space] - me) % seats,
            NO_SEAT if worker[space] == NO_SEAT else (worker[space] - me) % seats,
            (waiting[space] - me) % seats if space in waiting else NO_SEAT,
        )
        for space in ROAD
    ]


@lru_cache(maxsize=1 << 14)
def _draw_space(tile: int, owner: int, worker: int, pending: int) -> bytes:
    """Return a space as bytes, its seats counted from the one that looks; cached by content."""
    floats = zeros(_SPACE)
    if tile:
        floats[tile - 1] = 1.0
    for start, seat in ((_OWNER, owner), (_WORKER, worker), (_PENDING, pending)):
        if seat != NO_SEAT:
            floats[start + seat] = 1.0
    return floats.tobytes()
