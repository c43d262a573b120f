"""Intents: who asks for a command, and under which conditions; every such command takes one."""

from __future__ import annotations

from typing import Any, NamedTuple

from cartulary.events.ledger.ledger import Idempotency
from cartulary.events.people.players import Player


class Intent(NamedTuple):
    """Who asks for a command, and under which conditions.

    `expected` is the version that the game must be at, None: any. A move allows each version since
    the position: an event that leaves the position alone refuses no move. A repeated `key` leads to
    what it led to the first time, if it comes with the same `body` again (None: with the same
    arguments of the command). `received` is the moment at which the request came in (ms since the
    epoch; None: now): the clock of a timed game counts to it.
    """

    who: Player
    expected: int | None = None
    key: str | None = None
    body: Any = None
    received: int | None = None

    def get_body(self, default: Any) -> Any:
        """Return what a repeated key must come with again: the body, `default` without one."""
        return default if self.body is None else self.body

    def identify(self, command: str, body: Any) -> Idempotency | None:
        """Return the idempotency of a command to a game, None without a key; raises `Invalid`."""
        return Idempotency.of(self.who.id, self.key, command, body)

    def identify_creation(self, command: str, body: Any) -> Idempotency | None:
        """Return the idempotency of a command that opens a game; raises `Invalid`."""
        return Idempotency.of(f"create:{self.who.id}", self.key, command, body)
