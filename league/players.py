"""The players of a league: the bots of a game, with other budgets, and styles of its pools."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from cartulary.bots import Bot, Budget, Think
from cartulary.bots.base import think_once
from cartulary.bots.randomly import play_randomly
from cartulary.engine.core import State
from cartulary.games import OFFERS
from cartulary.outside.bots import LoadedBot, find_bot
from cartulary.outside.seats import Record
from cartulary.outside.spelling import InvalidName, is_outside, read_budget

STYLE = "style:"
"""What the name of a style begins with: `style:builder`."""

NO_SEARCH = Budget(1)
"""What a bot that does not search is given."""


class UnknownPlayer(ValueError):
    """A game has no player of this name, or its budget cannot be read."""


Choose = Callable[[State[Any], Record, random.Random], tuple[Any, ...]]
"""A bot at a table: takes the position, the game so far and a generator; returns `Thought.moves`.
"""


class LeaguePlayer(NamedTuple):
    """A bot that plays in a league: its name there, and how it thinks.

    `crowded` is its budget with more than two seats, None for the same as with two.
    """

    name: str
    think: Think | LoadedBot
    budget: Budget
    version: int
    crowded: Budget | None = None

    def budget_of(self, seats: int) -> Budget:
        """Return the budget at a table of so many seats."""
        return self.budget if seats == 2 or self.crowded is None else self.crowded

    @contextmanager
    def sit(self, seats: int) -> Iterator[Choose]:
        """Sit at a table of so many seats. A bot of others that resigns plays on at random."""
        think, budget = self.think, self.budget_of(seats)
        if not isinstance(think, LoadedBot):
            yield lambda state, _record, rng: think(state, rng, budget).moves
            return
        with think.open(greet=False) as seat:

            def choose(state: State[Any], record: Record, rng: random.Random) -> tuple[Any, ...]:
                return seat.think(state, record, rng, budget).moves or (play_randomly(state, rng),)

            yield choose

    def describe(self) -> dict[str, Any]:
        """Return what the games of this player depend on besides its name."""
        found: dict[str, Any] = {
            "version": self.version,
            "iterations": self.budget.iterations,
            "seconds": self.budget.seconds,
        }
        if self.crowded is not None and self.crowded.iterations != self.budget.iterations:
            found["crowded"] = self.crowded.iterations
        if isinstance(self.think, LoadedBot):
            found["source"] = self.think.source
        return found


def find_player(game: str, name: str) -> LeaguePlayer:
    """Return a player by its name: `hard`, `hard@96` (iterations), `hard@0.5s`, `style:builder`.

    Bots of others are `my_bot:think` and `command:./engine`, and take a budget as well. Raises
    `UnknownPlayer`.
    """
    if name.startswith(STYLE):
        styles = list_styles(game)
        if name not in styles:
            raise UnknownPlayer(f"{game} has no style {name!r}; it has {_join(styles)}")
        return LeaguePlayer(name, think_once(styles[name]), NO_SEARCH, 1)
    if is_outside(name):
        return _find_outside(name)
    level, at, amount = name.partition("@")
    bots = OFFERS[game].bots
    if level not in bots:
        known = _join([*bots, *list_styles(game)])
        raise UnknownPlayer(f"{game} has no player {level!r}; it has {known}")
    entry = bots[level]
    if at:
        return LeaguePlayer(name, entry.think, _read_budget(name, amount), entry.version)
    return LeaguePlayer(
        name, entry.think, entry.budget or NO_SEARCH, entry.version, entry.crowded or NO_SEARCH
    )


def list_styles(game: str) -> Mapping[str, Bot]:
    """Return the styles of a game by the names of their players: the pool, and those kept aside."""
    module = f"cartulary.bots.{game}.styles"
    if find_spec(f"cartulary.bots.{game}") is None or find_spec(module) is None:
        return {}
    styles = import_module(module)
    return {STYLE + name: bot for name, bot in {**styles.POOL, **styles.ASIDE}.items()}


def list_aside(game: str) -> list[str]:
    """Return the names of the styles that no weight was tuned against."""
    return [STYLE + name for name in import_module(f"cartulary.bots.{game}.styles").ASIDE]


def _find_outside(name: str) -> LeaguePlayer:
    try:
        bot = find_bot(name)
    except InvalidName as error:
        raise UnknownPlayer(str(error)) from error
    return LeaguePlayer(name, bot, bot.budget, 1)


def _read_budget(name: str, amount: str) -> Budget:
    try:
        return read_budget(name, amount)
    except InvalidName as error:
        raise UnknownPlayer(str(error)) from error


def _join(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
