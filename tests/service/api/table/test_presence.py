"""Presence and requests for a seat over HTTP."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cartulary.events.commands.table import seat_requests
from cartulary.events.live.live import Hub
from cartulary.events.store import Store
from tests.service.support.caller import Caller
from tests.service.support.scene import problem
from tests.support.stored_keys import stored


class TestPresence:
    def test_seated_players_are_named_and_others_counted(
        self, ada: Caller, bob: Caller, store: Store, hub: Hub
    ) -> None:
        game = ada.open("me", "open")["id"]
        with_ada = ada.get(f"/games/{game}/events/stream")
        with_bob = bob.get(f"/games/{game}/events/stream")
        store.presence.flush(hub.count_watchers())
        answer = ada.get(f"/games/{game}/presence")
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.json == {"players": [{"seat": 0, "id": ada.id, "name": "Ada"}], "others": 1}
        with_ada.close()
        assert bob.get(f"/games/{game}/presence").json["players"] == []
        with_bob.close()

    def test_a_private_game_shows_it_to_its_people_only(
        self, ada: Caller, bob: Caller, visitor: Caller
    ) -> None:
        game = ada.open(visibility="private")["id"]
        assert ada.get(f"/games/{game}/presence").status_code == 200
        problem(bob.get(f"/games/{game}/presence"), 404, "not_found")
        problem(visitor.get(f"/games/{game}/presence"), 404, "not_found")

    def test_a_request_shows_that_a_player_is_here(self, ada: Caller, store: Store) -> None:
        assert store.presence.last_seen(ada.id) is None
        ada.get("/players/me")
        assert store.presence.last_seen(ada.id) is not None


class TestSeatRequests:
    @pytest.fixture
    def game(self, ada: Caller) -> str:
        game_id: str = ada.open("me", "open")["id"]
        return game_id

    def items(self, caller: Caller) -> list[dict[str, object]]:
        found: list[dict[str, object]] = caller.get("/players/me/inbox").json["items"]
        return found

    def test_the_host_gets_the_request_once_a_day(
        self, ada: Caller, bob: Caller, game: str
    ) -> None:
        for _ in range(2):
            answer = bob.post(f"/games/{game}/seat_requests", {"seat": 1})
            assert (answer.status_code, answer.data) == (202, b"")
        (item,) = self.items(ada)
        assert item["type"] == "seat_requested"
        data = item["data"]
        assert isinstance(data, dict)
        assert (data["game"], data["seat"]) == (game, 1)
        assert data["player"] == {"id": bob.id, "name": "Bob"}
        assert self.items(bob) == []

    def test_two_players_ask_at_the_same_version(
        self, ada: Caller, bob: Caller, register: Callable[[str], Caller], game: str
    ) -> None:
        for caller in (bob, register("Eve")):
            assert caller.post(f"/games/{game}/seat_requests").status_code == 202
        assert len(self.items(ada)) == 2

    def test_a_player_whom_the_host_blocks_learns_nothing(
        self, ada: Caller, bob: Caller, game: str, store: Store
    ) -> None:
        store.blocks.add(ada.id, bob.id)
        assert bob.post(f"/games/{game}/seat_requests").status_code == 202
        assert self.items(ada) == []

    def test_too_many_requests_are_refused(
        self, ada: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(seat_requests, "MOST", 2)
        games = [ada.open("me", "open")["id"] for _ in range(3)]
        answers = [bob.post(f"/games/{game}/seat_requests") for game in games]
        assert [answer.status_code for answer in answers] == [202, 202, 429]
        problem(answers[2], 429, "rate_limited")
        assert 80_000 < int(answers[2].headers["Retry-After"]) <= 86_400
        assert len(self.items(ada)) == 2

    def test_there_must_be_a_seat_to_ask_for(self, ada: Caller, bob: Caller, store: Store) -> None:
        full = ada.open()["id"]
        private = ada.open(visibility="private")["id"]
        waiting = ada.open("me", "open")["id"]
        before = stored(store)
        problem(bob.post(f"/games/{full}/seat_requests"), 409, "seat_taken")
        problem(bob.post(f"/games/{private}/seat_requests"), 404, "not_found")
        problem(bob.post(f"/games/{waiting}/seat_requests", {"seat": 0}), 409, "seat_taken")
        problem(bob.post(f"/games/{waiting}/seat_requests", {"seat": 4}), 422, "invalid")
        assert stored(store) == before
