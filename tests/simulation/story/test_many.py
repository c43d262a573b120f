"""Many runs: what they add up to, and how a finding is shown again."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from simulation.story.many import ManyRuns

FIGURES = dict.fromkeys(
    ("games", "moves", "events", "restarts", "taken", "told", "archived", "rated", "tournaments"), 2
)


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
    assert found["findings"] == [
        "script/simulate-faults 8 --profile=storm --hours=0.5: lost: 1 x A",
        "script/simulate-faults 9 --profile=store --hours=0.5: ['the run fails']",
    ]
