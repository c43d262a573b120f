"""Opening a game, sitting down, leaving, playing; writing safely."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.service.support.caller import SMALL_CITY, Caller

SEATS = [{"kind": "me"}, {"kind": "me"}]
NOTHING = {"stand_in": None, "reason": None, "ready": None, "bank": None}
"""What a seat has besides in an untimed game that no player has left."""


def test_a_game_starts_when_no_seat_is_open(ada: Caller, bob: Caller) -> None:
    opened = ada.post(
        "/games", {"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "open"}]}
    )
    assert opened.status_code == 201
    assert opened.headers["ETag"] == '"v1"'
    path = opened.headers["Location"].removeprefix("/api/v1")
    assert opened.json == ada.get(path).json
    assert (opened.json["status"], opened.json["view"], opened.json["decision"]) == (
        *("open", None, None),
    )
    seated = bob.post(f"{path}/seats", {})
    assert seated.status_code == 201
    assert seated.json["status"] == "running"
    assert seated.json["seats"][1]["player"] == {"id": bob.id, "name": "Bob"}
    assert seated.json["version"] == 3
    assert seated.headers["ETag"] == '"v3"'


@pytest.mark.parametrize("bot", ["medium", "greedy"])
def test_a_level_is_kept_under_the_name_that_was_asked_for(ada: Caller, bot: str) -> None:
    seats = [{"kind": "me"}, {"kind": "bot", "bot": bot}]
    game = ada.post("/games", {"game": "carcassonne", "seats": seats}).json
    assert game["seats"][1]["bot"] == bot
    created = ada.get(f"/games/{game['id']}/events").json["events"][0]
    assert created["seats"][1]["bot"] == bot


def test_a_game_against_a_bot(ada: Caller) -> None:
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    game = ada.post("/games", {"game": "carcassonne", "seats": seats}).json
    assert game["status"] == "running"
    seat = {"seat": 1, "player": None, "bot": "random", "state": "bot"}
    assert game["seats"][1] == {**seat, **NOTHING}


@pytest.mark.slow
@pytest.mark.parametrize("body", [{}, {"seat": 1}, {"seat": 1.0}, None])
def test_taking_a_seat_by_number_or_any(ada: Caller, bob: Caller, body: Any) -> None:
    game_id = ada.open("me", "open", "open")["id"]
    assert bob.post(f"/games/{game_id}/seats", body).json["seats"][1]["player"]["name"] == "Bob"


def test_leaving_opens_the_seat_again(ada: Caller, bob: Caller) -> None:
    game_id = ada.open("me", "open", "open")["id"]
    bob.post(f"/games/{game_id}/seats", {})
    left = bob.delete(f"/games/{game_id}/seats/1")
    assert left.status_code == 200
    seat = {"seat": 1, "player": None, "bot": None, "state": "open"}
    assert left.json["seats"][1] == {**seat, **NOTHING}
    assert left.headers["ETag"] == '"v3"'


def test_a_game_that_everybody_left_is_aborted(ada: Caller) -> None:
    game_id = ada.open("me", "open")["id"]
    assert ada.delete(f"/games/{game_id}/seats/0").json["status"] == "aborted"
    assert ada.post(f"/games/{game_id}/seats", {}).json["code"] == "game_not_running"


def test_whole_numbers_may_be_written_with_a_fraction_of_zero(ada: Caller) -> None:
    game_id = ada.open()["id"]
    assert ada.move(game_id, body={"expected_version": 2.0}).status_code == 201


@pytest.mark.parametrize("kind", ["application/json; charset=UTF-8", "Application/JSON"])
def test_json_may_say_more_about_itself(ada: Caller, kind: str) -> None:
    headers = {"Content-Type": kind, "Content-Encoding": "identity"}
    answer = ada.send("POST", "/players", data=b'{"name":"Ada"}', headers=headers)
    assert answer.status_code == 201


@pytest.mark.slow
def test_a_move_answers_with_its_event_and_the_game(ada: Caller) -> None:
    game_id = ada.open()["id"]
    move = ada.legal(game_id)[0]
    made = ada.move(game_id, move)
    assert made.status_code == 201
    assert made.headers["ETag"] == '"v3"'
    assert made.json["version"] == 3
    assert made.json["event"]["move"] == move
    assert made.json["event"] == ada.get(f"/games/{game_id}/events?after=2").json["events"][0]
    assert made.json["game"] == ada.get(f"/games/{game_id}").json


@pytest.mark.parametrize("tag", ['"v2"', "*", '"v1", "v2"', '"x","v2"'])
def test_an_if_match_that_holds(ada: Caller, tag: str) -> None:
    assert ada.move(ada.open()["id"], headers={"If-Match": tag}).status_code == 201


def test_seats_with_an_if_match_that_holds(ada: Caller, bob: Caller) -> None:
    path = f"/games/{ada.open('me', 'open', 'open')['id']}/seats"
    taken = bob.post(path, {}, headers={"If-Match": '"v1"', "Idempotency-Key": "k"})
    assert taken.status_code == 201
    again = bob.post(path, {}, headers={"If-Match": '"v1"', "Idempotency-Key": "k"})
    assert again.json == taken.json
    left = bob.delete(f"{path}/1", headers={"If-Match": taken.headers["ETag"]})
    assert left.status_code == 200


@pytest.mark.parametrize("path", ["", "/moves", "/transcript"])
def test_what_the_client_has_already_is_not_sent_again(ada: Caller, path: str) -> None:
    game_id = ada.open()["id"]
    url = f"/games/{game_id}{path}"
    first = ada.get(url)
    tag = first.headers["ETag"]
    assert (tag, first.headers["Cache-Control"]) == ('"v2"', "no-cache")
    for known in (tag, f"W/{tag}", f'"v1", {tag}', "*"):
        again = ada.get(url, headers={"If-None-Match": known})
        assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
    assert ada.get(url, headers={"If-None-Match": '"v1"'}).status_code == 200
    ada.move(game_id)
    assert ada.get(url, headers={"If-None-Match": tag}).status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("query", ["", "?player=me", "?turn=me&sort=deadline"])
def test_a_list_is_sent_again_only_when_something_in_it_has_changed(
    ada: Caller, bob: Caller, query: str
) -> None:
    before, sent = ada.get(f"/games{query}"), 0
    game_id = ada.open("me", "open")["id"]
    for change in (
        lambda: None,
        lambda: bob.post(f"/games/{game_id}/seats"),
        lambda: ada.move(game_id),
        lambda: ada.move(game_id),
        lambda: bob.move(game_id),
    ):
        change()
        found = ada.get(f"/games{query}", headers={"If-None-Match": before.headers["ETag"]})
        now = ada.get(f"/games{query}")
        assert (found.status_code == 304) == (now.json == before.json)
        assert found.data == (b"" if found.status_code == 304 else now.data)
        before, sent = now, sent + (found.status_code == 200)
    assert sent


def test_what_is_private_is_for_private_caches(ada: Caller) -> None:
    game_id = ada.open(visibility="private")["id"]
    reads = ("", "/moves", "/transcript", "/states/2", "/events", "/verification", "/story")
    more = ("/board.svg", "/position.txt", "/moves?words=1")
    paths = (f"/games/{game_id}{path}" for path in (*reads, *more))
    for path in (*paths, "/games?player=me", "/players/me"):
        headers = ada.get(path).headers
        assert headers["Cache-Control"].startswith("private")
        assert "Authorization" in headers["Vary"]


class TestIdempotency:
    def test_of_a_move(self, ada: Caller) -> None:
        game_id = ada.open()["id"]
        move = ada.legal(game_id)[0]
        first = ada.move(game_id, move, body={"expected_version": 2}, headers=self._key())
        ada.move(game_id)
        # Before the version is looked at, and whatever a header now says about it.
        for more in ({}, {"If-Match": '"v1"'}, {"If-Match": '"v4"'}):
            again = ada.move(
                game_id, move, body={"expected_version": 2}, headers={**self._key(), **more}
            )
            assert (again.status_code, again.json) == (201, first.json)
            assert again.headers["Idempotency-Replayed"] == "true"
            assert again.headers["ETag"] == first.headers["ETag"]
        assert "Idempotency-Replayed" not in first.headers
        assert ada.version(game_id) == 4

    def test_of_opening_and_importing_a_game(self, ada: Caller) -> None:
        for path, body in (
            ("/games", {"game": "carcassonne", "seats": SEATS}),
            ("/games/import", SMALL_CITY),
        ):
            headers = {"Idempotency-Key": path}
            first = ada.post(path, body, headers=headers)
            again = ada.post(path, body, headers=headers)
            assert (again.status_code, again.json) == (201, first.json)
            assert again.headers["Location"] == first.headers["Location"]
            assert again.headers["Idempotency-Replayed"] == "true"
        assert len(ada.get("/games").json["games"]) == 2

    def test_of_seats(self, ada: Caller, bob: Caller) -> None:
        game_id = ada.open("me", "open", "open")["id"]
        path = f"/games/{game_id}/seats"
        first = bob.post(path, {"seat": 1}, headers={"Idempotency-Key": "in"})
        assert bob.post(path, {"seat": 1}, headers={"Idempotency-Key": "in"}).json == first.json
        left = bob.delete(f"{path}/1", headers={"Idempotency-Key": "out"})
        again = bob.delete(f"{path}/1", headers={"Idempotency-Key": "out"})
        assert (again.status_code, again.json) == (200, left.json)

    @pytest.mark.slow
    def test_is_scoped_to_player_and_game(self, ada: Caller, bob: Caller) -> None:
        for caller in (ada, bob):
            for _ in range(2):
                game_id = caller.open()["id"]
                assert caller.move(game_id, headers=self._key()).status_code == 201

    def test_a_refused_request_leaves_its_key_unused(self, ada: Caller) -> None:
        game_id = ada.open()["id"]
        assert ada.move(game_id, {"type": "no"}, headers=self._key()).status_code == 422
        assert ada.move(game_id, headers=self._key()).status_code == 201

    def _key(self) -> dict[str, str]:
        # Headers are bytes: this is how UTF-8 goes through WSGI.
        return {"Idempotency-Key": ("żółw " * 50).encode().decode("latin-1")}


@pytest.mark.slow
def test_of_many_who_answer_the_same_decision_one_wins(ada: Caller) -> None:
    game_id = ada.open()["id"]
    for _ in range(5):
        version, move = ada.version(game_id), ada.legal(game_id)[0]
        barrier = threading.Barrier(8, timeout=60)

        def race(version: int, move: Any, barrier: threading.Barrier) -> int:
            mine = Caller(ada.client.application.test_client(), ada.token)
            barrier.wait()
            return mine.move(game_id, move, body={"expected_version": version}).status_code

        with ThreadPoolExecutor(8) as pool:
            racing = [pool.submit(race, version, move, barrier) for _ in range(8)]
        assert sorted(one.result() for one in racing) == [201, *[409] * 7]
        assert ada.version(game_id) == version + 1


@pytest.mark.slow
def test_a_whole_game_from_the_start_to_its_result(ada: Caller) -> None:
    game_id = ada.open()["id"]
    status = "running"
    while status == "running":
        status = ada.move(game_id).json["game"]["status"]
    assert status == "scoring"
    assert ada.get(f"/games/{game_id}/moves").json["moves"] == []
    assert ada.move(game_id, {"type": "skip_follower"}).json["code"] == "game_not_running"
    verified = ada.get(f"/games/{game_id}/verification").json
    assert (verified["valid"], verified["version"]) == (True, ada.version(game_id))
    transcript = ada.get(f"/games/{game_id}/transcript").json
    imported = ada.post("/games/import", transcript)
    assert imported.status_code == 201
    assert imported.json["status"] == "over"
    assert imported.json["view"] == ada.get(f"/games/{game_id}").json["view"]
    assert imported.json["result"]["scores"] == transcript["result"]["scores"]


class TestVisibility:
    def test_an_unlisted_game_is_for_everybody_who_has_the_link(
        self, ada: Caller, bob: Caller
    ) -> None:
        game = ada.open("me", "open", visibility="unlisted")
        assert bob.get("/games").json["games"] == []
        assert bob.get(f"/games/{game['id']}").status_code == 200
        assert bob.post(f"/games/{game['id']}/seats", {}).status_code == 201
        mine = bob.get("/games?player=me").json["games"]
        assert [found["id"] for found in mine] == [game["id"]]

    def test_a_private_game_is_for_those_who_sit_there(self, ada: Caller, bob: Caller) -> None:
        game = ada.open(visibility="private")
        assert bob.post(f"/games/{game['id']}/seats", {}).status_code == 404
        assert ada.get(f"/games/{game['id']}").status_code == 200
