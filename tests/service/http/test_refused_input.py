"""What a client may get wrong in a body, a query or a header; none of it stores anything."""

from __future__ import annotations

import json
import random
from typing import Any

import fakeredis
import pytest

from cartulary.engine.errors import TranscriptError
from cartulary.engine.transcript import read
from cartulary.events.store import Store
from cartulary.games import GAMES, OFFERS
from cartulary.service.app import create_app
from cartulary.service.process.settings import WebSettings
from tests.service.support.caller import SMALL_CITY, register_player
from tests.service.support.scene import READS, WRITES, Scene, pointers, problem, set_scene

NO_NAMES = [
    *("\u2028", "a\u2029b", "a\u0085b"),
    *("\u200b", "\u00a0"),
    "\x1b[2J",
    "\u202eadA",
    "Ada\u2066",
]


@pytest.fixture(scope="module")
def store() -> Store:
    """One store for the whole file: each of its tests holds that the test changes no key."""
    return Store(fakeredis.FakeRedis(), OFFERS, rng=random.Random(1))


@pytest.fixture(scope="module")
def scene(store: Store) -> Scene:
    app = create_app(WebSettings(log_requests=False, rates={}), store, OFFERS)
    return set_scene(register_player(app, "Ada"), register_player(app, "Bob"))


@pytest.mark.usefixtures("nothing_is_stored")
class TestBodies:
    @pytest.mark.parametrize("name", sorted(set(WRITES) - {"seats"}))
    def test_no_body_is_malformed(self, scene: Scene, name: str) -> None:
        method, path, _ = WRITES[name]
        answer = scene.bob.send(method, scene.path(path), content_type="application/json")
        problem(answer, 400, "malformed_json")

    @pytest.mark.parametrize("name", WRITES)
    @pytest.mark.parametrize(
        "raw",
        [
            b"{",
            b'{"name": NaN}',
            b'{"name": Infinity}',
            b'{"name": 1e999}',
            b'{"name": "\xff"}',
            b'{"name": "\\ud800"}',
            b'\xef\xbb\xbf{"name": "Ada"}',
            b"{'name': 'Ada'}",
            b'{"name": "Ada"} x',
            b'{"name": "Ada", "name": "Ada"}',
            b'{"name": "Ada", "more": {"a": 1, "\\u0061": 2}}',
            b"[" * 100_000,
            b'{"name":' * 500 + b"1" + b"}" * 500,
            b'{"name":' + b"[" * 40 + b"]" * 40 + b"}",
        ],
    )
    def test_what_is_not_strict_json_is_malformed(
        self, scene: Scene, name: str, raw: bytes
    ) -> None:
        method, path, _ = WRITES[name]
        answer = scene.bob.send(method, scene.path(path), data=raw, content_type="application/json")
        problem(answer, 400, "malformed_json")

    @pytest.mark.parametrize("name", WRITES)
    @pytest.mark.parametrize("raw", [b"[]", b"1", b'"x"', b"null", b"true"])
    def test_a_body_that_is_no_object_is_invalid(self, scene: Scene, name: str, raw: bytes) -> None:
        method, path, _ = WRITES[name]
        answer = scene.bob.send(method, scene.path(path), data=raw, content_type="application/json")
        assert pointers(problem(answer, 422, "invalid")) == [""]

    @pytest.mark.parametrize("name", WRITES)
    @pytest.mark.parametrize(
        "content_type",
        [
            *(None, "text/plain", "application/x-www-form-urlencoded", "application/xml"),
            *("application/json-patch+json", "application/merge-patch+json"),
        ],
    )
    def test_a_body_that_does_not_call_itself_json_is_refused(
        self, scene: Scene, name: str, content_type: str | None
    ) -> None:
        method, path, _ = WRITES[name]
        answer = scene.bob.send(method, scene.path(path), data=b"{}", content_type=content_type)
        problem(answer, 415, "unsupported_media_type")
        assert answer.headers["Accept"] == "application/json"

    @pytest.mark.parametrize("name", WRITES)
    @pytest.mark.parametrize("coding", ["gzip", "br", "identity, gzip"])
    def test_a_body_that_is_compressed_is_refused(
        self, scene: Scene, name: str, coding: str
    ) -> None:
        method, path, body = WRITES[name]
        headers = {"Content-Encoding": coding}
        answer = scene.bob.send(method, scene.path(path), json=body, headers=headers)
        problem(answer, 415, "unsupported_media_type")
        assert answer.headers["Accept-Encoding"] == "identity"

    @pytest.mark.parametrize("name", WRITES)
    def test_a_body_in_another_charset_is_refused(self, scene: Scene, name: str) -> None:
        method, path, _ = WRITES[name]
        kind = "application/json; charset=utf-16"
        answer = scene.bob.send(
            method, scene.path(path), data="{}".encode("utf-16"), content_type=kind
        )
        problem(answer, 415, "unsupported_media_type")

    @pytest.mark.parametrize("name", WRITES)
    def test_a_body_above_the_limit_is_too_large(self, scene: Scene, name: str) -> None:
        method, path, _ = WRITES[name]
        size = 1024 * 1024 if name == "import" else 256 * 1024
        answer = scene.bob.send(
            method,
            scene.path(path),
            data=b'{"name":"' + b"x" * size + b'"}',
            content_type="application/json",
        )
        problem(answer, 413, "too_large")

    @pytest.mark.parametrize("name", sorted(set(WRITES) - {"import"}))
    def test_an_unknown_field_is_invalid(self, scene: Scene, name: str) -> None:
        method, path, body = WRITES[name]
        answer = scene.bob.send(method, scene.path(path), json={**body, "colour/~": "red"})
        assert pointers(problem(answer, 422, "invalid")) == ["/colour~1~0"]


