"""Vacations: times in which a player need not move, in games whose pace allows vacations.

A vacation is an interval in the registry, and no job begins or ends it: the command that judges a
clock subtracts the interval. What has passed of a vacation stays as it is, because moves were
measured by it (`docs/living.md`, "Vacations").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, Final, NamedTuple

import orjson
from redis import Redis

from cartulary.events.model.clock import Clock
from cartulary.events.model.errors import Invalid
from cartulary.events.model.time.intervals import Interval, Intervals, clip, join, measure
from cartulary.events.model.time.silence_rules import DAY_MS
from cartulary.events.server import keys

LATE_MS: Final = 60_000
"""A vacation may begin so long ago, and then it begins now: a request takes a moment."""

NOTICED_MS: Final = 6_000
"""By then every process has noticed a change: a calendar is read again after 5 s."""

KEPT_MS: Final = 400 * DAY_MS
"""The registry forgets a vacation so long after its end: no decision is that old."""


class Allowance(NamedTuple):
    """What a player may take: days at a time and within a calendar year (UTC).

    A vacation begins at most `ahead` days from now; at most `entries` vacations lie ahead.
    """

    at_a_time: int = 14
    a_year: int = 35
    ahead: int = 366
    entries: int = 50


class Vacations:
    """The vacations of all players. Thread-safe."""

    def __init__(self, redis: Redis, clock: Clock, allowance: Allowance | None = None) -> None:
        self._redis, self._clock = redis, clock
        self.allowance = Allowance() if allowance is None else allowance

    def read(self, player_id: str) -> Intervals:
        """Return the vacations of a player, past ones included. Raises `RedisError`."""
        found: Any = self._redis.get(keys.vacation(player_id))
        return () if found is None else tuple((one[0], one[1]) for one in orjson.loads(found))

    def change(self, player_id: str, asked: Sequence[Interval]) -> Intervals:
        """Replace what lies ahead of the vacations of a player; return all vacations.

        What has passed stays whether it is asked for or not; a vacation that runs and is not asked
        for ends now. Raises `Invalid` with a pointer for each vacation that is not allowed.
        """
        now = self._clock.now_ms()
        stored = self.read(player_id)
        past = clip(stored, now - KEPT_MS, now)
        wanted = _Wanted(asked, stored, now, self.allowance)
        found = join(past, wanted.check(past))
        self._write(player_id, found, now)
        return found

    def _write(self, player_id: str, found: Intervals, now: int) -> None:
        pipe = self._redis.pipeline(transaction=True)
        if found:
            pipe.set(keys.vacation(player_id), orjson.dumps(found))
            pipe.zadd(keys.vacations(), {player_id: found[-1][1]})
        else:
            pipe.delete(keys.vacation(player_id))
            pipe.zrem(keys.vacations(), player_id)
        pipe.zremrangebyscore(keys.vacations(), "-inf", now - KEPT_MS)
        pipe.execute()


class _Wanted:
    """The vacations of one request, and what is wrong with them."""

    def __init__(
        self, asked: Sequence[Interval], stored: Intervals, now: int, allowance: Allowance
    ) -> None:
        self._asked, self._stored, self._now = list(asked), stored, now
        self._allowance = allowance
        self._faults: list[tuple[str, str]] = []

    def check(self, past: Intervals) -> Intervals:
        """Return what is asked for; raises `Invalid`."""
        ahead = sum(end > self._now for _, end in self._asked)
        if ahead > self._allowance.entries:
            most = f"at most {self._allowance.entries} vacations may lie ahead"
            raise Invalid([("/vacations", most)])
        for number, (begin, end) in enumerate(self._asked):
            self._asked[number] = self._check_one(number, begin, end)
        if not self._faults:
            self._check_overlaps()
        if not self._faults:
            self._check_lengths(past)
        if not self._faults:
            self._check_years(past)
        if self._faults:
            raise Invalid(self._faults)
        return tuple(self._asked)

    def _blame(self, number: int, field: str, detail: str) -> None:
        self._faults.append((f"/vacations/{number}{field}", detail))

    def _check_one(self, number: int, begin: int, end: int) -> Interval:
        """Check one vacation by itself; return it with the begin that counts."""
        latest = self._now + self._allowance.ahead * DAY_MS
        if end <= begin:
            self._blame(number, "/until", "must be after `from`")
        elif begin < self._now:
            return self._check_begun(number, begin, end)
        elif begin > latest:
            self._blame(number, "/from", f"must lie within {self._allowance.ahead} days")
        return begin, end

    def _check_begun(self, number: int, begin: int, end: int) -> Interval:
        """Check a vacation that begins in the past: only a stored vacation may."""
        known = next((one for one in self._stored if one[0] <= begin < one[1]), None)
        if known is None and begin >= self._now - LATE_MS and end > self._now:
            return self._now, end
        if known is None:
            self._blame(number, "/from", "must not lie in the past")
        elif end < min(known[1], self._now):
            return begin, end  # a part of what has passed; the rest of it stays as well
        elif end > known[1] and known[1] < self._now:
            self._blame(number, "/until", "this vacation is over, and stays as it is")
        return begin, end

    def _check_overlaps(self) -> None:
        order = sorted(range(len(self._asked)), key=lambda number: self._asked[number])
        for before, number in pairwise(order):
            if self._asked[number][0] < self._asked[before][1]:
                self._blame(number, "/from", f"overlaps with /vacations/{before}")

    def _check_lengths(self, past: Intervals) -> None:
        """Check how long each vacation is together with those that it touches."""
        most = self._allowance.at_a_time
        for begin, end in join(past, self._asked):
            if end > self._now and end - begin > most * DAY_MS:
                number = next(n for n, one in enumerate(self._asked) if one[1] == end)
                self._blame(number, "/until", f"a vacation lasts {most} days at most")

    def _check_years(self, past: Intervals) -> None:
        """Check how long the vacations of each calendar year are together."""
        most = self._allowance.a_year
        order = sorted(range(len(self._asked)), key=lambda number: self._asked[number])
        taken: list[Interval] = list(past)
        for number in order:
            taken.append(self._asked[number])
            for year, bounds in _list_years(*self._asked[number]):
                if measure(clip(join(taken), *bounds)) > most * DAY_MS:
                    self._blame(number, "", f"more than {most} days of vacation in {year}")
                    return


def _list_years(begin: int, end: int) -> Iterator[tuple[int, Interval]]:
    """Return the calendar years (UTC) that an interval touches, with their bounds."""
    for year in range(_read_year(begin), _read_year(end - 1) + 1):
        yield year, (_begin_year(year), _begin_year(year + 1))


def _read_year(moment: int) -> int:
    return datetime.fromtimestamp(moment / 1000, UTC).year


def _begin_year(year: int) -> int:
    return round(datetime(year, 1, 1, tzinfo=UTC).timestamp()) * 1000
