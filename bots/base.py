"""What a bot is: a function of what a player may see, and of a random generator for ties."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from cartulary.bots.thought import Budget, Think, Thought

Bot = Callable[[Any, random.Random], Any]
"""Takes a `State` of its game that waits for a decision, and a random generator for ties; returns
one of `state.moves()`.

A bot is pure: it changes nothing, keeps nothing between two calls, reads no clock, and looks at
the state only, which never knows the draws to come. So the same state and the same seed of the
generator always give the same move.
"""


class BotEntry:
    """A bot of the catalogue, with a line for people.

    Attributes: `bot` and `line`. `version` rises whenever the same state and the same seed may give
    another move. `strength` is a number like Elo, measured in the league of one game, with `medium`
    at 1500; None when it is not measured. `ms` is the time of a processor in which the bot
    thinks of a move at most, None when it is not measured. Every bot has `think`. `budget` is
    the full budget of a bot that searches, with two seats; None for a bot that does not search: its
    `think` takes any budget and counts one iteration. `crowded` is the full budget with more seats.
    """

    def __init__(
        self,
        bot: Bot,
        line: str,
        version: int = 1,
        strength: int | None = None,
        ms: int | None = None,
        think: Think | None = None,
        budget: Budget | None = None,
        crowded: Budget | None = None,
    ) -> None:
        self.bot = bot
        self.line = line
        self.version = version
        self.strength = strength
        self.ms = ms
        self.think: Think = think if think is not None else think_once(bot)
        self.budget = budget
        self.crowded = crowded if crowded is not None else budget

    def budget_of(self, seats: int) -> Budget | None:
        """Return the full budget at a table of so many seats, None for a bot without a search."""
        return self.budget if seats == 2 else self.crowded


def think_once(bot: Bot) -> Think:
    """Return the `think` of a bot that does not search: one iteration, whatever the budget is."""

    def think(state: Any, rng: random.Random, _budget: Budget) -> Thought:
        """Return the move of the bot."""
        return Thought((bot(state, rng),), 1, ())

    return think


def enter_search(
    think: Think,
    iterations: int,
    line: str,
    *,
    crowded: int | None = None,
    version: int = 1,
    strength: int | None = None,
    ms: int | None = None,
) -> BotEntry:
    """Return the entry of a bot that searches with a fixed number of iterations.

    `crowded` is that number with more than two seats, if it is another.
    """
    budget = Budget(iterations)
    more = budget if crowded is None else Budget(crowded)

    def play(state: Any, rng: random.Random) -> Any:
        """Return the move that the search likes best."""
        return think(state, rng, budget if state.seats == 2 else more).moves[0]

    return BotEntry(play, line, version, strength, ms, think, budget, more)


def find_listed(moves: Sequence[Any], wanted: Any) -> Any:
    """Return the legal move that equals what a stranger has returned, None when none does.

    The value itself may be of another type, such as an integer of numpy, which no JSON holds; its
    comparison may raise.
    """
    try:
        return next((move for move in moves if wanted == move), None)
    except Exception:  # what cannot be compared equals no move
        return None
