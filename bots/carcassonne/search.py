"""The bots that search: the best answers by greedy, each played on some turns with sampled draws.

All answers get the same draws (so that luck cancels out), and after each stage the better half of
them goes on: sequential halving. In the imagination every seat plays greedily for two rounds
of turns at least. Of two seats, both count what a follower costs that stays on a field:
greedy itself farms too early. With more seats no seat counts it, because a farm that is left to the
others is lost.
"""

from __future__ import annotations

import random
from itertools import permutations
from math import sqrt
from typing import Final, NamedTuple

from cartulary.bots.carcassonne.chances import UNIT
from cartulary.bots.carcassonne.fitting import Fitting
from cartulary.bots.carcassonne.imagining import Scene, find_left, play_on, rate_farmer
from cartulary.bots.carcassonne.turn import PlacementAnswer, list_answers
from cartulary.bots.carcassonne.weights import WEIGHTS, Weights
from cartulary.bots.carcassonne.winning import share_win
from cartulary.bots.thought import Budget, Meter, Thought, Value
from cartulary.engine.carcassonne.position import PLACE_FOLLOWER, PLACE_TILE, SKIP
from cartulary.engine.carcassonne.state import CarcassonneState

DEPTH: Final = 4
"""Turns that are played on after the answer, unless the caller asks for another number."""

ROUNDS: Final = 2
"""Rounds of turns that are played on at least: with many seats a shorter look misleads."""

SPARE: Final = 4
"""Tiles that are sampled beyond the turns, because a tile that fits nowhere is set aside."""


LAST: Final = 4
"""With so many tiles in the bag at most, all orders of them are played out."""


class SearchEffort(NamedTuple):
    """How a level searches: `width`, so many answers are played out; `depth`, for so many turns.

    `rounds` rounds of turns are played at least.
    """

    width: int
    depth: int
    rounds: int = ROUNDS

    def count_turns(self, seats: int) -> int:
        """Return how many turns are played on at a table of so many seats."""
        return max(self.depth, self.rounds * seats)


HARD: Final = SearchEffort(32, DEPTH)
EXPERT: Final = SearchEffort(32, 6)


class Candidate:
    """An answer that is played out: the sums over its samples."""

    __slots__ = ("answer", "margin", "samples", "scene", "shares", "squares")

    def __init__(self, answer: PlacementAnswer) -> None:
        self.answer = answer
        self.scene: Scene | None = None
        self.margin = self.squares = self.shares = self.samples = 0

    def add(self, values: list[int], seat: int, left: int) -> None:
        """Count one sample: what every seat may expect at its end, with `left` tiles to come."""
        margin = values[seat] - max(values[:seat] + values[seat + 1 :])
        self.margin += margin
        self.squares += margin * margin
        self.shares += share_win(values, seat, left)
        self.samples += 1

    def value(self) -> Value:
        """Return the averages, and the standard error of the margin."""
        count = max(self.samples, 1)
        margin = self.margin / (UNIT * count)
        spread = max(0.0, self.squares / (UNIT * UNIT * count) - margin * margin)
        error = sqrt(spread / max(count - 1, 1))
        return Value(self.answer.move, margin, self.shares / (UNIT * count), self.samples, error)


class Search:
    """The samples of one decision."""

    def __init__(
        self, state: CarcassonneState, rng: random.Random, depth: int, weights: Weights = WEIGHTS
    ) -> None:
        self.state, self.rng, self.depth = state, rng, depth
        self.outlook = Fitting(state, weights)
        self.orders = list_orders(state.bag)
        self.draws: list[list[int]] = self.orders[:]
        rng.shuffle(self.draws)
        self.scene = Scene(state, find_left(state))

    def play_out(self, candidate: Candidate, samples: int) -> None:
        """Play a candidate out until it has `samples` samples, the same as all others have."""
        while len(self.draws) < samples:
            self.draws.append(sample_draws(self.state.bag, self.rng, self.depth))
        if candidate.scene is None:
            candidate.scene = self.scene.answer(candidate.answer)
        for draws in self.draws[candidate.samples : samples]:
            position = play_on(candidate.scene, draws, self.depth)
            candidate.add(self.outlook.seats(position), self.state.turn, position.left)

    def rank(self, candidates: list[Candidate]) -> None:
        """Sort candidates: those with the most samples first, then the best.

        Of two seats the lead counts, of more seats the share of first places.
        """
        if self.state.seats == 2:
            candidates.sort(key=lambda one: (one.samples, one.margin), reverse=True)
        else:
            candidates.sort(key=lambda one: (one.samples, one.shares), reverse=True)


