"""A process that meets events of a newer release answers 503 for that game, and for no other."""

from __future__ import annotations

import logging
from typing import Any

import orjson
import pytest

from cartulary.events.model.chain import seal
from cartulary.events.server import keys
from cartulary.events.server.format import FORMAT
from cartulary.events.store import Store
from tests.service.support.caller import Caller
from tests.service.support.scene import problem


@pytest.fixture
def game_id(ada: Caller, store: Store) -> str:
    """A game in which a newer release has written the last event."""
    found: str = ada.open()["id"]
    event: dict[str, Any] = {
        "version": 3,
        "type": "seat_forfeited",
        "at": "",
        "seat": 0,
        "prev": store.ledger.last([found])[0].hash,
    }
    store.ledger.append(found, 2, [seal(event, 2)])
    return found


READS = ("", "/moves", "/events", "/transcript", "/board.svg", "/story", "/states/3")


@pytest.mark.parametrize("read", READS)
@pytest.mark.slow
def test_reading_the_game_is_503_and_logged(
    ada: Caller, game_id: str, read: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        answer = ada.get(f"/games/{game_id}{read}")
    found = problem(answer, 503, "unavailable")
    assert "newer release" in found["detail"]
    assert int(answer.headers["Retry-After"]) > 0
    assert f"game {game_id}, version 3" in caplog.text
    assert "seat_forfeited" in caplog.text


def test_writing_to_the_game_is_503_and_stores_nothing(
    ada: Caller, game_id: str, store: Store
) -> None:
    body = {"move": {"type": "place_tile"}, "expected_version": 3}
    problem(ada.post(f"/games/{game_id}/moves", body), 503, "unavailable")
    problem(ada.post(f"/games/{game_id}/seats", {}), 503, "unavailable")
    assert store.ledger.version(game_id) == 3


def test_a_stream_of_the_game_is_503(ada: Caller, game_id: str) -> None:
    answer = ada.get(f"/games/{game_id}/events", headers={"Accept": "text/event-stream"})
    problem(answer, 503, "unavailable")


def test_a_later_schema_of_a_known_type_is_503(ada: Caller, store: Store) -> None:
    found: str = ada.open()["id"]
    event = {"schema": 99, "version": 3, "type": "move_made"}
    store.redis.xadd(keys.events(found), {"event": orjson.dumps(event)}, id="3-0")
    problem(ada.get(f"/games/{found}"), 503, "unavailable")


@pytest.mark.slow
def test_the_verification_names_the_event(ada: Caller, game_id: str) -> None:
    report = ada.get(f"/games/{game_id}/verification").json
    assert [(one["version"], one["problem"]) for one in report["problems"]] == [(3, "unknown")]


def test_other_games_go_on(ada: Caller, game_id: str) -> None:
    other = ada.open()["id"]
    assert ada.move(other).status_code == 201
    assert {game["id"] for game in ada.get("/games").json["games"]} == {other, game_id}


def test_a_process_that_starts_on_a_newer_store_is_not_ready(ada: Caller, store: Store) -> None:
    store.redis.set(keys.store_format(), FORMAT + 1)
    answer = ada.client.get("/readyz")
    problem(answer, 503, "unavailable")
