"""The bot that searches: the best answers by greedy, each played on some turns with sampled draws.

All answers get the same draws (so that luck cancels out), and after each stage the better half of
them goes on: sequential halving. In the imagination every seat plays greedily, and counts what a
follower costs that stays on a field: greedy itself farms too early.
"""

from __future__ import annotations

import random
from math import sqrt
from typing import Final

from cartulary.bots.carcassonne.chances import UNIT, rate_stay
from cartulary.bots.carcassonne.fitting import Fitting
from cartulary.bots.carcassonne.turn import Answer, list_answers
from cartulary.bots.thought import Budget, Thought, Value
from cartulary.engine.carcassonne.board import PLACE_TILE
from cartulary.engine.carcassonne.position import PLACE_FOLLOWER, SKIP
from cartulary.engine.carcassonne.state import CarcassonneState
from cartulary.engine.carcassonne.tiles import LETTERS

WIDTH: Final = 8
"""So many answers are played out."""

DEPTH: Final = 4
"""Turns that are played on after the answer."""

SPARE: Final = 4
"""Tiles that are sampled beyond `DEPTH`, because a tile that fits nowhere is set aside."""


class Candidate:
    """An answer that is played out: the sums over its samples."""

    __slots__ = ("answer", "margin", "samples", "squares", "total", "wins")

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.total = self.margin = self.squares = self.wins = self.samples = 0

    def add(self, values: list[int], seat: int) -> None:
        """Count one sample: what every seat may expect at its end."""
        mine = values[seat]
        others = values[:seat] + values[seat + 1 :]
        best = max(others)
        self.total += len(others) * mine - sum(others)
        self.margin += mine - best
        self.squares += (mine - best) ** 2
        self.wins += (mine > best) + (mine >= best)
        self.samples += 1

    def value(self) -> Value:
        """Return the averages, and the standard error of the margin."""
        count = max(self.samples, 1)
        margin = self.margin / (UNIT * count)
        spread = max(0.0, self.squares / (UNIT * UNIT * count) - margin * margin)
        error = sqrt(spread / max(count - 1, 1))
        return Value(self.answer.move, margin, self.wins / (2 * count), self.samples, error)


class Search:
    """The samples of one decision."""

    def __init__(self, state: CarcassonneState, rng: random.Random) -> None:
        self.state, self.rng = state, rng
        self.outlook = Fitting(state)
        self.draws: list[list[int]] = []

    def play_out(self, candidate: Candidate, samples: int) -> None:
        """Play a candidate out until it has `samples` samples, the same as all others have."""
        while len(self.draws) < samples:
            self.draws.append(sample_draws(self.state.bag, self.rng))
        for draws in self.draws[candidate.samples : samples]:
            position = self.state.copy()
            play_answer(position, candidate.answer)
            play_on(position, draws)
            candidate.add(self.outlook.seats(position), self.state.turn)


def think(state: CarcassonneState, rng: random.Random, budget: Budget) -> Thought:
    """Return the answer that does best in the samples.

    A time limit is turned into a number of positions after the first position: so that number
    repeats the thought.
    """
    meter, search = budget.begin(), Search(state, rng)
    candidates = choose_candidates(state, rng, WIDTH)
    if meter.timed and len(candidates) > 1:
        search.play_out(candidates[0], 1)
        meter.count()
    stages = plan_stages(meter.estimate(), len(candidates))
    candidates = candidates[: stages[0][0] if stages else 1]
    total = 0
    for width, samples in stages:
        total += samples
        for candidate in candidates[:width]:
            search.play_out(candidate, total)
        candidates.sort(key=lambda one: (one.samples, one.total), reverse=True)
    best = candidates[0].answer
    asks_twice = state.kind == PLACE_TILE and best.segment != SKIP
    moves = (best.move, best.segment) if asks_twice else (best.move,)
    spent = sum(width * samples for width, samples in stages)
    return Thought(moves, max(1, spent), tuple(candidate.value() for candidate in candidates))


def plan_stages(iterations: int, answers: int) -> list[tuple[int, int]]:
    """Return the stages of at most so many iterations: how many answers, how many samples of each.

    Each stage gets an equal share. The total of the stages has the same stages.
    """
    while True:
        stages = _share_out(iterations, answers)
        total = sum(width * samples for width, samples in stages)
        if total in (0, iterations):
            return stages
        iterations = total


def _share_out(iterations: int, answers: int) -> list[tuple[int, int]]:
    left, unused = min(WIDTH, answers, max(1, iterations // 2)), iterations
    stages = []
    while left > 1:
        samples = max(1, unused // ((left - 1).bit_length() * left))
        unused -= samples * left
        stages.append((left, samples))
        left = (left + 1) // 2
    return stages


def choose_candidates(state: CarcassonneState, rng: random.Random, width: int) -> list[Candidate]:
    """Return the answers that are played out: the best by greedy, equal ones in random order."""
    answers = list_answers(state, rate_stay(state.left))
    rng.shuffle(answers)
    answers.sort(key=lambda answer: answer.worth, reverse=True)
    return [Candidate(answer) for answer in answers[:width]]


def sample_draws(bag: list[int], rng: random.Random) -> list[int]:
    """Return tiles as they may be drawn next, the next one last; all bags have equal chances."""
    tiles = [tile for tile, count in enumerate(bag) for _ in range(count)]
    last = len(tiles)
    for _ in range(min(DEPTH + SPARE, last)):
        chosen = int(rng.random() * last)
        last -= 1
        tiles[chosen], tiles[last] = tiles[last], tiles[chosen]
    return tiles[last:]


def play_answer(position: CarcassonneState, answer: Answer) -> None:
    """Answer the pending decision, and the question for a follower that may come after it."""
    position.play(answer.move)
    if position.kind == PLACE_FOLLOWER:
        position.play(answer.segment)


def play_on(position: CarcassonneState, draws: list[int]) -> None:
    """Play some turns greedily with these draws."""
    draws = draws[:]
    for _ in range(DEPTH):
        while not position.kind and draws:
            position.resolve(LETTERS[draws.pop()])
        if not position.kind:
            return
        play_answer(position, max(list_answers(position, rate_stay(position.left))))
