"""The bench of mining: what a game costs, how fast a slice gives way, what a person waits."""

from __future__ import annotations

import pytest

from bench.service import mining
from tests.support.night import at_night


@pytest.mark.slow
@pytest.mark.real
@at_night("tests/workers/test_mining.py::test_a_job_that_waits_goes_first_and_ends_a_slice")
def test_games_slices_and_answers_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mining, "ROUNDS", 1)
    monkeypatch.setattr(mining, "SAMPLES", 3)
    found = mining.main(seconds=6.0, games=1)
    assert set(found["games"]) == {"carcassonne", "caylus"}
    assert all(one["mean_cpu_s"] > 0 for one in found["games"].values())
    assert 0 <= found["gives_way"]["p50_ms"] <= found["gives_way"]["most_ms"]
    assert found["answers"]["bot_answers"] >= 4
    assert found["answers"]["ratio"] > 0
