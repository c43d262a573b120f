"""Phase 6: building the castle (rules 3, phase 6).

`cursor` is the slot; it moves on when its seat gives no more. `stage` is `HOME` once the favour
for most batches has been granted.
"""

from __future__ import annotations

from typing import Final

from cartulary.engine.caylus.accounts import affordable, exchange, lose, score, tell
from cartulary.engine.caylus.grants import grant
from cartulary.engine.caylus.moves import DECLINE, OFFERS, Move
from cartulary.engine.caylus.places import CASTLE
from cartulary.engine.caylus.position import Position
from cartulary.engine.caylus.rounds import ask, next_phase
from cartulary.engine.caylus.tables import NO_BATCH_PENALTY, SECTIONS

BATCHES: Final = 0
HOME: Final = 1
NO_ROOM: Final = -1


def step(state: Position) -> bool:
    """Ask slot by slot, again after every batch; then the favour; then all go home."""
    castle = state.castle
    while state.cursor < len(castle):
        seat = castle[state.cursor]
        legal = legal_castle(state, seat)
        if len(legal) == 1:
            punish(state, seat)
        elif section_with_room(state) != NO_ROOM:
            return ask(state, seat, "castle", legal)
        elif not state.batches[seat]:
            tell(state, "excused", seat=seat)
        state.cursor += 1
    if state.stage == BATCHES:
        state.stage = HOME
        reward_most_batches(state)
        if state.stack:
            return False
    for seat in castle:
        state.workers[seat] += 1
        tell(state, "worker_home", CASTLE, seat=seat)
    state.castle = ()
    return next_phase(state)


def legal_castle(state: Position, seat: int) -> list[Move]:
    """Return the batches that the seat can pay, and `decline`."""
    return [*affordable(state, seat, OFFERS), DECLINE]


def section_with_room(state: Position) -> int:
    """Return the first section with a free part that has not been scored, or `NO_ROOM`."""
    seats = state.seats
    for number in range(state.scored, len(SECTIONS)):
        if sum(state.houses[number * seats : (number + 1) * seats]) < SECTIONS[number].parts:
            return number
    return NO_ROOM


def answer(state: Position, move: Move) -> None:
    """Take a batch and build a house, or go on to the next slot."""
    seat = state.seat
    if move is DECLINE:
        punish(state, seat)
        state.cursor += 1
        return
    number = section_with_room(state)
    section = SECTIONS[number]
    exchange(state, seat, move, "batch", CASTLE)
    state.houses[number * state.seats + seat] += 1
    state.batches[seat] += 1
    tell(state, "house_built", seat=seat, section=section.id)
    score(state, seat, section.points, "castle", section=section.id)


def punish(state: Position, seat: int) -> None:
    """Take the points of a seat that has given no batch.

    A seat that could give one but finds no room is excused and never gets here.
    """
    if not state.batches[seat]:
        lose(state, seat, NO_BATCH_PENALTY, "no_batch")


def reward_most_batches(state: Position) -> None:
    """Grant a favour for most batches in all sections together; ties go to the earlier slot."""
    most = max(state.batches)
    if most:
        best = next(seat for seat in state.castle if state.batches[seat] == most)
        state.batches = [0] * state.seats
        grant(state, best, 1, "castle")
