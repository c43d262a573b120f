"""Hints: what a strong bot would do in a position, computed once for each position."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final, NamedTuple

import orjson

from cartulary.bots.base import BotEntry
from cartulary.bots.reasons import Finder, explain
from cartulary.bots.thought import Budget
from cartulary.events.model.table import Table
from cartulary.service.http.shared.costly_results import Results

LIMIT: Final = "hints"
"""The name of the rate limit."""

LEVEL: Final = "hard"
"""The level of the bot that gives hints."""

REMEMBERED: Final = 1024 * 1024
"""Bytes of hints that a process remembers; each hint has some hundred bytes."""


class HintKey(NamedTuple):
    """What a hint depends on: the position, and the version of the bot."""

    game_id: str
    position: int
    state_hash: str
    bot: int


class Hints(Results[HintKey]):
    """The hints of one process, as JSON without their text. Thread-safe."""

    def __init__(self) -> None:
        super().__init__(REMEMBERED)

    def compute(self, key: HintKey, table: Table, bot: BotEntry, finder: Finder | None) -> bytes:
        """Return the hint for the pending decision, and remember it. The caller has the turn."""
        return self.make(key, lambda: (key, _think(table, bot, finder)))


def find_bot(bots: Mapping[str, BotEntry]) -> BotEntry | None:
    """Return the bot that gives hints, None for a game without such a bot."""
    return bots.get(LEVEL)


def make_key(table: Table, bot: BotEntry) -> HintKey:
    """Return the key of the hint for the pending decision of a table."""
    return HintKey(table.id, table.position, table.state_hash, bot.version)


def _think(table: Table, bot: BotEntry, finder: Finder | None) -> bytes:
    """Return move and reasons: the same on every machine, because the seed is the position.

    The seed of the bot that plays is not for this: it follows from the secret of the game.
    """
    assert table.state is not None
    state, rng = table.state.copy(), Random(f"hint/{table.id}/{table.position}")
    move, *plan = bot.think(state, rng, bot.budget_of(state.seats) or Budget(1)).moves
    shown = {"move": table.state.move_json(move), "why": explain(finder, state, move, plan)}
    return orjson.dumps(shown)
