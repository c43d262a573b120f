"""The bench of memory measures every game."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from bench.store import memory
from cartulary.games import GAMES


@pytest.mark.slow
@pytest.mark.real
def test_memory_is_measured_for_every_game_in_process_and_store() -> None:
    # Threads that other tests have left in this process would allocate while the bench measures.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        measured = process.submit(memory.main, 1).result()
    assert measured.keys() == GAMES.keys()
    for found in measured.values():
        assert found["process"] > 1000
        assert found["store"] > 1000
        assert found["process"] / 2 < found["estimated"] < found["process"] * 2
