"""The calls of operators, who may make them, and what a suspended player may still do."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask

from cartulary.events.people.players import hash_token
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.service.support.caller import Caller, register_player
from tests.service.support.scene import pointers, problem

READS = ["reports", "reports/01X", "players?name=ada", "players/01X", "log"]


@pytest.fixture
def cleo(app: Flask, store: Store) -> Caller:
    """An operator, with the token that `cartulary operator` prints."""
    made = register_player(app, "Cleo")
    player = store.players.by_id(made.id)
    assert player is not None
    return Caller(app.test_client(), store.office.operators.grant(player, 1).secret, made.id)


def give(cleo: Caller, player: str, command: str, **more: Any) -> Any:
    body = {"command": command, "reason": "a test", **more}
    return cleo.post(f"/operator/players/{player}/orders", body)


class TestScope:
    @pytest.mark.parametrize("path", READS)
    def test_a_token_of_a_registration_is_refused(self, ada: Caller, path: str) -> None:
        refused = problem(ada.get(f"/operator/{path}"), 403, "scope_missing")
        assert refused["scope"] == "operator"
        assert "cartulary operator" in refused["detail"]

    def test_a_token_from_before_there_were_scopes_is_refused_also_of_an_operator(
        self, app: Flask, store: Store, cleo: Caller
    ) -> None:
        store.registry.set(keys.token(hash_token("old-token")), cleo.id)
        old = Caller(app.test_client(), "old-token", cleo.id)
        assert old.get("/players/me").status_code == 200
        for path in READS:
            problem(old.get(f"/operator/{path}"), 403, "scope_missing")
        problem(give(old, cleo.id, "mute"), 403, "scope_missing")

    def test_no_request_asks_for_the_scope(self, ada: Caller) -> None:
        asked = {"scopes": ["read", "operator"]}
        problem(ada.post("/players/me/tokens", asked), 422, "invalid")

    def test_a_token_of_an_operator_neither_plays_nor_writes_to_the_account(
        self, cleo: Caller
    ) -> None:
        problem(cleo.post("/games", {"game": "carcassonne", "seats": []}), 403, "scope_missing")
        problem(cleo.patch("/players/me", {"name": "Dora"}), 403, "scope_missing")
        problem(cleo.get("/players/me/tokens"), 403, "scope_missing")

    def test_the_list_of_tokens_names_the_scope(
        self, app: Flask, store: Store, ada: Caller
    ) -> None:
        player = store.players.by_id(ada.id)
        assert player is not None
        store.office.operators.grant(player, 1)
        scopes = [one["scopes"] for one in ada.get("/players/me/tokens").json["tokens"]]
        assert scopes == [["read", "play", "account"], ["read", "operator"]]

    def test_without_a_token_nothing_is_shown(self, visitor: Caller) -> None:
        for path in READS:
            problem(visitor.get(f"/operator/{path}"), 401, "token_missing")


class TestReports:
    def test_a_report_is_answered_and_the_player_reads_it(
        self, cleo: Caller, ada: Caller, bob: Caller
    ) -> None:
        made = bob.post("/reports", {"player": ada.id, "reason": "name"}).json
        (listed,) = cleo.get("/operator/reports").json["reports"]
        assert (listed["id"], listed["about"]["name"], listed["by"]["name"]) == (
            *(made["id"], "Ada"),
            "Bob",
        )
        shown = cleo.get(f"/operator/reports/{made['id']}").json
        assert (shown["standing"]["reports"], shown["context"]) == (1, [])
        assert shown["standing"]["claimed_at"] is None
        body = {"answer": "Renamed.", "note": "agreed"}
        answered = cleo.post(f"/operator/reports/{made['id']}/answer", body)
        assert (answered.json["answer"], answered.json["note"]) == ("Renamed.", "agreed")
        assert cleo.get("/operator/reports").json["reports"] == []
        assert len(cleo.get("/operator/reports?status=closed").json["reports"]) == 1
        (item,) = bob.get("/players/me/inbox").json["items"]
        assert (item["type"], item["data"]["what"]) == ("security", "report_answered")
        assert item["data"]["text"] == "Renamed."

    def test_a_list_goes_on_after_its_cursor(
        self, cleo: Caller, ada: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("cartulary.service.api.order.operator_reports.PAGE", 1)
        for player in (ada.id, cleo.id):
            bob.post("/reports", {"player": player, "reason": "name"})
        first = cleo.get("/operator/reports").json
        second = cleo.get(f"/operator/reports?cursor={first['next_cursor']}").json
        assert second["next_cursor"] is None
        assert [one["about"]["id"] for one in first["reports"] + second["reports"]] == [
            *(ada.id, cleo.id)
        ]

    def test_a_forged_cursor_is_refused(self, cleo: Caller) -> None:
        for cursor in ("x", "01", "%2B"):
            problem(cleo.get(f"/operator/reports?cursor={cursor}"), 400, "bad_cursor")

    def test_a_report_of_oneself_is_invalid(self, ada: Caller) -> None:
        answer = ada.post("/reports", {"player": ada.id, "reason": "x"})
        assert pointers(problem(answer, 422, "invalid")) == ["/player"]


class TestOrders:
    def test_a_decision_is_in_the_log_with_names(self, cleo: Caller, ada: Caller) -> None:
        done = give(cleo, ada.id, "mute", days=7).json
        assert done["player"]["muted"]["reason"] == "a test"
        (line,) = cleo.get("/operator/log").json["entries"]
        assert line == done["entry"]
        assert (line["by"], line["player"]["name"], line["command"]) == ("Cleo", "Ada", "mute")

    def test_players_are_found_by_name_and_id_also_those_who_hide(
        self, cleo: Caller, ada: Caller
    ) -> None:
        ada.patch("/players/me", {"preferences": {"visibility": "hidden"}})
        for text in ("ad", ada.id):
            (found,) = cleo.get("/operator/players", query_string={"name": text}).json["players"]
            assert found["id"] == ada.id

    def test_an_order_about_a_player_who_is_gone_says_so(self, cleo: Caller, ada: Caller) -> None:
        done = give(cleo, ada.id, "close")
        assert done.json["player"] is None
        again = problem(give(cleo, ada.id, "mute"), 404, "not_found")
        assert "was deleted at" in again["detail"]
        problem(cleo.get(f"/operator/players/{ada.id}"), 404, "not_found")

    @pytest.mark.parametrize(
        ("body", "pointer"),
        [
            ({"command": "ban"}, "/command"),
            ({"command": "mute", "reason": ""}, "/reason"),
            ({"command": "mute", "days": 0}, "/days"),
            ({"command": "close", "days": 1}, "/days"),
            ({"command": "rename", "name": "Аdа"}, "/name"),
            ({"command": "mute", "reason": "\u0000"}, "/reason"),
        ],
    )
    def test_an_order_that_cannot_be_meant(
        self, cleo: Caller, ada: Caller, body: dict[str, Any], pointer: str
    ) -> None:
        answer = cleo.post(f"/operator/players/{ada.id}/orders", {"reason": "a test", **body})
        assert pointers(problem(answer, 422, "invalid")) == [pointer]

    def test_a_cursor_that_is_no_line_is_refused(self, cleo: Caller) -> None:
        problem(cleo.get("/operator/log?cursor=x"), 400, "bad_cursor")


class TestSuspended:
    @pytest.fixture
    def game(self, ada: Caller) -> str:
        return f"/games/{ada.open()['id']}"

    @pytest.fixture
    def suspended(self, cleo: Caller, ada: Caller, game: str) -> Caller:
        assert give(cleo, ada.id, "suspend", days=1).status_code == 200
        # The token is cached for four seconds in each process; here it is looked up again at once.
        app: Any = ada.client.application
        app.extensions["cartulary"].store.players.forget(hash_token(ada.token or ""))
        return ada

    def test_whatever_writes_is_refused_with_the_end(
        self, suspended: Caller, bob: Caller, game: str
    ) -> None:
        writes = [
            ("POST", "/games", {"game": "carcassonne", "seats": [{"kind": "me"}] * 2}),
            ("POST", f"{game}/moves", {"move": {"type": "skip_follower"}}),
            ("POST", f"{game}/messages", {"room": "spectators", "phrase": "hello"}),
            ("POST", "/seeks", {"game": "carcassonne", "seats": [2]}),
            ("POST", "/reports", {"player": bob.id, "reason": "x"}),
            ("PATCH", "/players/me", {"name": "Dora"}),
            ("PUT", f"/players/me/follows/{bob.id}", None),
            ("POST", "/players/me/link_codes", {}),
            ("POST", "/players/me/tokens", {"scopes": ["read"]}),
        ]
        for method, path, body in writes:
            refused = problem(suspended.send(method, path, json=body), 403, "suspended")
            assert refused["until"] is not None

    def test_an_operator_sees_until_when(self, suspended: Caller, cleo: Caller) -> None:
        standing = cleo.get(f"/operator/players/{suspended.id}").json
        assert standing["suspended"]["until"] is not None
        assert standing["muted"] is None

    def test_reading_exporting_and_leaving_stay_possible(
        self, suspended: Caller, game: str
    ) -> None:
        for path in ("/players/me", "/players/me/inbox", "/players/me/tokens", game):
            assert suspended.get(path).status_code == 200, path
        types = [
            json.loads(line)["type"]
            for line in suspended.get("/players/me/export").text.splitlines()
        ]
        assert "suspended" in types
        (item,) = [
            one
            for one in suspended.get("/players/me/inbox").json["items"]
            if one["type"] == "security"
        ]
        assert (item["data"]["what"], item["data"]["text"]) == ("suspended", "a test")
        read = suspended.put("/players/me/inbox/read", {"until": item["id"]})
        assert read.status_code == 204
        assert suspended.delete("/players/me/tokens").status_code == 204
        gone = suspended.post("/players/me/deletion", {"confirm": "Ada"})
        assert gone.status_code == 204

    def test_a_game_of_the_player_alone_is_over(self, suspended: Caller, game: str) -> None:
        shown = suspended.get(game).json
        assert shown["status"] == "scoring"
        assert shown["seats"][0]["state"] == "forfeited"

    def test_after_the_way_back_the_player_plays_again(
        self, suspended: Caller, cleo: Caller
    ) -> None:
        give(cleo, suspended.id, "unsuspend")
        app: Any = suspended.client.application
        app.extensions["cartulary"].store.players.forget(hash_token(suspended.token or ""))
        assert suspended.open()["id"]


class TestNames:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            ("Аdа", "name_scripts"),
            ("🎲", "name_letters"),
            ("CLE0", "name_operator"),
            ("", "name_length"),
            (" ", "name_unseen"),
            ("A\u202eda", "name_turning"),
            ("1א", "name_directions"),
        ],
    )
    def test_a_name_that_no_player_may_choose_is_invalid_with_a_stable_reason(
        self, cleo: Caller, ada: Caller, visitor: Caller, name: str, reason: str
    ) -> None:
        answers = [
            visitor.post("/players", {"name": name}),
            ada.patch("/players/me", {"name": name}),
        ]
        for answer in answers:
            (fault,) = problem(answer, 422, "invalid")["errors"]
            assert (fault["pointer"], fault["reason"]) == ("/name", reason)
        assert ada.get("/players/me").json["name"] == "Ada"

    def test_a_name_that_was_taken_away_stays_so(self, cleo: Caller, ada: Caller) -> None:
        give(cleo, ada.id, "rename", name="Dora")
        (fault,) = problem(ada.patch("/players/me", {"name": "A.da"}), 422, "invalid")["errors"]
        assert fault["reason"] == "name_taken_away"
        (fault,) = problem(give(cleo, ada.id, "rename", name="🎲"), 422, "invalid")["errors"]
        assert fault["reason"] == "name_letters"
