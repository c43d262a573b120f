"""The bot that searches: the best moves by greedy, each played on by greedy seats round by round.

Greedy alone imagines that no player places another worker. Here all seats place and decide greedily
to the end of the round, so a move is judged by what the others will do about it.
"""

from __future__ import annotations

import random
from math import exp, sqrt
from typing import Final

from cartulary.bots.caylus import weights
from cartulary.bots.caylus.greedy import add_up, judge
from cartulary.bots.caylus.leaf import LEARNED, Leaf, Rate
from cartulary.bots.caylus.outlook import Outlook, rounds_left
from cartulary.bots.caylus.reflexes import Reflexes
from cartulary.bots.thought import Budget, Thought, Value
from cartulary.engine.caylus.moves import Move
from cartulary.engine.caylus.state import CaylusState

ALL: Final = 1 << 30
"""More choices than any game has."""


class ExpectedEnding:
    """What each seat may expect in the end, after a position that was played out.

    Attributes: `values`, by seat; `left`, the rounds that are still to come, 0 at the end. `rate`
    is what the search has from its leaf, and `left` those rounds as they were when it began.
    """

    __slots__ = ("left", "values")

    def __init__(self, position: CaylusState, rate: Rate, left: int) -> None:
        self.values = rate(position)
        self.left = 0 if position.over else left

    def find_worth(self, seat: int) -> float:
        """Return what the position is worth to a seat: its lead over the others on average."""
        mine = self.values[seat]
        return mine - weights.LEAD * (add_up(self.values) - mine) / (len(self.values) - 1)

    def find_margin(self, seat: int) -> float:
        """Return the lead over the best other seat."""
        values = self.values
        return values[seat] - max(values[:seat] + values[seat + 1 :])

    def find_win(self, margin: float) -> float:
        """Return the chance that a lead wins: the fewer rounds are left, the surer it is."""
        if not self.left:
            return ((margin > 0) + (margin >= 0)) / 2
        return 1 / (1 + exp(-margin / (weights.SWING * sqrt(self.left))))


def think(
    state: CaylusState,
    rng: random.Random,
    budget: Budget,
    rounds: int = 1,
    leaf: Leaf = LEARNED,
    foreseen: int = ALL,
) -> Thought:
    """Return the move after which the seat is best off when all play greedily.

    The iterations of the budget are the moves that are played out, at least one; `rounds` says how
    many ends of a round each is played to, and `leaf` rates these ends. So many choices of the
    seats are `foreseen`, and the rest of the round is played by reflex. Moves that greedy likes
    equally come in random order.
    """
    meter = budget.begin()
    moves = choose_moves(state, rng, meter.left)
    if len(moves) == 1:
        return Thought((moves[0],), 1, ())
    rate, left, seat = leaf(state), rounds_left(state), state.seat
    found: list[tuple[float, Value]] = []
    for move in moves:
        if found and meter.is_over():
            break
        meter.count()
        end = ExpectedEnding(play_out(state, move, rounds, foreseen), rate, left)
        margin = end.find_margin(seat)
        value = Value(move, margin, end.find_win(margin), 1, weights.DOUBT)
        found.append((end.find_worth(seat), value))
    found.sort(key=lambda pair: pair[0], reverse=True)
    return Thought((found[0][1].move,), len(found), tuple([value for _, value in found]))


def choose_moves(state: CaylusState, rng: random.Random, width: int) -> list[Move]:
    """Return the `width` moves that greedy likes best, the best first."""
    moves = list(state.moves())
    if len(moves) == 1:
        return moves
    rated = list(zip(judge(state), moves, strict=True))
    rng.shuffle(rated)
    rated.sort(key=lambda pair: pair[0], reverse=True)
    return [move for _, move in rated[:width]]


def play_out(state: CaylusState, move: Move, rounds: int, foreseen: int = ALL) -> CaylusState:
    """Return the position some ends of a round later.

    Every seat plays greedily, as many choices as are `foreseen`; then by reflex, and no seat places
    another worker.
    """
    last = state.round + rounds
    position, reflexes = state.copy(), Reflexes(Outlook(state))
    position.play(move)
    while position.round < last and not position.over:
        moves = position.moves()
        if len(moves) == 1:
            position.play(moves[0])
        elif foreseen > 0:
            foreseen -= 1
            worths = judge(position)
            position.play(moves[worths.index(max(worths))])
        else:
            position.play(reflexes.answer(position))
    return position
