"""Link codes: eight letters with which a player opens a second device.

A code is valid for ten minutes and for one use. It gives what the token that asked for it has,
neither more scopes nor more time, and it ends with that token.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import orjson
from redis import Redis

from cartulary.events.model.clock import SYSTEM, Clock
from cartulary.events.people.codes import make_code, read_code, show_code
from cartulary.events.people.players import hash_token
from cartulary.events.server import keys

LIFE_MS: Final = 600_000
"""How long a code is valid."""

LENGTH: Final = 8
"""Letters of a code: 40 bits, of which one address may try 20 in an hour."""


class LinkCode(NamedTuple):
    """A code as its player sees it; `expires_at` is in ms since the epoch."""

    code: str
    expires_at: int


class Linked(NamedTuple):
    """What a code leads to: a player, and the hash of the token that asked for the code."""

    player_id: str
    token_hash: str


class LinkCodes:
    """Issues and redeems link codes. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, redis: Redis, clock: Clock = SYSTEM) -> None:
        self._redis, self._clock = redis, clock

    def issue(self, player_id: str, token_hash: str) -> LinkCode:
        """Return a new code for the player of a token."""
        until = self._clock.now_ms() + LIFE_MS
        bound = orjson.dumps({"player": player_id, "token": token_hash, "until": until})
        while True:
            code = make_code(LENGTH)
            if self._redis.set(keys.link(hash_token(code)), bound, px=LIFE_MS, nx=True):
                return LinkCode(show_code(code), until)

    def find(self, text: str) -> Linked | None:
        """Return what a code leads to; None for an unknown, used, expired or malformed code."""
        code = read_code(text, LENGTH)
        return None if code is None else self._read(self._redis.get(keys.link(hash_token(code))))

    def use(self, text: str) -> Linked | None:
        """Return what a code leads to and use the code up: of many callers at once one gets it."""
        code = read_code(text, LENGTH)
        return None if code is None else self._read(self._redis.getdel(keys.link(hash_token(code))))

    def _read(self, found: Any) -> Linked | None:
        if found is None:
            return None
        bound = orjson.loads(found)
        if bound["until"] <= self._clock.now_ms():
            return None
        return Linked(bound["player"], bound["token"])
