"""A bot of others at one table."""

from __future__ import annotations

import random
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from types import TracebackType
from typing import Any, NamedTuple, Self

from cartulary.bots import Budget
from cartulary.engine.core import State
from cartulary.engine.transcript import Transcript

Record = Callable[[], Transcript]
"""Returns the game so far; called only where a bot needs it."""

Log = Callable[[str], None]
"""Takes a line about a bot."""


class BotChoice(NamedTuple):
    """What a bot does: the move and what it plans after it in the same turn, in internal form.

    `moves` is empty when the bot resigns. `said` is what it wants to be known of its thought.
    """

    moves: tuple[Any, ...]
    resigns: bool = False
    said: str = ""


class BotSeat(ABC):
    """A bot that sits at one table; a context manager, at whose end nothing of the bot is left."""

    @abstractmethod
    def think(
        self, state: State[Any], record: Record, rng: random.Random, budget: Budget
    ) -> BotChoice:
        """Return a legal move, or the resignation; raises `BotFault`."""

    @abstractmethod
    def close(self) -> None:
        """End what the bot has started."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def log_to_stderr(line: str) -> None:
    """Write a line for people."""
    print(line, file=sys.stderr, flush=True)
