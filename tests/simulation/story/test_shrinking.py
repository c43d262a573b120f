"""A smaller run that finds the same replaces a larger one."""

from __future__ import annotations

from collections.abc import Sequence

from simulation.faults.schedule import PlannedFault
from simulation.play.report import RunReport
from simulation.story.shrinking import cut_off, shrink, sign
from simulation.story.telling import AFTER, choose_lines, write_lines
from simulation.world.trace import FINDING, TracedLine
from simulation.world.world import SECOND


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


def test_what_comes_after_the_finding_is_left_out_without_a_run() -> None:
    schedule = [PlannedFault(n, n * 100 * SECOND, "cut_after", "web-1", 0.5, 0) for n in range(9)]
    report = RunReport("7", "crashes", 1.0, findings=["lost: game 7"])
    assert cut_off(schedule, 1.0, report) == ([*range(9)], 1.0)
    report.lines.append(TracedLine(250 * SECOND, "people", f"{FINDING}lost: game 7"))
    assert cut_off(schedule, 1.0, report) == ([0, 1, 2], 251 / 3600)


def test_what_the_judge_finds_in_the_end_needs_the_whole_run() -> None:
    report = RunReport("7", "crashes", 0.01, findings=["lost"])
    report.lines.append(TracedLine(40 * SECOND, "people", f"{FINDING}lost"))
    assert cut_off([], 0.01, report) == ([], 0.01)


def test_a_story_names_a_game_by_a_number() -> None:
    game = "01MCC5RM08KFNS8RH0WF69SP86"
    lines = [TracedLine(2 * SECOND, "Ann", f"asks for move at 3 of {game} with key 1234")]
    assert [*write_lines(lines)] == [
        f"G1 is {game}",
        "t=2.000 Ann asks for move at 3 of G1 with key 1234",
    ]


def test_a_story_is_about_the_version_that_the_audit_names() -> None:
    game = "01MCC5RM08KFNS8RH0WF69SP86"
    lines = [
        TracedLine(n * SECOND, "web-1", f"appends {n} (move_made) to {game}: stored")
        for n in range(1, 200)
    ]
    told = choose_lines(lines, f"{game}: {{'version': 60, 'problem': 'state_hash'}}")
    assert lines[59] in told
    assert told[-1] == lines[59 + AFTER - 1]
