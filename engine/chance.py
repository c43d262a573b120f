"""Chance: questions that a state asks, and the sources that answer them.

A state never draws. It asks (`State.chance`), a source answers, and the event records the answer.
A replay reads the record. It has no random source, so it cannot draw.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Protocol, TypeVar

from cartulary.engine.canonical import quote
from cartulary.engine.errors import ChanceError

T = TypeVar("T")


class Chance:
    """A draw: `outcomes[i]` comes with probability `weights[i] / sum(weights)`; some may be 0.

    `kind` says what is drawn. Not a named tuple: one is made for each draw, and compiled this class
    is made in a tenth of the time.
    """

    __slots__ = ("kind", "outcomes", "weights")

    kind: str
    outcomes: Sequence[str]
    weights: Sequence[int]

    def __init__(self, kind: str, outcomes: Sequence[str], weights: Sequence[int]) -> None:
        self.kind = kind
        self.outcomes = outcomes
        self.weights = weights


class Source(Protocol):
    """The protocol of an object that answers the draws of a state."""

    def draw(self, question: Chance) -> str:
        """Return one of `question.outcomes` with a positive weight."""
        ...


class Shuffler(Protocol):
    """The protocol of an object that shuffles for the start of a game; `random.Random` has it."""

    def sample(self, population: Sequence[T], k: int) -> list[T]:
        """Return a shuffle of the whole population; `k` is the length of the population."""
        ...


class Dealer(Source, Shuffler, Protocol):
    """The protocol of an object that answers the draws of a state and shuffles for its start."""


class RandomSource:
    """Draws by weight: from the system's generator or, in tests and simulations, a seeded one."""

    def __init__(self, rng: random.Random | None = None) -> None:
        self._rng = rng or random.SystemRandom()
        self._random = self._rng.random

    def sample(self, population: Sequence[T], k: int) -> list[T]:
        """Return a shuffle of the whole population; `k` is the length of the population."""
        return self._rng.sample(population, k)

    def draw(self, question: Chance) -> str:
        """Return an outcome; its weight says how likely it is."""
        sums = list(accumulate(question.weights))
        if not sums or not sums[-1]:
            raise ChanceError(f"nothing is left to draw for {question.kind!r}")
        return question.outcomes[bisect_right(sums, int(self._random() * sums[-1]))]


class RecordedSource:
    """Gives recorded or scripted outcomes back, in order.

    Raises `ChanceError` when the record ends early or holds an outcome that cannot be drawn.
    """

    def __init__(self, outcomes: Iterable[str]) -> None:
        self._left = list(outcomes)[::-1]

    def draw(self, question: Chance) -> str:
        """Return the next recorded outcome, after checking that it is possible."""
        if not self._left:
            raise ChanceError(f"the record has no outcome for the draw of {question.kind!r}")
        outcome = self._left.pop()
        outcomes = question.outcomes
        if outcome not in outcomes or not question.weights[outcomes.index(outcome)]:
            raise ChanceError(f"{quote(outcome)} cannot be drawn for {question.kind!r}")
        return outcome

    @property
    def exhausted(self) -> bool:
        """True when every recorded outcome has been used."""
        return not self._left
