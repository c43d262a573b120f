"""The passkeys of players: key pairs of WebAuthn whose public half the store keeps.

`passkeys:<player>` has a row for each. A device says whose passkey it has (the user handle), so
nothing else leads from a passkey to its player.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import orjson
from redis import Redis
from redis.client import Pipeline

from cartulary.events.model.clock import SYSTEM, Clock
from cartulary.events.model.errors import Invalid, NotFound, QuotaExceeded, Refused
from cartulary.events.people.days import day_of
from cartulary.events.people.players import hash_token
from cartulary.events.people.rows import ID_LENGTH
from cartulary.events.people.tokens import Tokens
from cartulary.events.server import keys

MOST: Final = 10
"""The most passkeys that a player may have."""


class PasskeyUnknown(
    Refused,
    code="code_unknown",
    sentence="the passkey is unknown or was removed, or its challenge is used, expired or foreign",
):
    """A passkey does not sign in: no caller learns more of the reason."""


class PasskeyCopied(
    Refused,
    code="code_unknown",
    sentence="the passkey has counted fewer uses than before, so there is a copy of it: remove it",
):
    """The counter of a passkey went back: another device uses a copy of the same key."""


class Passkey(NamedTuple):
    """A passkey. `credential` and `public_key` are base64url, the key is in COSE.

    `party` is the host that the passkey is for, `uses` the counter of the device (0: it counts
    nothing). `created_at` is RFC 3339, `last_used_at` a day, None: not since it was added.
    """

    credential: str
    public_key: str
    uses: int
    party: str
    label: str
    created_at: str
    last_used_at: str | None = None

    @property
    def id(self) -> str:
        """Return the id of the passkey."""
        return find_id(self.credential)


def find_id(credential: str) -> str:
    """Return the id that the passkey with a credential has for its player."""
    return hash_token(credential)[:ID_LENGTH]


class Passkeys:
    """The passkeys of all players. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, redis: Redis, tokens: Tokens, clock: Clock = SYSTEM) -> None:
        self._redis, self._tokens, self._clock = redis, tokens, clock

    def add(self, player_id: str, passkey: Passkey, by: str) -> None:
        """Add a passkey; `by` is the hash of the token that asks.

        Raises `TokenGone`, `QuotaExceeded`, `Invalid` where the player has the passkey already.
        """
        key = keys.passkeys(player_id)

        def add(pipe: Pipeline) -> None:
            self._tokens.must_be_valid(pipe, by)
            if pipe.hexists(key, passkey.id):
                raise Invalid([("/passkey", "you have this passkey already")])
            _must_have_room(pipe, player_id)
            pipe.multi()
            pipe.hset(key, passkey.id, _write(passkey))

        self._tokens.change(player_id, by, add, key)

    def check_room(self, player_id: str) -> None:
        """Raise `QuotaExceeded` when a player has as many passkeys as a player may have."""
        _must_have_room(self._redis, player_id)

    def list_of(self, player_id: str) -> list[Passkey]:
        """Return the passkeys of a player, the oldest first."""
        rows: Any = self._redis.hvals(keys.passkeys(player_id))
        return sorted(map(_read, rows), key=lambda one: (one.created_at, one.id))

    def remove(self, player_id: str, passkey_id: str) -> None:
        """Remove a passkey: it signs in no more. Raises `NotFound`."""
        if not self._redis.hdel(keys.passkeys(player_id), passkey_id):
            raise NotFound("you have no such passkey")

    def find(self, handle: str, credential: str) -> tuple[str, Passkey] | None:
        """Return whose passkey has a credential, and the passkey.

        `handle` is the id of the player who has added it, who may have merged since then.
        """
        player_id = self._find_owner(handle)
        row: Any = self._redis.hget(keys.passkeys(player_id), find_id(credential))
        found = None if row is None else _read(row)
        return (player_id, found) if found and found.credential == credential else None

    def _find_owner(self, player_id: str) -> str:
        """Return into whom a player has merged in the end, else the player."""
        seen = {player_id}
        while True:
            into: Any = self._redis.hget(keys.player(player_id), "merged_into")
            if into is None or into.decode() in seen:
                return player_id
            player_id = into.decode()
            seen.add(player_id)

    def note_use(self, player_id: str, passkey_id: str, uses: int) -> None:
        """Note a use with the counter of the device, which has to be larger than before.

        Raises `PasskeyUnknown` when the passkey was removed, `PasskeyCopied`.
        """
        key = keys.passkeys(player_id)

        def note(pipe: Pipeline) -> None:
            row: Any = pipe.hget(key, passkey_id)
            if row is None:
                raise PasskeyUnknown
            before = _read(row)
            # A device that does not count says 0 each time.
            if uses <= before.uses and (uses or before.uses):
                raise PasskeyCopied
            pipe.multi()
            day = day_of(self._clock.now_ms())
            pipe.hset(key, passkey_id, _write(before._replace(uses=uses, last_used_at=day)))

        self._redis.transaction(note, key)

    def must_exist(self, pipe: Pipeline, player_id: str, passkey_id: str) -> None:
        """Raise `PasskeyUnknown` when a passkey was removed; a step of `Tokens.issue`."""
        if not pipe.hexists(keys.passkeys(player_id), passkey_id):
            raise PasskeyUnknown

    def move(self, guest_id: str, player_id: str) -> None:
        """Give the passkeys of a guest to an account, also more than it may have: none is lost."""
        before, after = keys.passkeys(guest_id), keys.passkeys(player_id)

        def move(pipe: Pipeline) -> None:
            rows: Any = pipe.hgetall(before)
            pipe.multi()
            if rows:
                pipe.hset(after, mapping=rows)
                pipe.delete(before)

        self._redis.transaction(move, before)


def _must_have_room(pipe: Any, player_id: str) -> None:
    used = pipe.hlen(keys.passkeys(player_id))
    if used >= MOST:
        raise QuotaExceeded("passkeys", MOST, used, 0, None)


def _write(passkey: Passkey) -> bytes:
    return orjson.dumps(passkey._asdict())


def _read(row: bytes) -> Passkey:
    return Passkey(**orjson.loads(row))
