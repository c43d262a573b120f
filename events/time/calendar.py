"""The calendar: when the clock of a player stands although the player is asked.

Outages stop every clock, vacations that of their player in games whose pace allows vacations.
No command reads the calendar for an event that is stored: the event has the time that did not
count.
"""

from __future__ import annotations

from typing import Final

from redis import Redis

from cartulary.events.model.cache import Cache
from cartulary.events.model.clock import Clock
from cartulary.events.model.errors import NotCached
from cartulary.events.model.table import Table
from cartulary.events.model.time.intervals import NOTHING, Intervals, clip, join
from cartulary.events.server import keys
from cartulary.events.time.outages import EVERY_S, Outages, read_outage
from cartulary.events.time.vacations import Vacations

KEPT_MS: Final = 5_000
"""What was read stays valid for so long."""

KEPT_AT_ONCE_MS: Final = round(2000 * EVERY_S)
"""The same for a caller that may not ask the store: less than the gap that is an outage, so this
process has worked in the meantime, and there was no outage."""

CAPACITY: Final = 4_000_000
"""Bytes of vacations that a process caches."""


class Calendar:
    """The outages and vacations that this process has read lately. Thread-safe.

    A web process notes its heartbeat before it reads the outages, so that it knows of an outage
    before it measures the first move after the outage.
    """

    def __init__(self, redis: Redis, clock: Clock, outages: Outages, vacations: Vacations) -> None:
        self._redis, self._clock = redis, clock
        self._outages, self._vacations = outages, vacations
        self._read_at: int | None = None
        self._heartbeat = 0
        self._down: Intervals = NOTHING
        self._absent: frozenset[str] = frozenset()
        self._of_player: Cache[str, tuple[int, Intervals]] = Cache(CAPACITY, _weigh)

    def look(self) -> None:
        """Read the heartbeat, the outages, and who has vacations. Raises `RedisError`."""
        self._outages.beat_if_started()
        read_at = self._clock.now_ms()
        pipe = self._redis.pipeline(transaction=False)
        # In this order: an outage that is noted in between comes without its heartbeat.
        pipe.get(keys.heartbeat())
        pipe.zrange(keys.outages(), 0, -1)
        pipe.zrange(keys.vacations(), 0, -1)
        heartbeat, down, absent = pipe.execute()
        self._heartbeat = int(heartbeat or 0)
        self._down = join(read_outage(member) for member in down)
        self._absent = frozenset(one.decode() for one in absent)
        self._read_at = read_at

    def stops(self, table: Table, seat: int, since: int, until: int) -> Intervals:
        """Return when the clock of a seat stands between two moments. Raises `RedisError`."""
        if self._runs_since(since, KEPT_MS):
            return NOTHING
        return self.find_stops(_find_absentee(table, seat), since, until)

    def cached_stops(self, table: Table, seat: int, since: int, until: int) -> Intervals:
        """Do the same as `stops` without asking the store; raises `NotCached`."""
        if self._runs_since(since, KEPT_AT_ONCE_MS):
            return NOTHING
        return self.find_cached_stops(_find_absentee(table, seat), since, until)

    def _runs_since(self, since: int, kept: int) -> bool:
        """Return whether it is known that no clock has stood since a moment: the usual case."""
        read_at, down = self._read_at, self._down
        if read_at is None or self._absent or (down and down[-1][1] > since):
            return False
        return 0 <= self._clock.now_ms() - read_at < kept

    def find_reason(self, table: Table, seat: int, at: int) -> str | None:
        """Return what stops the clock of a seat at a moment: `outage`, `vacation`, or None.

        Raises `RedisError`.
        """
        if self.find_stops(None, at, at + 1):
            return "outage"
        return "vacation" if self.stops(table, seat, at, at + 1) else None

    def is_fresh(self) -> bool:
        """Return whether a web process works, so that a flag may fall. Raises `RedisError`.

        The heartbeat and the outages are read together: a heartbeat that is fresh because the
        service is back comes with the outage that has just ended. A heartbeat from the future is
        not fresh: the clock has jumped, or two machines disagree about the time.
        """
        if not self._is_valid(self._read_at, KEPT_MS):
            self.look()
        age = self._clock.now_ms() - self._heartbeat
        return abs(age) < self._outages.limits.gap

    def read_again(self, player_id: str) -> None:
        """Read the calendar again, with the vacations of a player. Raises `RedisError`."""
        self._of_player.drop(player_id)
        self.look()

    def find_stops(self, player_id: str | None, since: int, until: int) -> Intervals:
        """Return when a player's clock stands between two moments (ms since the epoch).

        None: only outages, for a game without vacations. Raises `RedisError`.
        """
        if not self._is_valid(self._read_at, KEPT_MS):
            self.look()
        absent = NOTHING
        if player_id is not None and player_id in self._absent:
            absent = self._read_vacations(player_id)
        return self._combine(absent, since, until)

    def find_cached_stops(self, player_id: str | None, since: int, until: int) -> Intervals:
        """Do the same as `find_stops` without asking the store; raises `NotCached`."""
        if not self._is_valid(self._read_at, KEPT_AT_ONCE_MS):
            raise NotCached
        absent = NOTHING
        if player_id is not None and player_id in self._absent:
            found = self._of_player.get(player_id)
            if found is None or not self._is_valid(found[0], KEPT_MS):
                raise NotCached
            absent = found[1]
        return self._combine(absent, since, until)

    def _combine(self, absent: Intervals, since: int, until: int) -> Intervals:
        down = self._down
        if not absent and (not down or down[-1][1] <= since):
            return NOTHING
        return clip(join(down, absent) if absent else down, since, until)

    def _read_vacations(self, player_id: str) -> Intervals:
        found = self._of_player.get(player_id)
        if found is None or not self._is_valid(found[0], KEPT_MS):
            read_at = self._clock.now_ms()
            found = read_at, self._vacations.read(player_id)
            self._of_player.put(player_id, found)
        return found[1]

    def _is_valid(self, read_at: int | None, kept: int) -> bool:
        """Return whether something is read lately enough; a clock that jumps makes it invalid."""
        return read_at is not None and 0 <= self._clock.now_ms() - read_at < kept


def _find_absentee(table: Table, seat: int) -> str | None:
    """Return whose vacations stop the clock of a seat, None when the pace allows no vacations."""
    pace, owner = table.terms.pace, table.seats[seat].player
    return owner["id"] if pace and pace.get("vacation") and owner is not None else None


def _weigh(entry: tuple[int, Intervals], _: int) -> int:
    return 200 + 150 * len(entry[1])
