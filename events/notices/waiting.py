"""Entries that wait for their time, in the store: taken under a lease, settled in one step.

Three lists wait: the intents (what a player will be notified), the deliveries (what is sent to an
endpoint) and the mails (what is sent to an address by the operator's server, which may be slow: so
they stand in a line of their own). A process that dies with entries in its hands loses none: their
lease ends.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from redis import Redis

from cartulary.events.notices.kinds import Channel
from cartulary.events.server import keys
from cartulary.events.server.scripts import read_script

T = TypeVar("T")

log = logging.getLogger("cartulary.notices")

LEASE_MS: Final = 60_000
"""The lease of what has no other."""

JUDGED_WITHIN_MS: Final = 10_000
"""The lease of an intent. One that is judged for longer is judged twice and settled once."""

SENT_WITHIN_MS: Final = 30_000
"""The lease of a delivery: longer than a request (15 s) and what the store may take before and
after it, so no other process takes what is under way."""

UNREADABLE_MS: Final = 60_000
"""For so long an entry waits that cannot be read: a later release may have written it."""

LATE_MS: Final = 2000
"""A delivery that is due for longer waits for a notifier that does not keep up, or for none."""


class WaitingEntry(NamedTuple):
    """An entry that was taken, with the text that it had."""

    name: str
    text: bytes


class NewEntry(NamedTuple):
    """Something that begins to wait: its name, when it is due (ms), its text."""

    name: str
    due: int
    text: bytes


class MarkedPause(NamedTuple):
    """What may be done once within `pause_ms`; `key` says when it was done last (ms)."""

    key: str
    now_ms: int
    pause_ms: int


class WaitingList:
    """A list of what waits. Thread-safe. All methods raise `RedisError`.

    `lease_ms`: for so long an entry that was taken is taken by no other process.
    """

    def __init__(self, redis: Redis, times: str, texts: str, lease_ms: int = LEASE_MS) -> None:
        self._redis, self._times, self._texts = redis, times, texts
        self._lease_ms = lease_ms
        self._take = redis.register_script(read_script("notices", "take_due.lua"))
        self._settle = redis.register_script(read_script("notices", "settle.lua"))

    def take(self, now_ms: int, most: int) -> list[WaitingEntry]:
        """Take what is due, the longest overdue first, at most `most` entries."""
        found: Any = self._take(
            keys=[self._times, self._texts], args=[now_ms, now_ms + self._lease_ms, most]
        )
        pairs = zip(found[::2], found[1::2], strict=True)
        return [WaitingEntry(name.decode(), text) for name, text in pairs]

    def take_as(
        self, read: Callable[[WaitingEntry], T], now_ms: int, most: int
    ) -> list[tuple[WaitingEntry, T]]:
        """Take what is due, each entry with what it says; one that cannot be read waits on."""
        found, unreadable = [], []
        for entry in self.take(now_ms, most):
            try:
                found.append((entry, read(entry)))
            except (TypeError, ValueError):
                log.exception("a later release may have written %s", entry.name)
                unreadable.append((entry, now_ms + UNREADABLE_MS))
        if unreadable:
            self.put_off_all(unreadable)
        return found

    def settle(
        self,
        entries: Sequence[WaitingEntry],
        follows: Sequence[NewEntry] = (),
        channel: Channel = "push",
    ) -> int:
        """Remove entries; in the same step add the deliveries through a channel that follow.

        Returns how many were removed. A newer one that has taken the place of an entry stays; when
        all of them were settled by another process, nothing follows.
        """
        words = _list_words(entries, follows)
        return self._run(len(entries), words, _find_list(channel))

    def settle_once(
        self,
        entries: Sequence[WaitingEntry],
        follows: Sequence[NewEntry],
        channel: Channel,
        pause: MarkedPause,
    ) -> bool:
        """Settle entries as `settle` does, unless that was done within a pause.

        What is read and written about the pause belongs to the same step, so neither a process
        that dies nor a second one makes it twice. Returns False when nothing was done.
        """
        words = _list_words(entries, follows)
        return self._run(len(entries), words, _find_list(channel), pause) >= 0

    def put_off(self, entry: WaitingEntry, until_ms: int, text: bytes | None = None) -> bool:
        """Let an entry wait until a time, with its text or another.

        Returns False when a newer one has taken its place.
        """
        new = entry.text if text is None else text
        return bool(self._run(1, [entry.name, entry.text, until_ms, new]))

    def put_off_all(self, waits: Sequence[tuple[WaitingEntry, int]]) -> None:
        """Let entries wait, each until a time (ms), as they are."""
        words = [part for one, until in waits for part in (one.name, one.text, until, one.text)]
        self._run(len(waits), words)

    def add(self, new: NewEntry) -> bool:
        """Let something wait; returns False when an entry of this id waits already."""
        text: Any = new.text
        pipe = self._redis.pipeline(transaction=True)
        pipe.hsetnx(self._texts, new.name, text)
        pipe.zadd(self._times, {new.name: new.due}, nx=True)
        return bool(pipe.execute()[0])

    def replace(self, new: NewEntry) -> None:
        """Let something wait in place of what waits under its name."""
        pipe = self._redis.pipeline(transaction=True)
        text: Any = new.text
        pipe.hset(self._texts, new.name, text)
        pipe.zadd(self._times, {new.name: new.due})
        pipe.execute()

    def has(self, name: str) -> bool:
        """Say whether something waits under a name."""
        return bool(self._redis.hexists(self._texts, name))

    def count(self) -> int:
        """Return how many entries wait."""
        found: Any = self._redis.zcard(self._times)
        return int(found)

    def _run(
        self,
        count: int,
        words: list[Any],
        into: tuple[str, str] | None = None,
        pause: MarkedPause | None = None,
    ) -> int:
        names = [self._times, self._texts, *(into or _find_list("push"))]
        names += [] if pause is None else [pause.key]
        times = ["", ""] if pause is None else [pause.now_ms, pause.pause_ms]
        done: Any = self._settle(keys=names, args=[count, *times, *words])
        return int(done)


def _list_words(entries: Sequence[WaitingEntry], follows: Sequence[NewEntry]) -> list[Any]:
    removed: list[Any] = [part for one in entries for part in (one.name, one.text, "", "")]
    return removed + [part for one in follows for part in one]


def count_waiting(redis: Redis, now_ms: int) -> dict[str, int]:
    """Return how many intents, deliveries and mails wait; `late` of the deliveries are overdue."""
    pipe = redis.pipeline(transaction=False)
    pipe.zcard(keys.intents())
    pipe.zcard(keys.deliveries())
    pipe.zcount(keys.deliveries(), "-inf", now_ms - LATE_MS)
    pipe.zcard(keys.mails())
    found: list[int] = pipe.execute()
    return dict(zip(("intents", "deliveries", "late", "mails"), found, strict=True))


def open_intents(redis: Redis) -> WaitingList:
    """Return what players will be notified of."""
    return WaitingList(redis, keys.intents(), keys.intended(), JUDGED_WITHIN_MS)


def open_deliveries(redis: Redis, channel: Channel = "push") -> WaitingList:
    """Return what will be sent to endpoints through a channel."""
    lease_ms = LEASE_MS if channel == "email" else SENT_WITHIN_MS
    return WaitingList(redis, *_find_list(channel), lease_ms)


def _find_list(channel: Channel) -> tuple[str, str]:
    if channel == "email":
        return keys.mails(), keys.mail_texts()
    return keys.deliveries(), keys.delivered_texts()
