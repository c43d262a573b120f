"""One client with very many games of bots delays no other player's bots."""

from __future__ import annotations

import statistics
import time
from pathlib import Path

import pytest

from tests.support.night import short_or_long
from tests.support.real_serve import Person, Served

pytestmark = [pytest.mark.slow, pytest.mark.real]

GAMES, TURNS = short_or_long((30, 4), (250, 12))
BOTS = {"game": "caylus", "seats": [{"kind": "bot", "bot": "greedy"}] * 3}


def test_bots_answer_a_person_soon_beside_very_many_games_of_bots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARTULARY_QUOTA_BOTS", "0")
    monkeypatch.setenv("CARTULARY_QUOTA_RUNNING", "0")
    monkeypatch.setenv("CARTULARY_RATE_GAMES", "")
    with Served(tmp_path / "data", "--workers=2") as served:
        mallory, ada = Person(served), Person(served)
        crowd = [mallory.create_from(BOTS) for _ in range(GAMES)]
        mine, waits = ada.create("greedy"), []
        for _ in range(TURNS):
            began = time.monotonic()
            game = ada.play(mine, turns=1)  # waits for the bot, then moves
            waits.append(time.monotonic() - began)
        statuses = [mallory.get(f"games/{game_id}")["status"] for game_id in crowd]
    assert game["status"] == "running"
    assert statuses.count("running") > GAMES / 2, "the crowd was over too soon to be in the way"
    # Without lines a bot answered after a minute; alone it takes some 20 ms.
    assert statistics.median(waits) < 0.5
    assert max(waits) < 5
