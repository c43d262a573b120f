"""What a bot is: a function of what a player may see, and of a random generator for ties."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from cartulary.bots.thought import Budget, Think

Bot = Callable[[Any, random.Random], Any]
"""Takes a `State` of its game that waits for a decision, and a random generator for ties; returns
one of `state.moves()`.

A bot is pure: it changes nothing, keeps nothing between two calls, reads no clock, and looks at
the state only, which never knows the draws to come. So the same state and the same seed of the
generator always give the same move.
"""


class Entry(NamedTuple):
    """A bot of the catalogue, with a line for people.

    `version` rises whenever the same state and the same seed may give another move. `strength` is
    a number like Elo, measured in duels of the levels of one game, with `medium` at 1500; None
    when nobody has measured it. `ms` is the time of a processor in which the bot thinks of a move
    at most, None when there is no search that takes any. `think` is the search of a bot that has
    one, to be used with another budget.
    """

    bot: Bot
    line: str
    version: int = 1
    strength: int | None = None
    ms: int | None = None
    think: Think | None = None


def enter_search(
    think: Think, iterations: int, line: str, *, version: int = 1, strength: int, ms: int
) -> Entry:
    """Return the entry of a bot that searches with a fixed number of iterations."""
    budget = Budget(iterations)

    def play(state: Any, rng: random.Random) -> Any:
        """Return the move that the search likes best."""
        return think(state, rng, budget).moves[0]

    return Entry(play, line, version, strength, ms, think)
