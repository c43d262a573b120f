"""Snapshots: the state as JSON and back. They can be made again, so the form may change."""

from __future__ import annotations

from cartulary.engine.caylus.buildings import POINTS
from cartulary.engine.caylus.flow import LEGAL
from cartulary.engine.caylus.position import Position
from cartulary.engine.core import Json

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
