"""The reckoning of notices finds what is doubled, stale, lost or foreign, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bench.faults.journal import Acknowledged, Fallback, OpenedGame
from bench.faults.notice_receiver import ReceivedNotice
from bench.faults.notice_reckoning import (
    FaultWindow,
    NoticeReckoning,
    StoredTurn,
    find_turns,
    reckon_notices,
)
from bench.faults.notice_telling import AwaitedTurn

GAME = "01GAME"
EVENTS: list[dict[str, Any]] = [
    {"type": "game_created", "version": 1},
    {"type": "game_started", "version": 2},
    # Seat 0 is asked twice, then the bot on seat 1 once, then seat 0 again.
    *({"type": "move_made", "version": 3 + n, "seat": s} for n, s in enumerate((0, 0, 1, 0))),
    {"type": "game_scored", "version": 7},
]
FIRST, SECOND = ReceivedNotice("m2", GAME, 2, 10.0, 0), ReceivedNotice("m5", GAME, 5, 30.0, 0)
WAITS = [AwaitedTurn(GAME, 2, 9.0, 10.0, True), AwaitedTurn(GAME, 5, 29.0, 89.0, False)]


def reckon(
    notices: Sequence[ReceivedNotice],
    *faults: FaultWindow,
    took: float = 11.0,
    fallbacks: Sequence[Fallback] = (),
) -> NoticeReckoning:
    moves = [Acknowledged(version, "", took, took) for version in (3, 4)]
    moves.append(Acknowledged(6, "", 31.0, 31.0))
    opened = OpenedGame(GAME, frozenset({0}), 0.0, 0.0, moves)
    return reckon_notices({GAME: opened}, lambda _: EVENTS, notices, WAITS, faults, fallbacks)


def test_a_turn_is_an_unbroken_run_of_moves_of_a_person() -> None:
    assert find_turns(GAME, EVENTS, frozenset({0})) == [
        StoredTurn(GAME, 2, 4, 0),
        StoredTurn(GAME, 5, 6, 0),
    ]


def test_one_message_for_each_turn_is_what_is_wanted_and_a_repetition_is_counted_apart() -> None:
    found = reckon([FIRST, FIRST, SECOND])
    assert list(found.problems()) == []
    assert (found.turns, found.told, found.messages, found.repeated) == (2, 2, 3, 1)


def test_a_second_message_about_a_turn_under_another_id_is_doubled() -> None:
    found = reckon([FIRST, SECOND, ReceivedNotice("m3", GAME, 3, 10.5, 0)])
    assert len(found.doubled) == 1
    assert "m2, m3" in found.doubled[0]


def test_a_message_about_a_turn_that_was_taken_long_ago_is_stale() -> None:
    assert reckon([FIRST, SECOND], took=5.1).stale == []
    (line,) = reckon([FIRST, SECOND], took=4.9).stale
    assert "5.1 s after the turn was taken" in line


def test_a_turn_without_a_message_is_lost_unless_a_fault_was_there() -> None:
    (line,) = reckon([FIRST]).lost
    assert "version 5, waited for 60.0 s" in line
    assert len(reckon([FIRST], FaultWindow("target killed", 20.0, 28.9)).lost) == 1
    excused = reckon([FIRST], FaultWindow("target killed", 20.0, 29.1))
    assert excused.lost == []
    assert excused.excused == {"target killed": 1}


def test_a_message_about_a_turn_that_never_was_is_foreign_unless_the_store_fell_back() -> None:
    strange = ReceivedNotice("m9", GAME, 9, 12.0, 0)
    elsewhere = ReceivedNotice("x", "01OTHER", 2, 12.0, 0)
    assert len(reckon([FIRST, SECOND, strange, elsewhere]).foreign) == 2
    found = reckon([FIRST, SECOND, strange], fallbacks=[Fallback(11.0, 12.5)])
    assert (found.foreign, found.fallen) == ([], 1)
    assert len(reckon([FIRST, SECOND, strange], fallbacks=[Fallback(12.1, 13.0)]).foreign) == 1


def test_a_second_message_of_a_future_that_fell_back_is_not_doubled() -> None:
    again = ReceivedNotice("m3", GAME, 3, 10.5, 0)
    found = reckon([FIRST, SECOND, again], fallbacks=[Fallback(10.2, 12.5)])
    assert (found.doubled, found.fallen) == ([], 1)


def test_the_turn_of_another_seat_in_a_future_that_fell_back_is_not_doubled() -> None:
    other = ReceivedNotice("m2 of another", GAME, 2, 9.5, 1)
    found = reckon([other, FIRST, SECOND], fallbacks=[Fallback(9.0, 9.8)])
    assert (found.doubled, found.fallen) == ([], 1)
    assert len(reckon([other, FIRST, SECOND]).doubled) == 1
