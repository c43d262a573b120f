"""Players and their tokens."""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import Any, NamedTuple

from redis import Redis
from ulid import ULID

from cartulary.events import keys
from cartulary.events.cache import Cache
from cartulary.events.types import now

CACHED = 4096
"""Tokens that a process caches. Players never change, so no entry becomes stale."""


class Player(NamedTuple):
    """A player as others see one. `created_at` is RFC 3339."""

    id: str
    name: str
    created_at: str = ""


class Players:
    """The registry of players; a token is stored as its SHA-256 only. Thread-safe."""

    def __init__(self, redis: Redis, cached: int = CACHED) -> None:
        self._redis = redis
        self._by_hash: Cache[str, Player] = Cache(cached)

    def create(self, name: str) -> tuple[Player, str]:
        """Register a player; returns it with its token, which cannot be had a second time."""
        player = Player(str(ULID()), name, now())
        token = secrets.token_urlsafe(32)
        token_hash = hash_token(token)
        record: dict[Any, Any] = {**player._asdict(), "token_hash": token_hash}
        self._redis.hset(keys.player(player.id), mapping=record)
        # The token comes last, so that every valid token leads to a stored player.
        self._redis.set(keys.token(token_hash), player.id)
        return player, token

    def by_token(self, token: str) -> Player | None:
        """Return the player of a token, or None; known tokens cost no round trip."""
        return self.by_hash(hash_token(token))

    def by_hash(self, token_hash: str) -> Player | None:
        """Return the player of the token with this SHA-256, or None."""
        known = self._by_hash.get(token_hash)
        if known is not None:
            return known
        player_id: Any = self._redis.get(keys.token(token_hash))
        player = self.by_id(player_id.decode()) if player_id is not None else None
        if player is not None:
            self._by_hash.put(token_hash, player)
        return player

    def by_id(self, player_id: str) -> Player | None:
        """Return a player, or None."""
        found: Any = self._redis.hmget(keys.player(player_id), "id", "name", "created_at")
        id_, name, created_at = found
        if id_ is None or name is None:
            return None
        return Player(id_.decode(), name.decode(), (created_at or b"").decode())


def hash_token(token: str) -> str:
    """Return the SHA-256 of a secret, under which the store knows it."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