@pytest.mark.usefixtures("nothing_is_stored")
class TestFields:
    @pytest.mark.parametrize(
        ("body", "at"),
        [
            ({}, "/name"),
            ({"name": None}, "/name"),
            ({"name": 7}, "/name"),
            ({"name": ""}, "/name"),
            ({"name": "   "}, "/name"),
            ({"name": "A\u0000da"}, "/name"),
            ({"name": "Ada\n"}, "/name"),
            ({"name": "x" * 65}, "/name"),
            *(({"name": name}, "/name") for name in NO_NAMES),
        ],
    )
    @pytest.mark.slow
    def test_of_a_player(self, scene: Scene, body: Any, at: str) -> None:
        assert pointers(problem(scene.ada.post("/players", body), 422, "invalid")) == [at]

    @pytest.mark.parametrize(
        ("change", "at"),
        [
            ({"game": "chess"}, "/game"),
            ({"game": None}, "/game"),
            ({"game": ["carcassonne"]}, "/game"),
            ({"seats": "me"}, "/seats"),
            ({"seats": []}, "/seats"),
            ({"seats": [{"kind": "me"}]}, "/seats"),
            ({"seats": [{"kind": "me"}] * 6}, "/seats"),
            ({"seats": [{"kind": "me"}, {"kind": "cat"}]}, "/seats/1/kind"),
            ({"seats": [{"kind": "me"}, {}]}, "/seats/1/kind"),
            ({"seats": [{"kind": "me"}, "bot"]}, "/seats/1"),
            ({"seats": [{"kind": "me"}, {"kind": "bot"}]}, "/seats/1/bot"),
            ({"seats": [{"kind": "me"}, {"kind": "bot", "bot": "deep"}]}, "/seats/1/bot"),
            ({"seats": [{"kind": "me", "bot": "random"}, {"kind": "me"}]}, "/seats/0/bot"),
            ({"seats": [{"kind": "me", "name": "x"}, {"kind": "me"}]}, "/seats/0/name"),
            ({"options": []}, "/options"),
            ({"options": {"tiny_city": 3}}, "/options/tiny_city"),
            ({"options": {"tiny_city": 4.0}}, "/options/tiny_city"),
            ({"options": {"tiny_city": True}}, "/options/tiny_city"),
            ({"options": {"big/city": 4}}, "/options/big~1city"),
            ({"shuffle_seats": 1}, "/shuffle_seats"),
            ({"shuffle_seats": "yes"}, "/shuffle_seats"),
            ({"visibility": "secret"}, "/visibility"),
        ],
    )
    def test_of_a_game(self, scene: Scene, change: dict[str, Any], at: str) -> None:
        body = {"game": "carcassonne", "seats": [{"kind": "me"}] * 2, **change}
        assert pointers(problem(scene.ada.post("/games", body), 422, "invalid")) == [at]

    @pytest.mark.parametrize("seat", [-1, 2, 5, 1.5, "1", True, 10**30])
    def test_of_taking_a_seat(self, scene: Scene, seat: Any) -> None:
        answer = scene.bob.post(scene.path("/games/{open}/seats"), {"seat": seat})
        assert pointers(problem(answer, 422, "invalid")) == ["/seat"]

    @pytest.mark.parametrize(
        ("body", "at"),
        [
            ({}, "/move"),
            ({"move": None}, "/move"),
            ({"move": "place_tile"}, "/move"),
            ({"move": []}, "/move"),
            ({"move": {}, "expected_version": "2"}, "/expected_version"),
            ({"move": {}, "expected_version": 2.5}, "/expected_version"),
            ({"move": {}, "expected_version": 0}, "/expected_version"),
            ({"move": {}, "expected_version": True}, "/expected_version"),
            ({"move": {}, "expected_version": 10**20}, "/expected_version"),
        ],
    )
    def test_of_a_move(self, scene: Scene, body: Any, at: str) -> None:
        answer = scene.ada.post(scene.path("/games/{running}/moves"), body)
        assert pointers(problem(answer, 422, "invalid")) == [at]

    @pytest.mark.parametrize("key", ["", "k" * 256])
    @pytest.mark.parametrize("name", sorted(set(WRITES) - {"players"}))
    def test_of_an_idempotency_key(self, scene: Scene, name: str, key: str) -> None:
        method, path, body = WRITES[name]
        answer = scene.bob.send(
            method, scene.path(path), json=body, headers={"Idempotency-Key": key}
        )
        problem(answer, 422, "invalid")

    @pytest.mark.parametrize(
        ("method", "path"),
        [
            *(("GET", path) for path in ("/catalogue", "/players/me", "/players/x", "/games")),
            *(("GET", "/games/{running}" + read) for read in (*READS, "/board.svg", "/story")),
            *((method, path) for method, path, _ in WRITES.values()),
            ("DELETE", "/games/{open}/seats/0"),
        ],
    )
    def test_of_a_parameter_that_is_not_known(self, scene: Scene, method: str, path: str) -> None:
        body = next((body for _, writes, body in WRITES.values() if writes == path), None)
        json = body if method == "POST" else None
        answer = scene.ada.send(method, scene.path(path) + "?colour=red&colour=", json=json)
        assert pointers(problem(answer, 422, "invalid")) == ["/colour"]

    def test_of_a_parameter_that_is_given_more_than_once(self, scene: Scene) -> None:
        answer = scene.ada.get("/games?limit=5&limit=abc&status=done")
        assert sorted(pointers(problem(answer, 422, "invalid"))) == ["/limit", "/status"]
        path = scene.path("/games/{running}/events?after=1&after=1")
        assert pointers(problem(scene.ada.get(path), 422, "invalid")) == ["/after"]

    @pytest.mark.parametrize(
        "query",
        [
            *("limit=0", "limit=101", "limit=x", "limit=1e1", "limit=", "limit=%D9%A1"),
            *("status=done", "player=you", "colour=red", "game="),
        ],
    )
    def test_of_the_query_of_games(self, scene: Scene, query: str) -> None:
        body = problem(scene.ada.get(f"/games?{query}"), 422, "invalid")
        assert pointers(body) == [f"/{query.partition('=')[0]}"]

    @pytest.mark.parametrize(
        "query", ["after=-1", "after=x", "limit=0", "limit=1001", "wait=61", "wait=-1", "since=1"]
    )
    def test_of_the_query_of_events(self, scene: Scene, query: str) -> None:
        answer = scene.ada.get(scene.path("/games/{running}/events?") + query)
        assert pointers(problem(answer, 422, "invalid")) == [f"/{query.partition('=')[0]}"]

    @pytest.mark.parametrize("cursor", ["", "x", "eyJ9", "%00", "..", "ÿ", "A" * 3000])
    @pytest.mark.parametrize("owner", ["", "player=me&"])
    def test_a_cursor_that_is_not_ours(self, scene: Scene, cursor: str, owner: str) -> None:
        problem(scene.ada.get(f"/games?{owner}cursor={cursor}"), 400, "bad_cursor")


