"""What everybody may see, in the words of the move contract; in Caylus that is everything."""

from __future__ import annotations

from cartulary.engine.caylus import favours, phase_5_buildings
from cartulary.engine.caylus.buildings import TILE_IDS
from cartulary.engine.caylus.goods import CUBE_NAMES, DENIERS, KINDS
from cartulary.engine.caylus.phase_2_placing import full_price
from cartulary.engine.caylus.phase_6_castle import section_with_room
from cartulary.engine.caylus.places import (
    GATE,
    INN,
    INN_RIGHT,
    JOUST_FIELD,
    MERCHANTS_GUILD,
    PLACE_IDS,
    ROAD,
    TRADING_POST,
)
from cartulary.engine.caylus.position import NO_SEAT, Position
from cartulary.engine.caylus.tables import LINES, PHASE_NAMES, REDUCED_PRICE, SECTIONS
from cartulary.engine.core import Json


def view(state: Position) -> Json:
    """Return the view of the contract as a new object."""
    worker = state.worker
    return {
        "round": state.round,
        "phase": PHASE_NAMES[state.phase],
        "turn_order": list(state.turn_order),
        "passed": list(state.passed),
        "provost": state.provost,
        "bailiff": state.bailiff,
        "road": [_space(state, space) for space in ROAD],
        "gate": _seat(worker[GATE]),
        "trading_post": _seat(worker[TRADING_POST]),
        "merchants_guild": _seat(worker[MERCHANTS_GUILD]),
        "joust_field": _seat(worker[JOUST_FIELD]),
        "stables": list(state.stables),
        "inn": {"left": _seat(worker[INN]), "right": _seat(worker[INN_RIGHT])},
        "castle": list(state.castle),
        "sections": _sections(state),
        "stock": [name for number, name in enumerate(TILE_IDS) if state.stock >> number & 1],
        "players": [_player(state, seat) for seat in range(state.seats)],
    }


def _seat(seat: int) -> int | None:
    return None if seat == NO_SEAT else seat


def _space(state: Position, space: int) -> Json:
    entry: Json = {
        "space": PLACE_IDS[space],
        "building": TILE_IDS[state.building[space]],
        "owner": _seat(state.owner[space]),
        "worker": _seat(state.worker[space]),
    }
    for waiting, seat in state.pending:
        if waiting == space:
            entry["pending_residence"] = seat
    return entry


def _sections(state: Position) -> Json:
    seats = state.seats
    return {
        section.id: {
            "houses": state.houses[number * seats : (number + 1) * seats],
            "scored": number < state.scored,
        }
        for number, section in enumerate(SECTIONS)
    }


def _player(state: Position, seat: int) -> Json:
    purse, markers = KINDS * seat, len(LINES) * seat
    return {
        "prestige": state.scores[seat],
        "deniers": state.goods[purse + DENIERS],
        "workers": state.workers[seat],
        "cubes": dict(zip(CUBE_NAMES, state.goods[purse : purse + DENIERS], strict=True)),
        "favours": dict(zip(LINES, state.markers[markers : markers + len(LINES)], strict=True)),
    }


# -- the decision --------------------------------------------------------------------------------


def context(state: Position) -> Json:
    """Return what people want to know about the pending decision: whose building, whose gift."""
    kind = state.kind
    if kind == "place_worker":
        discount = state.worker[INN_RIGHT] == state.seat
        return {"price": REDUCED_PRICE if discount else full_price(state)}
    if kind == "bribe":
        return {"provost": state.provost}
    if kind == "castle":
        return {"section": SECTIONS[section_with_room(state)].id}
    if kind in favours.LEGAL:
        used = favours.lines_used(state, state.seat)
        return {"source": state.stack[-1][2], "lines_used": _lines(used)}
    if kind in phase_5_buildings.LEGAL:
        space = state.cursor
        building = TILE_IDS[state.building[space]]
        return {"space": PLACE_IDS[space], "building": building, "worker": state.worker[space]}
    return {"space": kind}


def _lines(used: int) -> list[str]:
    return [line for number, line in enumerate(LINES) if used >> number & 1]


def beyond(state: Position) -> Json:
    """Return what the future depends on besides the view: the decision and what is under way.

    That is the favour lines used in this phase, the favours still to be taken (the last one first)
    and the batches given in this castle phase. The rest follows from these: the place being
    activated is the first one with a worker, the seat being scored is the one that decides.
    """
    return {
        "options": dict(state.options),
        "decision": {"seat": state.seat, "kind": state.kind} if state.kind else None,
        "lines_used": [_lines(favours.lines_used(state, s)) for s in range(state.seats)],
        "favours": [{"seat": s, "kind": kind, "source": source} for s, kind, source in state.stack],
        "batches": list(state.batches),
    }
