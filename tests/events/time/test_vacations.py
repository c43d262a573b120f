"""Vacations: what a player may plan, and what has passed stays."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from cartulary.events.model.errors import Invalid
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.support.fake_clock import DAY, HOUR, MINUTE, FakeClock

NOW = round(datetime(2026, 11, 22, tzinfo=UTC).timestamp()) * 1000


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(NOW)


def days(begin: float, end: float) -> tuple[int, int]:
    """A vacation in days from `NOW`."""
    return NOW + round(begin * DAY), NOW + round(end * DAY)


def refused(store: Store, *asked: tuple[int, int]) -> dict[str, str]:
    """Plan vacations that are refused; returns the faults by pointer."""
    before = store.vacations.read("ada")
    with pytest.raises(Invalid) as refusal:
        store.vacations.change("ada", asked)
    assert store.vacations.read("ada") == before
    return {fault["pointer"]: fault["detail"] for fault in refusal.value.errors}


def test_a_player_without_vacations_has_no_key(timed: Store) -> None:
    assert timed.vacations.read("ada") == ()
    assert timed.vacations.change("ada", []) == ()
    assert not timed.redis.exists(keys.vacation("ada"), keys.vacations())


def test_vacations_are_sorted_and_those_that_touch_are_one(timed: Store) -> None:
    found = timed.vacations.change("ada", [days(20, 22), days(1, 2), days(2, 3)])
    assert found == (days(1, 3), days(20, 22)) == timed.vacations.read("ada")


def test_fourteen_days_at_a_time_are_allowed_and_no_more(timed: Store) -> None:
    timed.vacations.change("ada", [days(1, 15)])
    detail = "a vacation lasts 14 days at most"
    assert refused(timed, days(1, 15.1)) == {"/vacations/0/until": detail}
    assert refused(timed, days(14, 18), days(3, 14)) == {"/vacations/0/until": detail}


def test_thirty_five_days_of_a_calendar_year_are_allowed_and_no_more(timed: Store) -> None:
    # 2027 begins on day 40.
    fair = [days(1, 15), days(16, 30), days(33, 47), days(50, 64), days(70, 84)]
    assert timed.vacations.change("ada", fair) == tuple(fair)
    found = refused(timed, *fair[:4], days(70, 84.5), days(100, 101))
    assert found == {"/vacations/4/until": "a vacation lasts 14 days at most"}
    found = refused(timed, *fair, days(100, 101))
    assert found == {"/vacations/5": "more than 35 days of vacation in 2027"}


def test_what_has_passed_counts_for_its_year(timed: Store, clock: FakeClock) -> None:
    clock.now = NOW + 40 * DAY
    timed.vacations.change("ada", [days(40, 54)])
    clock.now = NOW + 60 * DAY
    timed.vacations.change("ada", [days(60, 74)])
    clock.now = NOW + 80 * DAY
    assert timed.vacations.change("ada", [days(80, 87)])[-1] == days(80, 87)
    found = refused(timed, days(80, 87), days(90, 91))
    assert found == {"/vacations/1": "more than 35 days of vacation in 2027"}


def test_vacations_may_not_overlap(timed: Store) -> None:
    found = refused(timed, days(5, 8), days(7, 9), days(1, 2))
    assert found == {"/vacations/1/from": "overlaps with /vacations/0"}


@pytest.mark.parametrize("end", [1, 0.5])
def test_a_vacation_ends_after_it_begins(timed: Store, end: float) -> None:
    assert refused(timed, days(1, end)) == {"/vacations/0/until": "must be after `from`"}


def test_a_vacation_begins_within_a_year(timed: Store) -> None:
    found = refused(timed, days(367, 368))
    assert found == {"/vacations/0/from": "must lie within 366 days"}


def test_a_vacation_begins_now_or_later(timed: Store) -> None:
    found = refused(timed, days(-1, 3))
    assert found == {"/vacations/0/from": "must not lie in the past"}


def test_a_vacation_from_a_moment_ago_begins_now(timed: Store) -> None:
    found = timed.vacations.change("ada", [(NOW - MINUTE, NOW + DAY)])
    assert found == ((NOW, NOW + DAY),)


def test_fifty_vacations_may_lie_ahead(timed: Store) -> None:
    many = [(NOW + n * HOUR, NOW + n * HOUR + MINUTE) for n in range(51)]
    timed.vacations.change("ada", many[:50])
    assert refused(timed, *many) == {"/vacations": "at most 50 vacations may lie ahead"}


class TestRunning:
    """A vacation that has begun."""

    @pytest.fixture(autouse=True)
    def planned(self, timed: Store, clock: FakeClock) -> None:
        timed.vacations.change("ada", [days(1, 8)])
        clock.now = NOW + 4 * DAY

    @pytest.mark.parametrize(
        ("asked", "kept"),
        [
            pytest.param([], days(1, 4), id="left out: it ends now"),
            pytest.param([days(1, 8)], days(1, 8), id="as it was"),
            pytest.param([days(1, 5)], days(1, 5), id="shorter"),
            pytest.param([days(1, 15)], days(1, 15), id="longer"),
            pytest.param([days(1, 3)], days(1, 4), id="back before now: it ends now"),
            pytest.param([days(4, 9)], days(1, 9), id="from now on"),
        ],
    )
    def test_what_has_passed_of_it_stays(
        self, timed: Store, asked: list[Any], kept: tuple[int, int]
    ) -> None:
        assert timed.vacations.change("ada", asked) == (kept,)

    def test_with_what_has_passed_of_it_it_lasts_14_days_at_most(self, timed: Store) -> None:
        for begin in (1, 4):
            found = refused(timed, days(begin, 16))
            assert found == {"/vacations/0/until": "a vacation lasts 14 days at most"}

    def test_a_vacation_that_is_over_stays_as_it_is(self, timed: Store, clock: FakeClock) -> None:
        clock.now = NOW + 9 * DAY
        assert timed.vacations.change("ada", []) == (days(1, 8),)
        assert timed.vacations.change("ada", [days(1, 8)]) == (days(1, 8),)
        detail = "this vacation is over, and stays as it is"
        assert refused(timed, days(1, 10)) == {"/vacations/0/until": detail}

    def test_it_is_forgotten_when_no_decision_can_be_so_old(
        self, timed: Store, clock: FakeClock
    ) -> None:
        clock.now = NOW + 410 * DAY
        assert timed.vacations.change("ada", []) == ()
        assert not timed.redis.exists(keys.vacation("ada"), keys.vacations())
