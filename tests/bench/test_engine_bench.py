"""The engine's bench measures every game, and catanatron in the same run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cartulary.games import GAMES

ROOT = Path(__file__).parents[2]


@pytest.mark.process
def test_the_engine_bench_prints_rates_and_a_ratio() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench", "engine", "--seconds", "0", "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    measured = json.loads(done.stdout.splitlines()[-1])
    for name in GAMES:
        assert measured[name].keys() == {"games_per_second", "decisions_per_second"}
        assert min(measured[name].values()) > 0
    actions = measured["catanatron"]["actions_per_second"]
    assert measured["ratio"] == measured["carcassonne"]["decisions_per_second"] / actions


@pytest.mark.process
def test_an_unknown_bench_is_a_usage_error() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench", "no_such_bench"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "engine" in done.stderr
