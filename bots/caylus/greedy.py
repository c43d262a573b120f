"""The bot that plays every move out to the end of the round, and takes what promises most.

In that imagined round no player places another worker, and every question is answered by reflex.
"""

from __future__ import annotations

import random

from cartulary.bots.caylus.outlook import Outlook
from cartulary.bots.caylus.reflexes import Reflexes
from cartulary.bots.caylus.weights import MEDIUM, Weights
from cartulary.engine.caylus.goods import DENIERS
from cartulary.engine.caylus.moves import Move
from cartulary.engine.caylus.phase_2_placing import price
from cartulary.engine.caylus.places import ROAD
from cartulary.engine.caylus.state import CaylusState


def play_greedily(state: CaylusState, rng: random.Random) -> Move:
    """Return the move that promises most; ties are broken by `rng`."""
    return choose_greedily(state, rng, MEDIUM)


def choose_greedily(state: CaylusState, rng: random.Random, weights: Weights) -> Move:
    """Return the move that promises most by some beliefs; ties are broken by `rng`."""
    moves = state.moves()
    if len(moves) == 1:
        return moves[0]
    worths = judge(state, weights)
    best = max(worths)
    return rng.choice([move for move, worth in zip(moves, worths, strict=True) if worth == best])


def judge(state: CaylusState, weights: Weights = MEDIUM) -> list[float]:
    """Return what each legal move promises to the seat that decides, in prestige points."""
    outlook = Outlook(state, weights)
    reflexes = Reflexes(outlook)
    worths = [_play_out(state, move, outlook, reflexes) for move in state.moves()]
    if state.kind not in WITHOUT_WORKER:
        return worths
    idle = worths[WITHOUT_WORKER[state.kind]]
    return [
        idle + _likely(state, move, worth - idle, outlook)
        for move, worth in zip(state.moves(), worths, strict=True)
    ]


WITHOUT_WORKER = {"place_worker": 0, "gate": -1}
"""By kind of decision: the index of the move that sends no worker anywhere."""


def _likely(state: CaylusState, move: Move, gain: float, outlook: Outlook) -> float:
    """Return the gain from sending a worker somewhere when the provost may spoil it.

    Without activation, what the place costs is lost.
    """
    if move.number not in ROAD:
        return gain
    ahead = max(0, move.number - state.provost + outlook.weights.sure)
    chance = outlook.weights.activated[ahead] if ahead < len(outlook.weights.activated) else 0.0
    return chance * gain + (1 - chance) * _cost(state, move, outlook)


def _cost(state: CaylusState, move: Move, outlook: Outlook) -> float:
    if state.kind == "gate":
        return 0.0
    paid = price(state, state.seat, move.number)
    return outlook.change(state, state.seat, ((DENIERS, -paid),))


def _play_out(state: CaylusState, move: Move, outlook: Outlook, reflexes: Reflexes) -> float:
    """Return what the seat may expect after a move, less what the others may on average."""
    seat, this_round = state.seat, state.round
    position = state.copy()
    position.play(move)
    while position.round == this_round and not position.over:
        position.play(reflexes.answer(position))
    values = outlook.seats(position)
    mine = values[seat]
    return mine - outlook.weights.rivalry * (add_up(values) - mine) / (state.seats - 1)


def add_up(values: list[float]) -> float:
    """Return the sum, added up one after another.

    `sum` does so until Python 3.11, and rounds otherwise from 3.12 on: then moves that promise the
    same would differ from one Python to the next.
    """
    total = 0.0
    for value in values:
        total += value
    return total
