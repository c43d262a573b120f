"""The order in which the tests begin: the longest first."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

LONGEST = (
    "tests/e2e/test_hanging.py",
    "tests/upgrade/test_rolling_upgrade.py",
    "tests/faults/test_faults.py",
    "tests/faults/test_store_in_trouble.py",
    "tests/e2e/test_clocks.py",
    "tests/e2e/test_loading.py",
    "tests/e2e/test_one_box.py",
    "tests/service/api/game/test_archived.py",
    "tests/cli/embedded/test_embedded.py",
    "tests/service/openapi/generated/test_clients.py",
    "tests/e2e/test_take_over.py",
    "tests/bench/capacity/test_capacity_bench.py",
    "tests/browser/people/test_tournaments.py",
    "tests/browser/network/test_local_games.py",
    "tests/browser/network/test_three_weeks.py",
    "tests/e2e/test_fair_draws.py",
    "tests/e2e/test_serve.py",
    "tests/bench/test_streams_bench.py",
    "tests/rehearsal/test_shipped_script.py",
    "tests/project/test_wheel.py",
    "tests/bench/test_peers_bench.py",
    "tests/browser/people/test_leagues.py",
    "tests/rehearsal/test_conformance.py",
    "tests/upgrade/test_stopped_migration.py",
    "tests/service/process/test_crowds.py",
    "tests/browser/notices/test_bot_webhook.py",
    "tests/cluster/test_many_machines.py",
    "tests/browser/network/test_trouble.py",
    "tests/cli/rehearsal/test_stage.py",
    "tests/bench/test_memory_bench.py",
    "tests/browser/table/test_card.py",
    "tests/browser/table/test_caylus.py",
    "tests/browser/pages/test_learn.py",
    "tests/browser/table/test_playing.py",
    "tests/browser/network/test_engine_worker.py",
    "tests/browser/network/test_local_storage.py",
    "tests/e2e/test_backup.py",
    "tests/workers/test_processes.py",
    "tests/service/http/streams/test_streams_survive.py",
    "tests/e2e/test_readme.py",
)
"""Files with a test that takes ten seconds or more on two cores, the longest test first.

Most of these tests wait: while one process goes through them, the others compute.
"""


def begin_with_the_longest(tests: Iterable[pytest.Item]) -> list[pytest.Item]:
    """Return the tests with those of `LONGEST` first; the others keep their order.

    A process of pytest gives the tests that it has not begun to the processes that have nothing to
    do. A test of a minute that begins last would run while the other processes wait.
    """
    places = {ROOT / name: place for place, name in enumerate(LONGEST)}
    return sorted(tests, key=lambda test: places.get(test.path, len(places)))
