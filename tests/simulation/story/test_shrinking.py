"""A smaller run that finds the same replaces a larger one."""

from __future__ import annotations

from collections.abc import Sequence

from simulation.story.shrinking import shrink, sign


def test_the_faults_that_are_needed_together_are_left() -> None:
    def attempt(chosen: Sequence[int], hours: float) -> Sequence[str]:
        return ["lost: game 7"] if {3, 17} <= set(chosen) and hours >= 0.3 else []

    smaller = shrink(attempt, range(40), 2.0, "lost: game 41", most=200)
    assert smaller.faults == [3, 17]
    assert smaller.hours == 0.5


def test_a_run_that_finds_something_else_replaces_nothing() -> None:
    def attempt(chosen: Sequence[int], hours: float) -> Sequence[str]:
        return ["lost: game 7"] if len(chosen) == 6 else ["not all games end"]

    assert shrink(attempt, range(6), 1.0, "lost: game 7", most=50).faults == [*range(6)]


def test_no_more_runs_are_made_than_are_allowed() -> None:
    made: list[int] = []

    def attempt(chosen: Sequence[int], hours: float) -> Sequence[str]:
        made.append(len(chosen))
        return ["lost"]

    shrink(attempt, range(100), 1.0, "lost", most=7)
    assert len(made) == 7


def test_findings_of_one_kind_have_one_sign() -> None:
    first = "01MCC5RM08KFNS8RH0WF69SP86 version 49 is lost"
    assert sign(first) == sign("01MCC5RM09QVACYC0RPERT9FQ3 version 5 is lost")
    assert sign(first) != sign("01MCC5RM09QVACYC0RPERT9FQ3 is not found")
