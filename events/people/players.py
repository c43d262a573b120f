"""Players and their tokens."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from hashlib import sha256
from time import monotonic, time
from typing import Any, Final, NamedTuple

from redis import Redis
from ulid import ULID

from cartulary.events.model.cache import Cache
from cartulary.events.model.clock import format_time
from cartulary.events.model.table_parts import BOT
from cartulary.events.people.days import LastUsed, day_of
from cartulary.events.people.name_folding import write_entry
from cartulary.events.people.rows import Stored, TokenRow, add_token, read_stored
from cartulary.events.people.sentences import Sentence, read_sentence
from cartulary.events.server import keys

CACHED = 4 * 1024 * 1024
"""Bytes of tokens that a process caches."""
FRESH = 4.0
"""Seconds for which a cached token is valid without another look at the store, so that a revoked
token is refused everywhere within 5 s."""


class Player(NamedTuple):
    """A player as others see one. `created_at` is RFC 3339.

    `kind` is `BOT` for a bot, "" for a person; `owner` is the id of the player who made the bot.
    """

    id: str
    name: str
    created_at: str = ""
    kind: str = ""
    owner: str = ""

    @property
    def is_bot(self) -> bool:
        """True for a bot that a player has made."""
        return self.kind == BOT


class Access(NamedTuple):
    """A cached token: its player, and until when (of the monotonic clock) it is fresh.

    `scopes` is None for a token that may do all; `day` is the last one on which it was used;
    `suspended` is what the operators have decided, which may be over by now.
    """

    player: Player
    until: float
    scopes: frozenset[str] | None = None
    day: str = ""
    suspended: Sentence | None = None


def _weigh(known: Access, _before: int) -> int:
    """Return the bytes of a cached token: those of its hash, and of a player with a name."""
    return 650 + 4 * len(known.player.name)


class PlayerRegistry:
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
        self._last_used = LastUsed(redis)
        self._by_hash: Cache[str, Access] = Cache(cached, _weigh)

    def create(self, name: str) -> tuple[Player, str]:
        """Register a player; returns it with its token, which cannot be had a second time.

        The token never expires.
        """
        player = Player(str(ULID()), name, format_time(int(self._clock() * 1000)))
        token = make_token()
        token_hash = hash_token(token)
        record: dict[Any, Any] = {
            "id": player.id,
            "name": name,
            "created_at": player.created_at,
            "token_hash": token_hash,
        }
        pipe = self._redis.pipeline(transaction=True)
        pipe.hset(keys.player(player.id), mapping=record)
        pipe.zadd(keys.names(), {write_entry(name, player.id): 0})
        add_token(pipe, player.id, TokenRow(token_hash, "", player.created_at))
        pipe.execute()
        return player, token

    def forget(self, token_hash: str) -> None:
        """Cache a token no longer: the next request with it asks the store."""
        self._by_hash.drop(token_hash)

    def rename(self, player_id: str, name: str, token_hash: str | None = None) -> None:
        """Give a player another name. Events that are stored keep the old name.

        `token_hash` is that of a token of the player: it leads to the new name at once, other
        tokens lead there within 5 s.
        """
        before: Any = self._redis.hget(keys.player(player_id), "name")
        pipe = self._redis.pipeline(transaction=True)
        pipe.hset(keys.player(player_id), "name", name)
        if before is not None:
            pipe.zrem(keys.names(), write_entry(before.decode(), player_id))
        pipe.zadd(keys.names(), {write_entry(name, player_id): 0})
        pipe.execute()
        if token_hash is not None:
            self._by_hash.drop(token_hash)

    def by_hash(self, token_hash: str) -> Player | None:
        """Return the player of the token with this SHA-256, None where it is unknown or expired.

        A token that was seen a moment ago costs no round trip.
        """
        found = self.access(token_hash)
        return None if found is None else found.player

    def cached(self, token: str) -> Access | None:
        """Return what a token that was seen a moment ago may do; ask no store."""
        known = self._by_hash.get(hash_token(token))
        return known if known is not None and self._pulse() < known.until else None

    def access(self, token_hash: str) -> Access | None:
        """Return what the token with this SHA-256 may do, None for an invalid token."""
        known = self._by_hash.get(token_hash)
        if known is not None and self._pulse() < known.until:
            return known
        return self._read(token_hash, known)

    def _read(self, token_hash: str, known: Access | None) -> Access | None:
        began = self._pulse()
        expected = None if known is None else known.player.id
        value, found = self._look_up(token_hash, expected)
        stored, left = self._judge(value)
        if left <= 0:
            self._by_hash.drop(token_hash)
            return None
        if stored.player_id != expected:
            found = self._find_person(stored.player_id)
        player, suspended = found
        if player is None:
            return None
        day = day_of(self._clock() * 1000)
        if known is None or known.day != day:
            self._last_used.note(player.id, player.created_at, token_hash, day)
        access = Access(player, began + min(FRESH, left), stored.scopes, day, suspended)
        self._by_hash.put(token_hash, access)
        return access

    def _look_up(
        self, token_hash: str, player_id: str | None
    ) -> tuple[Any, tuple[Player | None, Sentence | None]]:
        """Return what is stored of a token, and its player as of now, in one round trip.

        `player_id` is None while it is unknown who has the token.
        """
        if player_id is None:
            return self._redis.get(keys.token(token_hash)), (None, None)
        pipe = self._redis.pipeline(transaction=False)
        pipe.get(keys.token(token_hash))
        _ask_for_person(pipe, player_id)
        stored, *person = pipe.execute()
        return stored, _read_person(person)

    def _find_person(self, player_id: str) -> tuple[Player | None, Sentence | None]:
        """Return a player, and what the operators have decided; in one round trip."""
        pipe = self._redis.pipeline(transaction=False)
        _ask_for_person(pipe, player_id)
        return _read_person(pipe.execute())

    def _judge(self, value: bytes | None) -> tuple[Stored, float]:
        """Return what is stored of a token, and the seconds for which the token is valid."""
        if value is None:
            return Stored(""), 0.0
        stored = read_stored(value)
        return stored, stored.count_seconds(self._clock() * 1000)

    def is_suspended(self, access: Access) -> bool:
        """Return whether the operators have suspended the player of a token, as of now."""
        sentence = access.suspended
        return sentence is not None and sentence.holds(int(self._clock() * 1000))

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

    def find_all(self, player_ids: Sequence[str]) -> list[Player | None]:
        """Return some players, in one round trip; None for a missing one."""
        pipe = self._redis.pipeline(transaction=False)
        for player_id in player_ids:
            pipe.hmget(keys.player(player_id), *_SHOWN)
        return [_read_player(shown) for shown in pipe.execute()]

    def find_account(self, player_id: str) -> str:
        """Return the id of the account into which a guest has merged, of any other the same id."""
        found: Any = self._redis.hget(keys.player(player_id), "merged_into")
        return player_id if found is None else self.find_account(found.decode())

    def claimed_at(self, player_id: str) -> str | None:
        """Return since when a player has recovery codes (RFC 3339), None for a guest."""
        found: Any = self._redis.hget(keys.player(player_id), "claimed_at")
        return None if found is None else str(found.decode())

    def name_all(self, player_ids: Sequence[str]) -> list[str]:
        """Return the names of some players, in one round trip; "" for a missing player."""
        pipe = self._redis.pipeline(transaction=False)
        for player_id in player_ids:
            pipe.hget(keys.player(player_id), "name")
        return [(name or b"").decode() for name in pipe.execute()]


_SHOWN: Final = ("id", "name", "created_at", "kind", "owner")
"""Fields of the registry that others see."""


def _read_player(shown: Sequence[bytes | None]) -> Player | None:
    """Return the player of the fields `_SHOWN`, None when there is no such player."""
    if shown[0] is None or shown[1] is None:
        return None
    return Player(*((one or b"").decode() for one in shown))


def _ask_for_person(pipe: Any, player_id: str) -> None:
    """Add the commands whose answers `_read_person` reads."""
    pipe.hmget(keys.player(player_id), *_SHOWN)
    pipe.hget(keys.suspended(), player_id)


def _read_person(answers: Sequence[Any]) -> tuple[Player | None, Sentence | None]:
    shown, suspended = answers
    return _read_player(shown), None if suspended is None else read_sentence(suspended)


def name_of(player: Player) -> dict[str, str]:
    """Return a player as events name one; a bot comes with its kind and the id of its owner."""
    shown = {"id": player.id, "name": player.name}
    return {**shown, "kind": player.kind, "owner": player.owner} if player.is_bot else shown


def make_token() -> str:
    """Return a new token that cannot be guessed."""
    return secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    """Return the SHA-256 of a secret, under which the store knows it."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
