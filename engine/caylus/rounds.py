"""How a phase gives way to the next, and how a question is asked."""

from __future__ import annotations

from collections.abc import Sequence

from cartulary.engine.caylus.accounts import tell
from cartulary.engine.caylus.moves import Move
from cartulary.engine.caylus.position import Position
from cartulary.engine.caylus.tables import PHASE_NAMES


def ask(state: Position, seat: int, kind: str, legal: Sequence[Move]) -> bool:
    """Put a question to a seat; returns True, what a step returns when it asks."""
    state.seat, state.kind, state.legal = seat, kind, legal
    return True


def next_phase(state: Position) -> bool:
    """Begin the next phase; favour lines used in this one are free again (rules 3, favours).

    Returns False, what a step returns when the game goes on.
    """
    return begin_phase(state, state.phase + 1)


def begin_phase(state: Position, phase: int) -> bool:
    """Begin a phase; returns False: the game goes on."""
    state.phase = phase
    state.cursor = state.stage = state.used = 0
    if state.facts is not None:
        tell(state, "phase_begun", phase=PHASE_NAMES[phase])
    return False
