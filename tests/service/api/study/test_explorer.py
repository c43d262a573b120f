"""The explorer over HTTP: positions by game, by key, by file; what it shows of games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from cartulary.events.explorer.book import Book
from cartulary.events.explorer.counting import ExploredGame, explore
from cartulary.events.store import Store
from cartulary.games import GAMES
from tests.events.explorer.played import play
from tests.service.support.caller import Caller, played_out
from tests.service.support.scene import problem
from tests.studies.examples import make_study

FIRST = "place_worker/round-1/seat-1/worker-1"


@pytest.fixture
def book(store: Store, tmp_path: Path) -> Iterator[Book]:
    store.explorer.url = f"sqlite:///{tmp_path}/explorer.sqlite"
    store.explorer.book.prepare()
    yield store.explorer.book
    store.explorer.close()


def count(seed: int, rating: float | None = None, seats: int = 2) -> ExploredGame:
    return explore(*play("caylus", seats, seed), GAMES["caylus"], [rating] * seats)


def ask(caller: Caller, position: str, **query: Any) -> Any:
    more = "".join(f"&{name}={value}" for name, value in query.items())
    return caller.get(f"/explorer/caylus?position={position}{more}").json


def open_caylus(caller: Caller) -> Any:
    seats = [{"kind": "me"}, {"kind": "me"}]
    return caller.post("/games", {"game": "caylus", "seats": seats}).json


def test_a_position_of_a_game_has_its_moves_and_what_came_of_them(
    book: Book, ada: Caller, visitor: Caller
) -> None:
    games = [count(seed) for seed in range(1, 9)]
    book.add(games)
    game = open_caylus(ada)
    found = ask(visitor, f"{game['id']}@{game['version']}")
    assert found["keys"]["wide"] == FIRST
    assert (found["seats"], found["times"], found["games"]) == (2, 8, 8)
    assert sum(one["times"] for one in found["answers"]) == 8
    assert all(one["text"] for one in found["answers"])
    moves = [move for one in found["answers"] for move in one["moves"]]
    legal = visitor.get(f"/games/{game['id']}/moves").json["moves"]
    assert sorted(map(str, moves)) == sorted(map(str, legal))
    for one in found["answers"]:
        assert 0 <= one["won"] <= one["times"] <= one["offered"] <= 8
        assert (one["score"] is None) == (one["times"] == 0)


def test_a_key_is_asked_by_itself_by_size_and_by_rating(book: Book, visitor: Caller) -> None:
    book.add([count(1), count(2, 1600.0), count(3, 1600.0, seats=3)])
    assert ask(visitor, FIRST)["times"] == 3
    assert ask(visitor, FIRST, seats=2)["times"] == 2
    assert ask(visitor, FIRST, rating=1500)["times"] == 2
    assert ask(visitor, FIRST, seats=3, rating=1700)["times"] == 0


def test_the_narrow_key_counts_when_it_is_asked_for_or_was_met_often(
    book: Book, ada: Caller, visitor: Caller
) -> None:
    game = open_caylus(ada)
    place = f"{game['id']}@{game['version']}"
    book.add([count(seed) for seed in range(1, 6)])
    assert ask(visitor, place)["breadth"] == "wide"
    narrow = ask(visitor, place, breadth="narrow")
    assert (narrow["breadth"], narrow["times"]) == ("narrow", 5)
    assert ask(visitor, narrow["keys"]["narrow"], breadth="narrow")["times"] == 5
    book.add([count(seed) for seed in range(6, 22)])
    assert ask(visitor, place)["breadth"] == "narrow"


def test_a_position_that_never_was_has_zero_games(book: Book, visitor: Caller) -> None:
    book.add([count(1)])
    found = ask(visitor, "place_worker/round-9/seat-7/worker-1")
    assert (found["times"], found["answers"], found["learn"]) == (0, [], [])


def test_before_the_first_build_there_are_zero_games(
    store: Store, ada: Caller, tmp_path: Path
) -> None:
    store.explorer.url = f"sqlite:///{tmp_path}/explorer.sqlite"
    game = open_caylus(ada)
    found = ask(ada, f"{game['id']}@{game['version']}")
    assert (found["games"], found["times"]) == (0, 0)
    assert found["answers"]
    store.explorer.close()


@pytest.mark.usefixtures("book")
def test_an_impossible_position_is_a_problem(ada: Caller, bob: Caller) -> None:
    problem(ada.get("/explorer/caylus"), 422, "invalid")
    for place in ("a%20b", "..%2Fx", "a" * 121, "~"):
        problem(ada.get(f"/explorer/caylus?position={place}"), 422, "invalid")
    for place in ("abc", "place_tile/A/opening/no-follower", "pass/round-1/~0123456789abcdef"):
        told = problem(ada.get(f"/explorer/caylus?position={place}"), 422, "invalid")
        assert told["errors"][0]["detail"] == "is a key of no question of caylus"
    over = played_out(ada)
    version = ada.get(f"/games/{over}").json["version"]
    problem(ada.get(f"/explorer/carcassonne?position={over}@{version}"), 422, "invalid")
    problem(ada.get(f"/explorer/carcassonne?position={over}@1"), 422, "invalid")
    problem(ada.get(f"/explorer/caylus?position={over}@2"), 422, "invalid")
    problem(ada.get("/explorer/caylus?position=01JC0M7G5P9R3S6T8V2W4X1Y0B@3"), 404, "not_found")
    problem(ada.get("/explorer/chess?position=a"), 404, "not_found")
    problem(ada.get(f"/explorer/caylus?position={FIRST}&rating=1501"), 422, "invalid")
    private = ada.post(
        "/games",
        {"game": "caylus", "seats": [{"kind": "me"}, {"kind": "me"}], "visibility": "private"},
    ).json
    place = f"{private['id']}@{private['version']}"
    assert ada.get(f"/explorer/caylus?position={place}").status_code == 200
    problem(bob.get(f"/explorer/caylus?position={place}"), 404, "not_found")


@pytest.mark.usefixtures("book")
def test_a_game_that_counts_for_a_rating_is_explored_after_its_end(ada: Caller) -> None:
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "medium"}]
    game = ada.post("/games", {"game": "caylus", "seats": seats}).json
    place = f"/explorer/caylus?position={game['id']}@{game['version']}"
    problem(ada.get(place), 409, "ladder")
    ada.post(f"/games/{game['id']}/resignation", {})
    assert ada.get(f"/games/{game['id']}").json["status"] != "running"
    assert ada.get(place).status_code == 200


def test_an_installation_without_an_explorer_says_so(visitor: Caller) -> None:
    problem(visitor.get(f"/explorer/caylus?position={FIRST}"), 404, "not_found")


@pytest.mark.usefixtures("book")
def test_a_position_of_a_file_has_the_keys_of_the_same_position_of_a_game(ada: Caller) -> None:
    game = open_caylus(ada)
    keys = ask(ada, f"{game['id']}@{game['version']}")["keys"]
    transcript = ada.get(f"/games/{game['id']}/transcript").json
    position = ada.get(f"/games/{game['id']}/position").json
    for body in ({"transcript": transcript}, {"position": position}):
        assert ada.post("/explorer/caylus/keys", body).json == keys


@pytest.mark.usefixtures("book")
def test_a_file_that_is_no_position_is_a_problem(ada: Caller) -> None:
    over = ada.get(f"/games/{played_out(ada)}/transcript").json
    bodies: list[dict[str, Any]] = [
        *({}, {"transcript": {}}, {"position": {}}, {"transcript": over, "position": {}}),
        {"transcript": over},
        {"transcript": {**over, "game": "caylus"}},
    ]
    for body in bodies:
        problem(ada.post("/explorer/carcassonne/keys", body), 422, "invalid")
    told = problem(ada.post("/explorer/caylus/keys", {"transcript": over}), 422, "invalid")
    assert told["errors"] == [
        {
            "pointer": "/transcript/game",
            "detail": "is carcassonne, and this is the explorer of caylus",
        }
    ]
    illegal = {**over, "moves": [{"seat": 1, "move": {"type": "pass"}}]}
    problem(ada.post("/explorer/carcassonne/keys", {"transcript": illegal}), 422, "invalid")


def learnt_from(
    book: Book, store: Store, patch: pytest.MonkeyPatch, *sat: tuple[Caller, float | None]
) -> list[str]:
    """Count an archived game for each of some players with a rating; returns the ids."""
    summaries = {}
    for seed, (sitter, rating) in enumerate(sat):
        summary, events = play("caylus", 2, seed)
        summary["seats"][0]["player"] = {"id": sitter.id, "name": "Sitter"}
        summary["seats"][1] = {"seat": 1, "player": None, "bot": "medium"}
        summaries[summary["id"]] = orjson.dumps(summary)
        book.add([explore(summary, events, GAMES["caylus"], [rating, None])])
    patch.setattr(store.archive, "summaries", lambda ids: {one: summaries[one] for one in ids})
    return list(summaries)


def test_games_to_learn_from_are_the_best_rated_of_players_who_are_here_and_show(
    book: Book, store: Store, ada: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = learnt_from(book, store, monkeypatch, (ada, 1700.0), (bob, 1900.0), (ada, None))
    learn = ask(ada, FIRST)["learn"]
    assert [(one["id"], one["rating"]) for one in learn] == [
        *((games[1], 1900), (games[0], 1700), (games[2], None))
    ]
    assert [seat["name"] for seat in learn[0]["seats"]] == ["Sitter", "medium"]
    bob.patch("/players/me", {"preferences": {"visibility": "hidden"}})
    assert [one["id"] for one in ask(ada, FIRST)["learn"]] == [games[0], games[2]]
    store.masks.add(ada.id, 1)
    assert ask(bob, FIRST)["learn"] == []
    assert ask(bob, FIRST)["times"] == 3


def test_the_games_of_a_strong_player_who_hides_keep_no_others_away(
    book: Book, store: Store, ada: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    sat = [*[(bob, 1900.0)] * 12, *((ada, 1400.0 + number) for number in range(6))]
    games = learnt_from(book, store, monkeypatch, *sat)
    assert [one["rating"] for one in ask(ada, FIRST)["learn"]] == [1900] * 5
    bob.patch("/players/me", {"preferences": {"visibility": "hidden"}})
    assert [one["id"] for one in ask(ada, FIRST)["learn"]] == games[:-6:-1]


@pytest.mark.parametrize("breadth", ["wide", "narrow"])
def test_a_key_has_its_own_games_to_learn_from(
    book: Book, store: Store, ada: Caller, monkeypatch: pytest.MonkeyPatch, breadth: str
) -> None:
    games = learnt_from(book, store, monkeypatch, (ada, 1500.0), (ada, None))
    game = open_caylus(ada)
    keys = ask(ada, f"{game['id']}@{game['version']}")["keys"]
    assert [one["id"] for one in ask(ada, keys[breadth], breadth=breadth)["learn"]] == games
    assert [one["id"] for one in ask(ada, keys[breadth], seats=2)["learn"]] == games
    assert ask(ada, keys[breadth], seats=3)["learn"] == []


def test_a_node_of_a_study_names_its_position_where_a_seat_decides(
    book: Book, ada: Caller, store: Store
) -> None:
    document = make_study("carcassonne", length=3)
    path = f"/studies/{ada.post('/studies', document).json['id']}"
    first, *rest = document["chapters"][0]["line"]
    node = ada.get(f"{path}/nodes/1").json
    assert node["decision"]["kind"] == "place_tile"
    found = ada.get("/explorer/carcassonne", query_string={"position": node["explorer"]}).json
    assert node["explorer"] in found["keys"].values()
    tried = {"tried": orjson.dumps([first["move"]]).decode()}
    assert ada.get(f"{path}/nodes/1", query_string=tried).json["explorer"] != node["explorer"]
    last = ada.get(f"{path}/nodes/{2 + len(rest)}").json
    assert (last["decision"] is None) == (last["explorer"] is None)
    store.explorer.url = ""
    assert ada.get(f"{path}/nodes/1").json["explorer"] is None
