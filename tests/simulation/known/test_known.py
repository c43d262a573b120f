"""Past faults of the product are found again when they are put back, and only then."""

from __future__ import annotations

import json

import pytest

from simulation.known import hunting
from simulation.known.catalogue import KNOWN
from simulation.known.known_fault import KnownRun
from simulation.known.patches import CodePatch, PatchOutdated, apply_patch
from simulation.story import shrinking
from tests.simulation.worlds import expect_clean, run_in_world, simulate

STORED = (
    "full memory is 500",
    "key without seat",
    "start after 30 s of loading",
    "worker ends at a refusal",
    "worker ends while the store loads",
)
"""Those whose stored runs are tried on each commit; the others are in the night."""


def write_words(name: str) -> tuple[str, ...]:
    """Return the words of the stored run; two faults may have the same one."""
    stored = KNOWN[name].stored
    assert stored is not None
    seed, profile, hours, only = stored
    words = (seed, f"--profile={profile}", f"--hours={hours}")
    return words if only is None else (*words, f"--only={','.join(map(str, only))}")


def test_there_are_twenty_known_faults_and_most_have_a_stored_run() -> None:
    assert len(KNOWN) >= 20
    assert sum(fault.stored is not None for fault in KNOWN.values()) >= 12


@pytest.mark.process
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", STORED)
def test_the_stored_run_of_a_past_fault_finds_it(name: str) -> None:
    fault = KNOWN[name]
    found = json.loads(simulate(*write_words(name), "--with", name, "--first", "--json").stdout)
    assert any(fault.check in line for line in found["findings"]), found["findings"]


@pytest.mark.process
@pytest.mark.timeout(600)
@pytest.mark.parametrize("words", sorted({write_words(name) for name in STORED}))
def test_the_same_run_without_the_fault_finds_nothing(words: tuple[str, ...]) -> None:
    expect_clean(*words)


@pytest.mark.process
@pytest.mark.timeout(600)
def test_who_repeats_the_command_of_a_failing_test_sees_the_same_story() -> None:
    name = "key without seat"
    words = [*write_words(name), "--with", name, "--first"]
    with pytest.raises(AssertionError) as failure:
        expect_clean(*words)
    told = str(failure.value)
    again = simulate(*words).stdout
    assert again in told
    [command] = [line for line in again.splitlines() if line.startswith("again: ")]
    assert command.startswith(f"again: script/simulate-faults {words[0]} ")
    assert f"--with '{name}'" in command


@pytest.mark.process
def test_each_patch_fits_the_code_of_today() -> None:
    said = run_in_world(
        """
import simulation.play.run
from simulation.known.catalogue import KNOWN
from simulation.known.patches import apply_patch, find_reader
undone = []
for fault in KNOWN.values():
    def replace(owner, name, value):
        undone.append((owner, name, owner.__dict__[name]))
        setattr(owner, name, value)
    for patch in fault.patches:
        apply_patch(patch, replace)
    while undone:
        setattr(*undone.pop())
print(len(KNOWN))
"""
    )
    assert int(said) == len(KNOWN)


def test_a_patch_whose_text_is_gone_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    patch = CodePatch("simulation.known.patches:list_users", "no such text", "")
    with pytest.raises(PatchOutdated, match="list_users has changed"):
        apply_patch(patch, monkeypatch.setattr)


def test_a_function_may_be_patched_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    place = "simulation.story.shrinking:sign"
    apply_patch(CodePatch(place, '_CHANGES.sub("#", finding)', "finding"), monkeypatch.setattr)
    apply_patch(CodePatch(place, "[:60]", "[:4]"), monkeypatch.setattr)
    assert shrinking.sign("game 17") == "game"
    monkeypatch.undo()
    assert shrinking.sign("game 17") == "game #"


@pytest.mark.parametrize("lines", [["found"], []])
def test_where_stored_runs_are_asked_for_no_other_is_tried(
    monkeypatch: pytest.MonkeyPatch, lines: list[str]
) -> None:
    tried: list[tuple[KnownRun, str | None]] = []

    def try_run(run: KnownRun, known: str | None, _most_s: float = 0.0) -> hunting.TriedRun:
        tried.append((run, known))
        return hunting.TriedRun(lines if known else [], 1.0)

    monkeypatch.setattr(hunting, "try_run", try_run)
    name = "phantom state"
    [stored] = hunting.list_stored(KNOWN[name])
    [came] = hunting.hunt_all([name], hunting.list_stored, 1.0, lambda _line: None)
    assert (came.run, came.runs) == (stored if lines else None, 1)
    assert tried == [(stored, name), (stored, None)][: 1 + len(lines)]
