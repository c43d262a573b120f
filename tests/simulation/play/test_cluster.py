"""Games in a cluster, in a world of their own."""

from __future__ import annotations

import json

import pytest

from cartulary.events.server.slots import FIXED
from simulation.faults.cluster import GAME_SLOTS
from tests.simulation.worlds import run_in_world, simulate
from tests.support.night import at_night

pytestmark = [pytest.mark.process, pytest.mark.timeout(600)]


def test_the_slots_that_move_are_those_of_games() -> None:
    assert GAME_SLOTS == FIXED


def test_slots_that_move_and_replicas_that_lag_take_nothing_that_was_promised() -> None:
    report = json.loads(simulate("2", "--hours=0.003", "--profile=cluster", "--json").stdout)
    assert report["findings"] == []
    assert report["moves"] > 20


@at_night(
    "tests/simulation/play/test_cluster.py::"
    "test_slots_that_move_and_replicas_that_lag_take_nothing_that_was_promised"
)
def test_an_append_that_counts_before_a_replica_has_it_is_found() -> None:
    said = run_in_world(
        """
import cartulary.events.ledger.ledger as ledger
from simulation.play.profiles import Profile
from simulation.play.run import Run
ledger.run_confirmed = lambda redis, _ms, *command: redis.execute_command(*command)
faults = {"replica_lags": 8000.0, "master_fails": 1200.0}
profile = Profile(tables=2, thinks_s=0.3, looks_s=0.3, in_cluster=True, faults=faults)
report = Run("1", "own", profile, 0.006, None).play(only_first=True)
print(*report.findings, sep="\\n")
"""
    )
    assert "was confirmed by a replica, and is lost" in said


def test_a_master_that_is_being_replaced_is_not_chosen_again() -> None:
    """Seed 37012: two replicas were to take over from a master with one, and the run ended."""
    said = run_in_world(
        """
from simulation.play.profiles import Profile
from simulation.play.run import Run
faults = {"master_apart": 2000.0, "master_fails": 2000.0}
profile = Profile(tables=1, thinks_s=0.5, looks_s=0.5, in_cluster=True, faults=faults)
report = Run("3", "own", profile, 0.002, None).play(only_first=True)
print(report.faults["master_apart"] + report.faults["master_fails"], *report.findings)
"""
    )
    number, *findings = said.split()
    assert (int(number) > 3, findings) == (True, [])
