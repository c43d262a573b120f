"""Accounts over HTTP: tokens with scopes, and blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from cartulary.events.store import Store
from tests.service.support.caller import Caller
from tests.service.support.scene import pointers, problem
from tests.support.stored_keys import stored


def with_token(app: Flask, owner: Caller, **wish: Any) -> Caller:
    answer = owner.post("/players/me/tokens", wish)
    assert answer.status_code == 201, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    return Caller(app.test_client(), answer.json["token"], owner.id)


class TestTokens:
    def test_a_new_token_is_shown_once_and_listed(self, app: Flask, ada: Caller) -> None:
        made = ada.post(
            "/players/me/tokens", {"label": " Phone ", "scopes": ["play"], "expires_in": 3600}
        ).json
        token = made.pop("token")
        assert made["label"] == "Phone"
        assert made["scopes"] == ["read", "play"]
        assert made["expires_at"] > made["created_at"]
        assert (made["last_used_at"], made["current"]) == (None, False)
        first, second = ada.get("/players/me/tokens").json["tokens"]
        assert second == made
        assert (first["label"], first["scopes"], first["current"]) == (
            "",
            ["read", "play", "account"],
            True,
        )
        assert first["last_used_at"] == first["created_at"][:10]
        assert Caller(app.test_client(), token).get("/players/me").json["id"] == ada.id

    def test_two_devices_of_one_player_hold_the_same_seat(self, app: Flask, ada: Caller) -> None:
        game = ada.open()["id"]
        phone = with_token(app, ada, label="Phone")
        assert phone.move(game).status_code == 201
        assert ada.move(game).status_code == 201
        assert phone.get("/games?player=me").json["games"][0]["id"] == game

    def test_a_revoked_token_is_unknown(self, app: Flask, ada: Caller) -> None:
        phone = with_token(app, ada)
        (_, shown) = ada.get("/players/me/tokens").json["tokens"]
        assert ada.delete(f"/players/me/tokens/{shown['id']}").status_code == 204
        unknown = problem(phone.get("/players/me"), 401, "token_unknown")
        assert unknown["detail"] == "no player has this token, or it has expired"
        problem(ada.delete(f"/players/me/tokens/{shown['id']}"), 404, "not_found")

    def test_a_player_signs_out_by_revoking_the_own_token(self, ada: Caller) -> None:
        (shown,) = ada.get("/players/me/tokens").json["tokens"]
        assert ada.delete(f"/players/me/tokens/{shown['id']}").status_code == 204
        problem(ada.get("/players/me"), 401, "token_unknown")

    @pytest.mark.slow
    def test_all_other_tokens_are_revoked_together(self, app: Flask, ada: Caller) -> None:
        devices = [with_token(app, ada, label=str(n)) for n in range(3)]
        assert devices[1].delete("/players/me/tokens").status_code == 204
        for gone in (ada, devices[0], devices[2]):
            problem(gone.get("/players/me"), 401, "token_unknown")
        (left,) = devices[1].get("/players/me/tokens").json["tokens"]
        assert left["current"]

    def test_the_token_of_another_player_is_not_there(self, ada: Caller, bob: Caller) -> None:
        (shown,) = bob.get("/players/me/tokens").json["tokens"]
        problem(ada.delete(f"/players/me/tokens/{shown['id']}"), 404, "not_found")
        assert bob.get("/players/me").status_code == 200

    @pytest.mark.parametrize(
        ("body", "pointer"),
        [
            ({"label": "a\nb"}, "/label"),
            ({"label": "x" * 65}, "/label"),
            ({"label": 7}, "/label"),
            ({"scopes": []}, "/scopes"),
            ({"scopes": ["admin"]}, "/scopes/0"),
            ({"scopes": "play"}, "/scopes"),
            ({"expires_in": 59}, "/expires_in"),
            ({"expires_in": 10**12}, "/expires_in"),
            ({"expires_in": -1}, "/expires_in"),
            ({"admin": True}, "/admin"),
        ],
    )
    @pytest.mark.slow
    def test_bad_wishes_issue_nothing(
        self, ada: Caller, store: Store, body: dict[str, Any], pointer: str
    ) -> None:
        ada.get("/players/me")
        before = stored(store)
        refused = problem(ada.post("/players/me/tokens", body), 422, "invalid")
        assert pointers(refused) == [pointer]
        assert stored(store) == before


READ: list[tuple[str, str, Any]] = [("GET", "/players/me", None), ("GET", "/games", None)]
PLAY: list[tuple[str, str, Any]] = [
    ("POST", "/games", {"game": "carcassonne", "seats": [{"kind": "me"}] * 2}),
    ("POST", "/games/{game}/moves", {"move": {}}),
    ("POST", "/games/{game}/resignation", {}),
    ("POST", "/fair/commitments", None),
]
ACCOUNT: list[tuple[str, str, Any]] = [
    ("GET", "/players/me/tokens", None),
    ("POST", "/players/me/tokens", {"scopes": ["read"]}),
    ("DELETE", "/players/me/tokens/x", None),
    ("DELETE", "/players/me/tokens", None),
    ("PATCH", "/players/me", {"name": "Ada"}),
    ("PUT", "/players/me/blocks/{other}", None),
    ("DELETE", "/players/me/blocks/{other}", None),
]


class TestScopes:
    @pytest.mark.parametrize("scope", ["read", "play", "account"])
    def test_a_token_reaches_as_far_as_its_scopes(
        self, app: Flask, ada: Caller, bob: Caller, store: Store, scope: str
    ) -> None:
        game = ada.open()["id"]
        caller = with_token(app, ada, scopes=[scope])
        caller.get("/players/me")
        for needed, calls in (("read", READ), ("play", PLAY), ("account", ACCOUNT)):
            for method, path, body in calls:
                sent = path.format(game=game, other=bob.id)
                before = stored(store)
                if needed in ("read", scope):
                    if method != "DELETE":
                        answer = caller.send(method, sent, json=body)
                        assert answer.status_code != 403, answer.text
                    continue
                refused = problem(caller.send(method, sent, json=body), 403, "scope_missing")
                assert refused["scope"] == needed
                assert stored(store) == before

    def test_every_write_that_takes_a_token_asks_for_a_scope(self, app: Flask) -> None:
        from cartulary.service.http.operations import find_scope, operation_of

        tickets = {"create_ticket", "create_inbox_ticket", "create_many_games_ticket"}
        harmless = {"preview_move", "revoke_token", "name_position", "try_line"} | tickets
        for rule in app.url_map.iter_rules():
            found = operation_of(app.view_functions[rule.endpoint])
            if found is None or found.token == "none" or not rule.methods:
                continue
            if rule.methods - {"GET", "HEAD", "OPTIONS"}:
                name = rule.endpoint.partition(".")[2]
                assert (find_scope(found) == "read") is (name in harmless), name

    def test_every_token_may_revoke_itself(self, app: Flask, ada: Caller) -> None:
        narrow = with_token(app, ada, scopes=["read"])
        (first, second) = ada.get("/players/me/tokens").json["tokens"]
        problem(narrow.delete(f"/players/me/tokens/{first['id']}"), 403, "scope_missing")
        assert narrow.delete(f"/players/me/tokens/{second['id']}").status_code == 204
        problem(narrow.get("/players/me"), 401, "token_unknown")

    @pytest.mark.slow
    def test_a_token_gives_no_more_than_it_has(self, app: Flask, ada: Caller) -> None:
        narrow = with_token(app, ada, scopes=["account"], expires_in=3600)
        refused = problem(
            narrow.post("/players/me/tokens", {"scopes": ["play"]}), 403, "scope_missing"
        )
        assert refused["scope"] == "play"
        same = narrow.post("/players/me/tokens", {}).json
        (_, listed, _) = ada.get("/players/me/tokens").json["tokens"]
        assert same["scopes"] == ["read", "account"]
        assert same["expires_at"] == listed["expires_at"]
        late = narrow.post("/players/me/tokens", {"expires_in": 7200})
        assert pointers(problem(late, 422, "invalid")) == ["/expires_in"]


class TestBlocks:
    def test_a_player_lists_adds_and_removes_blocks(
        self, ada: Caller, bob: Caller, register: Callable[[str], Caller]
    ) -> None:
        eve = register("Eve")
        for other in (bob, eve, bob):
            assert ada.put(f"/players/me/blocks/{other.id}").status_code == 204
        found = ada.get("/players/me/blocks").json["blocks"]
        assert [(one["id"], one["name"]) for one in found] == [(bob.id, "Bob"), (eve.id, "Eve")]
        for _ in range(2):
            assert ada.delete(f"/players/me/blocks/{bob.id}").status_code == 204
        assert [one["id"] for one in ada.get("/players/me/blocks").json["blocks"]] == [eve.id]

    def test_nobody_blocks_nobody_or_oneself(self, ada: Caller, store: Store) -> None:
        ada.get("/players/me")
        before = stored(store)
        problem(ada.put("/players/me/blocks/01NOBODY"), 404, "not_found")
        oneself = problem(ada.put(f"/players/me/blocks/{ada.id}"), 422, "invalid")
        assert oneself["errors"][0]["detail"] == "this is the id of the caller"
        assert stored(store) == before

    def test_a_blocked_player_sees_the_same_and_gets_no_seat(
        self, ada: Caller, bob: Caller
    ) -> None:
        game = ada.open("me", "open")["id"]
        before = bob.get(f"/games/{game}").json
        ada.put(f"/players/me/blocks/{bob.id}")
        assert bob.get(f"/games/{game}").json == before
        refused = problem(bob.post(f"/games/{game}/seats", {"seat": 1}), 409, "seat_taken")
        assert "block" not in str(refused)
        assert "blocks" not in bob.get("/players/me").json
