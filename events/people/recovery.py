"""Recovery codes: ten on paper, with which a player who has lost every device comes back.

A code has 20 letters. The first eight are the same for all codes of a player and find the player;
the other twelve are the secret, 60 bits, of which the store keeps the scrypt hash only. So a guess
at the first letters costs no scrypt, and a code costs one: all hashes of a player share a salt.
"""

from __future__ import annotations

import hmac
import secrets
from hashlib import scrypt
from threading import BoundedSemaphore, Lock
from typing import Any, Final

from redis import Redis
from redis.client import Pipeline

from cartulary.events.model.clock import SYSTEM, Clock, format_time
from cartulary.events.model.errors import RateLimited
from cartulary.events.people.codes import make_code, read_code, show_code
from cartulary.events.people.tokens import Tokens
from cartulary.events.server import keys

CODES: Final = 10
"""Codes of a player."""

FINDS, SECRET = 8, 12
"""Letters that find the player, and letters that only the player knows."""

COST: Final = 14
"""Binary logarithm of the cost of scrypt: 16 MiB and some 40 ms for a code of 60 random bits."""

WAITING: Final = 2
"""Requests of one process that may compute a hash or wait for it: the other threads go on."""

BUSY_S: Final = 1
"""After this time it is worth trying again."""


class Hashing:
    """Computes scrypt, one at a time, so that it takes neither the memory nor all threads."""

    def __init__(self, waiting: int = WAITING) -> None:
        self._places, self._turn = BoundedSemaphore(waiting), Lock()

    def compute(self, secret: str, salt: bytes, cost: int) -> bytes:
        """Return the hash of a secret; raises `RateLimited` when too many requests wait."""
        if not self._places.acquire(blocking=False):
            raise RateLimited("too many recovery codes are checked at this moment", BUSY_S)
        try:
            with self._turn:
                return scrypt(secret.encode(), salt=salt, n=2**cost, r=8, p=1, dklen=32)
        finally:
            self._places.release()


class RecoveryCodes:
    """Issues and redeems recovery codes. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, redis: Redis, tokens: Tokens, clock: Clock = SYSTEM) -> None:
        self._redis, self._tokens, self._clock = redis, tokens, clock
        self._hashing = Hashing()

    def issue(self, player_id: str, by: str) -> list[str]:
        """Return new codes; the old ones are void. The account is claimed from here on.

        `by` is the hash of the token that asks. Raises `TokenGone`, `RateLimited`.
        """
        salt = secrets.token_bytes(16)
        ends = [make_code(SECRET) for _ in range(CODES)]
        hashes = [_write_hash(salt, self._hashing.compute(end, salt, COST), COST) for end in ends]
        begins = list[str]()

        def issue(pipe: Pipeline) -> None:
            self._tokens.must_be_valid(pipe, by)
            before: Any = pipe.hget(keys.player(player_id), "recovery")
            begins[:] = [_find_free(pipe)]
            pipe.multi()
            if before is not None:
                pipe.delete(keys.recovery_of(before.decode()))
            pipe.delete(keys.recovery(player_id))
            pipe.sadd(keys.recovery(player_id), *hashes)
            pipe.set(keys.recovery_of(begins[0]), player_id)
            pipe.hset(keys.player(player_id), "recovery", begins[0])
            now = format_time(self._clock.now_ms())
            pipe.hsetnx(keys.player(player_id), "claimed_at", now)

        self._tokens.change(player_id, by, issue)
        return [show_code(begins[0] + end) for end in ends]

    def use(self, text: str) -> str | None:
        """Return the player of a code and use the code up.

        None for an unknown, used or malformed code. Raises `RateLimited`.
        """
        code = read_code(text, FINDS + SECRET)
        if code is None:
            return None
        found: Any = self._redis.get(keys.recovery_of(code[:FINDS]))
        if found is None:
            return None
        player_id = found.decode()
        member = self._find_hash(player_id, code[FINDS:])
        if member is None or not self._redis.srem(keys.recovery(player_id), member):
            return None
        return str(player_id)

    def _find_hash(self, player_id: str, secret: str) -> bytes | None:
        """Return the stored hash of a secret, None when the player has no such code."""
        members: Any = self._redis.smembers(keys.recovery(player_id))
        if not members:
            return None
        cost, salt = _read_hash(next(iter(members)))
        tried = _write_hash(salt, self._hashing.compute(secret, salt, cost), cost).encode()
        return next((one for one in members if hmac.compare_digest(one, tried)), None)

    def erase(self, player_id: str) -> None:
        """Make all codes of a player void."""
        begin: Any = self._redis.hget(keys.player(player_id), "recovery")
        pipe = self._redis.pipeline(transaction=True)
        pipe.delete(keys.recovery(player_id))
        if begin is not None:
            pipe.delete(keys.recovery_of(begin.decode()))
        pipe.hdel(keys.player(player_id), "recovery")
        pipe.execute()

    def count(self, player_id: str) -> int:
        """Return how many codes of a player are left."""
        found: Any = self._redis.scard(keys.recovery(player_id))
        return int(found)


def _find_free(pipe: Pipeline) -> str:
    """Return letters that find no player yet."""
    while True:
        begin = make_code(FINDS)
        if not pipe.exists(keys.recovery_of(begin)):
            return begin


def _write_hash(salt: bytes, digest: bytes, cost: int) -> str:
    return f"scrypt${cost}${salt.hex()}${digest.hex()}"


def _read_hash(member: bytes) -> tuple[int, bytes]:
    """Return the cost and the salt of a stored hash."""
    _, cost, salt, _ = member.decode().split("$")
    return int(cost), bytes.fromhex(salt)
