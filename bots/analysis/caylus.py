"""The analysis of Caylus: each decision is a turn of its own.

Nothing is drawn after the start. What is not known is what the other seats will do, so every sample
lets all seats misjudge their moves a little and plays to the end of the round.

Samples with the same number make the same mistakes in the same position. So what one decision has
played out serves the next decisions of the round as well: most of their samples pass through
positions that are known.
"""

from __future__ import annotations

import random
from operator import attrgetter
from typing import Final, Self

from cartulary.bots.analysis.base import (
    AnalysisEffort,
    Analyst,
    Marks,
    Plan,
    SampleOutcome,
    Scales,
    find_scale,
)
from cartulary.bots.caylus.greedy import judge
from cartulary.bots.caylus.leaf import LEARNED
from cartulary.bots.caylus.outlook import rounds_left
from cartulary.engine.caylus.moves import Move
from cartulary.engine.caylus.state import CaylusState
from cartulary.engine.core import Json

EFFORTS: Final = {
    "hard": AnalysisEffort(plans=4, first=1, finalists=2, more=3),
    "expert": AnalysisEffort(plans=6, first=4, finalists=3, more=16),
}

SCALES: Final[Scales] = (
    (0, 3.0),
    (1, 4.0),
    (2, 4.5),
    (3, 5.0),
    (4, 5.8),
    (5, 6.3),
    (6, 6.8),
    (8, 7.5),
    (11, 9.5),
)
"""In points, by rounds left, with two seats: chosen near what the results of games give
(docs/bots.md, `python -m bench calibrate`)."""

BY_SEATS: Final = {2: 1.0, 3: 1.0, 4: 0.88, 5: 0.77}
"""What `SCALES` are multiplied by, by seats: the more seats, the smaller a lead that decides."""

MISJUDGED: Final = 0.6
"""Points by which a seat misjudges a move at most, in the imagination."""

FIELDS: Final = (
    *("options", "scores", "seat", "kind", "stack", "round", "phase", "cursor", "stage"),
    *("turn_order", "passed", "provost", "bailiff", "goods", "workers", "markers", "batches"),
    *("own", "building", "owner", "worker", "free", "pending", "stables", "castle", "houses"),
    *("scored", "stock", "used", "tile_points"),
)
"""The attributes in which positions differ."""

REPLIES: Final = 4
"""Moves that follow the best move in a line."""


read_fields = attrgetter(*FIELDS)


class Known:
    """What is known of a position: the moves, their worths, and by sample what comes of it."""

    __slots__ = ("_key", "ends", "moves", "worths")

    def __init__(self, key: str, position: CaylusState) -> None:
        self.moves = position.moves()
        self.worths = judge(position)
        self.ends: dict[int, SampleOutcome] = {}
        self._key = key

    def choose(self, seed: int | str, number: int) -> Move:
        """Return the move of a greedy seat that misjudges its moves a little."""
        rng = random.Random(f"{seed}/{number}/{self._key}")
        worths = [worth + MISJUDGED * (rng.random() - 0.5) for worth in self.worths]
        return self.moves[worths.index(max(worths))]

    def choose_best(self) -> Move:
        """Return the move of a greedy seat."""
        return self.moves[self.worths.index(max(self.worths))]


class Memory:
    """The positions of one round that were looked at."""

    def __init__(self) -> None:
        self._round = 0
        self._known: dict[str, Known] = {}

    def begin(self, number: int) -> None:
        """Begin a round; the positions of another round are of no use any more."""
        if number != self._round:
            self._round = number
            self._known.clear()

    def find(self, position: CaylusState) -> Known:
        """Return what is known of a position in which a seat has a choice."""
        key = repr(read_fields(position))
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = Known(key, position)
        return known


def rate_end(end: CaylusState) -> SampleOutcome:
    """Return what each seat may expect after a round, and how uncertain that still is."""
    scale = 0.0 if end.over else find_scale(SCALES, rounds_left(end))
    return SampleOutcome(LEARNED.rate(end), BY_SEATS[end.seats] * scale)


class CaylusAnalyst(Analyst[CaylusState]):
    """What the analysis asks of Caylus. The mistakes in the imagination follow from `seed`."""

    efforts = EFFORTS
    marks = Marks(inaccuracy=0.8, mistake=2.0, blunder=4.0)
    """From games of each level against itself (`python -m bench calibrate`, docs/bots.md)."""
    tolerance = 3.0
    """With it `easy` has an accuracy of 83, `medium` of 86."""

    def __init__(self, seed: int | str = 0) -> None:
        self._seed = seed
        self._memory = Memory()

    def open(self, seed: int | str) -> Self:
        """Return an analyst for one way through a game."""
        return type(self)(seed)

    def list_plans(self, state: CaylusState, rng: random.Random, width: int) -> list[Plan]:
        """Return the moves that greedy likes best."""
        moves = list(state.moves())
        if len(moves) == 1:
            return [(moves[0],)]
        self._memory.begin(state.round)
        rated = list(zip(self._memory.find(state).worths, moves, strict=True))
        rng.shuffle(rated)
        rated.sort(key=lambda pair: pair[0], reverse=True)
        return [(move,) for _, move in rated[:width]]

    def complete(self, state: CaylusState, moves: Plan) -> list[Plan]:
        """Return the move itself."""
        return [moves]

    def continues(self, state: CaylusState) -> bool:
        """Return False: no decision belongs to the decision before."""
        return False

    def draw_samples(
        self, state: CaylusState, rng: random.Random, count: int, first: int = 0
    ) -> list[int]:
        """Return the numbers of the next samples: the mistakes of the seats follow from each."""
        return list(range(first, first + count))

    def play_out(self, state: CaylusState, plan: Plan, sample: int) -> SampleOutcome:
        """Play on to the end of the round."""
        self._memory.begin(state.round)
        position = state.copy()
        for move in plan:
            position.play(move)
        return self._end_round(position, state.round, sample)

    def _end_round(self, position: CaylusState, this_round: int, number: int) -> SampleOutcome:
        """Return what the round ends with, as it comes in the samples with this number."""
        passed, outcome = list[Known](), None
        while position.round == this_round and not position.over:
            if len(position.moves()) == 1:
                position.play(position.moves()[0])
                continue
            known = self._memory.find(position)
            outcome = known.ends.get(number)
            if outcome is not None:
                break
            passed.append(known)
            position.play(known.choose(self._seed, number))
        if outcome is None:
            outcome = rate_end(position)
        for known in passed:
            known.ends[number] = outcome
        return outcome

    def list_replies(self, state: CaylusState) -> list[Json]:
        """Return the next moves of greedy seats."""
        position, replies = state.copy(), list[Json]()
        while len(replies) < REPLIES and not position.over:
            moves = position.moves()
            move = moves[0] if len(moves) == 1 else self._memory.find(position).choose_best()
            replies.append(position.move_json(move))
            position.play(move)
        return replies


ANALYST: Final = CaylusAnalyst()
