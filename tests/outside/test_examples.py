"""The example bots are short, and win against the bot `random`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cartulary.games import GAMES
from cartulary.league.matches import LeagueMatch, list_tasks, play_task
from tests.support.missing_tools import missing

ROOT = Path(__file__).parents[2]
BOTS = ROOT / "examples" / "bots"
PYTHON = "examples.bots.points:think"
JAVASCRIPT = f"command:node {BOTS / 'liked.mjs'}"
NAMES = [
    pytest.param(PYTHON, id="python"),
    pytest.param(JAVASCRIPT, id="javascript", marks=pytest.mark.process),
]


@pytest.mark.parametrize("game", ["carcassonne", "caylus"])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.slow
def test_an_example_wins_against_random(game: str, name: str) -> None:
    if name == JAVASCRIPT and shutil.which("node") is None:
        missing("the example in JavaScript needs node, and node is not installed")
    options = tuple(sorted(GAMES[game].check(2, {}).items()))
    match = LeagueMatch(game, name, "random", options=options)
    played = [play_task(task) for task in list_tasks(match, "examples", range(4))]
    assert sum(one.won for one in played) > 4
    assert [one.seating for one in played] == [(0, 1), (1, 0)] * 4


def test_an_example_has_fewer_than_eighty_lines() -> None:
    files = [file for file in BOTS.iterdir() if file.suffix in (".py", ".mjs")]
    assert {"points.py", "liked.mjs"} <= {file.name for file in files}
    long = {file.name for file in files if len(file.read_text().splitlines()) >= 80}
    assert long == set()
