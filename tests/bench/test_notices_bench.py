"""The bench of notices: its arithmetic, and at night a small run of all its parts."""

from __future__ import annotations

import pytest

from bench.faults.notice_receiver import ReceivedNotice
from bench.notices import notices
from bench.notices._house import CpuSpent
from bench.notices._moving import OfferedMoves
from tests.support.night import at_night


def test_a_message_counts_from_the_move_and_its_repetition_does_not() -> None:
    turns = {("a", 3): 10.0, ("b", 4): 20.0}
    come = [
        ReceivedNotice("1", "a", 3, 10.5, 0),
        ReceivedNotice("1", "a", 3, 16.0, 0),
        ReceivedNotice("2", "b", 4, 20.25, 0),
        ReceivedNotice("3", "b", 2, 21.0, 0),
    ]
    assert notices.find_lateness(turns, come) == [0.5, 0.25]
    found = notices.describe_deliveries(OfferedMoves(4, 2.0, turns), come)
    assert (found["expected"], found["received"], found["repeated"]) == (4, 2, 1)
    assert found["per_minute"] == 60


def test_a_move_is_compared_by_the_cpu_of_web_and_store_alone() -> None:
    spent = {"without": CpuSpent(2.0, 1.0, 9.0, 0.0), "sent": CpuSpent(4.5, 1.5, 9.0, 9.0)}
    found = notices.compare_moves(spent, {"without": 1000, "sent": 2000})
    assert found["without"]["ratio"] == 1.0
    assert found["sent"]["ratio"] == 1.0
    assert found["sent"]["web_us"] == 2250


@pytest.mark.slow
@pytest.mark.real
@at_night(
    "tests/bench/test_notices_bench.py::"
    "test_a_message_counts_from_the_move_and_its_repetition_does_not"
)
def test_the_bench_of_notices_measures_all_that_it_promises() -> None:
    measured = notices.main(seconds=20, rate=40, tables=100, waiting=2000)
    deliveries, trouble = measured["deliveries"], measured["trouble"]
    assert deliveries["received"] == deliveries["expected"] > 0
    assert 0 < deliveries["p50_s"] <= deliveries["p99_s"]
    assert trouble["received"] == trouble["expected"]
    assert trouble["endpoints"]["switched_off"] == trouble["endpoints"]["of_failing"]
    assert trouble["endpoints"]["browsers_left"] == 0
    assert set(measured["move"]) == {"without", "noted", "sent"}
    assert measured["waiting"]["intents"] == 2000
