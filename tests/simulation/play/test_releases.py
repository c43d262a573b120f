"""Dispatcher and workers of the first release next to web processes of today, back and forth."""

from __future__ import annotations

import pytest

from tests.simulation.worlds import run_in_world

pytestmark = [pytest.mark.process, pytest.mark.timeout(300)]

PLAY = """
from simulation.play.profiles import PROFILES
from simulation.play.run import Run
def play(hours, only_first=False):
    run = Run("7", "releases", PROFILES["releases"], hours, None)
    earlier = []
    run.network.heard.append(lambda process, words, reply: earlier.append(
        process.release and words[0] == b"EVALSHA" and words[3].endswith(b":events")))
    return run.play(only_first), earlier
"""


def test_two_releases_play_the_same_games_and_the_format_rises_when_the_first_has_stopped() -> None:
    said = run_in_world(
        PLAY
        + "report, earlier = play(0.012)\n"
        + "print(len(list(filter(None, earlier))), report.faults['other_release'])\n"
        + "print(*report.findings, sep='\\n')"
    )
    figures, findings = said.split("\n", 1)
    appends, switches = map(int, figures.split())
    assert appends > 5
    assert switches > 0
    assert findings.strip() == ""


def test_a_gate_that_lets_new_events_come_too_early_is_found() -> None:
    said = run_in_world(
        PLAY
        + """
from cartulary.events.server.format import FORMAT, Level
Level.read = lambda self: FORMAT
print(*play(0.03, only_first=True)[0].findings, sep="\\n")
"""
    )
    assert "the first release cannot read version" in said
    assert "'moves_taken_back', schema 2" in said
