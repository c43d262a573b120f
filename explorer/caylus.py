"""Caylus: which building, by the place in turn order, the worker, and the stage of the castle.

Of a position matter the kind of the question, how far the game is (the first three rounds one by
one, then the section of the castle that is built), and for some kinds one thing more: the place in
turn order and the number of the worker, where a favour came from, how many batches were given, how
much money there is for the provost. Spaces of the road count as what stands on them.
"""

from __future__ import annotations

from typing import Any, Final

from cartulary.engine.caylus.buildings import TILES
from cartulary.engine.caylus.goods import DENIERS, KINDS
from cartulary.engine.caylus.moves import Move
from cartulary.engine.caylus.places import PLACE_IDS, PLACE_NUMBER, ROAD
from cartulary.engine.caylus.position import NO_SEAT
from cartulary.engine.caylus.state import CaylusState
from cartulary.engine.caylus.tables import PROVOST_STEPS, SECTIONS, WORKERS
from cartulary.explorer.parts import AskedParts

SINGLE_ROUNDS: Final = 3
"""The number of first rounds that have a stage each; then a stage is a section of the castle."""


def ask_caylus(state: Any) -> AskedParts:
    """Return what matters at a decision of Caylus."""
    answers = [_describe(state, move) for move in state.moves()]
    first = state.kind == "place_worker" and state.round == 1
    narrow = _list_taken(state) if first else None
    return AskedParts((state.kind, _find_stage(state), *_find_parts(state)), narrow, answers)


def _find_stage(state: CaylusState) -> str:
    if state.round <= SINGLE_ROUNDS:
        return f"round-{state.round}"
    return SECTIONS[min(state.scored, len(SECTIONS) - 1)].id


def _find_parts(state: CaylusState) -> tuple[str, ...]:
    """Return what else matters for a kind of question."""
    if state.kind == "place_worker":
        worker = WORKERS - state.workers[state.seat] + 1
        return (f"seat-{state.turn_order.index(state.seat) + 1}", f"worker-{worker}")
    if state.kind == "favour":
        return (f"by-{state.stack[-1][2]}",)
    if state.kind == "castle":
        return (f"batches-{state.batches[state.seat]}",)
    if state.kind in ("bribe", "merchants_guild"):
        money = state.goods[KINDS * state.seat + DENIERS]
        return (f"deniers-{min(money, PROVOST_STEPS)}",)
    return ()


def _list_taken(state: CaylusState) -> list[str]:
    """Return where workers stand, and how many seats have passed."""
    taken = [
        _name_place(state, place) for place, seat in enumerate(state.worker) if seat != NO_SEAT
    ]
    return [*sorted([*taken, *("castle" for _ in state.castle)]), f"passed-{len(state.passed)}"]


def _name_place(state: CaylusState, place: int) -> str:
    """Return the building on a space of the road, or the place before the bridge."""
    tile = TILES[state.building[place]] if place in ROAD else None
    name = tile.id if tile is not None else (PLACE_IDS[place] if place < len(PLACE_IDS) else "inn")
    return name.replace("_", "-")


def _describe(state: CaylusState, move: Move) -> str:
    """Return a move without what does not matter: which space, which cube of several."""
    json = move.json
    kind: str = json["type"]
    if "building" in json:
        return str(json["building"]).replace("_", "-")
    if "space" in json:
        return _name_place(state, PLACE_NUMBER[json["space"]])
    if "line" in json:
        return str(json["line"])
    if "steps" in json:
        return f"{'forward' if json['steps'] > 0 else 'back'}-{abs(json['steps'])}"
    if kind == "trade":
        return f"{_describe_goods(json['give'])}-for-{_describe_goods(json['get'])}"
    return _describe_goods(json["goods"]) if "goods" in json else kind


def _describe_goods(goods: dict[str, int]) -> str:
    words = [good if number == 1 else f"{number}{good}" for good, number in goods.items() if number]
    return "+".join(words) or "nothing"
