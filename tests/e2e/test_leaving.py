"""A table of five where two people vanish and the other three finish, on a real `serve`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cartulary.cli.main import main
from tests.support.real_serve import Person, Served

pytestmark = [pytest.mark.slow, pytest.mark.real]

RESIGNS, VANISHES = 1, 3
"""The seats of the two who leave: the first resigns, the other lets a stand-in answer for ever."""


def seat_five(served: Served) -> tuple[str, list[Person]]:
    """Start a game of five people; returns its id and the people by seat."""
    people = [Person(served, seed) for seed in range(5)]
    seats = [{"kind": "me"}, *[{"kind": "open"}] * 4]
    game_id = people[0].create_from({"game": "carcassonne", "seats": seats})
    for seat in range(1, 5):
        people[seat].post(f"games/{game_id}/seats", {"seat": seat})
    return game_id, people


def play_on(
    game_id: str, people: list[Person], staying: list[int], turns: int | None = None
) -> Any:
    """Let those who stay answer, `turns` times or until the game is over; returns the game."""
    game: dict[str, Any] = people[0].get(f"games/{game_id}")
    while game["status"] != "over" and turns != 0:
        decision = game["decision"]
        if decision is None or decision["seat"] not in staying:
            game = people[0].wait(game_id, game["version"])
            continue
        game = people[decision["seat"]].answer(game_id, game["version"])
        turns = turns if turns is None else turns - 1
    return game


def test_two_of_five_vanish_and_the_other_three_finish_with_fair_ranks(
    shared_service: Served, tmp_path: Path
) -> None:
    game_id, people = seat_five(shared_service)
    play_on(game_id, people, [0, 1, 2, 3, 4], turns=12)
    people[RESIGNS].post(f"games/{game_id}/resignation", {})
    play_on(game_id, people, [0, 2, 3, 4], turns=6)
    people[VANISHES].post(f"games/{game_id}/seats/{VANISHES}/stand_in", {})
    game = play_on(game_id, people, [0, 2, 4])

    result = game["result"]
    assert game["status"] == "over"
    assert result["ended_by"] == "play"
    assert result["outcomes"] == ["finished", "resigned", "finished", "stand_in", "finished"]
    assert (result["ranks"][RESIGNS], result["ranks"][VANISHES]) == (5, 4)
    stayed = [0, 2, 4]
    scores = {seat: result["scores"][seat] for seat in stayed}
    for seat in stayed:
        better = sum(other > scores[seat] for other in scores.values())
        assert result["ranks"][seat] == 1 + better
    assert set(result["winners"]) <= set(stayed)
    assert result["stand_in_moves"][RESIGNS] > 0
    assert result["stand_in_moves"][VANISHES] > 0

    events = people[0].get(f"games/{game_id}/events?limit=1000")["events"]
    by = {event["seat"] for event in events if event.get("by") == "stand_in"}
    assert by == {RESIGNS, VANISHES}
    report = people[0].get(f"games/{game_id}/verification")
    assert (report["valid"], report["problems"]) == (True, [])
    file = tmp_path / "game.json"
    file.write_text(json.dumps(people[0].get(f"games/{game_id}/transcript")))
    verified = CliRunner().invoke(main, ["verify", "--json", str(file)])
    assert verified.exit_code == 0, verified.output


def test_a_move_of_who_was_away_brings_the_owner_back(shared_service: Served) -> None:
    game_id, people = seat_five(shared_service)
    play_on(game_id, people, [0, 1, 2, 3, 4], turns=5)
    people[VANISHES].post(f"games/{game_id}/seats/{VANISHES}/stand_in", {})
    play_on(game_id, people, [0, 1, 2, 4], turns=12)
    people[VANISHES].post(f"games/{game_id}/seats/{VANISHES}/return", {})
    game = play_on(game_id, people, [0, 1, 2, 3, 4], turns=12)
    assert game["seats"][VANISHES]["state"] == "seated"
    events = people[0].get(f"games/{game_id}/events?limit=1000")["events"]
    types = [event["type"] for event in events]
    away, back = types.index("stand_in_seated"), types.index("seat_returned")
    moved = [event for event in events[away:back] if event.get("by") == "stand_in"]
    assert moved
    assert not any(event.get("by") for event in events[back:])
