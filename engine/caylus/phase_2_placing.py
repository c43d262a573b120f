"""Phase 2: placing workers (rules 3, phase 2).

`cursor` is the index in the turn order of the seat whose turn it is.
"""

from __future__ import annotations

from typing import Final

from cartulary.engine.caylus.accounts import earn, score, spend, tell
from cartulary.engine.caylus.goods import DENIERS, KINDS
from cartulary.engine.caylus.moves import PASS, Move, placements
from cartulary.engine.caylus.places import CASTLE, INN_RIGHT, STABLES, STABLES_SLOTS, bit
from cartulary.engine.caylus.position import NO_SEAT, Position
from cartulary.engine.caylus.rounds import ask, next_phase
from cartulary.engine.caylus.tables import (
    FIRST_PASS_DENIERS,
    OWNER_POINTS,
    PRICE_AFTER_PASSES,
    REDUCED_PRICE,
)

STABLES_BIT: Final = bit(STABLES)
CASTLE_BIT: Final = bit(CASTLE)


def step(state: Position) -> bool:
    """Go round the table until a player has a choice or all have passed."""
    order, seats, turn = state.turn_order, state.seats, state.cursor
    while len(state.passed) < seats:
        seat = order[turn]
        if seat not in state.passed:
            if places := payable_places(state, seat):
                state.cursor = turn
                return ask(state, seat, "place_worker", placements(places))
            pass_on(state, seat, forced=True)
        turn = (turn + 1) % seats
    return next_phase(state)


def legal_placements(state: Position, seat: int) -> list[Move]:
    """Return `pass` and every place that has room and that the seat can pay."""
    return placements(payable_places(state, seat))


def allows_placement(state: Position, seat: int, move: Move) -> bool:
    """Return whether a move is one of `legal_placements`."""
    return move is PASS or move.is_to(payable_places(state, seat), "place_worker")


def payable_places(state: Position, seat: int) -> int:
    """Return the mask of the places that have room and that the seat can pay."""
    deniers = state.goods[KINDS * seat + DENIERS]
    if deniers < REDUCED_PRICE or not state.workers[seat]:
        return 0
    places = open_places(state, seat)
    if state.worker[INN_RIGHT] != seat and deniers < full_price(state):
        places &= state.own[seat]
    return places


def open_places(state: Position, seat: int) -> int:
    """Return the mask of the places where a worker of the seat may stand, whatever it costs."""
    places = state.free
    if seat in state.stables:
        places &= ~STABLES_BIT
    if seat in state.castle:
        places &= ~CASTLE_BIT
    return places


def full_price(state: Position) -> int:
    """Return what a place costs after the passes so far."""
    return PRICE_AFTER_PASSES[state.seats][len(state.passed)]


def price(state: Position, seat: int, place: int) -> int:
    """Return what a place costs a seat: less on an own building or with the inn's discount."""
    if state.own[seat] >> place & 1 or state.worker[INN_RIGHT] == seat:
        return REDUCED_PRICE
    return full_price(state)


def answer(state: Position, move: Move) -> None:
    """Pass or place the worker; then it is the next seat's turn."""
    seat = state.seat
    if move is PASS:
        pass_on(state, seat, forced=False)
    else:
        place = move.number
        spend(state, seat, price(state, seat, place), "placing", place)
        state.workers[seat] -= 1
        if state.facts is not None:
            tell(state, "worker_placed", place, seat=seat)
        put_worker(state, seat, place)
    state.cursor = (state.cursor + 1) % state.seats


def pass_on(state: Position, seat: int, *, forced: bool) -> None:
    """Take the next passing slot; the first seat to pass gets a denier, forced or not."""
    state.passed += (seat,)
    if state.facts is not None:
        tell(state, "passed", seat=seat, slot=len(state.passed), forced=forced)
    if len(state.passed) == 1:
        earn(state, seat, FIRST_PASS_DENIERS, "first_pass")


def put_worker(state: Position, seat: int, place: int) -> None:
    """Let a worker stand on a place; the owner of another seat's building gets his point."""
    if place == CASTLE:
        state.castle += (seat,)
    elif place == STABLES:
        state.stables += (seat,)
        if len(state.stables) == STABLES_SLOTS:
            state.free &= ~STABLES_BIT
    else:
        state.worker[place] = seat
        state.free &= ~(1 << place)
        owner = state.owner[place]
        if owner not in (seat, NO_SEAT):
            score(state, owner, OWNER_POINTS, "owner", place, by=seat)