def think(state: CarcassonneState, rng: random.Random, budget: Budget) -> Thought:
    """Return the answer that does best in the samples of `hard`."""
    return search(state, rng, budget, HARD)


def think_deeply(state: CarcassonneState, rng: random.Random, budget: Budget) -> Thought:
    """Return the answer that does best in the samples of `expert`."""
    return search(state, rng, budget, EXPERT)


def search(
    state: CarcassonneState,
    rng: random.Random,
    budget: Budget,
    effort: SearchEffort,
    weights: Weights = WEIGHTS,
) -> Thought:
    """Return the answer that does best in the samples, whose ends are estimated by `weights`.

    A time limit is turned into a number of positions after the first positions: so that number
    repeats the thought.
    """
    meter, found = budget.begin(), Search(state, rng, effort.count_turns(state.seats), weights)
    candidates = choose_candidates(state, rng, 0 if found.orders else effort.width)
    if meter.timed and len(candidates) > 1:
        _try_once(found, candidates, meter)
    iterations = meter.estimate()
    stages = plan_end(iterations, len(candidates), len(found.orders), effort.width)
    if not stages:
        stages = plan_stages(iterations, min(effort.width, len(candidates)))
    candidates = candidates[: stages[0][0] if stages else 1]
    total = 0
    for width, samples in stages:
        total += samples
        for candidate in candidates[:width]:
            found.play_out(candidate, total)
        found.rank(candidates)
    spent = sum(width * samples for width, samples in stages)
    values = tuple(candidate.value() for candidate in candidates)
    return Thought(plan_turn(state, candidates[0].answer), max(1, spent), values)


def plan_turn(state: CarcassonneState, answer: PlacementAnswer) -> tuple[int, ...]:
    """Return the moves of an answer: the question for a follower does not always come."""
    if state.kind != PLACE_TILE:
        return (answer.move,)
    if answer.segment == SKIP:
        position = state.copy()
        position.play(answer.move)
        if position.kind != PLACE_FOLLOWER:
            return (answer.move,)
    return answer.move, answer.segment


def _try_once(found: Search, candidates: list[Candidate], meter: Meter) -> None:
    """Play each candidate out once, as far as the budget goes, so that the speed is known."""
    for candidate in candidates:
        found.play_out(candidate, 1)
        meter.count()
        if meter.is_over():
            return


def plan_end(iterations: int, answers: int, orders: int, width: int) -> list[tuple[int, int]]:
    """Return the one stage in which each answer is played on with each order of the last tiles.

    No stage when there are too many orders to count them (0), or too few iterations for `width`
    answers. The total of the stage has the same stage.
    """
    wide = min(answers, iterations // orders) if orders else 0
    return [(wide, orders)] if wide >= min(answers, width) > 1 else []


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
    left, unused = min(answers, max(1, iterations // 2)), iterations
    while _count_least(left) > iterations:
        left -= 1
    stages = []
    while left > 1:
        samples = max(1, unused // ((left - 1).bit_length() * left))
        unused -= samples * left
        stages.append((left, samples))
        left = (left + 1) // 2
    return stages


def _count_least(answers: int) -> int:
    """Return how many positions the stages of so many answers have at least."""
    total = 0
    while answers > 1:
        total += answers
        answers = (answers + 1) // 2
    return total


def choose_candidates(state: CarcassonneState, rng: random.Random, width: int) -> list[Candidate]:
    """Return the answers that are played out: the best by greedy, equal ones in random order.

    With a `width` of 0 all answers are played out.
    """
    answers = list_answers(state, rate_farmer(state.seats, state.left))
    rng.shuffle(answers)
    answers.sort(key=lambda answer: answer.worth, reverse=True)
    return [Candidate(answer) for answer in (answers[:width] if width else answers)]


def list_orders(bag: list[int]) -> list[list[int]]:
    """Return all orders in which the last tiles may be drawn, none while there are too many."""
    if sum(bag) > LAST:
        return []
    tiles = [tile for tile, count in enumerate(bag) for _ in range(count)]
    return [list(order) for order in permutations(tiles)]


def sample_draws(bag: list[int], rng: random.Random, depth: int = DEPTH) -> list[int]:
    """Return tiles as they may be drawn next, the next one last; all bags have equal chances."""
    tiles = [tile for tile, count in enumerate(bag) for _ in range(count)]
    last = len(tiles)
    for _ in range(min(depth + SPARE, last)):
        chosen = int(rng.random() * last)
        last -= 1
        tiles[chosen], tiles[last] = tiles[last], tiles[chosen]
    return tiles[last:]
