"""Comparisons with a rebuild during a run: they find what is wrong, and change nothing."""

from __future__ import annotations

import pytest

from cartulary.events.server import keys
from simulation.checks.sampling import compare_traces
from tests.simulation.worlds import run_in_world

pytestmark = [pytest.mark.process, pytest.mark.timeout(300)]

PLAY = """
from simulation.play.profiles import Profile
from simulation.play.run import Run
from simulation.checks import sampling
sampling.MENDED_NS = 10**9
def play(hours, faults, look=True):
    profile = Profile(webs=1, tables=1, thinks_s=1.0, looks_s=1.0, faults=faults)
    run = Run("5", "own", profile, hours, None)
    if not look:
        run.world.look = lambda: None
    return run.play()
"""

DIGEST = PLAY + "report = play(0.008, {'crash_after': 2000.0}, look=%s); print(report.digest)\n"


def test_a_run_is_the_same_with_and_without_the_comparisons() -> None:
    looked = run_in_world(DIGEST % True + "print(report.sampled, *report.findings)")
    digest, sampled = looked.splitlines()
    assert int(sampled) > 3  # and no finding stands behind it
    assert run_in_world(DIGEST % False).strip() == digest


def test_a_list_that_differs_is_found_while_people_play() -> None:
    said = run_in_world(
        PLAY
        + """
from cartulary.events.lists.update_lists import ListUpdater
follow = ListUpdater.follow
ListUpdater.follow = lambda self, table: table.version > 8 or follow(self, table)
print(*play(0.008, {}).findings, sep="\\n")
"""
    )
    first = said.splitlines()[0]
    assert first.startswith("at ")
    assert float(first.split()[1]) < 0.008 * 3600
    assert "a list differs from its rebuild" in first


def test_a_game_may_be_due_later_than_its_rebuild_says_and_never_earlier() -> None:
    """Seed 36006 of profile clocks: an outage had lengthened a turn, and the sweep knew."""
    key = keys.due().encode()
    assert compare_traces({key: 2.0}, {key: 1.0}, 3) == ""
    for wrong in ({key: 1.0}, {}):
        assert compare_traces(wrong, {key: 2.0}, 3).startswith(f"{keys.due()} at version 3 was ")
