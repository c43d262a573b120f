"""Messages about turns, in a world of their own."""

from __future__ import annotations

import json

import pytest

from bench.faults.notice_receiver import ReceivedNotice
from bench.faults.notice_telling import AwaitedTurn
from simulation.checks.told_turns import find_wrong_notices
from tests.simulation.worlds import simulate

EVENTS = [
    {"version": 2, "type": "game_started", "seat": None, "at": "1970-01-01T00:00:00.000Z"},
    {"version": 3, "type": "move_made", "seat": 0, "at": "1970-01-01T00:00:10.000Z"},
    {"version": 4, "type": "move_made", "seat": 1, "at": "1970-01-01T00:00:20.000Z"},
]


def find(*notices: ReceivedNotice, waits: tuple[AwaitedTurn, ...] = ()) -> list[str]:
    """Return what is wrong with messages about a game in which seat 1 is a person."""
    return list(find_wrong_notices("G", EVENTS, frozenset({1}), notices, waits, (), (), 0.0))


def test_one_message_about_a_turn_in_its_time_is_right() -> None:
    told = ReceivedNotice("a", "G", 3, 10.5, 1)
    assert find(told, told) == []


def test_two_messages_about_a_turn_are_found() -> None:
    said = find(ReceivedNotice("a", "G", 3, 10.5, 1), ReceivedNotice("b", "G", 3, 11.0, 1))
    assert said == ["G version 3: told twice: a, b"]


def test_a_message_after_its_turn_was_taken_is_found() -> None:
    said = find(ReceivedNotice("a", "G", 3, 26.0, 1))
    assert said == ["G version 3: told 6.0 s after the turn was taken"]


def test_a_message_about_no_turn_is_found() -> None:
    said = find(ReceivedNotice("a", "G", 4, 21.0, 0))
    assert said == ["G version 4: told of a turn that is not in the stream"]


def test_a_turn_that_a_person_waited_for_in_vain_is_found() -> None:
    wait = AwaitedTurn("G", 3, 10.0, 250.0, told=False)
    assert find(waits=(wait,)) == ["G version 3: not told in 240 s"]


@pytest.mark.process
@pytest.mark.timeout(600)
def test_people_who_wait_for_messages_get_them_once_and_in_time() -> None:
    report = json.loads(simulate("9", "--hours=0.002", "--profile=notices", "--json").stdout)
    assert report["findings"] == []
    assert report["told"] > 10
