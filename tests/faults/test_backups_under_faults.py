"""Backups of a service under load and faults restore to stores whose audit finds nothing."""

from __future__ import annotations

import pytest

from bench.store import backups
from tests.support.night import at_night


@at_night("tests/cli/backups/test_following.py::test_everything_that_changes_arrives")
@pytest.mark.timeout(1800)
@pytest.mark.slow
@pytest.mark.real
@pytest.mark.process
def test_every_backup_under_load_and_faults_is_restored() -> None:
    found = backups.main(number=10, faults=8, seed=1)
    assert (found["backups"], found["refused"], found["events_after_the_time"]) == (10, 0, 0)
