"""Signs of life: of a process to its supervisor, and of a process to the store.

A supervisor gives each child a file (`LIFE_FILE`); the child sets the time of the file while it
works, and the supervisor kills a child that has set no time for too long. The time is that of
`time.monotonic`, so that a change of the clock kills no child.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from socket import gethostname
from typing import Any, NamedTuple

import orjson
from redis import Redis

from cartulary.events.model.clock import SYSTEM, Clock
from cartulary.events.server import keys
from cartulary.events.server.format import FORMAT
from cartulary.settings.table import LIFE_FILE

EVERY_S = 1.0

SILENT_S = 30.0
"""A process that has not shown itself in the store for so long has ended."""

ROUGHLY_S = 10
"""The step in which a process says how far its clock is off: closer figures would change often."""


@cache
def read_release() -> str:
    """Return the version of the software; asked at the start, because an upgrade replaces it."""
    return version("cartulary-games")


def write_life(file: str | Path, moment: float | None = None) -> None:
    """Set the time of a file to `moment` (of `time.monotonic`), by default now."""
    now = time.monotonic() if moment is None else moment
    os.utime(file, (now, now))


def make_beat(environ: Mapping[str, str] | None = None) -> Callable[[], None]:
    """Return a function that shows the supervisor, once a second at most, that this process works.

    The function does nothing in a process without a supervisor. A file that is missing is made.
    """
    file = (os.environ if environ is None else environ).get(LIFE_FILE)
    if not file:
        return lambda: None
    if not Path(file).exists():  # `serve` makes the file; a supervisor that only names it does not
        Path(file).touch()
        write_life(file)
    due = 0.0

    def beat() -> None:
        nonlocal due
        if (now := time.monotonic()) >= due:
            due = now + EVERY_S
            write_life(file, now)

    return beat


class Backlog(NamedTuple):
    """What the dispatcher has reported; ages in seconds.

    `age` is the time since the report, `queue_age` that since the oldest waiting job was enqueued.
    `timers` are the games whose timers were due and not judged yet at the last look of the sweep,
    `timer_age` is for how long the first of them was due. `by_queue` says how many games wait for a
    worker, by the name of their queue; empty in the report of an earlier release.
    """

    age: float
    queued: int
    queue_age: float
    timers: int = 0
    timer_age: float = 0.0
    by_queue: Mapping[str, int] = {}


class Sign(NamedTuple):
    """A process as it has shown itself in the store, `silent_s` seconds ago.

    `name` is what it does, as the `Procfile` names it. `durability` is what the process promises
    on its own: `replicated`, or '' where the server alone decides. `release` is the version of its
    software and `format` the newest format that it writes, '' and 0 where an earlier release does
    not say it. `key` tells keys of the draws apart (`Keyring.mark`), '' where it is unknown.
    `ahead_s` says by how much its clock is ahead of that of the store, negative: behind; roughly.
    `age_s` is the time since its start.
    """

    name: str
    host: str
    pid: int
    durability: str
    silent_s: float
    release: str = ""
    format: int = 0
    key: str = ""
    ahead_s: int = 0
    age_s: float = 0.0


class Reports:
    """What processes report to the store, each time with `read_time` in s: the server's own.

    `clock` is that of the machine, by which a process shows how far it is off.
    """

    def __init__(
        self, redis: Redis, read_time: Callable[[], float] | None = None, clock: Clock = SYSTEM
    ) -> None:
        self._redis, self._clock = redis, clock
        self._read_time = read_time or self._ask_time
        self._began: float | None = None

    def show(self, name: str, durability: str, key: str = "") -> None:
        """Show that this process works; `key` is the mark of its key of the draws."""
        now = self._read_time()
        self._began = now if self._began is None else self._began
        ahead_s = ROUGHLY_S * round((self._clock.now_ms() / 1000 - now) / ROUGHLY_S)
        member = [name, gethostname(), os.getpid(), durability, read_release(), FORMAT, key]
        pipe = self._redis.pipeline(transaction=False)
        pipe.zadd(keys.processes(), {orjson.dumps([*member, ahead_s, round(self._began, 1)]): now})
        pipe.zremrangebyscore(keys.processes(), "-inf", now - SILENT_S)
        pipe.execute()

    def list_processes(self) -> list[Sign]:
        """Return the processes that work, by their names."""
        now = self._read_time()
        found: Any = self._redis.zrange(keys.processes(), 0, -1, withscores=True)
        # Of a process whose clock was set there are several for a while: the last one counts.
        signs = {one[:3]: one for shown, at in found for one in [_read_sign(shown, at, now)]}
        return sorted(sign for sign in signs.values() if sign.silent_s <= SILENT_S)

    def write(
        self,
        queued: int,
        queue_age: float,
        timers: int = 0,
        timer_age: float = 0.0,
        by_queue: Mapping[str, int] | None = None,
    ) -> None:
        """Report that a dispatcher works, and how many jobs and timers wait."""
        at = self._read_time()
        fields: dict[Any, Any] = {
            "at": at,
            # A release without a format leaves these as they are: then the times differ.
            "format": FORMAT,
            "format_at": at,
            "queued": queued,
            "queue_age": round(queue_age, 3),
            "timers": timers,
            "timer_age": round(timer_age, 3),
            "by_queue": orjson.dumps(dict(by_queue or {})),
        }
        self._redis.hset(keys.dispatcher(), mapping=fields)

    def read(self) -> Backlog | None:
        """Return the last report, None when no dispatcher has ever reported."""
        found: Any = self._redis.hmget(
            keys.dispatcher(), "at", "queued", "queue_age", "timers", "timer_age", "by_queue"
        )
        if found[0] is None:
            return None
        age = max(0.0, self._read_time() - float(found[0]))
        timers = int(found[3] or 0), float(found[4] or 0)
        by_queue = orjson.loads(found[5] or b"{}")
        return Backlog(age, int(found[1]), float(found[2]), *timers, by_queue)

    def _ask_time(self) -> float:
        seconds, micros = self._redis.time()
        return float(seconds + micros / 1_000_000)


def _read_sign(shown: bytes, at: float, now: float) -> Sign:
    """Return what a process has shown `at` a moment; an earlier release shows less."""
    name, host, pid, durability, *more = orjson.loads(shown)
    release, format_, key, ahead_s, began = [*more, *("", 0, "", 0, at)[len(more) :]][:5]
    about = (release, format_, key, ahead_s, max(0.0, now - began))
    return Sign(name, host, pid, durability, now - at, *about)
