"""Reading cheaply: compression, tags of lists, remembered verifications, minimal answers."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from threading import Event, Thread
from typing import Any

import pytest
from flask import Flask

from cartulary.events.audit.audit import AuditReport
from cartulary.events.model.errors import NotFound
from cartulary.events.store import Store
from cartulary.service.app import ServiceApp
from cartulary.service.http.shared.costly_results import WaitingRequest
from cartulary.service.http.shared.packed_answers import Packed
from cartulary.service.http.shared.verifications import VerificationKey, Verifications
from cartulary.service.process.server_stats import ServerStats
from cartulary.service.server.app_interface import LOOP, WAITED
from tests.service.support.caller import METRICS, Caller, played_out
from tests.service.support.scene import problem
from tests.support.polling import until

GZIP = {"Accept-Encoding": "gzip"}


class TestCompression:
    @pytest.mark.parametrize("path", ["", "/events", "/states/38", "/transcript"])
    @pytest.mark.slow
    def test_long_json_is_compressed_for_clients_that_accept_it(
        self, ada: Caller, path: str
    ) -> None:
        game = ada.open()
        for _ in range(36):
            ada.move(game["id"])
        plain = ada.get(f"/games/{game['id']}{path}")
        packed = ada.get(f"/games/{game['id']}{path}", headers=GZIP)
        assert len(plain.data) > 1024
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.data) == plain.data
        assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data)
        assert "Content-Encoding" not in plain.headers
        assert plain.headers.get("ETag") == packed.headers.get("ETag")
        for answer in (plain, packed):
            assert "Accept-Encoding" in answer.vary

    def test_short_json_is_not_compressed(self, ada: Caller) -> None:
        answer = ada.get("/players/me", headers=GZIP)
        assert "Content-Encoding" not in answer.headers

    def test_gzip_that_a_client_excludes_is_not_used(self, ada: Caller) -> None:
        game = ada.open()
        headers = {"Accept-Encoding": "gzip;q=0, br"}
        answer = ada.get(f"/games/{game['id']}", headers=headers)
        assert "Content-Encoding" not in answer.headers

    def test_a_move_is_compressed_as_well(self, ada: Caller) -> None:
        answer = ada.move(ada.open()["id"], headers=GZIP)
        assert answer.status_code == 201
        assert answer.headers["Content-Encoding"] == "gzip"
        assert b'"version":3' in gzip.decompress(answer.data)

    def test_what_was_packed_is_not_packed_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        packed = Packed(10_000)
        first = packed.pack(b"x" * 5000)
        monkeypatch.delattr("gzip.compress")
        assert packed.pack(b"x" * 5000) is first

    def test_the_cache_holds_at_most_its_bytes(self) -> None:
        packed = Packed(1000)
        for number in range(500):
            packed.pack(b"%d" % number * 300)
            assert 0 < packed.cached_bytes <= 1000
        assert len(packed.pack(bytes(range(256)) * 40)) > 125
        assert packed.cached_bytes <= 1000


class TestLists:
    def test_a_list_has_a_tag_that_changes_with_it(self, ada: Caller) -> None:
        ada.open()
        first = ada.get("/games?player=me")
        tag = first.headers["ETag"]
        again = ada.get("/games?player=me", headers={"If-None-Match": tag})
        assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
        assert "Accept-Encoding" in again.vary
        packed = ada.get("/games?player=me", headers={"If-None-Match": tag, **GZIP})
        assert packed.status_code == 304
        ada.open()
        newer = ada.get("/games?player=me", headers={"If-None-Match": tag})
        assert newer.status_code == 200
        assert newer.headers["ETag"] != tag


class TestMinimal:
    @pytest.mark.parametrize(
        ("prefer", "minimal"),
        [
            ("return=minimal", True),
            ('Return="minimal"; foo, wait=3', True),
            ("respond-async, return = minimal", True),
            ("return=representation", False),
            ("return=representation, return=minimal", False),
            ("x-return=minimal", False),
            ("", False),
        ],
    )
    def test_a_move_can_be_answered_without_the_game(
        self, ada: Caller, prefer: str, minimal: bool
    ) -> None:
        game = ada.open()
        path = f"/games/{game['id']}/moves?board=tall"
        body = {"move": ada.legal(game["id"])[0]}
        answer = ada.post(path, body, headers={"Prefer": prefer})
        assert answer.status_code == 201
        assert answer.json["event"]["type"] == "move_made"
        after = game["version"]
        assert (
            answer.json["events"]
            == ada.get(f"/games/{game['id']}/events?after={after}").json["events"]
        )
        assert answer.json["version"] == answer.json["events"][-1]["version"]
        assert answer.headers["ETag"] == f'"v{answer.json["version"]}"'
        found = {"game", "board", "moves"} & answer.json.keys()
        assert found == (set() if minimal else {"game", "board", "moves"})
        applied = answer.headers.get("Preference-Applied")
        assert applied == ("return=minimal" if minimal else None)


def test_a_client_that_leaves_before_it_waits_takes_no_turn_to_verify(store: Store) -> None:
    verifications = Verifications(store.audit)
    assert verifications.begin(wait=False)
    woken: list[str] = []
    key = VerificationKey("a game", "one", 1)
    gone, next_one = (
        WaitingRequest(verifications, key),
        WaitingRequest(verifications, key._replace(head="two")),
    )
    gone.close()
    gone.watch(lambda: woken.append("gone"))
    next_one.watch(lambda: woken.append("next"))
    with pytest.raises(NotFound):
        verifications.compute(VerificationKey("no game", "one", 1))
    assert woken == ["next"]


class TestVerifications:
    @pytest.fixture
    def counted(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        asked: list[str] = []
        real = store.audit.game

        def game(game_id: str) -> AuditReport:
            asked.append(game_id)
            return real(game_id)

        monkeypatch.setattr(store.audit, "game", game)
        return asked

    def test_a_version_is_verified_once(
        self, ada: Caller, visitor: Caller, counted: list[str]
    ) -> None:
        game_id = played_out(ada)
        reports = [
            caller.get(f"/games/{game_id}/verification").json for caller in (ada, visitor, ada)
        ]
        assert reports == [reports[0]] * 3
        assert (reports[0]["valid"], reports[0]["problems"]) == (True, [])
        assert counted == [game_id]

    @pytest.mark.slow
    def test_a_new_version_is_verified_again(self, ada: Caller, counted: list[str]) -> None:
        game_id = ada.open()["id"]
        for version in (2, 3):
            assert ada.get(f"/games/{game_id}/verification").json["version"] == version
            ada.move(game_id)
        assert counted == [game_id] * 2

    @pytest.mark.slow
    def test_the_number_of_new_reports_is_bounded_per_address(
        self, make_app: Callable[..., Flask], ada: Caller
    ) -> None:
        games = [ada.open()["id"] for _ in range(3)]
        reader = Caller(make_app(rates={"verifications": "2/minute"}).test_client())
        for game_id in (*games[:2], *games[:2]):
            assert reader.get(f"/games/{game_id}/verification").status_code == 200
        refused = reader.get(f"/games/{games[2]}/verification")
        problem(refused, 429, "rate_limited")
        assert int(refused.headers["Retry-After"]) >= 1
        elsewhere = {"environ_overrides": {"REMOTE_ADDR": "198.51.100.7"}}
        assert reader.get(f"/games/{games[2]}/verification", **elsewhere).status_code == 200

    def test_a_request_that_waits_for_its_turn_holds_no_thread(
        self, app: Flask, ada: Caller, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        games = [ada.open()["id"] for _ in range(2)]
        real, go, begun = store.audit.game, Event(), Event()

        def game(game_id: str) -> AuditReport:
            begun.set()
            assert go.wait(60)
            return real(game_id)

        monkeypatch.setattr(store.audit, "game", game)
        paths = [f"/api/v1/games/{game_id}/verification" for game_id in games]
        first = Thread(target=app.test_client().get, args=[paths[0]])
        first.start()
        assert begun.wait(60)
        woken: list[str] = []
        held = self._ask(app, paths[1], {LOOP: True})
        assert isinstance(held, WaitingRequest)
        held.watch(lambda: woken.append("woken"))
        assert woken == []
        with app.test_client() as late:
            refused = late.get(paths[1], environ_overrides={LOOP: True, WAITED: True})
            problem(refused, 429, "rate_limited")
        go.set()
        first.join(60)
        until(lambda: woken)
        held.close()
        with app.test_client() as again:
            answer = again.get(paths[1], environ_overrides={LOOP: True, WAITED: True})
            assert answer.json is not None
            assert (answer.json["valid"], answer.json["version"]) == (True, 2)

    def _ask(self, app: Flask, path: str, environ: dict[str, Any]) -> Any:
        with app.test_request_context(path, environ_overrides=environ):
            return app.full_dispatch_request().response

    def test_those_who_wait_for_one_report_are_all_woken_and_one_of_the_others(
        self, store: Store, ada: Caller
    ) -> None:
        verifications = Verifications(store.audit)
        game_id = played_out(ada)
        key = VerificationKey(game_id, store.ledger.last([game_id])[0].hash, 1)
        assert verifications.begin(wait=False)
        assert not verifications.begin(wait=False)
        woken: list[int] = []
        for number in range(4):
            wanted = key if number % 2 else key._replace(head=str(number))
            verifications.watch(wanted, lambda number=number: woken.append(number))  # type: ignore[misc]
        verifications.compute(key)
        assert sorted(woken) == [0, 1, 3]
        verifications.watch(key, lambda: woken.append(9))
        assert woken[-1] == 9


TOURNAMENT = {
    "name": "Thursday",
    "game": "carcassonne",
    "table": [2],
    "format": "round_robin",
    "pace": {"mode": "live", "delay": 30, "bank": 600},
    "start": {"by_host": True},
}


@pytest.mark.process
def test_the_metrics_show_the_bytes_of_each_cache(app: Flask, ada: Caller) -> None:
    game_id = played_out(ada)
    ada.get(f"/games/{game_id}/verification")
    ada.get(f"/games/{game_id}/events", headers=GZIP)
    assert ada.get(f"/games/{game_id}/board.png?width=200").status_code == 200
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    practice = ada.open(seats=seats, hints=True)["id"]
    assert ada.get(f"/games/{practice}/hint").status_code == 200
    tournament = ada.post("/tournaments", TOURNAMENT).json["id"]
    assert ada.get(f"/tournaments/{tournament}/verification").status_code == 200
    assert isinstance(app, ServiceApp)
    app.show_connections(ServerStats(0, 0, 0, 0, 0))
    text = ada.client.get("/metrics", headers=METRICS).text
    found = dict(re.findall(r'cartulary_cache_bytes\{cache="(\w+)"\} ([0-9.e+]+)', text))
    assert found.keys() == {
        *("tables", "tokens", "verifications", "tournaments", "hints", "compressed", "pictures")
    }
    assert all(float(size) > 0 for size in found.values())
