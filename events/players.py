"""Players and their tokens."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from hashlib import sha256
from math import inf
from time import monotonic, time
from typing import Any, Final, NamedTuple

from redis import Redis
from ulid import ULID

from cartulary.events import keys
from cartulary.events.cache import Cache
from cartulary.events.types import now

CACHED = 4 * 1024 * 1024
"""Bytes of tokens that a process caches."""
FRESH = 4.0
"""Seconds for which a cached token is valid without another look at the store, so that a revoked
token is refused everywhere within 5 s."""
FORGOTTEN = 24 * 3600
"""Seconds after its expiry at which the store forgets a token: a clock that jumps for a moment must
not take tokens away for ever."""


class Player(NamedTuple):
    """A player as others see one. `created_at` is RFC 3339."""

    id: str
    name: str
    created_at: str = ""


class _Known(NamedTuple):
    """A cached token: its player, and until when (of the monotonic clock) it is fresh."""

    player: Player
    until: float


def _weigh(known: _Known, _before: int) -> int:
    """Return the bytes of a cached token: those of its hash, and of a player with a name."""
    return 650 + 4 * len(known.player.name)


class Players:
    """The registry of players; a token is stored as its SHA-256 only. Thread-safe.

    `clock` gives the seconds since the epoch, `pulse` those of a clock that never jumps.
    """

    def __init__(
        self,
        redis: Redis,
        cached: int = CACHED,
        clock: Callable[[], float] = time,
        pulse: Callable[[], float] = monotonic,
    ) -> None:
        self._redis, self._clock, self._pulse = redis, clock, pulse
        self._by_hash: Cache[str, _Known] = Cache(cached, _weigh)

    def create(self, name: str) -> tuple[Player, str]:
        """Register a player; returns it with its token, which cannot be had a second time.

        The token never expires.
        """
        player = Player(str(ULID()), name, now())
        token = secrets.token_urlsafe(32)
        token_hash = hash_token(token)
        record: dict[Any, Any] = {**player._asdict(), "token_hash": token_hash}
        self._redis.hset(keys.player(player.id), mapping=record)
        # The token comes last, so that every valid token leads to a stored player.
        self._redis.set(keys.token(token_hash), player.id)
        return player, token

    def issue(self, player_id: str, expires_at: float) -> str:
        """Return a new token of a player that expires at a time (seconds since the epoch)."""
        token = secrets.token_urlsafe(32)
        stored = f"{player_id} {int(expires_at * 1000)}"
        name = keys.token(hash_token(token))
        self._redis.set(name, stored, pxat=int((expires_at + FORGOTTEN) * 1000))
        return token

    def revoke(self, token_hash: str) -> None:
        """Make a token invalid: here at once, in other processes and for streams within 5 s."""
        self._redis.delete(keys.token(token_hash))
        self._by_hash.drop(token_hash)

    def rename(self, player_id: str, name: str, token_hash: str | None = None) -> None:
        """Give a player another name. Events that are stored keep the old name.

        `token_hash` is that of a token of the player: it leads to the new name at once, other
        tokens lead there within 5 s.
        """
        self._redis.hset(keys.player(player_id), "name", name)
        if token_hash is not None:
            self._by_hash.drop(token_hash)

    def by_token(self, token: str) -> Player | None:
        """Return the player of a token, None for an unknown, expired or revoked token.

        A token that was seen a moment ago costs no round trip.
        """
        return self.by_hash(hash_token(token))

    def cached(self, token: str) -> Player | None:
        """Return the player of a token that was seen a moment ago; ask no store."""
        known = self._by_hash.get(hash_token(token))
        return known.player if known is not None and self._pulse() < known.until else None

    def by_hash(self, token_hash: str) -> Player | None:
        """Return the player of the token with this SHA-256, or None."""
        known = self._by_hash.get(token_hash)
        if known is not None and self._pulse() < known.until:
            return known.player
        return self._read(token_hash, known)

    def _read(self, token_hash: str, known: _Known | None) -> Player | None:
        began = self._pulse()
        expected = None if known is None else known.player.id
        stored, player = self._look_up(token_hash, expected)
        player_id, left = self._judge(stored)
        if left <= 0:
            self._by_hash.drop(token_hash)
            return None
        if player_id != expected:
            player = self.by_id(player_id)
        if player is not None:
            self._by_hash.put(token_hash, _Known(player, began + min(FRESH, left)))
        return player

    def _look_up(self, token_hash: str, player_id: str | None) -> tuple[Any, Player | None]:
        """Return what is stored of a token, and a player with the name of now, in one round trip.

        `player_id` is None when nobody knows yet who has the token.
        """
        if player_id is None:
            return self._redis.get(keys.token(token_hash)), None
        pipe = self._redis.pipeline(transaction=False)
        pipe.get(keys.token(token_hash))
        pipe.hmget(keys.player(player_id), *_SHOWN)
        stored, shown = pipe.execute()
        return stored, _read_player(shown)

    def _judge(self, stored: bytes | None) -> tuple[str, float]:
        """Return the player of a stored token, and the seconds for which it is valid."""
        if stored is None:
            return "", 0.0
        player_id, _, expires_at = stored.decode().partition(" ")
        return player_id, int(expires_at) / 1000 - self._clock() if expires_at else inf

    @property
    def cached_bytes(self) -> int:
        """Return the bytes of all cached tokens, as estimated."""
        return self._by_hash.size

    def find_invalid(self, hashes: Sequence[str]) -> list[str]:
        """Return those of these hashes of tokens that are valid no more, in one round trip."""
        pipe = self._redis.pipeline(transaction=False)
        for token_hash in hashes:
            pipe.get(keys.token(token_hash))
        found = pipe.execute()
        return [
            token_hash
            for token_hash, stored in zip(hashes, found, strict=True)
            if self._judge(stored)[1] <= 0
        ]

    def by_id(self, player_id: str) -> Player | None:
        """Return a player, or None."""
        shown: Any = self._redis.hmget(keys.player(player_id), *_SHOWN)
        return _read_player(shown)


_SHOWN: Final = ("id", "name", "created_at")
"""Fields of the registry that others see."""


def _read_player(shown: Sequence[bytes | None]) -> Player | None:
    """Return the player of the fields `_SHOWN`, None when there is no such player."""
    id_, name, created_at = shown
    if id_ is None or name is None:
        return None
    return Player(id_.decode(), name.decode(), (created_at or b"").decode())


def hash_token(token: str) -> str:
    """Return the SHA-256 of a secret, under which the store knows it."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
