"""What an answer says about what was stored, when something fails."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from fakeredis import FakeServer
from flask import Flask
from redis.exceptions import ConnectionError as StoreUnreachable

from cartulary.events.model.errors import NotFound
from cartulary.events.model.table import Table
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.http.wire.problems import Problem
from tests.service.support.caller import METRICS, Caller
from tests.service.support.scene import WRITES, Scene, problem
from tests.support.stored_keys import stored

UNKNOWN = "the outcome is unknown"
REPEAT = "repeat the request with the same Idempotency-Key"

KINDS_OF_WRITES: dict[str, tuple[str, str, dict[str, Any] | None]] = {
    **WRITES,
    "leave": ("DELETE", "/games/{open}/seats/0", None),
}
WITH_KEY = sorted(KINDS_OF_WRITES.keys() - {"players"})


def fail(*_: Any, **__: Any) -> Any:
    raise ZeroDivisionError("secret")


def write(scene: Scene, name: str, **headers: str) -> Any:
    """Send a write of this kind that succeeds."""
    method, path, body = KINDS_OF_WRITES[name]
    caller = scene.bob if name == "seats" else scene.ada
    if name == "moves":
        body = {"move": scene.ada.legal(scene.ids["running"])[0]}
    return caller.send(method, scene.path(path), json=body, headers=headers)


def failures(caller: Caller, part: str) -> float:
    """Return how many parts of answers failed after an append."""
    text = caller.client.get("/metrics", headers=METRICS).text
    start = f'cartulary_answer_parts_failed_total{{part="{part}"}} '
    found = [line for line in text.splitlines() if line.startswith(start)]
    return float(found[0].removeprefix(start)) if found else 0.0


class TestAfterTheAppend:
    """The event is stored: no answer may say that nothing has changed."""

    @pytest.mark.parametrize(
        "error", [ZeroDivisionError("secret"), NotFound("secret"), Problem("not_found", "secret")]
    )
    @pytest.mark.parametrize("name", WITH_KEY)
    @pytest.mark.slow
    def test_a_failure_says_that_the_outcome_is_unknown_and_a_repetition_finds_the_event(
        self, scene: Scene, store: Store, name: str, error: Exception
    ) -> None:
        def fail_with(_: Table) -> bytes:
            raise error

        before = stored(store)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Table, "text", fail_with)
            answer = write(scene, name, **{"Idempotency-Key": "k"})
        body = problem(answer, 500, "internal_error")
        assert UNKNOWN in body["detail"]
        assert REPEAT in body["detail"]
        assert "secret" not in answer.text
        after = stored(store)
        assert after != before
        again = self.repeat(scene, name)
        assert again.status_code in (200, 201)
        assert again.headers["Idempotency-Replayed"] == "true"
        assert stored(store).keys() == after.keys()

    def repeat(self, scene: Scene, name: str) -> Any:
        if name != "moves":
            return write(scene, name, **{"Idempotency-Key": "k"})
        path = scene.path("/games/{running}")
        move = scene.ada.get(f"{path}/events?after=2").json["events"][0]["move"]
        return scene.ada.post(f"{path}/moves", {"move": move}, headers={"Idempotency-Key": "k"})

    def test_a_registration_that_fails_says_that_the_outcome_is_unknown(
        self, visitor: Caller, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("cartulary.service.api.people.players.describe_player", fail)
        body = problem(visitor.post("/players", {"name": "Ada"}), 500, "internal_error")
        assert body["detail"].endswith(UNKNOWN)

    @pytest.mark.slow
    @pytest.mark.parametrize("name", WITH_KEY)
    def test_a_metric_that_fails_does_not_fail_the_answer(
        self, app: Flask, scene: Scene, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(app.extensions["cartulary"].metrics, "count_events", fail)
        assert write(scene, name).status_code in (200, 201)
        assert failures(scene.ada, "count") == 1

    def test_the_store_may_disappear_between_the_append_and_the_picture(
        self, ada: Caller, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def disappear(*_: Any) -> None:
            raise StoreUnreachable

        game_id = ada.open()["id"]
        move = ada.legal(game_id)[0]
        monkeypatch.setattr("cartulary.service.api.game.table_pictures._find_last_move", disappear)
        answer = ada.post(f"/games/{game_id}/moves?board=tall", {"move": move})
        assert (answer.status_code, answer.json["board"]) == (201, None)
        assert answer.json["moves"]


class TestPictures:
    def test_a_picture_that_fails_is_null_logged_and_counted(
        self,
        ada: Caller,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        game_id = ada.open()["id"]
        monkeypatch.setattr("cartulary.pictures.draw", fail)
        with caplog.at_level(logging.ERROR, "cartulary.service"):
            answer = self.move(ada, game_id)
        assert (answer.status_code, answer.json["board"]) == (201, None)
        assert answer.json["moves"] == ada.legal(game_id)
        assert ada.version(game_id) == answer.json["version"] == 3
        assert "failed after the event was stored: board" in caplog.text
        assert caplog.records[0].__dict__["request_id"] == answer.headers["X-Request-Id"]
        assert failures(ada, "board") == 1

    def test_legal_moves_that_fail_are_null(
        self, ada: Caller, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        game_id = ada.open()["id"]
        move = ada.legal(game_id)[0]
        with monkeypatch.context() as patch:
            patch.setattr("cartulary.service.api.game.moves.list_legal_moves", fail)
            answer = ada.post(f"/games/{game_id}/moves?board=tall", {"move": move})
        assert (answer.status_code, answer.json["moves"]) == (201, None)
        assert "<svg" in answer.json["board"]
        assert ada.version(game_id) == 3

    def test_a_compression_that_fails_leaves_the_answer_as_it_is(
        self, ada: Caller, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("cartulary.service.http.compression.gzip.compress", fail)
        answer = self.move(ada, ada.open()["id"], headers={"Accept-Encoding": "gzip"})
        assert (answer.status_code, answer.json["version"]) == (201, 3)
        assert "Content-Encoding" not in answer.headers

    def test_a_game_without_a_picture_is_played_with_null(
        self, ada: Caller, without_pictures: None
    ) -> None:
        game_id = ada.open()["id"]
        answer = self.move(ada, game_id)
        assert (answer.status_code, answer.json["board"]) == (201, None)
        assert answer.json["moves"] == ada.legal(game_id)
        assert failures(ada, "board") == 0

    def test_the_picture_of_a_game_without_one_is_not_found(
        self, ada: Caller, without_pictures: None
    ) -> None:
        answer = ada.get(f"/games/{ada.open()['id']}/board.svg")
        assert "picture" in problem(answer, 404, "not_found")["detail"]

    def test_a_picture_that_is_asked_for_and_fails_says_nothing_of_storing(
        self, ada: Caller, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("cartulary.pictures.draw", fail)
        answer = ada.get(f"/games/{ada.open()['id']}/board.svg")
        says_nothing_of_storing(problem(answer, 500, "internal_error"))

    @pytest.fixture
    def without_pictures(self, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
        plain = {name: replace(offer, picture=None) for name, offer in OFFERS.items()}
        monkeypatch.setattr(app.extensions["cartulary"], "offers", plain)

    def move(self, caller: Caller, game_id: str, **more: Any) -> Any:
        body = {"move": caller.legal(game_id)[0]}
        return caller.post(f"/games/{game_id}/moves?board=tall", body, **more)


def says_nothing_of_storing(body: dict[str, Any]) -> None:
    for word in ("outcome", "changed", "stored", "repeat", "Idempotency"):
        assert word not in body["detail"]


class TestBeforeTheAppend:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("name", "command"),
        [
            *(("games", "create"), ("import", "import_transcript"), ("moves", "move")),
            *(("seats", "arranging.join"), ("leave", "arranging.leave")),
        ],
    )
    def test_a_command_that_fails_says_that_the_outcome_is_unknown(
        self, scene: Scene, store: Store, name: str, command: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        room, _, method = command.rpartition(".")
        commands = getattr(store.commands, room) if room else store.commands
        monkeypatch.setattr(commands, method, fail)
        detail = problem(write(scene, name), 500, "internal_error")["detail"]
        assert detail.endswith(f"{UNKNOWN}: {REPEAT}")

    @pytest.mark.parametrize("path", ["", "/moves", "/events", "/story", "/board.svg"])
    def test_a_read_that_fails_says_nothing_of_storing(
        self, ada: Caller, store: Store, path: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        game_id = ada.open()["id"]
        monkeypatch.setattr(store.projector, "visible", fail)
        for method in ("GET", "HEAD"):
            answer = ada.send(method, f"/games/{game_id}{path}")
            assert answer.status_code == 500
        says_nothing_of_storing(problem(ada.get(f"/games/{game_id}{path}"), 500, "internal_error"))

    def test_a_store_that_does_not_answer_leaves_the_outcome_of_a_write_unknown(
        self, ada: Caller, server: FakeServer
    ) -> None:
        game_id = ada.open()["id"]
        move = ada.legal(game_id)[0]
        server.connected = False
        written = problem(ada.move(game_id, move), 503, "unavailable")
        assert written["detail"].endswith(f"{UNKNOWN}: {REPEAT}")
        says_nothing_of_storing(problem(ada.get(f"/games/{game_id}"), 503, "unavailable"))

    def test_a_refusal_says_what_it_said_before(
        self, register: Callable[[str], Caller], store: Store
    ) -> None:
        ada = register("Ada")
        game_id = ada.open()["id"]
        before = stored(store)
        problem(ada.move(game_id, {"type": "no"}), 422, "illegal_move")
        assert stored(store) == before
