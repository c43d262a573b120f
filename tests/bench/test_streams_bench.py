"""The bench of streams: its arithmetic, and a small run over HTTPS, at night also over HTTP."""

from __future__ import annotations

import pytest

from bench.service import streams
from bench.service._crowd import Receipt
from bench.service.streams import SliceFigures, compare
from tests.support.night import short_or_long

TIMES = (("ROUNDS", 2), ("WARM_UP", 0.2), ("SETTLE", 0.1), ("ENOUGH_GAMES", 8), ("LAST", 3.0))
FEW = short_or_long((("PROCESSES", 1), ("READERS", 1)), ())
"""By day there is one process of each kind: the start of each takes a second of a processor."""


def test_slices_are_compared_with_the_slice_of_the_same_round() -> None:
    alone = [SliceFigures(100, 200, 50), SliceFigures(10, 200, 50), SliceFigures(50, 400, 100)]
    loaded = [SliceFigures(80, 400, 100), SliceFigures(9, 400, 100), SliceFigures(50, 400, 100)]
    assert compare(alone, loaded) == {"ratio": 0.9, "cpu_ratio": 0.5}


def test_a_latency_is_the_time_from_the_request_to_each_receipt() -> None:
    sent = {("a", 2): 10.0, ("b", 3): 20.0}
    receipts = [Receipt("a", 2, 10.5), Receipt("b", 2, 11.0), Receipt("b", 3, 20.25)]
    assert streams.find_latencies(sent, receipts) == [0.5, 0.25]


@pytest.mark.slow
@pytest.mark.real
@pytest.mark.parametrize("tls", short_or_long([True], [False, True]), ids=lambda tls: f"tls {tls}")
def test_the_bench_of_streams_measures_all_that_it_promises(
    monkeypatch: pytest.MonkeyPatch, tls: bool
) -> None:
    for name, value in (*TIMES, *FEW):
        monkeypatch.setattr(streams, name, value)
    measured = streams.main(seconds=4, watchers=32, games=8, tls=tls)
    assert measured["tls"] == tls
    assert measured["opened_per_second"] > 0
    assert measured["received"] == 4 * 16, "four watchers of each move of a second"
    assert 0 < measured["p50_ms"] <= measured["p99_ms"]
    for name in ("without", "beside", "watched"):
        assert min(measured[name].values()) > 0
    assert {"ratio", "cpu_ratio"} <= measured["beside"].keys() & measured["watched"].keys()
