"""The protocols hold within their bounds, and not without any of their defences."""

from __future__ import annotations

import importlib
import re
from functools import partial
from typing import Any

import pytest

from simulation.specification import __main__ as command
from simulation.specification import archiving
from simulation.specification.__main__ import check, find_break
from simulation.specification.checked import CHECKED, Build, Defence
from simulation.specification.model import Action
from tests.support.night import at_night

USUAL = [build for checked in CHECKED for build in checked.usual]
PARTS: list[Build] = [
    partial(archiving.build, faults=0),
    partial(archiving.build, ("archiver-1",)),
]
"""By day, what `archiving.build` checks at once: two archivers, and a row that is not written."""
BUILDS = [*PARTS, *(build for build in USUAL if build is not archiving.build)]
FIRST = [*PARTS, *(checked.usual[0] for checked in CHECKED)]
NIGHT = [archiving.build, *(build for checked in CHECKED for build in checked.night)]
DEFENCES = [defence for checked in CHECKED for defence in checked.defences]
ACTIONS = [action for checked in CHECKED for action in checked.usual[0]().actions]
PART = re.compile(r"[a-z_]+(?:\.[a-z_]+)+: \w+(?:\.\w+)?")
OUTSIDE = {
    *("a dispatcher dies", "a web process dies", "no web process works"),
    *("the clock", "the cluster", "the disk of the store", "the replica", "the store: EXPIRE"),
}
"""What happens around the code of the service: an action of the model that no function does."""


def name_build(build: Build) -> str:
    return build().name


@pytest.mark.slow
@pytest.mark.parametrize("build", BUILDS, ids=name_build)
def test_a_protocol_keeps_its_invariants_and_promises_and_each_action_happens(
    build: Build,
) -> None:
    graph = check(build())
    if build in FIRST:
        happen = {edge.step.action for edges in graph.edges for edge in edges}
        assert happen == {action.name for action in graph.model.actions}


@at_night(
    "tests/simulation/specification/test_models.py::"
    "test_a_protocol_keeps_its_invariants_and_promises_and_each_action_happens"
)
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("build", NIGHT, ids=name_build)
def test_a_protocol_keeps_them_with_larger_bounds(build: Build) -> None:
    check(build())


@pytest.mark.parametrize("defence", DEFENCES, ids=lambda one: f"{one.build().name}, {one.name}")
def test_each_defence_is_needed(defence: Defence) -> None:
    assert "not always" in find_break(defence.build())


@pytest.mark.parametrize("action", ACTIONS, ids=lambda one: one.name)
def test_an_action_names_code_that_exists(action: Action[Any]) -> None:
    places = PART.findall(action.stands_for)
    assert bool(places) is (action.stands_for not in OUTSIDE)
    for place in places:
        module, _, path = place.partition(": ")
        found: Any = importlib.import_module(f"cartulary.{module}")
        for part in path.split("."):
            found = getattr(found, part)
        assert callable(found)


def test_what_is_outside_the_code_is_named_by_an_action() -> None:
    assert {action.stands_for for action in ACTIONS} >= OUTSIDE


@pytest.mark.slow
def test_the_command_prints_bounds_and_states(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    last = CHECKED[-1]
    monkeypatch.setattr(command, "CHECKED", [last])
    assert command.main(["no night"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == len(last.usual) + len(last.defences)
    assert re.search(r"11554 states, 58604 steps; 3 invariants, 1 promises", "\n".join(printed))
