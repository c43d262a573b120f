"""What the analysis knows of a game: its `Analyst`, which every game brings itself.

An analyst names the plans of a turn that are worth a comparison, and plays each plan on with
samples of what no player knows yet. All plans of one turn get the same samples, so luck cancels
out.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeVar

from cartulary.bots.reasons import Finder
from cartulary.engine.core import Game, Json, State

S = TypeVar("S", bound=State[Any])
"""A game's positions."""

Plan = tuple[Any, ...]
"""The moves of one turn of a seat, in internal form: what the seat decides together."""


class SampleOutcome(NamedTuple):
    """The end of one sample.

    `values` has the points that each seat may expect at the end of the game. `scale` says in points
    how uncertain they still are: a lead of `scale` wins 73 % of games; 0 when the game is over.
    """

    values: Sequence[float]
    scale: float


Scales = Sequence[tuple[int, float]]
"""By what is left of a game (tiles or rounds, ascending): `SampleOutcome.scale`."""


def find_scale(scales: Scales, left: int) -> float:
    """Return the scale with so much left: between two rows in proportion, else that of the end."""
    for (few, low), (many, high) in pairwise(scales):
        if left < many:
            return low + (high - low) * max(0, left - few) / (many - few)
    return scales[-1][1]


class AnalysisEffort(NamedTuple):
    """How much work one turn gets.

    The `plans` that promise most get `first` samples each, and so does what was played. The best
    `finalists` of them, and again what was played, get `more` samples in addition.
    """

    plans: int
    first: int
    finalists: int
    more: int


class Marks(NamedTuple):
    """From which loss on, in points, a move has a mark that is worse than `good`."""

    inaccuracy: float
    mistake: float
    blunder: float


class Analyst(ABC, Generic[S]):
    """What the analysis asks of a game.

    Attributes: `efforts` by level; `marks`, the thresholds; `tolerance`, the loss in points that
    takes 63 % of the accuracy of a decision.
    """

    efforts: Mapping[str, AnalysisEffort]
    marks: Marks
    tolerance: float

    @abstractmethod
    def list_plans(self, state: S, rng: random.Random, width: int) -> list[Plan]:
        """Return up to `width` plans for the pending turn, the most promising first.

        Equal plans come in random order.
        """

    @abstractmethod
    def complete(self, state: S, moves: Plan) -> list[Plan]:
        """Return plans of the pending turn that begin with these moves, the most promising first.

        At least one; each is complete. The plan of `moves` alone is among them if it is complete.
        """

    @abstractmethod
    def continues(self, state: S) -> bool:
        """Return whether the pending decision belongs to the turn of the decision before."""

    def open(self, seed: int | str) -> Self:
        """Return an analyst for one way through a game, which may remember what it played out.

        What it remembers changes no result.
        """
        return self

    @abstractmethod
    def draw_samples(self, state: S, rng: random.Random, count: int, first: int = 0) -> list[Any]:
        """Return samples of what is not known yet, each to be given to `play_out`.

        The turn has `first` samples already.
        """

    @abstractmethod
    def play_out(self, state: S, plan: Plan, sample: Any) -> SampleOutcome:
        """Play a plan and go on for a while; changes neither the state nor the sample."""

    def rate_luck(self, state: S, rng: random.Random) -> float:
        """Return what the draw before the pending decision was worth to its seat, in points.

        The mean over all possible draws is 0, for generators with the same seed. A game without
        draws has no luck.
        """
        return 0.0

    def list_replies(self, state: S) -> list[Json]:
        """Return the moves that are likely to follow in this position, as contract objects."""
        return []


class NoAnalysis(ValueError):
    """The game has no analysis."""


class Analysable(Protocol):
    """The part of `games.offer.Offer` that an analysis needs."""

    @property
    def rules(self) -> Game:
        """The rules of the game."""

    @property
    def analyst(self) -> Analyst[Any] | None:
        """What the analysis asks of the game, None for a game that has no analysis."""

    @property
    def reasons(self) -> Finder | None:
        """What finds the reasons for a move, None for a game that gives no reasons."""


def find_analyst(offer: Analysable) -> Analyst[Any]:
    """Return the analyst of a game; raises `NoAnalysis` when there is no analyst."""
    if offer.analyst is None:
        raise NoAnalysis(f"{offer.rules.name} has no analysis")
    return offer.analyst
