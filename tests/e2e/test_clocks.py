"""A real `serve` that stops and starts: games go on, and flags fall in time, not for an outage."""

from __future__ import annotations

import signal
import stat
import time
from pathlib import Path
from typing import Any

import pytest

from cartulary.events.model.clock import milliseconds
from tests.e2e.ended import call, check_audit, check_finished, play_to_the_end
from tests.support.night import short_or_long
from tests.support.polling import until
from tests.support.real_serve import Person, Served

pytestmark = [pytest.mark.slow, pytest.mark.real]

SEATS = 3
DELAY_S, GRACE_S = 5, 2
"""Seconds for a turn, and those that the service adds before it says that they are over."""

LONG_S = 12
"""Seconds for a turn that begins before a stop: a busy machine takes some of them to stop."""

OUTAGE_AFTER_S, OUTAGE_S = 12, LONG_S + GRACE_S + 2
"""The gap that is an outage, and a longer outage, in which each turn would be over."""


def start(served: Served, delay_s: int, **terms: Any) -> tuple[str, list[Person]]:
    """Start a live game in which everybody has had a turn; returns its id and the people."""
    people = [Person(served, seed) for seed in range(SEATS)]
    seats = [{"kind": "me"}, *[{"kind": "open"}] * (SEATS - 1)]
    pace = {"mode": "live", "delay": delay_s, "bank": 0}
    asked = {"game": "carcassonne", "seats": seats, "pace": pace, **terms}
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
    game_id, people = start(shared_service, DELAY_S, on_timeout="stand_in")
    silent = people[0].get(f"games/{game_id}")["decision"]["seat"]
    begun = read_events(people[0], game_id)[-1]

    def find_flag() -> dict[str, Any] | None:
        types = {one["type"]: one for one in read_events(people[0], game_id)}
        return types.get("turn_timed_out")

    flag = until(find_flag)
    assert flag is not None
    assert flag["seat"] == silent
    turn_ms = milliseconds(flag["at"]) - milliseconds(begun["at"])
    assert turn_ms >= 1000 * (DELAY_S + GRACE_S)
    until(lambda: people[0].get(f"games/{game_id}")["decision"]["seat"] != silent)
    assert people[0].get(f"games/{game_id}")["seats"][silent]["state"] == "away"
    people[silent].post(f"games/{game_id}/seats/{silent}/return", {})
    assert people[0].get(f"games/{game_id}")["seats"][silent]["state"] == "seated"
    assert people[0].get(f"games/{game_id}/verification")["valid"]


def test_games_go_on_and_no_flag_falls_after_a_stop_an_audit_a_rebuild_a_new_key_and_a_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARTULARY_OUTAGE_AFTER", str(OUTAGE_AFTER_S))
    monkeypatch.delenv("CARTULARY_SECRET", raising=False)
    data = tmp_path / "data"
    with Served(data) as served:
        person = Person(served)
        plain_id = person.create("greedy")
        plain = person.play(plain_id, turns=short_or_long(8, 25))
        game_id, people = start(served, LONG_S, on_timeout="forfeit")
        before = people[0].get(f"games/{game_id}")
        with person.watch(plain_id) as stream:
            assert served.stop(signal.SIGINT) == 0
            assert stream.read().count(b"id: ") >= plain["version"]
        assert "serve: stopped" in served.log()
        assert "killing it" not in served.log(), "each child heeds the signal in time"
    down = time.monotonic()
    check_audit(data)
    assert call("rebuild", f"--data={data}").exit_code == 0
    check_rotation(data)
    time.sleep(max(0.0, OUTAGE_S + down - time.monotonic()))
    with Served(data) as served:
        for one in (person, *people):
            one.served = served
        check_no_flag(game_id, people, before)
        assert person.get(f"games/{plain_id}")["version"] >= plain["version"]
        play_to_the_end(person, plain_id)
        check_finished(person, plain_id, tmp_path)
        lobby = person.get("games?status=over")
        assert [game["id"] for game in lobby["games"]] == [plain_id]
        assert served.stop() == 0


def check_rotation(data: Path) -> None:
    """Give the store another key: with it the secrets of the games that go on are read."""
    file = data / "secret.key"
    before = file.read_text()
    rotated = call("rotate-secret", f"--data={data}")
    assert rotated.exit_code == 0, rotated.output
    after = file.read_text()
    assert after != before
    assert len(after.split()) == 1
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def check_no_flag(game_id: str, people: list[Person], before: dict[str, Any]) -> None:
    """Check that the time in which the service was down is the time of no player."""
    clock = people[0].get(f"games/{game_id}/clock")
    assert (clock["stopped_by"], clock["overdue"]) == ("outage", False)
    time.sleep(3)  # the dispatcher looks for flags each second
    game = people[0].get(f"games/{game_id}")
    assert game["version"] == before["version"]
    people[game["decision"]["seat"]].answer(game_id, game["version"])
    begun, moved = read_events(people[0], game_id)[before["version"] - 1 :][:2]
    lasted = milliseconds(moved["at"]) - milliseconds(begun["at"])
    assert moved["clock"]["stopped"] >= 1000 * OUTAGE_S
    assert moved["clock"]["used"] + moved["clock"]["stopped"] <= lasted
    assert people[0].get(f"games/{game_id}/verification")["valid"]
