"""Phase 7: the bailiff, the scoring of the castle, the end of the round (rules 3, phase 7).

`stage` is `SCORING` once the bailiff has moved; `cursor` is the index in the turn order of the
seat for which the section is to be scored next.
"""

from __future__ import annotations

from typing import Final

from cartulary.engine.caylus.accounts import lose, tell
from cartulary.engine.caylus.grants import grant
from cartulary.engine.caylus.position import Position
from cartulary.engine.caylus.rounds import begin_phase
from cartulary.engine.caylus.tables import (
    BAILIFF_STEPS,
    BAILIFF_STEPS_BEHIND,
    INCOME_PHASE,
    OVER_PHASE,
    SECTIONS,
)

BAILIFF: Final = 0
SCORING: Final = 1


def step(state: Position) -> bool:
    """Move the bailiff; score each section that is due, seat by seat; begin the next round."""
    if state.stage == BAILIFF:
        state.stage = SCORING
        move_bailiff(state)
    while section_due(state):
        while state.cursor < state.seats:
            seat = state.turn_order[state.cursor]
            state.cursor += 1
            score_section(state, seat)
            if state.stack:
                return False
        close_section(state)
    return end_play(state) if state.scored == len(SECTIONS) else next_round(state)


def move_bailiff(state: Position) -> None:
    """Advance the bailiff, by more when the provost is ahead; the provost joins it."""
    ahead = state.provost > state.bailiff
    state.bailiff += BAILIFF_STEPS_BEHIND if ahead else BAILIFF_STEPS
    state.provost = state.bailiff
    tell(state, "bailiff_moved", to=state.bailiff)


def houses_in(state: Position, number: int) -> list[int]:
    """Return the houses in a section, by seat."""
    return state.houses[number * state.seats : (number + 1) * state.seats]


def section_due(state: Position) -> bool:
    """Return whether the current section is to be scored now: each one once."""
    if state.scored == len(SECTIONS):
        return False
    section = SECTIONS[state.scored]
    complete = sum(houses_in(state, state.scored)) == section.parts
    return complete or state.bailiff >= section.trigger


def score_section(state: Position, seat: int) -> None:
    """Punish a seat without a house in the section, or grant its favours."""
    section = SECTIONS[state.scored]
    houses = houses_in(state, state.scored)[seat]
    if state.facts is not None:
        tell(state, "section_counted", seat=seat, section=section.id, houses=houses)
    if not houses:
        lose(state, seat, section.penalty, "no_house", section=section.id)
    elif favours := section.favours_for(houses):
        grant(state, seat, favours, section.id)


def close_section(state: Position) -> None:
    """Close the section; the next one is current and further columns are open."""
    tell(state, "section_scored", section=SECTIONS[state.scored].id)
    state.scored += 1
    state.cursor = 0


def end_play(state: Position) -> bool:
    """End the play after the towers: only counting is left, the position stays as it is."""
    state.phase = OVER_PHASE
    tell(state, "play_over")
    return False


def next_round(state: Position) -> bool:
    """Begin the next round; with two players the first one alternates (rules 3, 2 players)."""
    state.round += 1
    state.passed = ()
    if state.seats == 2:
        state.turn_order = state.turn_order[::-1]
    tell(state, "round_begun", round=state.round, turn_order=list(state.turn_order))
    return begin_phase(state, INCOME_PHASE)
