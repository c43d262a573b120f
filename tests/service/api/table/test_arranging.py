"""The table before the start, over HTTP: calls, answers, codes, and who sees a private game."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.events.store import Store
from tests.service.support.caller import Caller
from tests.service.support.scene import pointers, problem
from tests.support.stored_keys import stored

OPEN_SEAT, BOT_SEAT = {"kind": "open"}, {"kind": "bot", "bot": "random"}


def invite(guest: Caller) -> dict[str, str]:
    return {"kind": "invite", "player": guest.id}


def open_table(host: Caller, *seats: Any, **more: Any) -> str:
    """Open a game of Carcassonne with these seats, by kind or in full; return its path."""
    asked = [{"kind": seat} if isinstance(seat, str) else seat for seat in seats]
    answer = host.post("/games", {"game": "carcassonne", "seats": asked, **more})
    assert answer.status_code == 201, answer.text
    return f"/games/{answer.json['id']}"


@pytest.fixture
def table(ada: Caller) -> str:
    return open_table(ada, "me", "open", "open")


def types(answer: Any) -> list[str]:
    return [event["type"] for event in answer.json["events"]]


LIVE = {"mode": "live", "delay": 30, "bank": 600}


class TestNewGames:
    def test_the_terms_of_the_opener_are_shown(self, ada: Caller) -> None:
        terms = {"start": "host", "takebacks": "consent", "substitutes": True, "bot_delay": 600}
        game = ada.get(open_table(ada, "me", "open", **terms, expires_in=60, rated=False)).json
        assert terms.items() <= game.items()
        assert (game["host"], game["rated"]) == (ada.id, False)

    @pytest.mark.parametrize(
        ("asked", "pointer"),
        [
            ({"rated": True}, "/pace"),
            ({"takebacks": "always"}, "/takebacks"),
            ({"start": "later"}, "/start"),
            ({"substitutes": "yes"}, "/substitutes"),
            ({"stand_in": "deep_blue"}, "/stand_in"),
            ({"expires_in": 0}, "/expires_in"),
            ({"bot_delay": -1}, "/bot_delay"),
            ({"bot_delay": 60_001}, "/bot_delay"),
            ({"bot_delay": "600"}, "/bot_delay"),
            ({"pace": "live"}, "/pace"),
            ({"pace": {**LIVE, "delay": 301}}, "/pace/delay"),
            ({"pace": {**LIVE, "increment": 2}}, "/pace/increment"),
            ({"pace": LIVE, "on_timeout": "resign"}, "/on_timeout"),
            ({"on_timeout": "forfeit"}, "/on_timeout"),
            ({"hints": True}, "/hints"),
            ({"seats": [{"kind": "me"}, {"kind": "invite"}]}, "/seats/1/player"),
            ({"seats": [{"kind": "me"}, {"kind": "open", "player": "x"}]}, "/seats/1/player"),
            ({"seats": [{"kind": "me"}, {"kind": "invite", "player": "x"}]}, "/seats/1/player"),
        ],
    )
    @pytest.mark.slow
    def test_what_is_not_offered_is_invalid(
        self, ada: Caller, asked: dict[str, Any], pointer: str
    ) -> None:
        body = {"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "open"}], **asked}
        assert pointers(problem(ada.post("/games", body), 422, "invalid")) == [pointer]


class TestCalls:
    def test_the_host_arranges_the_seats(self, ada: Caller, bob: Caller, table: str) -> None:
        put = ada.put(f"{table}/seats/1", BOT_SEAT)
        assert (put.status_code, types(put)) == (200, ["seat_assigned"])
        assert put.json["game"]["seats"][1]["state"] == "bot"
        assert put.headers["ETag"] == f'"v{put.json["version"]}"'
        offered = ada.put(f"{table}/seats/1", invite(bob)).json["game"]["seats"][1]
        assert (offered["state"], offered["offer"]["player"]["name"]) == ("offered", "Bob")
        again = ada.put(f"{table}/seats/1", invite(bob))
        assert (again.status_code, again.json["events"]) == (200, [])

    def test_the_host_starts_with_fewer(self, ada: Caller, bob: Caller, table: str) -> None:
        problem(ada.post(f"{table}/start", {}), 409, "seats_open")
        problem(ada.post(f"{table}/start", {"drop_open_seats": True}), 409, "seats_open")
        bob.post(f"{table}/seats", {"seat": 2})
        started = ada.post(f"{table}/start", {"drop_open_seats": True})
        assert (started.status_code, types(started)) == (201, ["seats_dropped", "game_started"])
        assert started.json["game"]["status"] == "running"
        problem(ada.post(f"{table}/start"), 409, "already_started")

    def test_the_host_hands_over_and_the_new_host_calls_off(
        self, ada: Caller, bob: Caller, table: str
    ) -> None:
        bob.post(f"{table}/seats")
        assert ada.put(f"{table}/host", {"player": bob.id}).json["game"]["host"] == bob.id
        problem(ada.post(f"{table}/abort"), 403, "not_host")
        aborted = bob.post(f"{table}/abort", {})
        assert (aborted.status_code, types(aborted)) == (201, ["game_aborted"])
        problem(bob.post(f"{table}/start"), 409, "game_not_running")

    def test_every_refusal_has_its_code_and_stores_nothing(
        self, ada: Caller, bob: Caller, register: Any, table: str, store: Store
    ) -> None:
        eve, zoe = register("Eve"), register("Zoe")
        bob.post(f"{table}/seats", {"seat": 1})
        ada.put(f"{table}/seats/1", OPEN_SEAT)
        ada.put(f"{table}/seats/1", invite(eve))
        first, last = f"{table}/seats/0", f"{table}/seats/2"
        before = stored(store)
        for answer, status, code in (
            (bob.put(last, BOT_SEAT), 403, "not_host"),
            (bob.post(f"{table}/start"), 403, "not_host"),
            (bob.put(f"{table}/host", {"player": bob.id}), 403, "not_host"),
            (bob.post(f"{table}/abort"), 403, "not_host"),
            (bob.post(f"{table}/seats"), 403, "removed"),
            (zoe.post(f"{table}/seats", {"seat": 1}), 409, "seat_offered"),
            (zoe.delete(f"{table}/seats/1"), 403, "not_seated"),
            (ada.post(f"{table}/seats", {"seat": 2}), 409, "seat_taken"),
            (ada.put(first, BOT_SEAT), 409, "seat_taken"),
            (ada.put(f"{table}/seats/4", BOT_SEAT), 404, "not_found"),
            (ada.put(last, {"kind": "me"}), 422, "invalid"),
            (ada.put(last, {"kind": "bot"}), 422, "invalid"),
            (ada.put(last, {"kind": "bot", "bot": "x"}), 422, "invalid"),
            (ada.put(last, {**OPEN_SEAT, "player": eve.id}), 422, "invalid"),
            (ada.put(last, invite(bob)), 422, "invalid"),
            (ada.put(last, invite(eve)), 422, "invalid"),
            (ada.put(first, OPEN_SEAT), 422, "invalid"),
            (ada.put(last, BOT_SEAT, headers={"If-Match": '"v1"'}), 412, "stale_version"),
            (ada.put(last, {**BOT_SEAT, "expected_version": 1}), 409, "stale_version"),
            (ada.put(f"{table}/host", {"player": bob.id}), 422, "invalid"),
            (ada.post(f"{table}/start", {"drop_open_seats": 1}), 422, "invalid"),
            (ada.post(f"{table}/start"), 409, "seats_open"),
        ):
            problem(answer, status, code)
        assert stored(store) == before

    def test_a_repeated_key_gets_the_stored_answer_and_another_body_is_refused(
        self, ada: Caller, table: str
    ) -> None:
        key = {"Idempotency-Key": "k"}
        first = ada.put(f"{table}/seats/1", BOT_SEAT, headers=key)
        again = ada.put(f"{table}/seats/1", BOT_SEAT, headers=key)
        assert again.json == first.json
        assert again.headers["Idempotency-Replayed"] == "true"
        for path, body in ((f"{table}/seats/1", OPEN_SEAT), (f"{table}/seats/2", BOT_SEAT)):
            answer = ada.put(path, body, headers=key)
            problem(answer, 422, "idempotency_mismatch")

    def test_taking_a_seat_takes_the_expected_version_in_the_body(
        self, bob: Caller, table: str
    ) -> None:
        wrong = bob.post(f"{table}/seats", {"expected_version": 9})
        problem(wrong, 409, "stale_version")
        assert bob.post(f"{table}/seats", {"expected_version": 1}).status_code == 201


class TestPrivateGames:
    def test_a_guest_finds_the_game_and_sits_down(self, ada: Caller, bob: Caller) -> None:
        table = open_table(ada, "me", "open", invite(bob), visibility="private")
        assert [f"/games/{game['id']}" for game in mine(bob)] == [table]
        assert bob.post(f"{table}/seats", {}).json["seats"][2]["player"]["name"] == "Bob"

    @pytest.mark.slow
    def test_others_learn_nothing(self, ada: Caller, bob: Caller) -> None:
        table = open_table(ada, "me", "open", "open", visibility="private")
        for answer in (
            bob.get(table),
            bob.post(f"{table}/seats"),
            bob.post(f"{table}/start"),
            bob.post(f"{table}/abort"),
            bob.put(f"{table}/host", {"player": bob.id}),
            bob.put(f"{table}/seats/1", BOT_SEAT),
        ):
            problem(answer, 404, "not_found")

    def test_who_declines_sees_it_no_more(self, ada: Caller, bob: Caller) -> None:
        table = open_table(ada, "me", invite(bob), visibility="private")
        assert bob.delete(f"{table}/seats/1").status_code == 200
        for read in ("", "/events", "/moves", "/story", "/verification", "/board.svg"):
            problem(bob.get(table + read), 404, "not_found")
        assert mine(bob) == []
        ada.put(f"{table}/seats/1", invite(bob))
        assert bob.get(table).status_code == 200


def mine(caller: Caller) -> list[dict[str, Any]]:
    games: list[dict[str, Any]] = caller.get("/games?player=me").json["games"]
    return games


class TestLists:
    def test_the_lobby_lists_games_with_an_open_seat(
        self, ada: Caller, bob: Caller, visitor: Caller
    ) -> None:
        table = open_table(ada, "me", "open")
        open_table(ada, "me", invite(bob))
        ada.open()
        found = visitor.get("/games?seat=open").json["games"]
        assert [f"/games/{game['id']}" for game in found] == [table]
        assert visitor.get("/games?seat=vacant").json["games"] == []
        assert visitor.get("/games?seat=open&status=over").json["games"] == []
        problem(visitor.get("/games?seat=mine"), 422, "invalid")
