"""The e-mail addresses of players: asked, confirmed, switched off. Truth, which a backup carries.

An address is written to once before it is confirmed, with the link that confirms it. One that is
not confirmed within a day is forgotten: it may be that of another person.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from typing import Any, Final

from redis import Redis
from redis.client import Pipeline

from cartulary.events.draws.keyring import Keyring
from cartulary.events.model.clock import Clock
from cartulary.events.model.errors import NotFound, QuotaExceeded
from cartulary.events.notices.rows import StoredAddress, change_key
from cartulary.events.notices.wishes import NoticeWishes
from cartulary.events.server import keys

LIFE_MS: Final = 24 * 3600 * 1000
"""For so long the link that confirms an address is valid."""

MOST_REQUESTS: Final = 3
"""Mails that ask one address within a day, by all players together: else they are a nuisance."""

AddressChange = Callable[[StoredAddress], StoredAddress | None]
"""Returns what becomes of an address, None to leave it."""


class EmailAddresses:
    """The addresses of all players, one for each. Thread-safe. Raises `RedisError`."""

    def __init__(self, redis: Redis, clock: Clock, wishes: NoticeWishes) -> None:
        self._redis, self._clock, self._wishes = redis, clock, wishes

    def find(self, player_id: str) -> StoredAddress | None:
        """Return the address of a player, None without one."""
        return self._read(self._redis.get(keys.email(player_id)))

    def ask(self, player_id: str, address: StoredAddress) -> None:
        """Store an address that is to be confirmed, in place of any other.

        Raises `QuotaExceeded` when it was asked too often.
        """
        self._count(address.address)

        def ask(pipe: Pipeline) -> None:
            pipe.multi()
            self._write(pipe, player_id, address)

        self._wishes.change(player_id, ask)

    def confirm(self, player_id: str, address_id: str) -> bool:
        """Note that the reader of an address agrees; False when it is not waiting for that."""
        now = self._clock.now_ms()
        return self._change(
            player_id,
            address_id,
            lambda found: None if found.confirmed_at else replace(found, confirmed_at=now, off=""),
        )

    def switch_off(self, player_id: str, address_id: str, why: str) -> bool:
        """Send nothing to an address until it is confirmed again; False when it was off."""
        return self._change(
            player_id,
            address_id,
            lambda found: None if found.off else replace(found, off=why),
        )

    def remove(self, player_id: str) -> None:
        """Forget the address of a player, its log too. Raises `NotFound`."""
        found = self.find(player_id)
        if found is None:
            raise NotFound("you have no e-mail address here")
        self.forget(player_id)
        self._redis.delete(keys.delivery_log(found.id))

    def forget(self, player_id: str) -> None:
        """Forget the address of a player, where there is one."""

        def forget(pipe: Pipeline) -> None:
            pipe.multi()
            pipe.delete(keys.email(player_id))

        self._wishes.change(player_id, forget)

    def move(self, guest_id: str, player_id: str) -> None:
        """Move the address of a guest to an account that has none; a call may be repeated."""
        found = self.find(guest_id)
        if found is not None and self.find(player_id) is None:

            def add(pipe: Pipeline) -> None:
                pipe.multi()
                self._write(pipe, player_id, found)

            self._wishes.change(player_id, add)
        self.forget(guest_id)

    def encrypt_again(self, player_id: str, keyring: Keyring) -> int:
        """Encrypt the secret of an address with the first key; returns how many there were.

        Raises `WrongKey`.
        """
        found = self.find(player_id)
        if found is None:
            return 0
        return int(
            self._change(
                player_id,
                found.id,
                lambda one: replace(one, encrypted=change_key(keyring, one.encrypted, one.id)),
            )
        )

    # -- parts ------------------------------------------------------------------------------------

    def _change(self, player_id: str, address_id: str, change: AddressChange) -> bool:
        """Change an address that is still that of its player; says whether it has changed."""
        done = [False]

        def write(pipe: Pipeline) -> None:
            found = self._read(pipe.get(keys.email(player_id)))
            changed = change(found) if found is not None and found.id == address_id else None
            done[0] = changed is not None
            pipe.multi()
            if changed is not None:
                self._write(pipe, player_id, changed)

        self._wishes.change(player_id, write)
        return done[0]

    def _write(self, pipe: Pipeline, player_id: str, address: StoredAddress) -> None:
        text: Any = address.text()
        left = None if address.confirmed_at else max(1, self._measure_life(address))
        pipe.set(keys.email(player_id), text, px=left)

    def _read(self, text: Any) -> StoredAddress | None:
        found = None if text is None else StoredAddress.read(text)
        # A restored store has it without its end.
        if found is None or found.confirmed_at or self._measure_life(found) > 0:
            return found
        return None

    def _measure_life(self, address: StoredAddress) -> int:
        return address.created_at + LIFE_MS - self._clock.now_ms()

    def _count(self, address: str) -> None:
        key = keys.email_requests(sha256(address.lower().encode()).hexdigest())
        pipe = self._redis.pipeline(transaction=True)
        pipe.set(key, 0, px=LIFE_MS, nx=True)
        pipe.incr(key)
        pipe.pttl(key)
        _, used, left = pipe.execute()
        if used > MOST_REQUESTS:
            wait = max(1, left // 1000)
            free_at = self._clock.now_ms() + max(0, left)
            raise QuotaExceeded("emails", MOST_REQUESTS, used - 1, free_at, wait)
