"""The bench of the clocks says what it is about, and the target of the sweep holds."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator

import pytest

from bench.store import clocks
from cartulary.cli.embedded.embedded import EmbeddedValkey
from tests.support.night import at_night

pytestmark = [pytest.mark.real, pytest.mark.usefixtures("usual_garbage_collection")]


@pytest.fixture
def url() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as directory, EmbeddedValkey(directory) as valkey:
        yield str(valkey.url)


def test_many_timers_cost_the_sweep_less_than_5_ms_a_second(url: str) -> None:
    assert 0 < clocks.measure_sweep(url, 20_000)["look_cpu_ms"] < 5


@at_night(
    "tests/e2e/test_clocks.py::test_a_player_who_does_not_answer_gets_a_stand_in_and_may_return"
)
def test_all_flags_are_judged(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clocks, "WINDOW_S", 3)
    measured = clocks.measure_flags(url, 30)
    assert measured["flags"] == 30
    assert 0 <= measured["late_p50_s"] <= measured["late_max_s"] < float("inf")


def test_a_move_with_a_clock_is_compared_with_a_move_without(url: str) -> None:
    measured = clocks.measure_moves(url, 0.5)
    assert measured.keys() == {"untimed_cpu_ms", "timed_cpu_ms", "ratio"}
    assert 0.5 < measured["ratio"] < 2
