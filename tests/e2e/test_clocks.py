"""Clocks of a live game on a real `serve`: flags fall in time, and never for an outage."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from cartulary.events.model.types import milliseconds
from tests.support.night import short_or_long
from tests.support.polling import until
from tests.support.real_serve import Person, Served

pytestmark = [pytest.mark.slow, pytest.mark.real]

PACE = {"mode": "live", "delay": 5, "bank": 0}
SEATS = 3
OUTAGE_AFTER_S, OUTAGE_S = short_or_long((12, 13), (15, 17))
"""The gap that is an outage, and a longer outage, which is also longer than delay and grace."""


def start(served: Served, **terms: Any) -> tuple[str, list[Person]]:
    """Start a live game in which everybody has had a turn; returns its id and the people."""
    people = [Person(served, seed) for seed in range(SEATS)]
    seats = [{"kind": "me"}, *[{"kind": "open"}] * (SEATS - 1)]
    asked = {"game": "carcassonne", "seats": seats, "pace": PACE, **terms}
    game_id = people[0].create_from(asked)
    for seat in range(1, SEATS):
        people[seat].post(f"games/{game_id}/seats", {"seat": seat})
    game = people[0].get(f"games/{game_id}")
    turned: set[int] = set()
    while len(turned) < SEATS or game["decision"]["kind"] != "place_tile":
        seat = game["decision"]["seat"]
        game = people[seat].answer(game_id, game["version"])
        if game["decision"]["seat"] != seat:
            turned.add(seat)
    return game_id, people


def read_events(person: Person, game_id: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = person.get(f"games/{game_id}/events?limit=1000")["events"]
    return found


def test_a_player_who_does_not_answer_gets_a_stand_in_and_may_return(
    shared_service: Served,
) -> None:
    game_id, people = start(shared_service, on_timeout="stand_in")
    silent = people[0].get(f"games/{game_id}")["decision"]["seat"]
    begun = read_events(people[0], game_id)[-1]

    def find_flag() -> dict[str, Any] | None:
        types = {one["type"]: one for one in read_events(people[0], game_id)}
        return types.get("turn_timed_out")

    flag = until(find_flag, within=30)
    assert flag is not None
    assert flag["seat"] == silent
    late = milliseconds(flag["at"]) - milliseconds(begun["at"]) - 7000
    assert 0 <= late < 5000
    until(lambda: people[0].get(f"games/{game_id}")["decision"]["seat"] != silent, within=30)
    assert people[0].get(f"games/{game_id}")["seats"][silent]["state"] == "away"
    people[silent].post(f"games/{game_id}/seats/{silent}/return", {})
    assert people[0].get(f"games/{game_id}")["seats"][silent]["state"] == "seated"
    assert people[0].get(f"games/{game_id}/verification")["valid"]


def test_a_service_that_was_down_flags_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARTULARY_OUTAGE_AFTER", str(OUTAGE_AFTER_S))
    with Served(tmp_path / "data") as served:
        game_id, people = start(served, on_timeout="forfeit")
        before = people[0].get(f"games/{game_id}")
    time.sleep(OUTAGE_S)
    with Served(tmp_path / "data") as again:
        for person in people:
            person.served = again
        clock = people[0].get(f"games/{game_id}/clock")
        assert (clock["stopped_by"], clock["overdue"]) == ("outage", False)
        time.sleep(3)
        game = people[0].get(f"games/{game_id}")
        assert game["version"] == before["version"]
        seat = game["decision"]["seat"]
        people[seat].answer(game_id, game["version"])
        moved = read_events(people[0], game_id)[before["version"]]
        assert moved["clock"]["stopped"] >= 1000 * OUTAGE_S
        assert moved["clock"]["used"] < 5000
        assert people[0].get(f"games/{game_id}/verification")["valid"]
