"""Many runs: what they add up to, and how a finding is shown again."""

from __future__ import annotations

import json
import subprocess
from itertools import pairwise
from typing import Any

import pytest

from simulation.play.profiles import PROFILES
from simulation.story import many
from simulation.story.many import MIX, ManyRuns, arrange

FIGURES = dict.fromkeys(
    ("games", "moves", "events", "restarts", "taken", "told", "archived", "rated", "tournaments"), 2
) | {"processor_s": 1.5}


@pytest.mark.parametrize("code", [2, 1])
def test_a_run_that_says_nothing_is_a_finding(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    said = subprocess.CompletedProcess(["run"], code, "", "killed")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: said)
    runs = ManyRuns(0.5, 0.5, ["store"], first=7)
    runs.work()
    command = "script/simulate-faults 7 --profile=store --hours=0.5"
    assert runs.to_json()["findings"] == [f"{command}: ['killed']"]


def test_many_runs_add_up_and_name_the_command_of_each_finding(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers: list[Any] = [
        (0, {**FIGURES, "hours": 1.0, "faults": {"pause": 3}, "findings": []}),
        (1, {**FIGURES, "hours": 1.0, "faults": {"late": 1}, "findings": ["lost: 1 x A"]}),
        (2, None),
    ]

    def run(words: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        code, found = answers.pop(0)
        return subprocess.CompletedProcess(words, code, json.dumps(found), "the run fails")

    monkeypatch.setattr(subprocess, "run", run)
    runs = ManyRuns(2.5, 0.5, ["store", "storm"], first=7)
    runs.work()
    found = runs.to_json()
    assert (found["runs"], found["hours"], found["moves"], found["faults"]) == (3, 2.5, 4, 4)
    assert found["by_profile"]["storm"] == {"hours": 1.0, "moves": 2, "processor_s": 1.5}
    assert found["findings"] == [
        "script/simulate-faults 8 --profile=storm --hours=0.5: lost: 1 x A",
        "script/simulate-faults 9 --profile=store --hours=0.5: ['the run fails']",
    ]


def test_a_round_of_a_night_has_every_profile_and_spreads_those_that_come_more_often() -> None:
    turns = arrange(MIX)
    assert {name: turns.count(name) for name in PROFILES} == MIX
    slow = [place for place, name in enumerate(turns) if name == "slow"]
    assert all(after - before > 1 for before, after in pairwise(slow))


def test_runs_end_when_the_hours_of_a_processor_are_over(monkeypatch: pytest.MonkeyPatch) -> None:
    spent = iter((0.0, 0.4, 0.4, 0.6, 0.6, 0.6))
    answer: dict[str, Any] = {**FIGURES, "hours": 0.5, "faults": {}, "findings": []}
    monkeypatch.setattr(many, "_read_processor", lambda: next(spent))
    monkeypatch.setattr(
        subprocess,
        "run",
        lambda words, **_: subprocess.CompletedProcess(words, 0, json.dumps(answer), ""),
    )
    runs = ManyRuns(99.0, 0.5, ["store"], first=7, processor_hours=0.5)
    runs.work()
    assert runs.to_json()["night"] == {"hours": 27, "moves": 107}
