"""A real `serve` keeps its promises while its parts die, hang and run out of room."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from bench.faults.run import FaultRun
from bench.service import soak

pytestmark = [
    pytest.mark.slow,
    pytest.mark.real,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc"),
]

SEED = int(os.environ.get("CARTULARY_FAULTS_SEED", "0")) or int(time.time())
"""Another order of faults in every run; the variable makes a run again."""

MOST = 15
"""Faults of a run, each of another kind: `bench soak` inflicts all of them."""


@pytest.mark.timeout(280)
def test_nothing_acknowledged_is_lost_or_doubled_and_every_game_ends(tmp_path: Path) -> None:
    print(f"CARTULARY_FAULTS_SEED={SEED}")
    outcome = FaultRun(1.2, SEED, faults=MOST, clients=5, disk_mb=96, say=print).main(tmp_path)
    assert not list(outcome.reckoning.problems())
    assert outcome.reckoning.events > outcome.reckoning.acknowledged > 0
    assert outcome.reckoning.games >= 5
    kinds = {fault.kind for fault in outcome.faults}
    assert len(kinds) >= 10
    for kind, reason in outcome.skipped.items():
        print(f"skipped: {kind}: {reason}")
    described = soak.describe(outcome, bare=1000.0)
    assert described["clean"]
    assert described["faults"] == len(outcome.faults)
    assert set(described["kinds"]) == kinds
