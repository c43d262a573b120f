"""Whom a player follows, and what the player sees of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cartulary.events.company.follows import Follows
from cartulary.events.lists.presence import GONE_MS
from cartulary.events.store import Store
from tests.service.support.caller import Caller
from tests.service.support.scene import problem
from tests.support.stored_keys import stored

Register = Callable[[str], Caller]


def follow(who: Caller, *others: Caller) -> None:
    for other in others:
        assert who.put(f"/players/me/follows/{other.id}").status_code == 204


def look(who: Caller) -> dict[str, dict[str, Any]]:
    """Return the company of a caller by name, the games by their ids."""
    found = who.get("/players/me/company")
    assert found.status_code == 200, found.text
    return {
        one["name"]: {
            **{name: [game["id"] for game in one[name]] for name in ("playing", "hosting")},
            "online": one["online"],
        }
        for one in found.json["players"]
    }


def hide(who: Caller) -> None:
    answer = who.patch("/players/me", {"preferences": {"visibility": "hidden"}})
    assert answer.json["preferences"]["visibility"] == "hidden"


class TestFollows:
    def test_a_player_lists_adds_and_removes_follows(
        self, ada: Caller, bob: Caller, register: Register
    ) -> None:
        eve = register("Eve")
        follow(ada, bob, eve, bob)
        found = ada.get("/players/me/follows").json["follows"]
        assert [(one["id"], one["name"]) for one in found] == [(bob.id, "Bob"), (eve.id, "Eve")]
        for _ in range(2):
            assert ada.delete(f"/players/me/follows/{bob.id}").status_code == 204
        assert [one["id"] for one in ada.get("/players/me/follows").json["follows"]] == [eve.id]
        assert bob.get("/players/me/follows").json == {"follows": []}

    def test_a_missing_player_and_oneself_are_not_followed(self, ada: Caller, store: Store) -> None:
        ada.get("/players/me")
        before = stored(store)
        problem(ada.put("/players/me/follows/01NOBODY"), 404, "not_found")
        problem(ada.put(f"/players/me/follows/{ada.id}"), 422, "invalid")
        assert stored(store) == before

    def test_a_player_follows_so_many_at_most(
        self, ada: Caller, bob: Caller, register: Register, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Follows, "most", 1)
        follow(ada, bob, bob)
        refused = ada.put(f"/players/me/follows/{register('Eve').id}")
        assert problem(refused, 429, "quota_exceeded")["quota"] == "follows"

    def test_the_export_has_them(self, ada: Caller, bob: Caller) -> None:
        follow(ada, bob)
        assert f'"type":"follow","player":"{bob.id}"' in ada.get("/players/me/export").text
        assert '"type":"follow"' not in bob.get("/players/me/export").text


class TestCompany:
    def test_it_shows_games_of_the_lobby_and_games_of_the_caller(
        self, ada: Caller, bob: Caller
    ) -> None:
        follow(ada, bob)
        running, waiting = bob.open()["id"], bob.open("me", "open")["id"]
        for hidden in ("private", "unlisted"):
            bob.open(visibility=hidden)
            bob.open("me", "open", visibility=hidden)
        shared = bob.open("me", "open", visibility="unlisted")["id"]
        assert ada.post(f"/games/{shared}/seats", {}).status_code == 201
        (one,) = ada.get("/players/me/company").json["players"]
        assert (one["id"], one["name"]) == (bob.id, "Bob")
        assert look(ada) == {
            "Bob": {"playing": [shared, running], "hosting": [waiting], "online": True}
        }

    def test_a_table_at_which_the_followed_player_is_a_guest_is_not_theirs(
        self, ada: Caller, bob: Caller, register: Register
    ) -> None:
        table = register("Eve").open("me", "open", "open")["id"]
        assert bob.post(f"/games/{table}/seats", {}).status_code == 201
        follow(ada, bob)
        assert look(ada)["Bob"]["hosting"] == []

    def test_a_player_who_has_left_a_game_does_not_play_it(
        self, ada: Caller, bob: Caller, register: Register
    ) -> None:
        follow(ada, bob)
        game = bob.open("me", "open", "open")["id"]
        for one in (ada, register("Eve")):
            assert one.post(f"/games/{game}/seats", {}).status_code == 201
        assert look(ada)["Bob"]["playing"] == [game]
        assert bob.post(f"/games/{game}/resignation", {}).status_code == 201
        assert look(ada)["Bob"]["playing"] == []

    def test_a_player_is_online_while_there_are_signs_of_life(
        self, ada: Caller, bob: Caller, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        follow(ada, bob)
        bob.get("/players/me")
        store.presence.flush({})
        assert look(ada)["Bob"]["online"]
        assert ada.get(f"/players/{bob.id}").json["online"]
        later = store.clock.now_ms() + GONE_MS + 1
        monkeypatch.setattr(type(store.clock), "now_ms", lambda _clock: later)
        assert not look(ada)["Bob"]["online"]
        assert not ada.get(f"/players/{bob.id}").json["online"]

    @pytest.mark.parametrize("blocker", ["ada", "bob"])
    def test_where_one_blocks_the_other_looks_away(
        self, ada: Caller, bob: Caller, blocker: str
    ) -> None:
        follow(ada, bob)
        bob.open()
        bob.open("me", "open")
        who, whom = (ada, bob) if blocker == "ada" else (bob, ada)
        assert who.put(f"/players/me/blocks/{whom.id}").status_code == 204
        assert look(ada) == {"Bob": {"playing": [], "hosting": [], "online": False}}
        assert not ada.get(f"/players/{bob.id}").json["online"]

    def test_a_player_who_hides_looks_away_and_is_found_by_no_search(
        self, ada: Caller, bob: Caller, visitor: Caller
    ) -> None:
        follow(ada, bob)
        bob.open()
        hide(bob)
        assert look(ada) == {"Bob": {"playing": [], "hosting": [], "online": False}}
        assert not visitor.get(f"/players/{bob.id}").json["online"]
        assert visitor.get("/players?name=bob").json["players"] == []
        bob.patch("/players/me", {"preferences": {"visibility": "public"}})
        assert [one["id"] for one in visitor.get("/players?name=bob").json["players"]] == [bob.id]
