"""Budgets: what a bot may think with, and by when."""

from __future__ import annotations

import random
import signal
import time
from types import FrameType

import pytest

from cartulary.bots.base import BotEntry
from cartulary.bots.randomly import play_randomly
from cartulary.bots.thought import Budget
from cartulary.engine.chance import RandomSource
from cartulary.games import OFFERS
from cartulary.workers.thinking.budgets import (
    DEADLINE_S,
    LEAST,
    QUICK_MS,
    choose_budget,
    ends_within,
    find_deadline,
    is_quick,
)

HARD = BotEntry(play_randomly, "", ms=150, budget=Budget(64))


@pytest.mark.parametrize(
    ("waited", "iterations"), [(0, 64), (-5, 64), (1000, 32), (2000, 16), (3000, 8), (60_000, 4)]
)
def test_a_budget_is_halved_for_each_second_of_waiting_down_to_a_floor(
    waited: int, iterations: int
) -> None:
    budget = choose_budget(HARD, waited)
    assert budget.iterations == iterations
    assert budget.seconds == pytest.approx(0.25 * iterations / 64)


def test_a_bot_has_the_budget_of_the_size_of_its_table() -> None:
    entry = OFFERS["carcassonne"].bots["hard"]
    two, five = (choose_budget(entry, 0, seats).iterations for seats in (2, 5))
    assert (two, five) == (96, 176)


def test_the_smallest_budget_of_each_level_gives_a_legal_move() -> None:
    for offer in OFFERS.values():
        rules, rng = offer.rules, random.Random(1)
        options = rules.check(2, {})
        state = rules.new(2, options, rules.draw_setup(2, options, rng))
        state.settle(RandomSource(rng))
        for entry in offer.bots.values():
            budget = choose_budget(entry, 3_600_000)
            assert entry.think(state.copy(), random.Random(1), budget).moves[0] in state.moves()


def test_the_seconds_of_a_budget_are_those_that_the_level_takes_and_some_more_below_a_second() -> (
    None
):
    assert choose_budget(HARD, 0).seconds == 0.25
    longest = BotEntry(play_randomly, "", ms=1000, budget=Budget(400))
    assert choose_budget(longest, 0).seconds == 1.0
    timed = BotEntry(play_randomly, "", ms=150, budget=Budget(64, 0.5))
    assert choose_budget(timed, 0).seconds == 0.5


def test_a_bot_is_quick_when_it_is_measured_so_or_does_not_search() -> None:
    assert is_quick(BotEntry(play_randomly, "", ms=QUICK_MS))
    assert is_quick(BotEntry(play_randomly, ""))
    assert not is_quick(BotEntry(play_randomly, "", ms=QUICK_MS + 1))
    assert not is_quick(BotEntry(play_randomly, "", budget=Budget(9)))


def test_the_deadline_leaves_a_bot_several_times_what_its_level_takes() -> None:
    assert find_deadline(HARD) == DEADLINE_S
    assert find_deadline(BotEntry(play_randomly, "", ms=3000)) == 12.0
    assert 0 < LEAST < 1


def test_a_bot_that_misses_its_deadline_is_interrupted() -> None:
    def think_for_ever() -> None:
        while True:
            time.sleep(0.001)

    with pytest.raises(TimeoutError), ends_within(0.01):
        think_for_ever()


def test_the_alarm_of_the_job_goes_on_after_a_deadline() -> None:
    rung: list[int] = []

    def ring(number: int, _frame: FrameType | None) -> None:
        rung.append(number)

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 60)
        with ends_within(30):
            pass
        left, _ = signal.getitimer(signal.ITIMER_REAL)
        assert 30 < left <= 60
        signal.setitimer(signal.ITIMER_REAL, 0)
        with ends_within(30):
            pass
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        assert signal.getsignal(signal.SIGALRM) is ring
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
