"""A real `serve` keeps its promises while its parts die, hang and run out of room."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from bench.faults.people import Habits
from bench.faults.run import HABITS, FaultRun
from bench.service import soak
from tests.support.night import short_or_long

pytestmark = [
    pytest.mark.slow,
    pytest.mark.real,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc"),
]

SEED = int(os.environ.get("CARTULARY_FAULTS_SEED", "0")) or short_or_long(27, int(time.time()))
"""Another order of faults every night, by day the same one: a red run is of the change alone.

The variable makes a run again.
"""

MOST, KINDS, MINUTES, CLIENTS = short_or_long((2, 2, 1.0, 2), (100, 20, 8.0, 5))
"""Faults of a run, the least number of kinds, how long it takes at most, and those who play.

Every kind comes in some night: the seed chooses them.
"""

PEOPLE = short_or_long(Habits(bots=("random",), seats=2), HABITS)
"""In CI the games are short: the run ends when they do."""

FEW: dict[str, str] = short_or_long({"CARTULARY_NOTICES": "0", "CARTULARY_WEB_PROCESSES": "1"}, {})
"""In CI the service has few processes: the start of each takes half a second of a processor."""


@pytest.mark.timeout(short_or_long(280, 1200))
def test_nothing_acknowledged_is_lost_or_doubled_and_every_game_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in FEW.items():
        monkeypatch.setenv(name, value)
    print(f"CARTULARY_FAULTS_SEED={SEED}")
    run = FaultRun(
        MINUTES, SEED, faults=MOST, clients=CLIENTS, habits=PEOPLE, disk_mb=96, say=print
    )
    outcome = run.main(tmp_path)
    found = outcome.reckoning
    assert not list(found.problems())
    # The order of faults may have a fall-back of the store, which takes what it had acknowledged.
    assert found.events > found.acknowledged - found.taken > 0
    assert found.games >= CLIENTS
    kinds = {fault.kind for fault in outcome.faults}
    assert len(kinds) >= KINDS
    for kind, reason in outcome.skipped.items():
        print(f"skipped: {kind}: {reason}")
    described = soak.describe(outcome, bare=1000.0)
    assert described["clean"]
    assert described["faults"] == len(outcome.faults)
    assert set(described["kinds"]) == kinds
