"""The moments of an analysed game: pictures of both futures, answers, what comes back."""

from __future__ import annotations

from typing import Any

import fakeredis
import orjson
import pytest

from cartulary.events.people.quotas import UNLIMITED
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.games import OFFERS
from tests.service.support.caller import Caller, played_out
from tests.service.support.moments import ask_moment
from tests.service.support.scene import problem

BEST = {"type": "place_tile", "x": 9, "y": 9, "rotation": 90}


@pytest.fixture
def store(server: fakeredis.FakeServer) -> Store:
    return Store(fakeredis.FakeRedis(server=server), OFFERS, limits=UNLIMITED)


def test_a_moment_shows_each_step_of_both_futures(
    ada: Caller, visitor: Caller, store: Store
) -> None:
    game, moment = ask_moment(ada, store)
    path = f"/games/{game}/analysis/moments/{moment['version']}/board.svg"
    assert visitor.get(f"/games/{game}/analysis").json["moments"] == [moment]
    before = visitor.get(path)
    assert (before.status_code, before.mimetype) == (200, "image/svg+xml")
    pictures = [visitor.get(f"{path}?future={name}&step=1") for name in ("made", "best")]
    assert len({answer.text for answer in (before, *pictures)}) == 3
    for name, picture in zip(("made", "best"), pictures, strict=True):
        move = moment[name]["moves"][0]["move"]
        assert f'data-x="{move["x"]}" data-y="{move["y"]}"' in picture.text
    known = {"If-None-Match": before.headers["ETag"]}
    assert visitor.get(path, headers=known).status_code == 304
    assert visitor.get(f"{path}?step=1", headers=known).status_code == 200
    problem(visitor.get(f"{path}?step=2"), 422, "invalid")
    problem(visitor.get(f"{path}?future=other"), 422, "invalid")


