"""The bench of memory measures every game."""

from __future__ import annotations

import pytest

from bench.store import memory
from cartulary.games import GAMES


@pytest.mark.slow
@pytest.mark.real
def test_memory_is_measured_for_every_game_in_process_and_store() -> None:
    measured = memory.main(seconds=1)
    assert measured.keys() == GAMES.keys()
    for found in measured.values():
        assert found["process"] > 1000
        assert found["store"] > 1000
        assert found["process"] / 2 < found["estimated"] < found["process"] * 2
