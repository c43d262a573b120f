"""A real `serve` on a cluster keeps its promises while nodes and its registry die, at night."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from bench.faults.failovers import CLUSTER_KINDS
from bench.faults.people import Habits
from bench.faults.run import FaultRun
from tests.support.night import at_night

pytestmark = [
    pytest.mark.slow,
    pytest.mark.real,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc"),
]

SEED = int(os.environ.get("CARTULARY_FAULTS_SEED", "0")) or int(time.time())
"""Another order of faults in every run; the variable makes a run again."""

KINDS = ("node killed", "nodes swapped", "registry killed", "node connections cut")
"""Kinds that a cluster adds, and that start no process of Python: those take long."""


@at_night("tests/cluster/test_failover.py::test_nothing_acknowledged_is_lost_when_a_master_dies")
@pytest.mark.timeout(280)
def test_nothing_acknowledged_is_lost_when_nodes_die(tmp_path: Path) -> None:
    print(f"CARTULARY_FAULTS_SEED={SEED}")
    assert set(KINDS) <= set(CLUSTER_KINDS)
    habits = Habits(bots=("random",), seats=2)  # short games
    run = FaultRun(
        2.0,
        SEED,
        faults=len(KINDS),
        clients=2,
        kinds=KINDS,
        durability="off",
        habits=habits,
        disk_mb=32,
        cluster=True,
        archive_after=1,
        say=print,
    )
    outcome = run.main(tmp_path)
    assert not list(outcome.reckoning.problems())
    assert {fault.kind for fault in outcome.faults} == {*KINDS}
    found = outcome.reckoning
    assert found.events > found.acknowledged - found.taken > 0
    assert outcome.reckoning.archived
