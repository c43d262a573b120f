"""Outages: no clock runs while no web process works."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.model.errors import NotCached
from cartulary.events.model.time.intervals import clip, join, measure
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.events.time.calendar import KEPT_MS, Calendar
from tests.conftest import timed_store
from tests.events.support.bean_games import beans_game
from tests.support.fake_clock import DAY, HOUR, MINUTE, FakeClock

SECOND = 1000


def beat_for(store: Store, clock: FakeClock, ms: int) -> None:
    """Let a web process work for some time."""
    for _ in range(ms // 5000):
        clock.advance(5000)
        assert store.outages.beat() is None


class TestIntervals:
    def test_the_union_is_what_the_moments_say(self, rng: random.Random) -> None:
        for _ in range(200):
            many = [
                [(begin, begin + rng.randrange(5)) for begin in rng.choices(range(30), k=3)]
                for _ in range(2)
            ]
            found = join(*many)
            moments = {t for some in many for begin, end in some for t in range(begin, end)}
            assert {t for begin, end in found for t in range(begin, end)} == moments
            assert all(one[1] < two[0] for one, two in pairwise(found))
            since, until = sorted(rng.choices(range(35), k=2))
            assert measure(clip(found, since, until)) == len(moments & set(range(since, until)))


class TestHeartbeat:
    def test_a_web_process_that_works_notes_no_outage(self, timed: Store, clock: FakeClock) -> None:
        assert timed.outages.beat() is None
        beat_for(timed, clock, 10 * MINUTE)
        assert timed.outages.read() == ()

    def test_the_first_web_process_after_three_hours_notes_them_and_a_minute_more(
        self, timed: Store, clock: FakeClock
    ) -> None:
        timed.outages.beat()
        last = clock.now
        clock.advance(3 * HOUR)
        assert timed.outages.beat() == (last, clock.now + MINUTE)
        assert timed.outages.beat() is None, "the next process finds a fresh heartbeat"
        assert timed.outages.read() == ((last, clock.now + MINUTE),)

    @pytest.mark.parametrize(("gap", "noted"), [(15_000, False), (15_001, True)])
    def test_a_gap_of_more_than_15_seconds_is_an_outage(
        self, timed: Store, clock: FakeClock, gap: int, noted: bool
    ) -> None:
        timed.outages.beat()
        clock.advance(gap)
        assert (timed.outages.beat() is not None) is noted

    def test_a_clock_that_jumps_forward_is_an_outage(self, timed: Store, clock: FakeClock) -> None:
        timed.outages.beat()
        before = clock.now
        clock.advance(2 * DAY)
        assert timed.outages.beat() == (before, clock.now + MINUTE)

    def test_a_clock_that_jumps_back_is_no_outage_and_the_heart_goes_on(
        self, timed: Store, clock: FakeClock
    ) -> None:
        timed.outages.beat()
        clock.advance(-HOUR)
        assert timed.outages.beat() is None
        assert timed.calendar.is_fresh()
        beat_for(timed, clock, MINUTE)
        assert timed.outages.read() == ()

    def test_outages_that_touch_are_one_entry(self, timed: Store, clock: FakeClock) -> None:
        timed.outages.beat()
        begin = clock.now
        for _ in range(30):  # two machines whose clocks differ by 20 s
            clock.advance(20_000)
            timed.outages.beat()
            clock.advance(-20_000)
            timed.outages.beat()
            clock.advance(5_000)
        assert timed.redis.zcard(keys.outages()) == 1
        assert timed.outages.read()[0][0] == begin

    def test_a_store_without_a_heartbeat_has_no_outage(self, timed: Store) -> None:
        assert not timed.calendar.is_fresh()
        assert timed.outages.beat() is None

    def test_a_heartbeat_is_fresh_for_15_seconds(self, timed: Store, clock: FakeClock) -> None:
        timed.outages.beat()
        clock.advance(14_999)
        assert timed.calendar.is_fresh()
        clock.advance(1)
        assert not timed.calendar.is_fresh()

    def test_a_heartbeat_from_the_future_is_not_fresh(self, timed: Store, clock: FakeClock) -> None:
        timed.outages.beat()
        clock.advance(-15_000)
        assert not timed.calendar.is_fresh()


class TestCalendar:
    def test_an_outage_stops_the_clock_of_everybody(self, timed: Store, clock: FakeClock) -> None:
        timed.outages.beat()
        begin = clock.now
        clock.advance(HOUR)
        timed.outages.beat()
        until = begin + HOUR + MINUTE
        assert timed.calendar.find_stops(None, 0, begin + DAY) == ((begin, until),)
        assert timed.calendar.find_stops("ada", begin + 5, until - 5) == ((begin + 5, until - 5),)
        assert timed.calendar.find_stops(None, until, until + DAY) == ()

    def test_a_vacation_stops_the_clock_of_its_player(self, timed: Store, clock: FakeClock) -> None:
        begin = clock.now
        timed.vacations.change("ada", [(begin + HOUR, begin + DAY)])
        assert timed.calendar.find_stops("ada", 0, begin + 9 * DAY) == (
            (begin + HOUR, begin + DAY),
        )
        assert timed.calendar.find_stops("bob", 0, begin + 9 * DAY) == ()
        assert timed.calendar.find_stops(None, 0, begin + 9 * DAY) == ()

    def test_a_vacation_in_an_outage_counts_once(self, timed: Store, clock: FakeClock) -> None:
        begin = clock.now
        timed.outages.beat()
        timed.vacations.change("ada", [(begin, begin + 2 * HOUR)])
        clock.advance(3 * HOUR)
        timed.outages.beat()
        found = timed.calendar.find_stops("ada", begin, begin + DAY)
        assert found == ((begin, begin + 3 * HOUR + MINUTE),)

    def test_what_was_read_is_valid_for_five_seconds(self, timed: Store, clock: FakeClock) -> None:
        begin = clock.now
        assert timed.calendar.find_stops("ada", begin, begin + DAY) == ()
        timed_store(timed, clock).vacations.change("ada", [(begin, begin + HOUR)])
        clock.advance(4_999)
        assert timed.calendar.find_stops("ada", begin, begin + DAY) == ()
        clock.advance(1)
        assert timed.calendar.find_stops("ada", begin, begin + DAY) == ((begin, begin + HOUR),)

    def test_a_jump_of_the_clock_makes_what_was_read_invalid(
        self, timed: Store, clock: FakeClock
    ) -> None:
        timed.calendar.look()
        assert timed.calendar.find_cached_stops(None, 0, 1) == ()
        for jump in (-1, 10_001):
            clock.advance(jump)
            with pytest.raises(NotCached):
                timed.calendar.find_cached_stops(None, 0, 1)

    def test_the_event_loop_gets_what_is_cached_and_else_a_refusal(
        self, timed: Store, clock: FakeClock
    ) -> None:
        begin, calendar = clock.now, timed.calendar
        timed_store(timed, clock).vacations.change("ada", [(begin, begin + HOUR)])
        with pytest.raises(NotCached):
            calendar.find_cached_stops("bob", begin, begin + DAY)
        calendar.look()
        assert calendar.find_cached_stops("bob", begin, begin + DAY) == ()
        with pytest.raises(NotCached):
            calendar.find_cached_stops("ada", begin, begin + DAY)
        read = calendar.find_stops("ada", begin, begin + DAY)
        assert calendar.find_cached_stops("ada", begin, begin + DAY) == read

    def test_the_reason_of_a_clock_that_stands_is_named(
        self, timed: Store, clock: FakeClock, ada: Player
    ) -> None:
        begin = clock.now
        table = timed.commands.create(Intent(ada), beans_game()).table
        pace = {"mode": "correspondence", "delay": 86400, "bank": 0, "vacation": True}
        table = table._replace(terms=table.terms._replace(pace=pace))
        timed.outages.beat()
        clock.advance(HOUR)
        timed.outages.beat()
        timed.vacations.change(ada.id, [(clock.now, clock.now + DAY)])
        found = [timed.calendar.find_reason(table, 0, begin + at) for at in (0, 3 * HOUR, 2 * DAY)]
        assert found == ["outage", "vacation", None]
        untimed = table._replace(terms=table.terms._replace(pace=None))
        assert timed.calendar.find_reason(untimed, 0, begin + 3 * HOUR) is None

    def test_a_fresh_heartbeat_comes_with_the_outage_before_it(
        self, timed: Store, clock: FakeClock
    ) -> None:
        timed.outages.beat()
        begin = clock.now
        clock.advance(HOUR)
        calendar = timed.calendar
        assert not calendar.is_fresh()
        timed.outages.beat()
        assert not calendar.is_fresh(), "the outages were read before the service was back"
        clock.advance(KEPT_MS)
        assert calendar.is_fresh()
        assert calendar.find_stops(None, begin, clock.now) == ((begin, clock.now),)

    def test_a_web_process_notes_an_outage_before_it_measures_by_the_calendar(
        self, timed: Store, clock: FakeClock
    ) -> None:
        calendar: Calendar = timed.calendar
        timed.outages.start_beating()
        calendar.look()
        begin = clock.now
        clock.advance(HOUR)
        assert calendar.find_stops(None, begin, clock.now) == ((begin, clock.now),)
