"""Traces of simulated duplicate rounds are runs of the model of sealing; mutated ones are not."""

from __future__ import annotations

import pytest

from simulation.specification.accepting import RefusedTrace
from simulation.specification.model import ModelStep
from simulation.specification.observing.rounds import RoundTrace, follow
from tests.simulation.worlds import run_in_world

HELPERS = ("dispatcher-1", "dispatcher-2", "host")

SEEN = [
    ModelStep("make", ("dispatcher-2", 0)),
    ModelStep("make", ("dispatcher-1", 1)),
    ModelStep("end", (0, None)),
    ModelStep("end", (1, None)),
    ModelStep("close", ("dispatcher-2",)),
    ModelStep("note", ("dispatcher-1",)),
]
"""What seed 1 of the profile `tournaments` has done, but for who notes it."""

RUN = """
from simulation.play.profiles import PROFILES
from simulation.play.run import Run
run = Run("1", "tournaments", PROFILES["tournaments"], 0.015, None)
report = run.play()
print(sum(len(one.steps) for one in run.rounds.rounds.values()))
print(*report.findings, sep="\\n")
"""

SHOWS = """
from simulation.known.patches import CodePatch, apply_patch
apply_patch(CodePatch("cartulary.events.draws.draws:Draws.reveal",
    "if table.fair.round is not None:", "if False:"))
"""


def accepts(*steps: ModelStep) -> int:
    return follow(RoundTrace(("a", "b"), list(steps)), HELPERS)


def test_what_a_round_has_written_is_a_run_of_the_model() -> None:
    assert accepts(*SEEN) == len(SEEN)


MUTATED = {
    "the round is closed while a game is played": [0, 1, 2, 4],
    "it is closed before the last game is made": [0, 2, 4],
    "it is noted before it is closed": [0, 1, 2, 3, 5],
    "it is noted twice": [0, 1, 2, 3, 4, 5, 5],
    "a game is made twice": [0, 0],
    "a game ends before it is made": [0, 3],
    "a game ends twice": [0, 1, 2, 2],
    "it is closed twice": [0, 1, 2, 3, 4, 4],
}


@pytest.mark.parametrize("order", MUTATED.values(), ids=MUTATED)
def test_a_mutated_trace_is_refused(order: list[int]) -> None:
    steps = [SEEN[number] for number in order]
    with pytest.raises(RefusedTrace):
        accepts(*steps)


def test_a_last_event_that_shows_the_secret_is_refused() -> None:
    with pytest.raises(RefusedTrace):
        accepts(*SEEN[:2], ModelStep("end", (0, "of the round")))


@pytest.mark.process
@pytest.mark.timeout(300)
def test_the_rounds_of_a_simulated_service_are_runs_of_the_model() -> None:
    steps, findings = run_in_world(RUN).split("\n", 1)
    assert int(steps) >= 6
    assert findings.strip() == ""


@pytest.mark.process
@pytest.mark.timeout(300)
def test_a_service_that_shows_the_secret_with_the_first_game_that_ends_is_refused() -> None:
    said = run_in_world(SHOWS + RUN)
    assert "is not in the model: end 0 " in said or "is not in the model: end 1 " in said
