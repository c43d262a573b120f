"""Ratings over HTTP: of a player, over time, of a game, leaderboards; rated games; hints."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.ratings.results import Bucket, Entrant, GameResult
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.queues.queues import queues_on
from tests.service.support.caller import Caller
from tests.service.support.scene import pointers, problem
from tests.support.practice_games import lose_practice, open_practice

PACE = {"mode": "live", "delay": 30, "bank": 600}
MEDIUM = {"kind": "bot", "bot": "medium"}
PEOPLE = Bucket("people", "carcassonne", "2")


def find_player(store: Store, caller: Caller) -> Player:
    found = store.players.by_id(caller.id)
    assert found is not None
    return found


def claim(store: Store, *callers: Caller) -> None:
    for caller in callers:
        store.registry.hset(keys.player(caller.id), "claimed_at", "2026-11-22T14:00:00.000Z")


def note_games(store: Store, winner: Caller, loser: Caller, number: int = 1) -> None:
    """Note games of two players that have ended just now."""
    now = store.clock.now_ms()
    entrants = (Entrant(winner.id), Entrant(loser.id))
    for game in range(number):
        store.ratings.note(GameResult(now + game, f"game {game}", PEOPLE, entrants, (1, 2)))
    store.ratings.fold_all()


def test_a_new_player_has_no_rating(ada: Caller) -> None:
    assert ada.get(f"/players/{ada.id}/ratings").json == {"ratings": []}
    assert ada.get(f"/players/{ada.id}").json["ratings"] == []


def test_a_practice_game_moves_the_rating_within_a_step_of_the_dispatcher(
    store: Store, ada: Caller
) -> None:
    table = lose_practice(store, find_player(store, ada))
    Dispatcher(store, queues_on(store.redis)).step()
    (rating,) = ada.get(f"/players/{ada.id}/ratings").json["ratings"]
    assert rating["rating"] < 1500
    assert {
        "game": "carcassonne",
        "seats": "2",
        "ladder": "practice",
        "games": 1,
        "rank": 1,
    }.items() <= rating.items()
    assert ada.get(f"/players/{ada.id}").json["ratings"] == [rating]
    shown = ada.get(f"/games/{table.id}/ratings").json
    assert (shown["ladder"], shown["voided"]) == ("practice", False)
    assert [seat["player"] and seat["player"]["id"] for seat in shown["seats"]] == [ada.id, None]
    assert shown["seats"][0]["before"]["rating"] == 1500
    assert shown["seats"][0]["after"]["rating"] == rating["rating"]
    assert shown["seats"][1]["after"] is None


def test_a_casual_game_counts_for_nothing(ada: Caller) -> None:
    game = ada.open()
    assert (game["rated"], game["ladder"]) == (False, None)
    shown = ada.get(f"/games/{game['id']}/ratings").json
    assert shown["ladder"] is None
    assert {seat["before"] for seat in shown["seats"]} == {None}


def test_the_curve_has_a_point_for_each_game(store: Store, ada: Caller, bob: Caller) -> None:
    note_games(store, ada, bob, 3)
    points = ada.get(f"/players/{bob.id}/ratings/history?game=carcassonne").json["points"]
    assert [point["rating"] for point in points] == sorted(
        (point["rating"] for point in points), reverse=True
    )
    assert len(points) == 3
    other = ada.get(f"/players/{bob.id}/ratings/history?game=carcassonne&seats=many").json
    assert other == {"points": []}


def test_a_leaderboard_names_the_best_first(
    store: Store, ada: Caller, bob: Caller, visitor: Caller
) -> None:
    note_games(store, ada, bob, 4)
    board = visitor.get("/leaderboards/carcassonne").json
    assert [(row["rank"], row["player"]["name"]) for row in board["players"]] == [
        (1, "Ada"),
        (2, "Bob"),
    ]
    assert board["next_cursor"] is None
    empty = visitor.get("/leaderboards/carcassonne?ladder=practice").json
    assert empty == {"players": [], "next_cursor": None}


def test_a_deleted_player_leaves_the_leaderboard(store: Store, ada: Caller, bob: Caller) -> None:
    note_games(store, ada, bob)
    assert ada.post("/players/me/deletion", {"confirm": "Ada"}).status_code == 204
    board = bob.get("/leaderboards/carcassonne").json
    assert [row["player"]["name"] for row in board["players"]] == ["Bob"]
    assert bob.get("/leaderboards/carcassonne").json["players"][0]["rank"] == 1


def test_a_player_who_hides_is_in_no_leaderboard(store: Store, ada: Caller, bob: Caller) -> None:
    note_games(store, ada, bob)
    hiding = {"preferences": {"visibility": "hidden"}}
    assert ada.patch("/players/me", hiding).status_code == 200
    board = bob.get("/leaderboards/carcassonne").json
    assert [(row["rank"], row["player"]["name"]) for row in board["players"]] == [(2, "Bob")]


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/players/nobody/ratings", 404, "not_found"),
        ("/players/nobody/ratings/history?game=carcassonne", 404, "not_found"),
        ("/players/{ada}/ratings/history?game=chess", 404, "not_found"),
        ("/players/{ada}/ratings/history", 422, "invalid"),
        ("/players/{ada}/ratings/history?game=caylus&seats=3", 422, "invalid"),
        ("/leaderboards/chess", 404, "not_found"),
        ("/leaderboards/caylus?cursor=forged", 400, "bad_cursor"),
        ("/leaderboards/caylus?cursor=1.5~", 400, "bad_cursor"),
        ("/leaderboards/caylus?cursor=nan~ada", 400, "bad_cursor"),
        ("/leaderboards/caylus?cursor=1e999~ada", 400, "bad_cursor"),
        (f"/leaderboards/caylus?cursor=1.5~{'a' * 200}", 400, "bad_cursor"),
        ("/leaderboards/caylus?ladder=all", 422, "invalid"),
        ("/games/01JC0M7G5P9R3S6T8V2W4X1Y0B/ratings", 404, "not_found"),
    ],
)
def test_wrong_questions_get_clear_answers(ada: Caller, path: str, status: int, code: str) -> None:
    answer = ada.get(path.format(ada=ada.id))
    problem(answer, status, code)


class TestPreview:
    def test_a_caller_sees_what_each_rank_would_change_before_sitting_down(
        self, store: Store, ada: Caller, bob: Caller
    ) -> None:
        claim(store, ada, bob)
        game = ada.open("me", "open", rated=True, pace=PACE)
        shown = bob.get(f"/games/{game['id']}/ratings?preview=true").json
        assert shown["ladder"] == "people"
        mine = shown["seats"][1]
        assert (mine["player"], mine["before"]["rating"]) == (None, 1500)
        first, second = mine["changes"]
        assert first > 0 > second
        assert bob.get(f"/games/{game['id']}/ratings").json["seats"][1]["changes"] is None

    def test_an_open_seat_has_no_rating_for_a_caller_who_sits(
        self, store: Store, ada: Caller
    ) -> None:
        claim(store, ada)
        game = ada.open("me", "open", rated=True, pace=PACE)
        shown = ada.get(f"/games/{game['id']}/ratings?preview=true").json
        assert shown["seats"][0]["changes"] is not None
        assert shown["seats"][1]["before"] is None

    def test_a_running_practice_game_says_what_is_at_stake(self, store: Store, ada: Caller) -> None:
        table = open_practice(store, find_player(store, ada), "expert")
        shown = ada.get(f"/games/{table.id}/ratings?preview=true").json
        first, second = shown["seats"][0]["changes"]
        assert first > -second > 0, "who loses to expert has lost little"


class TestRatedGames:
    def test_a_rated_game_is_opened_and_joined_by_accounts(
        self, store: Store, ada: Caller, bob: Caller
    ) -> None:
        claim(store, ada, bob)
        game = ada.open(
            "me", "open", rated=True, pace={**PACE, "mode": "correspondence", "delay": 3600}
        )
        assert (game["rated"], game["ladder"]) == (True, None)
        joined = bob.post(f"/games/{game['id']}/seats", {})
        assert joined.status_code == 201, joined.text
        assert bob.get(f"/games/{game['id']}").json["ladder"] == "people"

    def test_a_guest_needs_an_account(self, ada: Caller) -> None:
        seats = [{"kind": "me"}, {"kind": "open"}]
        body = {"game": "carcassonne", "seats": seats, "rated": True, "pace": PACE}
        problem(ada.post("/games", body), 403, "account_needed")

    def test_a_rated_game_without_a_pace_is_invalid(self, ada: Caller) -> None:
        seats = [{"kind": "me"}, MEDIUM]
        body = {"game": "carcassonne", "seats": seats, "rated": True}
        answer = ada.post("/games", body)
        problem(answer, 422, "invalid")
        assert pointers(answer.json) == ["/pace", "/seats/1/kind", "/seats"]


class TestHints:
    def test_a_hint_waits_until_the_game_counts_no_more(self, store: Store, ada: Caller) -> None:
        table = open_practice(store, find_player(store, ada), hints=True)
        problem(ada.get(f"/games/{table.id}/hint"), 409, "ladder")
        done = ada.post(f"/games/{table.id}/hints")
        assert done.status_code == 201
        assert [event["type"] for event in done.json["events"]] == ["ladder_left"]
        assert done.json["game"]["ladder"] is None
        assert ada.get(f"/games/{table.id}/hint").status_code == 200
        assert ada.post(f"/games/{table.id}/hints").status_code == 200

    def test_a_game_without_hints_keeps_its_ladder(self, store: Store, ada: Caller) -> None:
        table = open_practice(store, find_player(store, ada))
        answer: Any = ada.post(f"/games/{table.id}/hints")
        problem(answer, 409, "hints_off")
        assert ada.get(f"/games/{table.id}").json["ladder"] == "practice"
