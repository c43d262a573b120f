"""The bot that looks one turn ahead: every placement with every follower, by projected score."""

from __future__ import annotations

import random
from collections.abc import Callable

from cartulary.bots.carcassonne.outlook import Outlook
from cartulary.engine.carcassonne.position import PLACE_FOLLOWER
from cartulary.engine.carcassonne.state import CarcassonneState

Judge = Callable[[CarcassonneState], float]


def play_greedily(state: CarcassonneState, rng: random.Random) -> int:
    """Return the move that promises most; ties are broken by `rng`."""
    judge = _judge(state)
    moves = state.moves()
    worths = [_worth(_after(state, move), judge) for move in moves]
    best = max(worths)
    return rng.choice([move for move, worth in zip(moves, worths, strict=True) if worth == best])


def _judge(state: CarcassonneState) -> Judge:
    """Return how the seat that decides sees a position: its outlook less the others' on average."""
    outlook, seat, others = Outlook(state), state.turn, state.seats - 1

    def judge(position: CarcassonneState) -> float:
        values = outlook.seats(position)
        return values[seat] - (sum(values) - values[seat]) / others

    return judge


def _after(state: CarcassonneState, move: int) -> CarcassonneState:
    position = state.copy()
    position.play(move)
    return position


def _worth(position: CarcassonneState, judge: Judge) -> float:
    """Return what a position is worth at the end of the turn, its best follower included."""
    if position.kind != PLACE_FOLLOWER:
        return judge(position)
    return max(judge(_after(position, move)) for move in position.moves())
