"""Phase 3: the special buildings, in order (rules 1.1 and 3, phase 3).

`cursor` is the index of the special building; `stage` is `EFFECT` until it has done or asked what
it does, then `HOME`: its worker goes home when all favours it brought have been taken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cartulary.engine.caylus.accounts import affordable, earn, exchange, tell
from cartulary.engine.caylus.grants import grant
from cartulary.engine.caylus.moves import (
    DECLINE,
    JOUST,
    LEAVE,
    PROVOST_MOVES,
    STAY,
    Move,
    Moves,
    gate_moves,
)
from cartulary.engine.caylus.phase_2_placing import STABLES_BIT, open_places, put_worker
from cartulary.engine.caylus.phase_4_bribes import move_provost
from cartulary.engine.caylus.places import (
    GATE,
    INN,
    INN_RIGHT,
    JOUST_FIELD,
    MERCHANTS_GUILD,
    SPECIAL_PLACES,
    STABLES,
    TRADING_POST,
    bit,
)
from cartulary.engine.caylus.position import NO_SEAT, Position
from cartulary.engine.caylus.road import go_home
from cartulary.engine.caylus.rounds import ask, next_phase
from cartulary.engine.caylus.tables import PROVOST_STEPS, TRADING_POST_DENIERS

EFFECT: Final = 0
HOME: Final = 1
JOUSTS: Final[Moves] = (JOUST,)
STAY_OR_LEAVE: Final[Moves] = (STAY, LEAVE)


def step(state: Position) -> bool:
    """Activate one special building after the other."""
    while state.cursor < len(SPECIAL_PLACES):
        place = SPECIAL_PLACES[state.cursor]
        if state.stage == EFFECT:
            state.stage = HOME
            if EFFECTS[place](state, state.worker[place]):
                return True
        if state.worker[place] != NO_SEAT:
            go_home(state, place)
        state.cursor += 1
        state.stage = EFFECT
    return next_phase(state)


def gate(state: Position, seat: int) -> bool:
    """Ask where the worker of the gate goes."""
    if seat == NO_SEAT:
        return False
    legal = legal_gate(state, seat)
    return len(legal) > 1 and ask(state, seat, "gate", legal)


def legal_gate(state: Position, seat: int) -> list[Move]:
    """Return the places where a worker of the seat could be placed, and `decline`."""
    return gate_moves(open_places(state, seat))


def allows_gate(state: Position, seat: int, move: Move) -> bool:
    """Return whether a move is one of `legal_gate`."""
    return move is DECLINE or move.is_to(open_places(state, seat), "move_worker")


def answer_gate(state: Position, move: Move) -> None:
    """Move the worker on, free of charge; taken back, he goes home as from other buildings."""
    if move is DECLINE:
        return
    seat = state.seat
    state.worker[GATE] = NO_SEAT
    state.free |= bit(GATE)
    tell(state, "worker_moved", move.number, seat=seat)
    put_worker(state, seat, move.number)


def trading_post(state: Position, seat: int) -> bool:
    """Pay the deniers of the trading post."""
    if seat != NO_SEAT:
        earn(state, seat, TRADING_POST_DENIERS, "trading_post", TRADING_POST)
    return False


def merchants_guild(state: Position, seat: int) -> bool:
    """Ask how far the provost moves."""
    return seat != NO_SEAT and ask(state, seat, "merchants_guild", legal_guild(state, seat))


def legal_guild(state: Position, _: int) -> tuple[Move, ...]:
    """Return the steps that leave the provost on the road, and `decline`."""
    return PROVOST_MOVES[state.provost][PROVOST_STEPS]


def answer_guild(state: Position, move: Move) -> None:
    """Move the provost, free of charge."""
    if move is not DECLINE:
        move_provost(state, state.seat, move.number, "merchants_guild")


def joust_field(state: Position, seat: int) -> bool:
    """Ask whether the seat jousts, if it can pay."""
    if seat == NO_SEAT:
        return False
    legal = legal_joust(state, seat)
    return len(legal) > 1 and ask(state, seat, "joust_field", legal)


def legal_joust(state: Position, seat: int) -> list[Move]:
    """Return `joust`, if the seat can pay for it, and `decline`."""
    return [*affordable(state, seat, JOUSTS), DECLINE]


def answer_joust(state: Position, move: Move) -> None:
    """Pay for the joust and win a favour."""
    if move is JOUST:
        exchange(state, state.seat, move, "joust", JOUST_FIELD)
        grant(state, state.seat, 1, "joust_field")


def stables(state: Position, _: int) -> bool:
    """Put the seats in the stables first in the turn order, at once; their workers go home."""
    first = state.stables
    if first:
        state.turn_order = first + tuple(seat for seat in state.turn_order if seat not in first)
        tell(state, "turn_order_changed", turn_order=list(state.turn_order))
        for seat in first:
            state.workers[seat] += 1
            tell(state, "worker_home", STABLES, seat=seat)
        state.stables = ()
        state.free |= STABLES_BIT
    return False


def inn(state: Position, newcomer: int) -> bool:
    """Move the left worker to the right circle, or ask the one who is there."""
    if newcomer == NO_SEAT:
        guest = state.worker[INN_RIGHT]
        return guest != NO_SEAT and ask(state, guest, "inn", legal_inn(state, guest))
    leave_inn(state)
    state.worker[INN] = NO_SEAT
    state.worker[INN_RIGHT] = newcomer
    state.free |= bit(INN)
    tell(state, "inn_entered", INN_RIGHT, seat=newcomer)
    return False


def legal_inn(_: Position, __: int) -> tuple[Move, ...]:
    """Return both answers."""
    return STAY_OR_LEAVE


def leave_inn(state: Position) -> None:
    """Take the worker of the right circle back, if there is one."""
    guest = state.worker[INN_RIGHT]
    if guest != NO_SEAT:
        state.worker[INN_RIGHT] = NO_SEAT
        state.workers[guest] += 1
        tell(state, "worker_home", INN_RIGHT, seat=guest)


def answer_inn(state: Position, move: Move) -> None:
    """Stay for the next round's discount, or leave."""
    if move is LEAVE:
        leave_inn(state)


EFFECTS: Final[dict[int, Callable[[Position, int], bool]]] = {
    GATE: gate,
    TRADING_POST: trading_post,
    MERCHANTS_GUILD: merchants_guild,
    JOUST_FIELD: joust_field,
    STABLES: stables,
    INN: inn,
}
