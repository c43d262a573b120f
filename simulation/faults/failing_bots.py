"""Bots that raise: at some positions, which the seed decides, each time that they are asked."""

from __future__ import annotations

import random
from typing import Any

from cartulary.bots.base import BotEntry
from cartulary.workers import jobs, wiring

STEADY = ("medium", "random")
"""Bots that move in place of one that fails; they never raise."""


class BotRaises(Exception):
    """What a bot raises that fails."""


class FailingBot:
    """A bot of the catalogue that raises at the positions of the seed."""

    def __init__(self, entry: BotEntry, seed: str, share: float) -> None:
        self._entry, self._seed, self._share = entry, seed, share

    def __getattr__(self, name: str) -> Any:
        return getattr(self._entry, name)

    def think(self, state: Any, rng: random.Random, budget: Any) -> Any:
        """Return what the bot finds, or raise."""
        # The generator of a bot follows from the game and the position, so a repeated job raises
        # again. It is not used up: it is the bot's.
        chance = random.Random(f"{self._seed}/{rng.getstate()[1][:8]}")
        if chance.random() < self._share:
            raise BotRaises("this bot fails at this position")
        return self._entry.think(state, rng, budget)


def let_bots_fail(seed: str, share: float) -> None:
    """Let the quick bots of the workers raise at a share of the positions."""
    find = wiring.find_entry

    def find_failing(game: str, name: str) -> Any:
        entry = find(game, name)
        return entry if name in STEADY else FailingBot(entry, seed, share)

    if share:
        setattr(jobs, "find_entry", find_failing)  # noqa: B010  a name that it has imported
