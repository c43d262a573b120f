"""The bench of the explorer measures what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.store import explorer

pytestmark = [pytest.mark.real, pytest.mark.slow]


def test_the_bench_counts_games_and_asks_for_them(tmp_path: Path) -> None:
    measured = explorer.main(seconds=0.2, games=4, copies=1, tries=2, folder=str(tmp_path))
    assert (measured["games"], measured["counted"]) == (4, 8)
    assert measured["bytes"] > 0
    assert 0 < measured["by_key"]["p50"] <= measured["by_key"]["p95"]
    assert 0 < measured["by_game"]["p50"] <= measured["by_game"]["p95"]
    assert len(measured["by_key"]["clock"]) == len(measured["by_game"]["load"]) == 2
    assert measured["ratio"] == explorer.judge(measured)
    again = explorer.main(seconds=0.2, games=400, tries=1, folder=str(tmp_path))
    assert (again["games"], again["rows"]) == (4, measured["rows"])
