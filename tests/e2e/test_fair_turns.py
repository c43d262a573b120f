"""One client with very many games of bots delays no other player's bots."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.support.night import at_night
from tests.support.real_serve import Person, Served

pytestmark = [pytest.mark.slow, pytest.mark.real]

GAMES, TURNS = 250, 12
BOTS = {"game": "caylus", "seats": [{"kind": "bot", "bot": "greedy"}] * 3}

Json = dict[str, Any]


def read_moves(person: Person, game_id: str) -> list[Json]:
    """Return the moves of a game so far, the earliest first."""
    events = person.get(f"games/{game_id}/events?limit=1000")["events"]
    return [event for event in events if event["type"] == "move_made"]


def find_waits(moves: list[Json]) -> Iterator[tuple[str, str]]:
    """Yield from when to when each answer of the bot in seat 1 was waited for."""
    for before, move in pairwise(moves):
        if (before["seat"], move["seat"]) == (0, 1):
            yield before["at"], move["at"]


@at_night("tests/workers/test_lines.py::test_each_opener_has_a_turn_however_many_games_another_has")
def test_bots_answer_a_person_soon_beside_very_many_games_of_bots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARTULARY_QUOTA_BOTS", "0")
    monkeypatch.setenv("CARTULARY_QUOTA_RUNNING", "0")
    monkeypatch.setenv("CARTULARY_RATE_GAMES", "")
    with Served(tmp_path / "data", "--workers=2") as served:
        mallory, ada = Person(served), Person(served)
        crowd = [mallory.create_from(BOTS) for _ in range(GAMES)]
        mine = ada.create("greedy")
        game = ada.play(mine, turns=TURNS)
        statuses = [mallory.get(f"games/{game_id}")["status"] for game_id in crowd]
        waits = [*find_waits(read_moves(ada, mine))]
        others = [[move["at"] for move in read_moves(mallory, game_id)] for game_id in crowd]
    assert game["status"] == "running"
    assert statuses.count("running") > GAMES / 2, "the crowd was over too soon to be in the way"
    assert len(waits) >= TURNS / 3
    # A bot that has to wait in one line with the crowd is asked after each game of it: how many of
    # the games go on between a person's move and the answer?
    served_first = [
        sum(any(begun < at < answered for at in moves) for moves in others)
        for begun, answered in waits
    ]
    print(f"games of the crowd that went on before an answer: {served_first}")
    assert statistics.median(served_first) < GAMES / 4
    assert max(served_first) < GAMES
