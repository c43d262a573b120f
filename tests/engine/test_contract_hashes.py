"""The contract that every game keeps: the hashes of its states are the same in every process."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.engine.random_play import play
from tests.support.games import ALL_GAMES

HASHES = """
import sys
from tests.support.games import ALL_GAMES
from tests.engine.random_play import play
for name, game in ALL_GAMES.items():
    print(name, *play(game, game.seats_from, {}, 7).hashes)
"""


@pytest.fixture(scope="module")
def hashes_elsewhere() -> str:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", HASHES],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(filter(None, sys.path))},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    return outputs.pop()


@pytest.mark.parametrize("name", ALL_GAMES)
@pytest.mark.process
def test_hashes_are_the_same_in_another_process(name: str, hashes_elsewhere: str) -> None:
    game = ALL_GAMES[name]
    here = " ".join([name, *play(game, game.seats_from, {}, 7).hashes])
    assert here in hashes_elsewhere.splitlines()
