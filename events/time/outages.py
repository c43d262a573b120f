"""Outages: times in which no web process worked, so that no player could move.

Each web process notes a heartbeat all the time (`service.process.pulse`). The process that finds
the heartbeat too old notes the time since then as an outage: the service was down, the store was
away, or the clock of the machine has jumped forward. No clock of a player runs in an outage, and a
flag needs a fresh heartbeat (`docs/living.md`, "Outages").
"""

from __future__ import annotations

import logging
from typing import Any, Final, NamedTuple

from redis import Redis

from cartulary.events.model.clock import Clock, format_time
from cartulary.events.model.time.intervals import Interval, Intervals, join
from cartulary.events.server import keys
from cartulary.events.server.format import FORMAT
from cartulary.events.server.scripts import read_script

EVERY_S: Final = 5.0
"""How often a web process notes its heartbeat."""

log = logging.getLogger(__name__)


class OutageLimits(NamedTuple):
    """When silence is an outage; in ms.

    A gap of more than `gap` between two heartbeats is an outage. An outage lasts `margin` longer
    than the gap, so that no player loses the time that a client needs to come back.
    """

    gap: int = 15_000
    margin: int = 60_000


class Outages:
    """The heartbeat and the outages in the store. Thread-safe."""

    def __init__(self, redis: Redis, clock: Clock, limits: OutageLimits | None = None) -> None:
        self._redis, self._clock = redis, clock
        self.limits = OutageLimits() if limits is None else limits
        script = read_script("time", "beat.lua")
        self._script = redis.register_script(script)
        self._is_started = False

    def start_beating(self) -> None:
        """Note that this is a web process, which notes a heartbeat from now on."""
        self._is_started = True

    def beat_if_started(self) -> None:
        """Do the same as `beat` in a web process, nothing in another process."""
        if self._is_started:
            self.beat()

    def beat(self) -> Interval | None:
        """Note that this web process works; return the outage that this has ended, if any.

        Raises `RedisError`.
        """
        now = self._clock.now_ms()
        names = [keys.heartbeat(), keys.outages(), keys.heartbeats()]
        found: Any = self._script(keys=names, args=[now, *self.limits, FORMAT])
        if len(found) < 3:
            return None
        begin, end = int(found[1]), int(found[2])
        log.warning(
            "no web process has worked since %s: no clock runs from %s until %s",
            format_time(int(found[0])),
            format_time(begin),
            format_time(end),
        )
        return begin, end

    def read(self) -> Intervals:
        """Return all outages. Raises `RedisError`."""
        found: Any = self._redis.zrange(keys.outages(), 0, -1)
        return join(read_outage(member) for member in found)


def read_outage(member: bytes) -> Interval:
    """Return the begin and the end of an outage as the store has it."""
    begin, _, end = member.partition(b"-")
    return int(begin), int(end)
