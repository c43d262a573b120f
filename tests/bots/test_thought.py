"""A budget and its meter."""

from __future__ import annotations

import pytest

from cartulary.bots import Budget


class Clock:
    def __init__(self) -> None:
        self.now = 100.0
        self.readings = 0

    def __call__(self) -> float:
        self.readings += 1
        return self.now


@pytest.mark.parametrize(
    ("iterations", "seconds"),
    [
        (None, None),
        (0, None),
        (-1, None),
        (None, 0),
        (None, -0.1),
        (5, 0),
        (0, 1),
        (None, float("nan")),
        (None, float("inf")),
    ],
)
def test_a_budget_outside_its_bounds_is_refused(
    iterations: int | None, seconds: float | None
) -> None:
    with pytest.raises(ValueError, match="budget needs"):
        Budget(iterations, seconds)


def test_a_budget_of_iterations_never_reads_the_clock() -> None:
    clock = Clock()
    meter = Budget(3, clock=clock).begin()
    assert meter.left == 3
    meter.count(2)
    assert not meter.is_over()
    assert meter.estimate() == 3
    meter.count()
    assert meter.is_over()
    assert meter.left == 0
    assert clock.readings == 0


def test_a_budget_of_time_is_over_when_the_clock_says_so() -> None:
    clock = Clock()
    meter = Budget(seconds=0.5, clock=clock).begin()
    assert meter.left > 10**9
    clock.now += 0.49
    assert not meter.is_over()
    clock.now += 0.02
    assert meter.is_over()


def test_with_both_bounds_the_first_that_is_reached_ends_the_thought() -> None:
    clock = Clock()
    meter = Budget(2, 1.0, clock).begin()
    meter.count(2)
    assert meter.is_over()
    meter = Budget(2, 1.0, clock).begin()
    clock.now += 1
    assert meter.is_over()


def test_the_estimate_follows_from_the_speed_so_far() -> None:
    clock = Clock()
    meter = Budget(seconds=1.0, clock=clock).begin()
    clock.now += 0.1
    meter.count(4)
    assert meter.estimate() == pytest.approx(40, abs=1)
    meter = Budget(10, 1.0, clock).begin()
    clock.now += 0.01
    meter.count()
    assert meter.estimate() == 10
    meter = Budget(10, 1.0, clock).begin()
    clock.now += 7
    meter.count()
    assert meter.estimate() == 1


def test_a_clock_that_has_not_ticked_yet_gives_no_thought_without_end() -> None:
    meter = Budget(seconds=0.1, clock=Clock()).begin()
    meter.count(8)
    assert 8 <= meter.estimate() <= 100


def test_a_budget_that_shrinks_keeps_one_iteration() -> None:
    half = Budget(9, 1.0).shrink(0.5)
    assert (half.iterations, half.seconds) == (4, 0.5)
    assert Budget(1).shrink(0.1).iterations == 1
    assert Budget(seconds=2).shrink(0.25).seconds == 0.5
