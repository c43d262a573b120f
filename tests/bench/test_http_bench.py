"""The bench of HTTP moves measures the service and the bare endpoint in one run."""

from __future__ import annotations

import pytest

from bench.service import http
from tests.support.night import at_night


@at_night(
    "tests/bench/test_streams_bench.py::test_the_bench_of_streams_measures_all_that_it_promises"
)
@pytest.mark.slow
@pytest.mark.real
def test_the_bench_of_moves_measures_all_that_it_promises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "SLICE", 0.15)
    measured = http.main(seconds=0.5)
    assert measured["moves"]["per_second"] > 0
    assert measured["bare_flask"]["per_second"] > 0
    assert measured["moves"]["p50_ms"] <= measured["moves"]["p99_ms"]
    assert measured["moves"]["cpu_us"] > 0
    assert measured["ratio"] > 0
    assert measured["cpu_ratio"] > 0
    assert measured["two_processes"]["ratio"] > 0
    assert measured["long_game_ratio"] > 0
