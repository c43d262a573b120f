"""Every refusal of the HTTP contract with its code; none stores anything."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from fakeredis import FakeRedis, FakeServer
from flask import Flask

from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.app import create_app
from cartulary.service.process.settings import WebSettings
from tests.service.support.caller import API, SMALL_CITY, Caller, register_player
from tests.service.support.scene import READS, WRITES, Scene, problem, set_scene
from tests.support.stored_keys import stored


class OneScene:
    """Tests that share a scene for their class: each of them holds that it changes no key."""

    @pytest.fixture(scope="class")
    @classmethod
    def store(cls) -> Store:
        return Store(FakeRedis(), OFFERS, rng=random.Random(1))

    @pytest.fixture(scope="class")
    @classmethod
    def app(cls, store: Store) -> Flask:
        return create_app(WebSettings(log_requests=False, rates={}), store, OFFERS)

    @pytest.fixture(scope="class")
    @classmethod
    def scene(cls, app: Flask) -> Scene:
        return set_scene(register_player(app, "Ada"), register_player(app, "Bob"))


@pytest.mark.usefixtures("nothing_is_stored")
class TestCallers(OneScene):
    NEEDS_TOKEN = (
        *((method, path) for method, path, _ in list(WRITES.values())[1:]),
        ("DELETE", "/games/{open}/seats/0"),
        ("GET", "/players/me"),
        ("GET", "/games?player=me"),
    )

    @pytest.mark.parametrize(("method", "path"), NEEDS_TOKEN)
    def test_without_a_token(self, scene: Scene, visitor: Caller, method: str, path: str) -> None:
        answer = visitor.send(method, scene.path(path), json={} if method == "POST" else None)
        problem(answer, 401, "token_missing")
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")

    @pytest.mark.parametrize(
        ("method", "path"),
        [
            *NEEDS_TOKEN,
            *(("GET", "/games/{running}" + read) for read in READS),
            *(("GET", path) for path in ("/catalogue", "/games", "/players/unknown")),
        ],
    )
    def test_with_a_token_of_nobody(
        self, scene: Scene, visitor: Caller, method: str, path: str
    ) -> None:
        for header in ("Bearer nonsense", "Bearer ", "Basic QWRhOng=", "Bearer é", "nonsense"):
            answer = visitor.send(
                method,
                scene.path(path),
                json={} if method == "POST" else None,
                headers={"Authorization": header.encode().decode("latin-1")},
            )
            problem(answer, 401, "token_unknown")
            assert answer.headers["WWW-Authenticate"].startswith("Bearer"), header

    @pytest.mark.parametrize("read", READS)
    def test_nobody_sees_a_private_game_of_others(
        self, scene: Scene, visitor: Caller, read: str
    ) -> None:
        path = scene.path("/games/{private}") + read
        problem(scene.bob.get(path), 404, "not_found")
        problem(visitor.get(path), 404, "not_found")
        assert scene.ada.get(path).status_code == 200

    def test_nobody_acts_in_a_private_game_of_others(self, scene: Scene) -> None:
        path = scene.path("/games/{private}")
        problem(scene.bob.post(f"{path}/moves", {"move": {}}), 404, "not_found")
        problem(scene.bob.post(f"{path}/seats", {}), 404, "not_found")
        problem(scene.bob.delete(f"{path}/seats/0"), 404, "not_found")

    def test_a_move_with_the_token_of_somebody_who_has_no_seat(self, scene: Scene) -> None:
        path = scene.path("/games/{running}/moves")
        problem(
            scene.bob.post(path, {"move": scene.ada.legal(scene.ids["running"])[0]}),
            403,
            "not_seated",
        )

    def test_leaving_the_seat_of_somebody_else(self, scene: Scene) -> None:
        problem(scene.bob.delete(scene.path("/games/{open}/seats/0")), 403, "not_seated")


@pytest.mark.usefixtures("nothing_is_stored")
class TestPlaces(OneScene):
    @pytest.mark.parametrize("game_id", ["unknown", "x", "%00", "{x}", "%F0%9F%8E%B2", "a" * 3000])
    @pytest.mark.parametrize("read", READS)
    def test_an_unknown_game(self, scene: Scene, game_id: str, read: str) -> None:
        problem(scene.ada.get(f"/games/{game_id}{read}"), 404, "not_found")

    @pytest.mark.parametrize(
        "game_id", ["a%20b", "%3Fx=%23", "%25", "%F0%9F%8E%B2", "x:@!$&'()*+,;=~"]
    )
    def test_an_instance_is_the_path_as_it_was_sent(self, scene: Scene, game_id: str) -> None:
        answer = scene.ada.get(f"/games/{game_id}")
        assert problem(answer, 404, "not_found")["instance"] == f"{API}/games/{game_id}"

    def test_writing_to_an_unknown_game(self, scene: Scene) -> None:
        path = scene.path("/games/{unknown}")
        problem(scene.ada.post(f"{path}/moves", {"move": {}}), 404, "not_found")
        problem(scene.ada.post(f"{path}/seats", {}), 404, "not_found")
        problem(scene.ada.delete(f"{path}/seats/0"), 404, "not_found")

    @pytest.mark.parametrize("player_id", ["unknown", "%00", "{x}"])
    def test_an_unknown_player(self, scene: Scene, player_id: str) -> None:
        problem(scene.ada.get(f"/players/{player_id}"), 404, "not_found")

    @pytest.mark.parametrize("version", ["0", "99", "-1", "x", "1.0", "01", "٣", "9" * 400])
    def test_a_version_that_the_game_does_not_have(self, scene: Scene, version: str) -> None:
        path = scene.path("/games/{running}/states/") + version
        problem(scene.ada.get(path), 404, "not_found")

    @pytest.mark.parametrize("seat", ["2", "-1", "x", "00", "9" * 400])
    def test_leaving_a_seat_that_is_not_there(self, scene: Scene, seat: str) -> None:
        problem(scene.ada.delete(scene.path("/games/{open}/seats/") + seat), 404, "not_found")

    @pytest.mark.parametrize(
        "path",
        [
            *("/nothing", "/docs/nothing", "/docs/..%2fapp.py", "/js//main.js", "/docs//"),
            *(f"{API}/x", f"{API}//games", "/api//v1/games", f"{API}/games//moves"),
        ],
    )
    def test_an_unknown_path(self, scene: Scene, path: str) -> None:
        problem(scene.ada.client.get(path), 404, "not_found")

    @pytest.mark.parametrize(
        ("method", "path", "allowed"),
        [
            ("PUT", "/games", {"GET", "HEAD", "OPTIONS", "POST"}),
            ("DELETE", "/games/{running}", {"GET", "HEAD", "OPTIONS"}),
            ("GET", "/games/{open}/seats", {"OPTIONS", "POST"}),
            ("PATCH", "/games/{running}/moves", {"GET", "HEAD", "OPTIONS", "POST"}),
            ("GET", "/games/import", {"OPTIONS", "POST"}),
            ("TRACE", "/catalogue", {"GET", "HEAD", "OPTIONS"}),
        ],
    )
    def test_a_method_that_is_not_allowed(
        self, scene: Scene, method: str, path: str, allowed: set[str]
    ) -> None:
        answer = scene.ada.send(method, scene.path(path))
        problem(answer, 405, "method_not_allowed")
        assert set(answer.headers["Allow"].split(", ")) == allowed


@pytest.mark.usefixtures("nothing_is_stored")
class TestStates(OneScene):
    def test_a_seat_that_is_taken(self, scene: Scene) -> None:
        problem(scene.bob.post(scene.path("/games/{open}/seats"), {"seat": 0}), 409, "seat_taken")

    def test_sitting_down_twice(self, scene: Scene) -> None:
        problem(scene.ada.post(scene.path("/games/{open}/seats"), {}), 409, "seat_taken")

    @pytest.mark.parametrize("game", ["running", "over"])
    def test_sitting_down_or_leaving_after_the_start(self, scene: Scene, game: str) -> None:
        path = scene.path(f"/games/{{{game}}}/seats")
        problem(scene.bob.post(path, {}), 409, "already_started")
        problem(scene.ada.delete(f"{path}/0"), 409, "already_started")

    @pytest.mark.parametrize("game", ["open", "over"])
    def test_a_move_in_a_game_that_is_not_running(self, scene: Scene, game: str) -> None:
        path = scene.path(f"/games/{{{game}}}/moves")
        problem(scene.ada.post(path, {"move": {"type": "x"}}), 409, "game_not_running")

    def test_the_transcript_of_a_game_that_has_not_started(self, scene: Scene) -> None:
        problem(scene.ada.get(scene.path("/games/{open}/transcript")), 409, "game_not_running")


def test_a_move_out_of_turn(ada: Caller, bob: Caller, store: Store) -> None:
    game_id = ada.open("me", "open")["id"]
    bob.post(f"/games/{game_id}/seats", {})
    before = stored(store)
    body = problem(bob.move(game_id), 409, "not_your_turn")
    assert body["decision"] == ada.get(f"/games/{game_id}").json["decision"]
    assert stored(store) == before


@pytest.mark.usefixtures("nothing_is_stored")
class TestMoves(OneScene):
    def test_a_stale_version(self, scene: Scene) -> None:
        answer = scene.ada.move(scene.ids["running"], body={"expected_version": 1})
        assert problem(answer, 409, "stale_version")["current_version"] == 2

    @pytest.mark.parametrize(
        "tag", ['"v1"', '"v3"', 'W/"v2"', "v2", '"2"', '"v1", "v3"', '"v02"', "nonsense", '"v٢"']
    )
    def test_an_if_match_that_does_not_hold(self, scene: Scene, tag: str) -> None:
        headers = {"If-Match": tag.encode().decode("latin-1")}
        answer = scene.ada.move(scene.ids["running"], headers=headers)
        assert problem(answer, 412, "stale_version")["current_version"] == 2
        assert answer.headers["ETag"] == '"v2"'

    @pytest.mark.parametrize("tag", ['"v2"', 'W/"v1"', '"v2", "v3"', "nonsense"])
    @pytest.mark.parametrize(
        ("name", "method", "path"), [("bob", "POST", ""), ("ada", "DELETE", "/0")]
    )
    def test_a_seat_with_an_if_match_that_does_not_hold(
        self, scene: Scene, name: str, method: str, path: str, tag: str
    ) -> None:
        caller: Caller = getattr(scene, name)
        url = scene.path("/games/{open}/seats") + path
        answer = caller.send(method, url, headers={"If-Match": tag})
        assert problem(answer, 412, "stale_version")["current_version"] == 1
        assert answer.headers["ETag"] == '"v1"'

    def test_an_if_match_does_not_tell_of_a_private_game(self, scene: Scene) -> None:
        path, headers = scene.path("/games/{private}/seats"), {"If-Match": '"v1"'}
        problem(scene.bob.post(path, {}, headers=headers), 404, "not_found")
        problem(scene.bob.delete(f"{path}/0", headers=headers), 404, "not_found")

    def test_a_version_that_contradicts_if_match(self, scene: Scene) -> None:
        right, wrong = '"v2"', '"v1"'
        answer = scene.ada.move(
            scene.ids["running"], body={"expected_version": 1}, headers={"If-Match": right}
        )
        problem(answer, 409, "stale_version")
        answer = scene.ada.move(
            scene.ids["running"], body={"expected_version": 2}, headers={"If-Match": wrong}
        )
        problem(answer, 412, "stale_version")

    @pytest.mark.parametrize(
        "change",
        [
            {"x": 40},
            {"rotation": 45},
            {"extra": 1},
            {"type": "place_follower"},
            {"type": ["place_tile"]},
            {"x": None},
            {"y": [[]]},
            {"x": True},
            {"x": "1"},
            {"x": 10**25},
        ],
    )
    def test_an_illegal_move(self, scene: Scene, change: dict[str, Any]) -> None:
        legal = scene.ada.legal(scene.ids["running"])
        answer = scene.ada.move(scene.ids["running"], {**legal[0], **change})
        assert problem(answer, 422, "illegal_move")["legal_moves"] == legal

    def test_a_number_with_a_fraction_makes_another_move(self, scene: Scene) -> None:
        move = scene.ada.legal(scene.ids["running"])[0]
        answer = scene.ada.move(scene.ids["running"], {**move, "x": float(move["x"])})
        problem(answer, 422, "illegal_move")

    def test_an_empty_move(self, scene: Scene) -> None:
        problem(scene.ada.move(scene.ids["running"], {}), 422, "illegal_move")


def test_a_reused_key_with_another_body(ada: Caller, store: Store) -> None:
    game_id = ada.open()["id"]
    first = ada.legal(game_id)[0]
    second = {**first, "x": first["x"] + 1}
    headers = {"Idempotency-Key": "k"}
    ada.move(game_id, first, headers=headers)
    ada.post("/games", {"game": "carcassonne", "seats": [{"kind": "me"}] * 2}, headers=headers)
    before = stored(store)
    problem(ada.move(game_id, second, headers=headers), 422, "idempotency_mismatch")
    body = {"game": "carcassonne", "seats": [{"kind": "me"}] * 3}
    problem(ada.post("/games", body, headers=headers), 422, "idempotency_mismatch")
    problem(ada.post("/games/import", SMALL_CITY, headers=headers), 422, "idempotency_mismatch")
    assert stored(store) == before


def test_too_many_requests(make_app: Callable[..., Flask]) -> None:
    app = make_app(rates={"players": "2/minute", "games": "1/minute"})
    ada = Caller(app.test_client())
    ada.token = ada.post("/players", {"name": "Ada"}).json["token"]
    ada.open()
    answer = ada.post("/games", {"game": "carcassonne", "seats": [{"kind": "me"}] * 2})
    problem(answer, 429, "rate_limited")
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    assert ada.post("/players", {"name": "Bob"}).status_code == 201
    problem(ada.post("/players", {"name": "Cyd"}), 429, "rate_limited")


def test_what_nobody_has_foreseen(
    app: Flask, ada: Caller, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError("secret")

    game_id = ada.open()["id"]
    store = app.extensions["cartulary"].store
    monkeypatch.setattr(store.projector, "visible", fail)
    answer = ada.get(f"/games/{game_id}")
    problem(answer, 500, "internal_error")
    assert "secret" not in answer.text
    assert "secret" in caplog.text


def test_a_store_that_cannot_be_reached(app: Flask, ada: Caller, server: FakeServer) -> None:
    game_id = ada.open()["id"]
    server.connected = False
    answer = ada.get(f"/games/{game_id}")
    problem(answer, 503, "unavailable")
    assert answer.headers["Retry-After"]
    problem(app.test_client().get("/readyz"), 503, "unavailable")
    assert app.test_client().get("/livez").status_code == 200
