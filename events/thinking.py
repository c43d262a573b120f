"""The thinking of a bot about its move, and what the event says of it.

A bot that raises, or that misses its deadline, does not stop the game: another bot moves for it,
and `bot.fallback` of the event names the reason (contract, `bots.md`).
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from cartulary.engine.core import Json, State

Choose = Callable[[State[Any], random.Random], Any]
"""A bot: position and random generator -> one of `state.moves()` (internal form)."""

NOT_OFFERED, LATE, FAILED = "not_offered", "late", "failed"
FALLBACKS: Final = {
    NOT_OFFERED: "the bot is not on offer any more",
    LATE: "the bot has missed its deadline",
    FAILED: "the bot has raised an error",
}
"""The reasons why another bot moves, with a line for people."""

log = logging.getLogger(__name__)


class Thinker(NamedTuple):
    """A bot as the event names it, with its version; `fallback` says why it moves for another."""

    level: str
    choose: Choose
    version: int = 1
    fallback: str | None = None


class Thought(NamedTuple):
    """A move in internal form, and what the event says of the bot, its seed aside."""

    move: Any
    about: Json


def think(
    thinkers: Sequence[Thinker], state: State[Any], make_generator: Callable[[], random.Random]
) -> Thought:
    """Return the move of the first bot that finds a legal move.

    Each bot starts with a new generator of the same seed, so anybody can repeat the move. Raises
    what the last bot has raised when all fail, `ValueError` for a move that is not legal.
    """
    fallback: str | None = None
    for thinker in thinkers[:-1]:
        try:
            return _ask(thinker, state.copy(), make_generator(), fallback)
        except Exception as error:
            log.exception("bot %s has failed", thinker.level)
            fallback = fallback or _name_reason(error)
    return _ask(thinkers[-1], state.copy(), make_generator(), fallback)


def _ask(thinker: Thinker, state: State[Any], rng: random.Random, fallback: str | None) -> Thought:
    found = thinker.choose(state, rng)
    if found not in state.moves():
        raise ValueError(f"bot {thinker.level} answered {found!r}: not a legal move")
    about: Json = {"level": thinker.level, "version": thinker.version}
    if reason := thinker.fallback or fallback:
        about["fallback"] = reason
    return Thought(found, about)


def _name_reason(error: Exception) -> str:
    return LATE if isinstance(error, TimeoutError) else FAILED
