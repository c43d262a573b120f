"""What a bot that searches gets and gives: a budget of work, and its thought.

Time is read here and nowhere else in the pure rooms, and only for a budget that has `seconds`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from math import inf
from time import monotonic
from typing import Any, Final, NamedTuple

UNBOUNDED: Final = 1 << 40
"""The iterations that are left in a budget that bounds the time alone."""

TICK: Final = 0.016
"""Seconds between two steps of the coarsest clocks: what takes less may seem to take no time."""


class Budget:
    """How much a bot may think: a number of positions, a time, or both.

    Attributes: `iterations`, the positions that are played out in one decision; with that bound
    alone the same seed gives the same move on every machine. `seconds` of wall time. `clock` gives
    the time in seconds; tests hand in their own.

    Raises `ValueError` without a bound, for a bound of zero or less, and for seconds without end.
    """

    def __init__(
        self,
        iterations: int | None = None,
        seconds: float | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        if iterations is None and seconds is None:
            raise ValueError("a budget needs iterations, seconds, or both")
        if iterations is not None and iterations < 1:
            raise ValueError(f"a budget needs at least one iteration, not {iterations}")
        if seconds is not None and not 0 < seconds < inf:
            raise ValueError(f"a budget needs more than 0 seconds and an end, not {seconds}")
        self.iterations = iterations
        self.seconds = seconds
        self.clock = clock

    def __repr__(self) -> str:
        return f"Budget(iterations={self.iterations}, seconds={self.seconds})"

    def begin(self) -> Meter:
        """Return a meter that starts now."""
        return Meter(self)

    def shrink(self, share: float) -> Budget:
        """Return a budget with a share of this one, 0 to 1, and at least one iteration."""
        return Budget(
            None if self.iterations is None else max(1, int(self.iterations * share)),
            None if self.seconds is None else self.seconds * share,
            self.clock,
        )


class Meter:
    """Counts what a search spends of its budget.

    Attributes: `spent`, the iterations so far; `timed`, whether the time is bounded.
    """

    def __init__(self, budget: Budget) -> None:
        limit = budget.iterations
        self.spent = 0
        self.timed = budget.seconds is not None
        self._limit = UNBOUNDED if limit is None else limit
        self._seconds = 0.0 if budget.seconds is None else budget.seconds
        self._clock = budget.clock
        self._began = budget.clock() if self.timed else 0.0

    @property
    def left(self) -> int:
        """Return the iterations that are left: near `UNBOUNDED` when the time alone is bounded."""
        return max(0, self._limit - self.spent)

    def count(self, iterations: int = 1) -> None:
        """Count what was played out."""
        self.spent += iterations

    def is_over(self) -> bool:
        """Return whether the budget is spent. Reads the clock only for a budget with `seconds`."""
        if self.spent >= self._limit:
            return True
        return self.timed and self._clock() - self._began >= self._seconds

    def estimate(self) -> int:
        """Return how many iterations the budget allows in all, judged by the speed so far.

        At least one. Without `seconds` it is the number of the budget, exactly. A search that
        plans its stages by the total asks once, after its first iterations, and then plays exactly
        as many as it planned: so the number of iterations alone repeats the thought.
        """
        if not self.timed:
            return self._limit
        elapsed = self._clock() - self._began
        if elapsed <= 0:
            # A clock that has not ticked yet says nothing of the speed; the time still has an end.
            elapsed = TICK
        allowed = self._seconds / elapsed * max(1, self.spent)
        return self._limit if allowed >= self._limit else max(1, int(allowed))


class Value(NamedTuple):
    """What a considered move is expected to bring to the seat that decides.

    `margin` is the lead over the best other seat at the end, in points, and `error` its standard
    error; `win` the share of wins, 0 to 1; `samples` says how often the move was played out.
    """

    move: Any
    margin: float
    win: float
    samples: int
    error: float = 0.0


class Thought(NamedTuple):
    """What a bot thinks of a position.

    `moves` has the move, and what is planned after it in the same turn, in the state's internal
    form; `iterations` says how many positions were played out, at least 1; `values` has the
    considered moves, the best first.

    The same state, a generator with the same seed and `Budget(iterations)` give the same `moves`,
    also when a time limit ended the thought.
    """

    moves: tuple[Any, ...]
    iterations: int
    values: tuple[Value, ...]


Think = Callable[[Any, random.Random, Budget], Thought]
"""A bot that searches: a function of a state, a random generator and a budget; pure as `Bot`."""
