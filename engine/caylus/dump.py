"""Snapshots: the state as JSON and back. They can be made again, so the form may change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from cartulary.engine.caylus.buildings import CRAFT_TILES, POINTS, TILES
from cartulary.engine.caylus.flow import LEGAL
from cartulary.engine.caylus.goods import KINDS
from cartulary.engine.caylus.places import CASTLE, INN_RIGHT, ROAD, STABLES, STABLES_SLOTS
from cartulary.engine.caylus.position import NO_SEAT, Position
from cartulary.engine.caylus.tables import LINES, OVER_PHASE, PHASE_NAMES, SECTIONS, WORKERS
from cartulary.engine.core import Json, is_whole

FORMAT = 1

NUMBERS = (
    "seats", "seat", "kind", "round", "phase", "cursor", "stage", "provost", "bailiff",
    "free", "scored", "stock", "used",
)  # fmt: skip
LISTS = (
    "scores", "goods", "workers", "markers", "batches", "own", "building", "owner", "worker",
    "houses",
)  # fmt: skip
TUPLES = ("turn_order", "passed", "stables", "castle")
NESTED = ("stack", "pending")


def dump(state: Position) -> Json:
    """Return the whole state as JSON."""
    fields = {name: getattr(state, name) for name in NUMBERS}
    fields |= {name: list(getattr(state, name)) for name in (*LISTS, *TUPLES)}
    fields |= {name: [list(item) for item in getattr(state, name)] for name in NESTED}
    return {"format": FORMAT, "options": dict(state.options), **fields}


def load(state: Position, fields: Json) -> None:
    """Fill a new state from the result of `dump`; list the legal moves again."""
    if fields["format"] != FORMAT:
        raise ValueError(f"a Caylus snapshot of format {fields['format']!r}, not {FORMAT}")
    for name in NUMBERS:
        setattr(state, name, fields[name])
    for name in LISTS:
        setattr(state, name, list(fields[name]))
    for name in TUPLES:
        setattr(state, name, tuple(fields[name]))
    for name in NESTED:
        setattr(state, name, tuple(tuple(item) for item in fields[name]))
    state.options = dict(fields["options"])
    state.tile_points = POINTS[str(state.options["edition"])]
    state.facts = None
    state.legal = LEGAL[state.kind](state, state.seat) if state.kind else ()


_MANY: Final = 10_000
"""More points or goods than any game has."""

_PLACING_PHASE: Final = PHASE_NAMES.index("place_workers")
"""After it every seat has passed."""

_LONGEST_NUMBER: Final = 1 << 40


def is_sound(fields: Json) -> bool:
    """Return whether all numbers of a dump are in their ranges and name no seat twice in an order.

    Nothing else is judged: a position that no game leads to may be sound.
    """
    seats = fields["seats"]
    return (
        _are_lists_sound(fields, seats)
        and _are_numbers_sound(fields, seats)
        and _are_orders_sound(fields, seats)
        and _are_workers_whole(fields, seats)
        and _own_buildings(fields, seats) == fields["own"]
        and all(source in LEGAL and seat in range(seats) for seat, source, _ in fields["stack"])
        and all(space in ROAD and seat in range(seats) for space, seat in fields["pending"])
    )


def _are_lists_sound(fields: Json, seats: int) -> bool:
    places, spaces = INN_RIGHT + 1, ROAD[-1] + 1
    return (
        _is_row(fields["scores"], seats, range(_MANY))
        and _is_row(fields["goods"], KINDS * seats, range(_MANY))
        and _is_row(fields["workers"], seats, range(WORKERS + 1))
        and _is_row(fields["markers"], len(LINES) * seats, range(6))
        and _is_row(fields["batches"], seats, range(_MANY))
        and _is_row(fields["building"], spaces, range(len(TILES)))
        and _is_row(fields["owner"], places, range(NO_SEAT, seats))
        and _is_row(fields["worker"], places, range(NO_SEAT, seats))
        and _is_row(fields["houses"], len(SECTIONS) * seats, range(_MANY))
    )


def _are_numbers_sound(fields: Json, seats: int) -> bool:
    ranges = {
        "seat": range(NO_SEAT, seats),
        "round": range(1, _MANY),
        "phase": range(OVER_PHASE + 1),
        "cursor": range(_MANY),
        "stage": range(_MANY),
        "provost": ROAD,
        "bailiff": ROAD,
        "scored": range(len(SECTIONS) + 1),
        **dict.fromkeys(("free", "stock", "used"), range(_LONGEST_NUMBER)),
    }
    return all(is_whole(fields[name], known) for name, known in ranges.items())


def _are_orders_sound(fields: Json, seats: int) -> bool:
    """Return whether no seat is in an order twice: it might be asked for ever."""
    orders = [fields[name] for name in TUPLES]
    return (
        sorted(fields["turn_order"]) == list(range(seats))
        and all(_is_row(one, len(set(one)), range(seats)) for one in orders)
        and len(fields["stables"]) <= STABLES_SLOTS
        and (fields["phase"] <= _PLACING_PHASE or len(fields["passed"]) == seats)
        and all(seat in fields["castle"] for seat in range(seats) if fields["batches"][seat])
    )


def _are_workers_whole(fields: Json, seats: int) -> bool:
    """Return whether each worker is at home or out; stables and castle have rows of their own."""
    if {fields["worker"][STABLES], fields["worker"][CASTLE]} != {NO_SEAT}:
        return False
    out = [*fields["worker"], *fields["stables"], *fields["castle"]]
    return all(fields["workers"][seat] + out.count(seat) == WORKERS for seat in range(seats))


def _own_buildings(fields: Json, seats: int) -> list[int]:
    """Return the mask of the own craft buildings of each seat, from what stands on the road."""
    found = [0] * seats
    for space in ROAD:
        if fields["building"][space] in CRAFT_TILES:
            found[fields["owner"][space]] |= 1 << space
    return found


def _is_row(values: Sequence[Any], length: int, known: range) -> bool:
    return len(values) == length and all(is_whole(value, known) for value in values)
