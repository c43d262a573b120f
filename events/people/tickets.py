"""Tickets: each opens one stream of one game, for clients that cannot send a token.

A ticket is a secret in an address, and addresses end up in logs. So a ticket is valid for a minute
and for one use, and the store keeps its hash only.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple

import orjson
from redis import Redis

from cartulary.events.model.clock import SYSTEM, Clock, format_time
from cartulary.events.people.players import Player, PlayerRegistry, hash_token
from cartulary.events.server import keys

LIFE = 60
"""Seconds for which a ticket is valid."""


class Ticket(NamedTuple):
    """A ticket for its holder; `expires_at` is RFC 3339."""

    ticket: str
    expires_at: str


class Redeemed(NamedTuple):
    """What a ticket opens something with: a player, and the SHA-256 of the player's token."""

    player: Player
    token_hash: str


class Tickets:
    """Issues and redeems tickets. Thread-safe."""

    def __init__(self, redis: Redis, players: PlayerRegistry, clock: Clock = SYSTEM) -> None:
        self._redis, self._players, self._clock = redis, players, clock

    def issue(self, token: str, path: str, included: Sequence[str] = ()) -> Ticket:
        """Return a new ticket for what lies at a path, for the player of a token.

        `included` are the named events that the ticket may be used for.
        """
        ticket = secrets.token_urlsafe(32)
        held = {"token": hash_token(token), "path": path, "include": included}
        bound = orjson.dumps(held)
        self._redis.set(keys.ticket(hash_token(ticket)), bound, ex=LIFE)
        return Ticket(ticket, format_time(self._clock.now_ms() + LIFE * 1000))

    def redeem(self, ticket: str, path: str, included: Sequence[str] = ()) -> Redeemed | None:
        """Return whose ticket it is and use the ticket up.

        None for an unknown, used or expired ticket, for one of another path or without one of the
        named events in `included`, and when the token that asked for it is valid no more.
        """
        found: Any = self._redis.getdel(keys.ticket(hash_token(ticket)))
        if found is None:
            return None
        bound = orjson.loads(found)
        # A ticket that an earlier release has issued has no `include`.
        is_for = bound["path"] == path and set(included) <= set(bound.get("include", ()))
        player = self._players.by_hash(bound["token"]) if is_for else None
        return None if player is None else Redeemed(player, bound["token"])
