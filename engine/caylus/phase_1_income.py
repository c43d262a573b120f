"""Phase 1: income (rules 3, phase 1). No player decides anything."""

from __future__ import annotations

from cartulary.engine.caylus.accounts import earn
from cartulary.engine.caylus.buildings import INCOME
from cartulary.engine.caylus.position import Position
from cartulary.engine.caylus.rounds import next_phase
from cartulary.engine.caylus.tables import INCOME_OF_ALL


def step(state: Position) -> bool:
    """Pay everybody, in turn order."""
    income = [INCOME_OF_ALL] * state.seats
    for space, tile in enumerate(state.building):
        if deniers := INCOME[tile]:
            income[state.owner[space]] += deniers
    for seat in state.turn_order:
        earn(state, seat, income[seat], "income")
    return next_phase(state)
