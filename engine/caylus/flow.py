"""The sequence of play: the phases in order, and who takes which answer.

Each phase is a resumable `step(state)`: it asks a question and returns True, or goes on and
returns False. Open favours come before everything else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from cartulary.engine.caylus import (
    favours,
    phase_1_income,
    phase_2_placing,
    phase_3_special,
    phase_4_bribes,
    phase_5_buildings,
    phase_6_castle,
    phase_7_end_of_round,
)
from cartulary.engine.caylus.moves import Move
from cartulary.engine.caylus.position import NO_SEAT, Position

Step = Callable[[Position], bool]


def play_over(state: Position) -> bool:
    """Stop asking: the play is over, only counting is left."""
    state.seat, state.kind, state.legal = NO_SEAT, "", ()
    return True


STEPS: Final[tuple[Step, ...]] = (
    phase_1_income.step,
    phase_2_placing.step,
    phase_3_special.step,
    phase_4_bribes.step,
    phase_5_buildings.step,
    phase_6_castle.step,
    phase_7_end_of_round.step,
    play_over,
)
"""The phases in order, as in `PHASE_NAMES`."""


ANSWERS: Final[dict[str, Callable[[Position, Move], None]]] = {
    "place_worker": phase_2_placing.answer,
    "gate": phase_3_special.answer_gate,
    "merchants_guild": phase_3_special.answer_guild,
    "joust_field": phase_3_special.answer_joust,
    "inn": phase_3_special.answer_inn,
    "bribe": phase_4_bribes.answer,
    "produce": phase_5_buildings.answer_produce,
    "owner_bonus": phase_5_buildings.answer_bonus,
    "trade": phase_5_buildings.answer_trade,
    "build": phase_5_buildings.answer_construction,
    "build_prestige": phase_5_buildings.answer_construction,
    "convert": phase_5_buildings.answer_construction,
    "castle": phase_6_castle.answer,
    "favour": favours.answer_favour,
    "favour_cubes": favours.answer_cubes,
    "favour_buildings": favours.answer_buildings,
}


LEGAL: Final[dict[str, Callable[[Position, int], Sequence[Move]]]] = {
    "place_worker": phase_2_placing.legal_placements,
    "gate": phase_3_special.legal_gate,
    "merchants_guild": phase_3_special.legal_guild,
    "joust_field": phase_3_special.legal_joust,
    "inn": phase_3_special.legal_inn,
    "bribe": phase_4_bribes.legal_bribes,
    **phase_5_buildings.LEGAL,
    "castle": phase_6_castle.legal_castle,
    **favours.LEGAL,
}


ALLOWS: Final[dict[str, Callable[[Position, int, Move], bool]]] = {
    "place_worker": phase_2_placing.allows_placement,
    "gate": phase_3_special.allows_gate,
}
"""The questions with many answers: whether a move is one of these, without a look at the others."""


def allows(state: Position, move: Move) -> bool:
    """Return whether a move is a legal answer to the pending question."""
    judge = ALLOWS.get(state.kind)
    return move in state.legal if judge is None else judge(state, state.seat, move)


def advance(state: Position) -> None:
    """Go on until a player has a choice or the play is over."""
    while not (favours.step(state) if state.stack else STEPS[state.phase](state)):
        pass
