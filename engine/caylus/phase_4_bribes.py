"""Phase 4: bribing the provost (rules 3, phase 4).

`cursor` is the index in the passing order.
"""

from __future__ import annotations

from cartulary.engine.caylus.accounts import spend, tell
from cartulary.engine.caylus.goods import DENIERS, KINDS
from cartulary.engine.caylus.moves import DECLINE, PROVOST_MOVES, Move
from cartulary.engine.caylus.position import Position
from cartulary.engine.caylus.rounds import ask, next_phase
from cartulary.engine.caylus.tables import BRIBE_PER_STEP, PROVOST_STEPS


def step(state: Position) -> bool:
    """Ask each seat once, in passing order, if it can pay a step."""
    while state.cursor < state.seats:
        seat = state.passed[state.cursor]
        state.cursor += 1
        legal = legal_bribes(state, seat)
        if len(legal) > 1:
            return ask(state, seat, "bribe", legal)
    return next_phase(state)


def legal_bribes(state: Position, seat: int) -> tuple[Move, ...]:
    """Return the steps that the seat can pay and that stay on the road, and `decline`."""
    steps = state.goods[KINDS * seat + DENIERS] // BRIBE_PER_STEP
    return PROVOST_MOVES[state.provost][min(steps, PROVOST_STEPS)]


def answer(state: Position, move: Move) -> None:
    """Pay for each step and move the provost."""
    if move is not DECLINE:
        spend(state, state.seat, BRIBE_PER_STEP * abs(move.number), "bribe")
        move_provost(state, state.seat, move.number, "bribe")


def move_provost(state: Position, seat: int, steps: int, reason: str) -> None:
    """Move the provost along the road."""
    state.provost += steps
    if state.facts is not None:
        tell(state, "provost_moved", seat=seat, steps=steps, to=state.provost, reason=reason)
