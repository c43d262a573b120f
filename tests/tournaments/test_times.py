"""Common times over time zones."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from cartulary.tournaments.times import (
    MOST_TIMES,
    find_common_times,
    find_faults_of_availability,
    read_availability,
    write_common_times,
)

Json = dict[str, Any]

EVENINGS = {day: [["18:00", "22:00"]] for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")}


def free(timezone: str, **days: list[list[str]]) -> Json:
    return {"timezone": timezone, "days": days or EVENINGS}


def at(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp() * 1000)


def find(since: str, until: str, *availabilities: Json, needed: int = 2) -> list[Json]:
    for one in availabilities:
        assert list(find_faults_of_availability(one)) == []
    read = [read_availability(one) for one in availabilities]
    return write_common_times(find_common_times(read, at(since), at(until), needed))


def test_common_times_are_those_of_all_time_zones() -> None:
    # 18 to 22 in Zagreb is 17 to 21 in UTC, 18 to 22 in Moscow 15 to 19.
    found = find(
        "2026-11-26T00:00Z", "2026-11-27T00:00Z", free("Europe/Zagreb"), free("Europe/Moscow")
    )
    assert found == [
        {"time": "2026-11-26T17:00:00.000Z", "minutes": 120},
        {"time": "2026-11-26T17:30:00.000Z", "minutes": 90},
        {"time": "2026-11-26T18:00:00.000Z", "minutes": 60},
    ]


def test_a_day_ends_elsewhere_on_another_day() -> None:
    tokyo = free("Asia/Tokyo", fri=[["00:00", "03:00"]])
    found = find(
        "2026-11-26T00:00Z", "2026-11-28T00:00Z", tokyo, free("UTC", thu=[["16:00", "24:00"]])
    )
    assert [one["time"] for one in found] == [
        "2026-11-26T16:00:00.000Z",
        "2026-11-26T16:30:00.000Z",
        "2026-11-26T17:00:00.000Z",
    ]


def test_the_hour_that_summer_time_leaves_out_or_repeats_is_counted_as_the_clocks_show() -> None:
    night = free("Europe/Zagreb", sun=[["02:00", "03:00"]])
    spring = find("2026-03-28T12:00Z", "2026-03-29T12:00Z", night, needed=1)
    assert spring == []
    autumn = find("2026-10-24T12:00Z", "2026-10-25T12:00Z", night, needed=1)
    assert [one["minutes"] for one in autumn] == [120, 90, 60, 30]


def test_a_zone_of_quarter_hours_has_the_half_hours_that_it_covers() -> None:
    nepal = free("Asia/Kathmandu", thu=[["18:00", "19:30"]])
    found = find("2026-11-26T00:00Z", "2026-11-27T00:00Z", nepal, needed=1)
    # 18:00 there is 12:15 in UTC.
    assert [one["time"] for one in found] == [
        "2026-11-26T12:30:00.000Z",
        "2026-11-26T13:00:00.000Z",
    ]


def test_nothing_is_found_outside_the_window() -> None:
    found = find("2026-11-26T18:10Z", "2026-11-26T20:00Z", free("UTC"))
    assert [one["time"] for one in found] == [
        "2026-11-26T18:30:00.000Z",
        "2026-11-26T19:00:00.000Z",
    ]


def test_the_earliest_times_are_given_and_no_more_than_a_list_takes() -> None:
    found = find("2026-11-26T00:00Z", "2027-06-01T00:00Z", free("UTC"))
    assert len(found) == MOST_TIMES
    assert found[0] == {"time": "2026-11-26T18:00:00.000Z", "minutes": 240}
    assert found == sorted(found, key=lambda one: one["time"])


def test_without_a_common_half_hour_there_is_no_time() -> None:
    mornings = free("UTC", mon=[["06:00", "09:00"]])
    assert find("2026-11-26T00:00Z", "2026-12-26T00:00Z", free("UTC"), mornings) == []


@pytest.mark.parametrize(
    ("value", "pointer"),
    [
        (None, ""),
        ({"timezone": "UTC"}, ""),
        ({"timezone": "Middle/Earth", "days": {}}, "/timezone"),
        ({"timezone": "../../etc/passwd", "days": {}}, "/timezone"),
        ({"timezone": 3, "days": {}}, "/timezone"),
        ({"timezone": "UTC", "days": []}, "/days"),
        (free("UTC", funday=[]), "/days/funday"),
        (free("UTC", mon=[["18:15", "19:00"]]), "/days/mon"),
        (free("UTC", mon=[["19:00", "18:00"]]), "/days/mon"),
        (free("UTC", mon=[["19:00"]]), "/days/mon"),
        (free("UTC", mon=[[1, 2]]), "/days/mon"),  # type: ignore[list-item]
        (free("UTC", mon=[["00:00", "00:30"]] * 9), "/days/mon"),
    ],
)
def test_each_fault_of_an_availability_is_named(value: Any, pointer: str) -> None:
    assert [place for place, _ in find_faults_of_availability(value)] == [pointer]
