"""Why a move is illegal, in words that name the rule it breaks.

The move may be any JSON object: first its shape is judged, then the place, the tile, the price.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from cartulary.engine.canonical import quote
from cartulary.engine.caylus.buildings import BUILDING_BY_ID
from cartulary.engine.caylus.contract import CONTRACT
from cartulary.engine.caylus.faults import FAULTS, Fault
from cartulary.engine.caylus.places import PLACE_NUMBER
from cartulary.engine.caylus.position import Position
from cartulary.engine.contract import phrase
from cartulary.engine.core import Json
from cartulary.engine.errors import Reason
from cartulary.engine.schema import Fault as ShapeFault

_KNOWN: Final[dict[str, Container[str]]] = {"space": PLACE_NUMBER, "building": BUILDING_BY_ID}


def explain(state: Position, move: Json) -> Reason:
    """Return which rule `move`, which is not legal in `state`, breaks; it may be any JSON."""
    fault = _shape_fault(state, move)
    if fault is None and (judge := FAULTS.get(move["type"])):
        fault = judge(state, move)
    sentence = f"{quote(move)} is not a legal answer to the decision {state.kind!r}"
    return fault or Reason(sentence, "not_legal")


def _shape_fault(state: Position, move: Json) -> Fault:
    name = move.get("type")
    wanted = CONTRACT.decisions[state.kind].moves
    if not isinstance(name, str) or name not in wanted:
        return Reason(
            f"not the question to answer: the game asks seat {state.seat} for {state.kind!r}, "
            f"which wants {' or '.join(wanted)}, not {quote(name)}",
            "other_question",
            seat=state.seat,
            ask=state.kind,
        )
    for fault in CONTRACT.faults_of_move(move):
        if not _has_a_rule(fault):
            return Reason(phrase(fault, name), "no_such_move")
    return None


def _has_a_rule(fault: ShapeFault) -> bool:
    """Return whether a rule says better than the schema why a value is not one of those listed.

    The value is a number of steps, or a place or building that exists but does not fit here.
    """
    return fault.keyword == "enum" and (
        fault.path == ("steps",) or fault.value in _KNOWN.get(str(fault.path[0]), ())
    )
