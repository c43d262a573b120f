"""The bench of the environments measures every game, and others in the same run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cartulary.games import GAMES

ROOT = Path(__file__).parents[2]


@pytest.mark.process
@pytest.mark.slow
def test_the_bench_prints_masks_and_observations_and_ratios() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench", "environments", "--seconds", "0", "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    measured = json.loads(done.stdout.splitlines()[-1])
    kinds = {
        f"{what}_{how}" for what in ("masks", "observations") for how in ("of_engine", "with_moves")
    }
    for name in GAMES:
        for seats in (2, 5):
            rates = measured[f"{name}_{seats}"]
            assert rates.keys() == kinds | {"pettingzoo", "openspiel"}
            assert min(rates.values()) > 0
            ratio = rates["observations_with_moves"] / measured["others_per_second"]["catanatron"]
            assert measured["ratios"][f"{name}_{seats}_to_catanatron"] == ratio