def _without(key: str) -> dict[str, Any]:
    return {name: value for name, value in SMALL_CITY.items() if name != key}


def _nested(depth: int) -> bytes:
    """Return a transcript as a file with a note of so many lists in one another."""
    note = b"[" * depth + b"]" * depth
    return json.dumps({**SMALL_CITY, "note": 0}).encode().replace(b'"note": 0', b'"note": ' + note)


def _imported(scene: Scene, raw: bytes) -> Any:
    return scene.ada.send("POST", "/games/import", data=raw, content_type="application/json")


@pytest.mark.parametrize("depth", [1, 31, 32])
def test_a_transcript_nests_as_deep_as_the_engine_reads(scene: Scene, depth: int) -> None:
    assert _imported(scene, _nested(depth)).status_code == 201
    assert read(_nested(depth), GAMES).extra


@pytest.mark.usefixtures("nothing_is_stored")
class TestTranscripts:
    @pytest.mark.parametrize(
        "transcript",
        [
            {},
            _without("format"),
            _without("game"),
            _without("seats"),
            _without("moves"),
            {**SMALL_CITY, "format": "cartulary/2"},
            {**SMALL_CITY, "game": "chess"},
            {**SMALL_CITY, "seats": 1},
            {**SMALL_CITY, "seats": "2"},
            {**SMALL_CITY, "seats": True},
            {**SMALL_CITY, "players": ["Ada"]},
            {**SMALL_CITY, "players": [1, 2]},
            {**SMALL_CITY, "options": {"tiny_city": 5}},
            {**SMALL_CITY, "options": []},
            {**SMALL_CITY, "setup": {"turn_order": [0, 1]}},
            {**SMALL_CITY, "draws": ["Z"]},
            {**SMALL_CITY, "draws": [[]]},
            {**SMALL_CITY, "draws": ["C", "C"]},
            {**SMALL_CITY, "draws": "E"},
            {**SMALL_CITY, "bag": {"Z": 1}},
            {**SMALL_CITY, "bag": {"A": -1}},
            {**SMALL_CITY, "bag": {"A": "x"}},
            {**SMALL_CITY, "moves": {}},
            {**SMALL_CITY, "moves": [1]},
            {**SMALL_CITY, "moves": [{"seat": 0}]},
            {**SMALL_CITY, "moves": [{"seat": 0, "move": 1}]},
            {**SMALL_CITY, "moves": [{"seat": 1, "move": SMALL_CITY["moves"][0]["move"]}]},
            {**SMALL_CITY, "moves": SMALL_CITY["moves"][1:]},
            {**SMALL_CITY, "moves": SMALL_CITY["moves"] * 2},
            {**SMALL_CITY, "moves": SMALL_CITY["moves"][:1]},
            {**SMALL_CITY, "result": {"scores": [5, 0], "winners": [0]}},
            {**SMALL_CITY, "result": {"scores": [4, 0], "winners": [1]}},
            {**SMALL_CITY, "result": {"scores": [4.0, 0], "winners": [0]}},
            {**SMALL_CITY, "result": []},
            {**SMALL_CITY, "name": "\u0000", "result": {}},
        ],
    )
    def test_that_is_unreadable_or_invalid(self, scene: Scene, transcript: dict[str, Any]) -> None:
        problem(scene.ada.post("/games/import", transcript), 422, "invalid")

    @pytest.mark.parametrize("name", ["", "x" * 65, "x" * 200_000, "A\u0000da", "A\nda", *NO_NAMES])
    def test_a_transcript_names_nobody_as_a_player_cannot_be_named(
        self, scene: Scene, name: str
    ) -> None:
        named = {**SMALL_CITY, "players": [name, "Ada"]}
        refused = problem(scene.ada.post("/games/import", named), 422, "invalid")
        registering = problem(scene.ada.post("/players", {"name": name}), 422, "invalid")
        assert pointers(refused) == ["/players/0"]
        assert refused["errors"][0]["detail"] == registering["errors"][0]["detail"]

    @pytest.mark.parametrize(
        ("change", "at"),
        [
            ({"seats": 1}, "/seats"),
            ({"options": {"tiny_city": 5}}, "/options/tiny_city"),
            ({"draws": ["E", "Z"]}, "/draws/1"),
            ({"moves": [SMALL_CITY["moves"][0], 1]}, "/moves/1"),
            ({"result": {"scores": ["4", 0], "winners": [0]}}, "/result/scores/0"),
        ],
    )
    def test_the_pointer_leads_to_what_cannot_be_read(
        self, scene: Scene, change: dict[str, Any], at: str
    ) -> None:
        answer = scene.ada.post("/games/import", {**SMALL_CITY, **change})
        assert pointers(problem(answer, 422, "invalid")) == [at]

    @pytest.mark.parametrize(
        "raw",
        [
            json.dumps(SMALL_CITY).encode("utf-8-sig"),
            json.dumps(SMALL_CITY).encode("utf-16"),
            *(_nested(depth) for depth in (33, 34, 64, 65)),
            _nested(30)[:-1],
            _nested(1).replace(b"[]", b"NaN"),
            _nested(1).replace(b"[]", b'"\\ud800"'),
        ],
    )
    def test_what_is_malformed_here_is_no_file_for_the_engine_either(
        self, scene: Scene, raw: bytes
    ) -> None:
        problem(_imported(scene, raw), 400, "malformed_json")
        with pytest.raises(TranscriptError):
            read(raw, GAMES)

    def test_a_number_that_would_not_come_out_again_is_refused(self, scene: Scene) -> None:
        given = {**SMALL_CITY, "note": 12345678901234567890123}
        body = problem(scene.ada.post("/games/import", given), 422, "invalid")
        assert pointers(body) == ["/note"]
        assert "64 bits" in body["detail"]

    @pytest.mark.parametrize("key", ["format", "game", "seats", "setup", "draws", "moves"])
    @pytest.mark.slow
    def test_what_the_description_requires_is_required(self, scene: Scene, key: str) -> None:
        answer = scene.ada.client.get("/openapi.json")
        described = json.loads(answer.data)["components"]["schemas"]
        assert key in described["Transcript"]["required"]
        answer = scene.ada.post("/games/import", _without(key))
        assert pointers(problem(answer, 422, "invalid")) == [f"/{key}"]

    def test_the_pointer_leads_to_the_first_bad_move(self, scene: Scene) -> None:
        moves = [
            SMALL_CITY["moves"][0],
            {"seat": 0, "move": {"type": "place_follower", "segment": "c9"}},
        ]
        answer = scene.ada.post("/games/import", {**SMALL_CITY, "moves": moves})
        (pointer,) = pointers(problem(answer, 422, "invalid"))
        assert pointer.startswith("/moves/1")