def test_an_answer_is_judged_and_an_own_moment_is_put_away(
    ada: Caller, bob: Caller, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, moment = ask_moment(ada, store)
    path = f"/games/{game}/analysis/moments/{moment['version']}/attempts"
    best, made = (moment[name]["moves"][0]["move"] for name in ("best", "made"))
    rest = next(move for move in moment["moves"] if move not in (best, made))
    assert bob.post(path, {"move": best}).json == {
        "right": True,
        "best": True,
        "made": False,
        "loss": 0.0,
    }
    assert bob.post(path, {"move": rest}).json == {
        "right": False,
        "best": False,
        "made": False,
        "loss": None,
    }
    wrong = ada.post(path, {"move": made}).json
    assert wrong == {"right": False, "best": False, "made": True, "loss": 5.0}
    for move in (BEST, {**best, "rotation": float(best["rotation"])}, {**best, "more": 1}):
        problem(ada.post(path, {"move": move}), 422, "invalid")
    problem(ada.post(path, {}), 422, "invalid")
    (learned,) = store.learning.read(ada.id)
    assert list(learned.due) == [moment["version"]]
    monkeypatch.setattr(store.learning, "_clock", type("Later", (), {"now_ms": lambda _: 10**15})())
    shown = ada.get("/players/me/learning").json
    assert shown["moments"] == [
        {"id": game, "game": "carcassonne", "seat": 0, "version": moment["version"]}
    ]
    assert ada.post(path, {"move": best}).json["right"]
    assert ada.get("/players/me/learning").json["moments"] == []
    assert bob.get("/players/me/learning").json["games"] == []


def test_a_mistake_that_comes_back_stands_in_the_inbox_until_it_was_tried(
    ada: Caller, bob: Caller, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, moment = ask_moment(ada, store)
    for one in (store.learning, store.returned_mistakes):
        monkeypatch.setattr(one, "_clock", type("Later", (), {"now_ms": lambda _: 10**13})())
    assert store.returned_mistakes.step() == 1
    (item,) = (one for one in ada.get("/players/me/inbox").json["items"] if is_mistake(one))
    assert item["data"]["url"] == f"/games/{game}?ask={moment['version']}"
    (due,) = ada.get("/players/me/learning").json["moments"]
    assert {"id": item["data"]["game"], "version": item["data"]["version"]}.items() <= due.items()
    path = f"/games/{game}/analysis/moments/{moment['version']}/attempts"
    assert bob.post(path, {"move": moment["moves"][0]}).status_code == 200
    assert any(map(is_mistake, ada.get("/players/me/inbox").json["items"])), "another one tried it"
    assert ada.post(path, {"move": moment["made"]["moves"][0]["move"]}).json["right"] is False
    assert not any(map(is_mistake, ada.get("/players/me/inbox").json["items"]))
    settings = ada.get("/players/me/notifications").json["mistake_returned"]
    assert (settings["push"], settings["email"]) == (None, None)


def is_mistake(item: dict[str, Any]) -> bool:
    return bool(item["type"] == "mistake_returned")


def test_a_moment_comes_back_as_long_as_its_analysis_is_kept(
    ada: Caller, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, moment = ask_moment(ada, store)
    monkeypatch.setattr(store.learning, "_clock", type("Later", (), {"now_ms": lambda _: 10**15})())
    assert [one["id"] for one in ada.get("/players/me/learning").json["moments"]] == [game]
    store.redis.delete(keys.analysed_decisions(game))
    path = f"/games/{game}/analysis/moments/{moment['version']}/attempts"
    problem(ada.post(path, {"move": moment["moves"][0]}), 404, "not_found")
    store.redis.delete(keys.analysis(game))
    shown = ada.get("/players/me/learning").json
    assert (shown["moments"], [one["id"] for one in shown["games"]]) == ([], [game])


def test_a_picture_of_another_analysis_has_another_tag(ada: Caller, store: Store) -> None:
    game, moment = ask_moment(ada, store)
    path = f"/games/{game}/analysis/moments/{moment['version']}/board.svg"
    before = ada.get(path).headers["ETag"]
    store.redis.hincrby(keys.analysis(game), "at", 1)
    assert ada.get(path, headers={"If-None-Match": before}).status_code == 200


def test_the_last_games_say_what_luck_has_decided(ada: Caller, store: Store) -> None:
    game, _ = ask_moment(ada, store)
    shown = ada.get("/players/me/learning").json
    (one,) = shown["games"]
    assert (one["id"], one["luck"], one["played"]) == (game, 0.0, one["margin"])
    counts = {name: shown[name] for name in shown if name not in ("games", "moments")}
    assert sum(counts.values()) == 1
    assert counts["won_by_play"] == one["won"]


def test_a_game_that_the_others_have_left_is_no_win_by_luck(ada: Caller, store: Store) -> None:
    game, _ = ask_moment(ada, store)
    key = keys.learned_games(ada.id)
    stored: Any = store.registry.hget(key, game)
    store.registry.hset(key, game, orjson.dumps({**orjson.loads(stored), "is_played": False}))
    shown = ada.get("/players/me/learning").json
    assert shown["games"] == []
    assert sum(shown[name] for name in shown if name not in ("games", "moments")) == 0


def test_a_moment_that_is_not_there_is_not_found(
    ada: Caller, bob: Caller, visitor: Caller, store: Store
) -> None:
    game, moment = ask_moment(ada, store)
    for path in (
        f"/games/{game}/analysis/moments/{moment['version'] + 1}",
        f"/games/{played_out(ada)}/analysis/moments/{moment['version']}",
        "/games/01ARZ3NDEKTSV4RRFFQ69G5FAV/analysis/moments/3",
    ):
        problem(ada.get(f"{path}/board.svg"), 404, "not_found")
        problem(ada.post(f"{path}/attempts", {"move": BEST}), 404, "not_found")
    path = f"/games/{game}/analysis/moments/{moment['version']}"
    problem(visitor.post(f"{path}/attempts", {"move": BEST}), 401, "token_missing")
    problem(visitor.get("/players/me/learning"), 401, "token_missing")
