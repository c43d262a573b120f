"""An order of the calls is found where there is one, and missed nowhere."""

from __future__ import annotations

import random

from simulation.checks.history import NotedCall
from simulation.checks.linear import find_disorder


def append(
    called: int, returned: int, first: int, last: int | None = None, key: str = ""
) -> NotedCall:
    key = key or f"k{first}"
    return NotedCall("g", "Ann", "move", key, called, returned, first, last or first)


def read(called: int, returned: int, seen: int) -> NotedCall:
    return NotedCall("g", "Bob", "read", "", called, returned, seen=seen)


def test_calls_one_after_another_are_in_order() -> None:
    assert not find_disorder([append(0, 1, 1), read(2, 3, 1), append(4, 5, 2), read(6, 7, 2)], 2)


def test_a_read_that_overlaps_an_append_may_see_it_or_not() -> None:
    assert not find_disorder([append(0, 1, 1), append(2, 9, 2), read(3, 4, 1)], 2)
    assert not find_disorder([append(0, 1, 1), append(2, 9, 2), read(3, 4, 2)], 2)


def test_a_read_that_misses_what_was_acknowledged_before_it_is_found() -> None:
    assert "saw version 1" in find_disorder([append(0, 1, 1), append(2, 3, 2), read(4, 5, 1)], 2)


def test_a_read_that_goes_back_is_found() -> None:
    history = [append(0, 1, 1), append(2, 9, 2), read(3, 4, 2), read(5, 6, 1)]
    assert find_disorder(history, 2)


def test_a_read_of_what_is_not_stored_is_found() -> None:
    assert find_disorder([append(0, 1, 1), read(2, 3, 2)], 1)


def test_a_later_append_below_an_earlier_one_is_found() -> None:
    assert find_disorder([append(0, 1, 2), append(2, 3, 1)], 2)


def test_versions_of_bots_come_about_when_they_are_needed() -> None:
    assert not find_disorder([append(0, 1, 1), read(2, 3, 4), append(4, 5, 6)], 6)


def test_a_repeated_key_is_one_append_before_its_first_answer() -> None:
    twice = [append(0, 9, 1, key="k"), append(2, 3, 1, key="k")]
    assert not find_disorder([*twice, read(4, 5, 1)], 1)
    assert find_disorder([*twice, append(6, 7, 2), read(8, 8, 1)], 2)


def test_long_histories_of_several_people_are_decided() -> None:
    rng, calls, version, at = random.Random(1), [], 0, 0
    for _ in range(400):
        at += 10
        if rng.random() < 0.5:
            version += 1
            calls.append(append(at - rng.randrange(9), at + rng.randrange(9), version))
        else:
            calls.append(read(at - rng.randrange(9), at + rng.randrange(9), version))
    calls = [call for call in calls if call.first or call.seen]
    assert not find_disorder(calls, version)
    stale = read(at + 20, at + 21, version - 1)
    assert find_disorder([*calls, stale], version)
