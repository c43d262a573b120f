"""The analysis of Caylus: each decision is a turn of its own.

Nothing is drawn after the start. What is not known is what the other seats will do, so every sample
lets all seats misjudge their moves a little and plays to the end of the round.
"""

from __future__ import annotations

import random
from typing import Final, NamedTuple

from cartulary.analysis.base import Analyst, Effort, Marks, Outcome, Plan, Scales, find_scale
from cartulary.bots.caylus.greedy import judge
from cartulary.bots.caylus.outlook import Outlook, rounds_left
from cartulary.engine.caylus.moves import Move
from cartulary.engine.caylus.state import CaylusState
from cartulary.engine.core import Json

EFFORTS: Final = {
    "hard": Effort(plans=4, first=1, finalists=2, more=3),
    "expert": Effort(plans=6, first=4, finalists=3, more=16),
}

MARKS: Final = Marks(inaccuracy=0.8, mistake=2.0, blunder=4.0)
"""Calibrated by games of each level against itself (`python -m bench calibrate`, docs/bots.md)."""

TOLERANCE: Final = 3.0
"""With it `easy` has an accuracy of 83, `medium` of 87."""

SCALES: Final[Scales] = (
    (0, 3.0),
    (1, 5.0),
    (2, 6.0),
    (3, 6.5),
    (4, 7.5),
    (5, 8.5),
    (6, 10.0),
    (8, 16.0),
    (11, 25.0),
)
"""By rounds left: chosen near what the results of games give, of two seats mostly (docs/bots.md,
`python -m bench calibrate`)."""

MISJUDGED: Final = 0.6
"""Points by which a seat misjudges a move at most, in the imagination."""

REPLIES: Final = 4
"""Moves that follow the best move in a line."""


class Sample(NamedTuple):
    """How the seats misjudge, as a seed; and what the round promises."""

    seed: int
    outlook: Outlook


class CaylusAnalyst(Analyst[CaylusState]):
    """What the analysis asks of Caylus."""

    efforts = EFFORTS
    marks = MARKS
    tolerance = TOLERANCE

    def list_plans(self, state: CaylusState, rng: random.Random, width: int) -> list[Plan]:
        """Return the moves that greedy likes best."""
        moves = list(state.moves())
        if len(moves) == 1:
            return [(moves[0],)]
        rated = list(zip(judge(state), moves, strict=True))
        rng.shuffle(rated)
        rated.sort(key=lambda pair: pair[0], reverse=True)
        return [(move,) for _, move in rated[:width]]

    def complete(self, state: CaylusState, moves: Plan) -> list[Plan]:
        """Return the move itself."""
        return [moves]

    def continues(self, state: CaylusState) -> bool:
        """Return False: no decision belongs to the decision before."""
        return False

    def draw_samples(self, state: CaylusState, rng: random.Random, count: int) -> list[Sample]:
        """Return seeds of mistakes."""
        outlook = Outlook(state)
        return [Sample(rng.getrandbits(32), outlook) for _ in range(count)]

    def play_out(self, state: CaylusState, plan: Plan, sample: Sample) -> Outcome:
        """Play on to the end of the round."""
        position, rng = state.copy(), random.Random(sample.seed)
        for move in plan:
            position.play(move)
        while position.round == state.round and not position.over:
            position.play(_choose(position, rng))
        values = sample.outlook.seats(position)
        return Outcome(values, 0.0 if position.over else find_scale(SCALES, rounds_left(position)))

    def list_replies(self, state: CaylusState) -> list[Json]:
        """Return the next moves of greedy seats."""
        position, replies = state.copy(), list[Json]()
        while len(replies) < REPLIES and not position.over:
            move = _choose(position, None)
            replies.append(position.move_json(move))
            position.play(move)
        return replies


def _choose(state: CaylusState, rng: random.Random | None) -> Move:
    """Return the move of a greedy seat, which misjudges a little when `rng` is given."""
    moves = state.moves()
    if len(moves) == 1:
        return moves[0]
    worths = judge(state)
    if rng is not None:
        worths = [worth + MISJUDGED * (rng.random() - 0.5) for worth in worths]
    return moves[worths.index(max(worths))]


ANALYST: Final = CaylusAnalyst()
