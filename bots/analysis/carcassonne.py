"""The analysis of Carcassonne: a placement and its follower are one turn.

As in the search of `hard`, each answer is played on for some turns with sampled draws by greedy
seats, and `Fitting` estimates the end.
"""

from __future__ import annotations

import random
from typing import Final

from cartulary.bots.analysis.base import (
    AnalysisEffort,
    Analyst,
    Marks,
    Plan,
    SampleOutcome,
    Scales,
    find_scale,
)
from cartulary.bots.analysis.tile_luck import rate_draw
from cartulary.bots.carcassonne.chances import UNIT
from cartulary.bots.carcassonne.fitting import Fitting
from cartulary.bots.carcassonne.imagining import Scene, find_left, play_on, rate_farmer
from cartulary.bots.carcassonne.search import ROUNDS, plan_turn, sample_draws
from cartulary.bots.carcassonne.turn import PlacementAnswer, list_answers
from cartulary.engine.carcassonne.position import PLACE_FOLLOWER, PLACE_TILE, SKIP
from cartulary.engine.carcassonne.state import CarcassonneState

EFFORTS: Final = {
    "hard": AnalysisEffort(plans=20, first=4, finalists=4, more=24),
    "expert": AnalysisEffort(plans=32, first=8, finalists=4, more=112),
}

SCALES: Final[Scales] = (
    (0, 1.6),
    (6, 3.5),
    (12, 3.9),
    (24, 6.2),
    (36, 6.7),
    (48, 6.9),
    (71, 11.0),
)
"""In points, by tiles left, with four seats: with these the winners of games are likeliest,
foretold by the mean of several samples (docs/bots.md, `python -m bench calibrate`)."""

BY_SEATS: Final = {2: 1.25, 3: 1.2, 4: 1.0, 5: 0.88}
"""What `SCALES` are multiplied by, by seats: the more seats, the smaller a lead that decides."""


class Imagination:
    """What the samples of one turn share: the estimate of their ends, and the scene of each plan.

    A scene remembers what was rated there, which changes no result.
    """

    def __init__(self, state: CarcassonneState) -> None:
        self.fitting = Fitting(state)
        self._state = state
        self._scene = Scene(state, find_left(state))
        self._scenes: dict[Plan, Scene] = {}

    def find_scene(self, plan: Plan) -> Scene:
        """Return the scene after a complete plan, after the greedy answer for an empty plan."""
        found = self._scenes.get(plan)
        if found is None:
            found = self._scenes[plan] = self._scene.answer(self._read(plan))
        return found

    def _read(self, plan: Plan) -> PlacementAnswer:
        if not plan:
            return max(list_answers(self._state, rate_farmer(self._state.seats, self._state.left)))
        return PlacementAnswer(0, plan[0], plan[1] if len(plan) > 1 else SKIP)


class CarcassonneAnalyst(Analyst[CarcassonneState]):
    """What the analysis asks of Carcassonne."""

    efforts = EFFORTS
    marks = Marks(inaccuracy=0.5, mistake=1.2, blunder=2.5)
    """From games of each level against itself (`python -m bench calibrate`, docs/bots.md)."""
    tolerance = 2.0
    """With it `easy` has an accuracy of 85, `medium` of 93."""

    def list_plans(self, state: CarcassonneState, rng: random.Random, width: int) -> list[Plan]:
        """Return the answers that promise most at the end of the turn."""
        answers = list_answers(state, rate_farmer(state.seats, state.left))
        rng.shuffle(answers)
        answers.sort(key=lambda answer: answer.worth, reverse=True)
        return [plan_turn(state, answer) for answer in answers[:width]]

    def complete(self, state: CarcassonneState, moves: Plan) -> list[Plan]:
        """Return the answers with this placement, and with this follower if there is one."""
        if len(moves) > 1 or state.kind != PLACE_TILE:
            return [moves]
        answers = [
            answer
            for answer in list_answers(state, rate_farmer(state.seats, state.left))
            if answer.move == moves[0]
        ]
        answers.sort(key=lambda answer: answer.worth, reverse=True)
        return [plan_turn(state, answer) for answer in answers]

    def continues(self, state: CarcassonneState) -> bool:
        """Return whether the tile lies and a follower may be placed."""
        return state.kind == PLACE_FOLLOWER

    def draw_samples(
        self, state: CarcassonneState, rng: random.Random, count: int, first: int = 0
    ) -> list[tuple[list[int], Imagination]]:
        """Return the tiles that are drawn next, each time with what all samples share."""
        shared, depth = Imagination(state), _find_depth(state)
        return [(sample_draws(state.bag, rng, depth), shared) for _ in range(count)]

    def play_out(
        self, state: CarcassonneState, plan: Plan, sample: tuple[list[int], Imagination]
    ) -> SampleOutcome:
        """Play on for some turns with these draws."""
        draws, shared = sample
        position = play_on(shared.find_scene(plan), draws, _find_depth(state))
        values = [value / UNIT for value in shared.fitting.seats(position)]
        scale = 0.0 if position.over else find_scale(SCALES, position.left)
        return SampleOutcome(values, BY_SEATS[position.seats] * scale)

    def rate_luck(self, state: CarcassonneState, rng: random.Random) -> float:
        """Return how much more the tile promises than the average tile of the bag."""
        return rate_draw(state, rng) if state.kind == PLACE_TILE else 0.0


def _find_depth(state: CarcassonneState) -> int:
    """Return how many turns are played on: two rounds of turns at any table."""
    return ROUNDS * state.seats


ANALYST: Final = CarcassonneAnalyst()
