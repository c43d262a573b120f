"""How long turns took, and the median of many."""

from __future__ import annotations

import statistics
from collections import Counter
from random import Random

from cartulary.events.profiles.turns import Turn, find_median, find_span, list_turns
from tests.events.support.finished_games import MINUTE, at, move

STARTED = {"version": 1, "type": "game_started", "at": at(0)}


def test_a_run_of_decisions_is_one_turn() -> None:
    events = [STARTED, move(2, 0, 1000), move(3, 0, 3000), move(4, 1, 7000)]
    assert list(list_turns(events, set())) == [Turn(0, 3000), Turn(1, 4000)]


def test_in_a_timed_game_the_clock_says_how_long_a_turn_took() -> None:
    clock = {"used": 2500, "stopped": 57_500, "bank": 0}
    events = [STARTED, move(2, 0, MINUTE, clock=clock)]
    assert list(list_turns(events, set())) == [Turn(0, 2500)]


def test_turns_of_bots_and_stand_ins_are_left_out() -> None:
    bot = {"level": "medium", "version": 1}
    events = [
        STARTED,
        move(2, 0, 1000, bot=bot),
        move(3, 1, 2000),
        move(4, 1, 3000, bot=bot, by="stand_in"),
        move(5, 0, 4000, by="standing_answer"),
        move(6, 1, 9000),
    ]
    assert list(list_turns(events, set())) == [Turn(1, 5000)]


def test_the_median_is_right_within_a_tenth(rng: Random) -> None:
    times = [rng.lognormvariate(10, 1.5) for _ in range(2000)]
    spans = Counter(find_span(round(ms)) for ms in times)
    found, right = find_median(spans), statistics.median(times) / 1000
    assert found is not None
    assert abs(found - right) <= 0.1 * right + 0.5


def test_short_and_endless_turns_have_spans_and_no_turn_has_no_median() -> None:
    assert find_median({find_span(-5): 1}) == 1
    assert find_span(10**15) == find_span(10**16)
    assert find_median({}) is None
