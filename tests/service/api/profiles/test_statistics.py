"""Statistics over HTTP: what others see, and what the player sees; the page of a player."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.events.store import Store
from cartulary.ratings.results import Bucket, Entrant, GameResult
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.queues.queues import queues_on
from tests.events.support.finished_games import MINUTE, FinishedGame, follower, move, points
from tests.service.support.caller import Caller
from tests.service.support.scene import problem
from tests.support.practice_games import lose_practice

HIDING = {"preferences": {"visibility": "hidden"}}


def play(store: Store, game_id: str, *callers: Caller, visibility: str = "public") -> None:
    """Count a game that the first caller has won."""
    game = FinishedGame(game_id, [one.id for one in callers], [12, 4, 2][: len(callers)])
    game.visibility = visibility
    game.add(move(2, 0, MINUTE, follower(0, "field"), points(0, 8, "city")), move(3, 1, 2 * MINUTE))
    game.result["breakdown"] = [{"seat": 0, "reason": "farm", "points": 3, "detail": {}}]
    assert store.statistics.count(game.summary(), game.events)


def ask(caller: Caller, player: Caller, query: str = "game=carcassonne") -> Any:
    return caller.get(f"/players/{player.id}/statistics?{query}").json


def test_the_figures_of_a_game(store: Store, ada: Caller, bob: Caller, visitor: Caller) -> None:
    play(store, "01JC0M7G5P9R3S6T8V2W4X1Y0B", ada, bob)
    assert ask(visitor, ada) == {
        "game": "carcassonne",
        "seats": None,
        "games": 1,
        "ranks": [1],
        "finished": 1,
        "scores": {"mean": 12.0, "best": {"score": 12, "game": "01JC0M7G5P9R3S6T8V2W4X1Y0B"}},
        "points": [
            {"source": "city", "points": 8},
            {"source": "field", "points": 3},
            {"source": "other", "points": 1},
        ],
        "habits": [{"habit": "followers", "values": [{"value": "field", "times": 1}]}],
        "against": [
            {"player": {"id": bob.id, "name": "Bob"}, "games": 1, "won": 1, "tied": 0, "lost": 0}
        ],
        "levels": [],
        "median_turn_s": 64,
    }
    assert ask(visitor, bob)["ranks"] == [0, 1]
    assert ask(visitor, ada, "game=carcassonne&seats=many")["games"] == 0
    assert ask(visitor, ada, "game=caylus&seats=2")["scores"] is None


def test_private_and_unlisted_games_are_for_the_player_alone(
    store: Store, ada: Caller, bob: Caller
) -> None:
    play(store, "shown", ada, bob)
    play(store, "unlisted", ada, bob, visibility="unlisted")
    play(store, "private", ada, bob, visibility="private")
    assert (ask(bob, ada)["games"], ask(ada, ada)["games"]) == (1, 3)
    assert bob.get(f"/players/{ada.id}").json["reliability"]["games"] == 3


def test_a_player_who_hides_is_not_found_by_others(
    store: Store, ada: Caller, bob: Caller, visitor: Caller
) -> None:
    play(store, "game", ada, bob)
    assert ada.patch("/players/me", HIDING).status_code == 200
    for caller in (bob, visitor):
        path = f"/players/{ada.id}"
        problem(caller.get(f"{path}/statistics?game=carcassonne"), 404, "not_found")
        problem(caller.get(f"{path}/ratings/history?game=carcassonne"), 404, "not_found")
        problem(caller.get(f"{path}/ratings"), 404, "not_found")
        shown = caller.get(path).json
        assert (shown["ratings"], shown["reliability"]) == ([], None)
    assert ask(bob, bob)["against"] == []
    assert ask(ada, ada)["games"] == 1
    assert ada.get(f"/players/{ada.id}").json["reliability"]["games"] == 1


def test_a_deleted_player_is_in_no_figures(store: Store, ada: Caller, bob: Caller) -> None:
    play(store, "game", ada, bob)
    assert ada.post("/players/me/deletion", {"confirm": "Ada"}).status_code == 204
    assert ask(bob, bob)["against"] == []
    problem(bob.get(f"/players/{ada.id}/statistics?game=carcassonne"), 404, "not_found")


def test_a_practice_game_is_counted_within_a_step_of_the_dispatcher(
    store: Store, ada: Caller
) -> None:
    player = store.players.by_id(ada.id)
    assert player is not None
    lose_practice(store, player)
    dispatcher = Dispatcher(store, queues_on(store.redis))
    dispatcher.step()
    found = ask(ada, ada)
    assert (found["games"], found["ranks"], found["finished"]) == (1, [0, 1], 0)
    assert found["levels"] == [{"bot": "medium", "games": 1, "won": 0, "tied": 0, "lost": 1}]
    assert found["median_turn_s"] is not None
    shown = ada.get(f"/players/{ada.id}").json["reliability"]
    assert (shown["games"], shown["finished"], shown["resigned"]) == (1, 0, 1)


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("", 422, "invalid"),
        ("game=chess", 404, "not_found"),
        ("game=caylus&seats=3", 422, "invalid"),
    ],
)
def test_wrong_questions_get_clear_answers(ada: Caller, query: str, status: int, code: str) -> None:
    problem(ada.get(f"/players/{ada.id}/statistics?{query}"), status, code)


def test_a_page_of_a_player_shows_the_open_tables(ada: Caller, bob: Caller) -> None:
    shown = ada.open("me", "open")["id"]
    unlisted = ada.open("me", "open", visibility="unlisted")["id"]

    def hosted(caller: Caller) -> list[str]:
        return [game["id"] for game in caller.get(f"/players/{ada.id}").json["hosting"]]

    assert hosted(bob) == [shown]
    assert hosted(ada) == [unlisted, shown]
    assert bob.put(f"/players/me/blocks/{ada.id}").status_code == 204
    assert hosted(bob) == []


def test_the_curve_names_the_games_that_the_caller_may_see(
    store: Store, ada: Caller, bob: Caller
) -> None:
    for number, visibility in enumerate(("public", "unlisted")):
        play(store, f"game {number}", ada, bob, visibility=visibility)
        entrants = (Entrant(ada.id), Entrant(bob.id))
        bucket = Bucket("people", "carcassonne", "2")
        store.ratings.note(GameResult(1000 + number, f"game {number}", bucket, entrants, (1, 2)))
    store.ratings.fold_all()

    def points_for(caller: Caller) -> list[dict[str, Any]]:
        found = caller.get(f"/players/{ada.id}/ratings/history?game=carcassonne").json["points"]
        assert isinstance(found, list)
        return found

    assert [point["game"] for point in points_for(ada)] == ["game 0", "game 1"]
    first, second = points_for(bob)
    assert (first["game"], second["game"]) == ("game 0", None)
    assert first["rating"] == 1500 + first["change"]
    assert second["rating"] == first["rating"] + second["change"]
