"""Bots that think for long: each position takes as long as the seed decides."""

from __future__ import annotations

import random
import time
from typing import Any

from cartulary.bots.base import BotEntry
from cartulary.workers import jobs


class SlowBot:
    """A bot of the catalogue that thinks for up to so many seconds before it finds anything."""

    def __init__(self, entry: BotEntry, seed: str, longest_s: float) -> None:
        self._entry, self._seed, self._longest_s = entry, seed, longest_s

    def __getattr__(self, name: str) -> Any:
        return getattr(self._entry, name)

    def think(self, state: Any, rng: random.Random, budget: Any) -> Any:
        """Return what the bot finds, after a while of virtual time."""
        # From the state of the generator, which is the bot's and is not used up.
        chance = random.Random(f"{self._seed}/slow/{rng.getstate()[1][:8]}")
        time.sleep(self._longest_s * chance.random())
        return self._entry.think(state, rng, budget)


def let_bots_take_long(seed: str, longest_s: float) -> None:
    """Let the bots of the workers think for up to so many seconds about each position."""
    find: Any = getattr(jobs, "find_entry")  # noqa: B009  a name that it has imported

    def find_slow(game: str, name: str) -> Any:
        return SlowBot(find(game, name), seed, longest_s)

    if longest_s:
        setattr(jobs, "find_entry", find_slow)  # noqa: B010  a name that it has imported
