"""The thinking of a bot about its move, and what the event says of it.

A bot that raises, or that misses its deadline, does not stop the game: another bot moves for it,
and `bot.fallback` of the event names the reason (`docs/bots.md`, "Levels").
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, Protocol

from cartulary.engine.core import Json, State


class BotFinding(Protocol):
    """What a bot has found: `cartulary.bots.Thought` for example."""

    @property
    def moves(self) -> Sequence[Any]:
        """The move, and what is planned after it in the same turn (internal form)."""

    @property
    def iterations(self) -> int:
        """How many positions the bot has played out."""


class Choice(NamedTuple):
    """What a bot has found that does not search."""

    moves: Sequence[Any]
    iterations: int = 1


Choose = Callable[[State[Any], random.Random], Any]
"""A simple bot: position and random generator -> one of `state.moves()` (internal form)."""

Think = Callable[[State[Any], random.Random], BotFinding]
"""A bot with its budget: position and random generator -> what it has found."""

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
    think: Think
    version: int = 1
    fallback: str | None = None


class BotThought(NamedTuple):
    """Moves in internal form, and what the event of the first says of the bot, its seed aside.

    The moves after the first are planned for the decisions that follow it in the same turn.
    """

    moves: Sequence[Any]
    about: Json


def ask_once(choose: Choose) -> Think:
    """Return the simple bot `choose` as a bot that finds one move."""

    def think(state: State[Any], rng: random.Random) -> Choice:
        return Choice((choose(state, rng),))

    return think


def think(
    thinkers: Sequence[Thinker], state: State[Any], make_generator: Callable[[], random.Random]
) -> BotThought:
    """Return the thought of the first bot that finds a legal move.

    Each bot starts with a new generator of the same seed, so any reader can repeat the move. Raises
    what the last bot has raised when all fail, `ValueError` for a move that is not legal.
    """
    fallback: str | None = None
    for thinker in thinkers[:-1]:
        try:
            return _ask(thinker, state, make_generator(), fallback)
        except Exception as error:
            log.exception("bot %s has failed", thinker.level)
            fallback = fallback or _name_reason(error)
    return _ask(thinkers[-1], state, make_generator(), fallback)


def _ask(
    thinker: Thinker, state: State[Any], rng: random.Random, fallback: str | None
) -> BotThought:
    moves, iterations = _find(thinker.think(state.copy(), rng))
    if moves[0] not in state.moves():
        raise ValueError(f"bot {thinker.level} answered {moves[0]!r}: not a legal move")
    about: Json = {"level": thinker.level, "version": thinker.version, "iterations": iterations}
    if reason := thinker.fallback or fallback:
        about["fallback"] = reason
    return BotThought(moves, about)


def _find(found: BotFinding) -> tuple[Sequence[Any], int]:
    if not found.moves:
        raise ValueError("the bot has found no move")
    return found.moves, found.iterations


def _name_reason(error: Exception) -> str:
    return LATE if isinstance(error, TimeoutError) else FAILED
