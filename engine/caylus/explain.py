"""Why a move is illegal, in words that name the rule it breaks.

The move may be any JSON object: first its shape is judged, then the place, the tile, the price.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cartulary.engine.canonical import shown
from cartulary.engine.caylus.buildings import BUILDING_BY_ID
from cartulary.engine.caylus.faults import FAULTS, Fault
from cartulary.engine.caylus.goods import GOOD_NUMBER
from cartulary.engine.caylus.places import PLACE_NUMBER
from cartulary.engine.caylus.position import Position
from cartulary.engine.core import Json

KEYS: dict[str, set[str]] = {
    "pass": set(),
    "decline": set(),
    "place_worker": {"space"},
    "move_worker": {"space"},
    "move_provost": {"steps"},
    "joust": set(),
    "stay": set(),
    "leave": set(),
    "take": {"goods"},
    "trade": {"give", "get"},
    "build": {"building", "pay"},
    "build_prestige": {"building", "space", "pay"},
    "convert": {"space", "pay"},
    "offer_batch": {"goods"},
    "choose_favour": {"line"},
}
"""By move type: its keys besides `type`."""

TYPES: dict[str, tuple[str, ...]] = {
    "place_worker": ("place_worker", "pass"),
    "gate": ("move_worker", "decline"),
    "merchants_guild": ("move_provost", "decline"),
    "joust_field": ("joust", "decline"),
    "inn": ("stay", "leave"),
    "bribe": ("move_provost", "decline"),
    "produce": ("take",),
    "owner_bonus": ("take",),
    "trade": ("trade", "decline"),
    "build": ("build", "decline"),
    "build_prestige": ("build_prestige", "decline"),
    "convert": ("convert", "decline"),
    "castle": ("offer_batch", "decline"),
    "favour": ("choose_favour",),
    "favour_cubes": ("take", "trade", "decline"),
    "favour_buildings": ("build", "build_prestige", "convert", "decline"),
}
"""By decision kind: the move types that answer it."""


def explain(state: Position, move: Json) -> str:
    """Return which rule `move`, which is not legal in `state`, breaks; it may be any JSON."""
    fault = _shape_fault(state, move)
    if fault is None and (judge := FAULTS.get(move["type"])):
        fault = judge(state, move)
    return fault or f"{shown(move)} is not a legal answer to the decision {state.kind!r}"


# -- the shape -----------------------------------------------------------------------------------


def _shape_fault(state: Position, move: Json) -> Fault:
    name = move.get("type")
    wanted = TYPES[state.kind]
    if not isinstance(name, str) or name not in wanted:
        return (
            f"not the question to answer: the game asks seat {state.seat} for {state.kind!r}, "
            f"which wants {' or '.join(wanted)}, not {shown(name)}"
        )
    keys = KEYS[name]
    if missing := sorted(keys - move.keys()):
        return f"{name} lacks {missing[0]!r}"
    if extra := sorted(set(map(str, move)) - keys - {"type"}):
        return f"{name} has no key {shown(extra[0])}"
    for key in sorted(keys):
        if fault := SHAPES[key](key, move[key]):
            return fault
    return None


def _text_fault(key: str, value: Any) -> Fault:
    return None if isinstance(value, str) else f"{key!r} must be a name, not {shown(value)}"


def _steps_shape(key: str, value: Any) -> Fault:
    if type(value) is int:
        return None
    return f"{key!r} must be an integer written without a fraction, not {shown(value)}"


def _space_fault(_: str, value: Any) -> Fault:
    if isinstance(value, str) and value in PLACE_NUMBER:
        return None
    return f"there is no place {shown(value)}"


def _building_fault(_: str, value: Any) -> Fault:
    if isinstance(value, str) and value in BUILDING_BY_ID:
        return None
    return f"there is no building {shown(value)}"


def _bundle_fault(key: str, value: Any) -> Fault:
    if not isinstance(value, dict):
        return f'{key!r} must be an object such as {{"wood": 1}}, not {shown(value)}'
    for good, count in value.items():
        if good not in GOOD_NUMBER and (key, good) != ("get", "prestige"):
            return f"{key!r} names {shown(good)}, which is no good"
        if type(count) is not int or count < 1:
            return f"{key!r} must count {good} with a positive integer, not {shown(count)}"
    return None


SHAPES: dict[str, Callable[[str, Any], Fault]] = {
    "space": _space_fault,
    "steps": _steps_shape,
    "goods": _bundle_fault,
    "give": _bundle_fault,
    "get": _bundle_fault,
    "pay": _bundle_fault,
    "building": _building_fault,
    "line": _text_fault,
}
