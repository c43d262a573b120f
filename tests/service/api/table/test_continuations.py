"""Branches and rematches over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.events.store import Store
from tests.service.support.caller import Caller, played_out
from tests.service.support.scene import Scene, problem
from tests.support.stored_keys import stored


def over_with(ada: Caller, bob: Caller, store: Store) -> str:
    """Return a game of two persons that is over."""
    game_id: str = ada.open("me", "open")["id"]
    assert bob.post(f"/games/{game_id}/seats", {}).status_code == 201
    while True:
        game = ada.get(f"/games/{game_id}").json
        if game["status"] != "running":
            break
        caller = ada if game["seats"][game["decision"]["seat"]]["player"]["id"] == ada.id else bob
        caller.move(game_id)
    store.commands.score(game_id)
    return game_id


@pytest.fixture
def over(ada: Caller, bob: Caller, store: Store) -> str:
    return over_with(ada, bob, store)


class TestBranches:
    def test_a_branch_is_a_game_with_a_place(self, ada: Caller) -> None:
        game_id = played_out(ada)
        answer = ada.post(f"/games/{game_id}/branches", {"version": 2})
        assert answer.status_code == 201, answer.text
        assert answer.headers["Location"] == f"/api/v1/games/{answer.json['id']}"
        assert answer.headers["ETag"] == f'"v{answer.json["version"]}"'
        assert answer.json == ada.get(f"/games/{answer.json['id']}").json
        assert answer.json["branched_from"] == {"game": game_id, "version": 2}
        assert answer.json["status"] == "running"
        assert answer.json["view"] == ada.get(f"/games/{game_id}/states/2").json["view"]

    def test_seats_and_visibility_are_as_asked_for(self, ada: Caller) -> None:
        body = {
            "version": 3,
            "seats": [{"kind": "bot", "bot": "random"}, {"kind": "me"}],
            "visibility": "unlisted",
        }
        game = ada.post(f"/games/{played_out(ada)}/branches", body).json
        assert [seat["bot"] for seat in game["seats"]] == ["random", None]
        assert game["visibility"] == "unlisted"

    @pytest.mark.parametrize("hints", [True, False])
    def test_a_practice_branch_has_hints_when_they_are_asked_for(
        self, ada: Caller, hints: bool
    ) -> None:
        game_id = played_out(ada)
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
        body = {"version": 2, "seats": seats, "hints": hints}
        game = ada.post(f"/games/{game_id}/branches", body).json
        assert game["hints"] is hints
        follows = ada.post(f"/games/{game['id']}/branches", {"version": 2, "seats": seats}).json
        assert follows["hints"] is hints

    def test_a_branch_with_two_own_seats_has_no_hints(self, ada: Caller) -> None:
        body = {"version": 2, "seats": [{"kind": "me"}] * 2, "hints": True}
        refused = ada.post(f"/games/{played_out(ada)}/branches", body)
        assert problem(refused, 422, "invalid")["errors"][0]["pointer"] == "/hints"

    def test_a_repeated_key_gives_the_same_branch(self, ada: Caller) -> None:
        path, key = f"/games/{played_out(ada)}/branches", {"Idempotency-Key": "k"}
        first, again = (ada.post(path, {"version": 2}, headers=key) for _ in range(2))
        assert again.json == first.json
        assert again.headers["Idempotency-Replayed"] == "true"
        problem(ada.post(path, {"version": 3}, headers=key), 422, "idempotency_mismatch")

    @pytest.mark.parametrize(
        ("where", "body", "status", "code"),
        [
            ("unknown", {"version": 2}, 404, "not_found"),
            ("over", {"version": 99}, 404, "not_found"),
            ("over", {"version": 0}, 422, "invalid"),
            ("over", {}, 422, "invalid"),
            ("over", {"version": 2, "seats": [{"kind": "open"}, {"kind": "me"}]}, 422, "invalid"),
            ("over", {"version": 2, "seats": [{"kind": "bot"}, {"kind": "me"}]}, 422, "invalid"),
            ("over", {"version": 2, "seats": [{"kind": "me"}] * 3}, 422, "invalid"),
            ("over", {"version": 2, "visibility": "secret"}, 422, "invalid"),
            ("over", {"version": 2, "pace": "live"}, 422, "invalid"),
            ("open", {"version": 1}, 409, "branch_not_allowed"),
        ],
    )
    @pytest.mark.slow
    def test_a_refused_branch_stores_nothing(
        self, scene: Scene, store: Store, where: str, body: dict[str, Any], status: int, code: str
    ) -> None:
        before = stored(store)
        problem(scene.ada.post(f"/games/{scene.ids[where]}/branches", body), status, code)
        assert stored(store) == before

    @pytest.mark.slow
    def test_a_branch_of_a_private_game_is_private(self, scene: Scene) -> None:
        path = f"/games/{scene.ids['private']}/branches"
        problem(scene.bob.post(path, {"version": 2}), 404, "not_found")
        refused = scene.ada.post(path, {"version": 2, "visibility": "public"})
        assert problem(refused, 422, "invalid")["errors"][0]["pointer"] == "/visibility"
        made = scene.ada.post(path, {"version": 2}).json
        assert made["visibility"] == "private"
        problem(scene.bob.get(f"/games/{made['id']}"), 404, "not_found")
        problem(scene.bob.get(f"/games/{made['id']}/board.svg"), 404, "not_found")

    def test_a_game_that_others_play_has_no_branch(self, ada: Caller, bob: Caller) -> None:
        game_id = ada.open("me", "open")["id"]
        bob.post(f"/games/{game_id}/seats", {})
        for caller in (ada, bob):
            answer = caller.post(f"/games/{game_id}/branches", {"version": 3})
            problem(answer, 409, "branch_not_allowed")


class TestRematches:
    @pytest.mark.slow
    def test_the_first_player_opens_it_and_the_second_sits_down(
        self, ada: Caller, bob: Caller, over: str
    ) -> None:
        path = f"/games/{over}/rematch"
        problem(ada.get(path), 404, "not_found")
        opened = ada.post(path)
        assert opened.status_code == 201, opened.text
        game = opened.json
        assert opened.headers["Location"] == f"/api/v1/games/{game['id']}"
        assert opened.headers["ETag"] == f'"v{game["version"]}"'
        assert game["rematch_of"] == over
        assert [seat["state"] for seat in game["seats"]] == ["offered", "seated"]
        assert bob.get(path).json == game
        second = bob.post(path, {"seats": "same"})
        assert second.status_code == 200
        assert "Location" not in second.headers
        assert second.json["id"] == game["id"]
        assert [seat["player"]["id"] for seat in second.json["seats"]] == [bob.id, ada.id]
        assert second.json["status"] == "running"

    @pytest.mark.slow
    def test_a_double_click_gives_one_game(self, ada: Caller, over: str) -> None:
        first, second = (ada.post(f"/games/{over}/rematch", {}) for _ in range(2))
        assert (first.status_code, second.status_code) == (201, 200)
        assert second.json == first.json

    @pytest.mark.slow
    def test_a_repeated_key_gives_the_stored_answer(
        self, ada: Caller, bob: Caller, over: str
    ) -> None:
        path, key = f"/games/{over}/rematch", {"Idempotency-Key": "k"}
        for caller, status in ((ada, 201), (bob, 200)):
            first, again = (caller.post(path, headers=key) for _ in range(2))
            assert (first.status_code, again.status_code) == (status, status)
            assert again.json == first.json
            assert again.headers["Idempotency-Replayed"] == "true"
            refused = caller.post(path, {"seats": "same"}, headers=key)
            problem(refused, 422, "idempotency_mismatch")

    @pytest.mark.slow
    def test_what_the_client_has_already_is_not_sent_again(self, ada: Caller, over: str) -> None:
        tag = ada.post(f"/games/{over}/rematch").headers["ETag"]
        again = ada.get(f"/games/{over}/rematch", headers={"If-None-Match": tag})
        assert again.status_code == 304

    @pytest.mark.parametrize(
        ("who", "where", "body", "status", "code"),
        [
            ("bob", "over", {}, 403, "not_seated"),
            ("bob", "private", {}, 404, "not_found"),
            ("ada", "unknown", {}, 404, "not_found"),
            ("ada", "running", {}, 409, "game_running"),
            ("ada", "open", {}, 409, "game_running"),
            ("ada", "over", {"seats": "backwards"}, 422, "invalid"),
            ("ada", "over", {"order": "same"}, 422, "invalid"),
        ],
    )
    @pytest.mark.slow
    def test_a_refused_rematch_stores_nothing(
        self,
        scene: Scene,
        store: Store,
        who: str,
        where: str,
        body: dict[str, Any],
        status: int,
        code: str,
    ) -> None:
        before = stored(store)
        caller = {"ada": scene.ada, "bob": scene.bob}[who]
        problem(caller.post(f"/games/{scene.ids[where]}/rematch", body), status, code)
        assert stored(store) == before

    def test_everybody_finds_the_rematch_of_a_public_game(
        self, ada: Caller, visitor: Caller
    ) -> None:
        game_id = played_out(ada)
        made = ada.post(f"/games/{game_id}/rematch").json
        assert visitor.get(f"/games/{game_id}/rematch").json == made


class TestKeys:
    """A key belongs to a player and a game: there it is the key of one request."""

    @pytest.mark.parametrize(("path", "body"), [("rematch", {}), ("branches", {"version": 2})])
    @pytest.mark.slow
    def test_the_key_of_a_move_is_no_key_of_another_game(
        self, ada: Caller, store: Store, path: str, body: dict[str, Any]
    ) -> None:
        game_id, key = ada.open()["id"], {"Idempotency-Key": "k"}
        assert ada.move(game_id, headers=key).status_code == 201
        before = stored(store)
        refused = ada.post(f"/games/{game_id}/{path}", body, headers=key)
        problem(refused, 422, "idempotency_mismatch")
        assert stored(store) == before

    def test_the_key_of_a_branch_is_no_key_of_a_move(self, ada: Caller) -> None:
        game_id, key = ada.open()["id"], {"Idempotency-Key": "k"}
        path = f"/games/{game_id}/branches"
        assert ada.post(path, {"version": 2}, headers=key).status_code == 201
        problem(ada.move(game_id, headers=key), 422, "idempotency_mismatch")

    @pytest.mark.slow
    def test_the_key_of_a_rematch_is_no_key_of_a_branch_or_a_note(
        self, ada: Caller, over: str
    ) -> None:
        game, key = f"/games/{over}", {"Idempotency-Key": "k"}
        assert ada.post(f"{game}/rematch", headers=key).status_code == 201
        for refused in (
            ada.post(f"{game}/branches", {"version": 2}, headers=key),
            ada.put(f"{game}/note", {"text": "well"}, headers=key),
        ):
            problem(refused, 422, "idempotency_mismatch")
