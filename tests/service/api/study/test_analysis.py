"""`POST` and `GET /games/{id}/analysis`: what the teacher says of a game that is over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import fakeredis
import pytest
from flask import Flask

from cartulary.events.people.quotas import UNLIMITED
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.workers.analysing import analyse_slice
from tests.service.support.caller import SMALL_CITY, Caller, played_out
from tests.service.support.scene import problem


@pytest.fixture
def store(server: fakeredis.FakeServer) -> Store:
    """A store on which a player starts two analyses a day."""
    limits = UNLIMITED._replace(analyses=2)
    return Store(fakeredis.FakeRedis(server=server), OFFERS, limits=limits)


def work(store: Store, game: str) -> None:
    """Do what the workers do."""
    while (found := store.analyses.find(game)) and found.under_way:
        assert analyse_slice(store, OFFERS, game)


def test_an_analysis_is_queued_made_and_there(ada: Caller, visitor: Caller, store: Store) -> None:
    game = played_out(ada)
    path = f"/games/{game}/analysis"
    problem(visitor.get(path), 404, "not_found")
    started = ada.post(path)
    assert (started.status_code, started.json) == (202, {"status": "queued"})
    assert started.headers["Location"] == f"/api/v1{path}"
    assert ada.post(path, {}).status_code == 202
    waiting = visitor.get(path).json
    assert waiting == {
        "status": "queued",
        "progress": 0.0,
        "level": "hard",
        "decisions": [],
        "seats": [],
        "moments": [],
    }
    work(store, game)
    done = visitor.get(path).json
    assert (done["status"], done["progress"], done["level"]) == ("done", 1.0, "hard")
    events = visitor.get(f"/games/{game}/events").json["events"]
    moves = [event for event in events if event["type"] == "move_made"]
    assert [(one["version"], one["move"]) for one in done["decisions"]] == [
        (event["version"], event["move"]) for event in moves
    ]
    assert len(done["seats"]) == len(SMALL_CITY["players"])
    again = ada.post(path)
    assert (again.status_code, again.json) == (200, {"status": "done"})
    first = done["decisions"][0]["version"]
    rest = visitor.get(f"{path}?after={first}").json
    assert rest["decisions"] == done["decisions"][1:]


def test_what_has_not_changed_is_not_sent_again(ada: Caller, store: Store) -> None:
    game = played_out(ada)
    path = f"/games/{game}/analysis"
    ada.post(path)
    queued = ada.get(path)
    work(store, game)
    done = ada.get(path)
    assert queued.headers["ETag"] != done.headers["ETag"]
    assert done.headers["Cache-Control"] == "no-cache"
    for answer, status in ((queued, 200), (done, 304)):
        known = {"If-None-Match": answer.headers["ETag"]}
        assert ada.get(path, headers=known).status_code == status


def test_a_game_that_is_not_over_has_no_analysis(ada: Caller, visitor: Caller) -> None:
    running, waiting = ada.open()["id"], ada.open("me", "open")["id"]
    for game in (running, waiting):
        problem(ada.post(f"/games/{game}/analysis"), 409, "game_running")
        problem(visitor.get(f"/games/{game}/analysis"), 404, "not_found")
    assert ada.post(f"/games/{waiting}/abort", {}).status_code == 201
    problem(ada.post(f"/games/{waiting}/analysis"), 409, "game_not_running")
    unknown = "/games/01ARZ3NDEKTSV4RRFFQ69G5FAV/analysis"
    problem(ada.post(unknown), 404, "not_found")
    problem(ada.get(unknown), 404, "not_found")


def test_an_analysis_is_for_those_who_see_the_game(
    ada: Caller, bob: Caller, visitor: Caller, store: Store
) -> None:
    public = played_out(ada)
    problem(visitor.post(f"/games/{public}/analysis"), 401, "token_missing")
    assert bob.post(f"/games/{public}/analysis").status_code == 202
    hidden = {**SMALL_CITY, "visibility": "private"}
    private = ada.post("/games/import", hidden).json["id"]
    path = f"/games/{private}/analysis"
    problem(bob.post(path), 404, "not_found")
    assert ada.post(path).status_code == 202
    problem(bob.get(path), 404, "not_found")
    assert ada.get(path).headers["Cache-Control"] == "private, no-cache"


@pytest.mark.slow
@pytest.mark.parametrize("body", [{"level": "expert"}, {"level": "hard"}, [], "hard", 1])
def test_an_analysis_has_no_choices(ada: Caller, store: Store, body: Any) -> None:
    game = played_out(ada)
    problem(ada.post(f"/games/{game}/analysis", body), 422, "invalid")
    assert store.analyses.find(game) is None


def test_an_unknown_parameter_is_refused(ada: Caller) -> None:
    path = f"/games/{played_out(ada)}/analysis"
    problem(ada.post(f"{path}?level=hard"), 422, "invalid")
    problem(ada.get(f"{path}?level=hard"), 422, "invalid")
    problem(ada.get(f"{path}?after=-1"), 422, "invalid")


def test_a_player_starts_a_bounded_number_a_day(ada: Caller, bob: Caller) -> None:
    games = [played_out(ada) for _ in range(3)]
    for game in (*games[:2], *games[:2]):
        assert ada.post(f"/games/{game}/analysis").status_code == 202
    refused = ada.post(f"/games/{games[2]}/analysis")
    found = problem(refused, 429, "quota_exceeded")
    assert (found["quota"], found["limit"], found["used"]) == ("analyses", 2, 2)
    assert 0 < int(refused.headers["Retry-After"]) <= 86_400
    assert int(refused.headers["Retry-After"]) > 23 * 3600
    assert bob.post(f"/games/{games[2]}/analysis").status_code == 202


def test_a_failed_analysis_says_why_and_can_be_started_again(
    ada: Caller, store: Store, visitor: Caller
) -> None:
    game = played_out(ada)
    path = f"/games/{game}/analysis"
    ada.post(path)
    found = store.analyses.find(game)
    assert found is not None
    store.analyses.fail(game, found, "late")
    failed = visitor.get(path).json
    assert (failed["status"], failed["reason"]) == ("failed", "late")
    assert ada.post(path).json == {"status": "queued"}
    assert "reason" not in visitor.get(path).json


def test_a_token_that_only_reads_starts_none(ada: Caller, app: Flask) -> None:
    game = played_out(ada)
    body = {"label": "reader", "scopes": ["read"]}
    token = ada.post("/players/me/tokens", body).json["token"]
    reader = Caller(app.test_client(), token)
    problem(reader.post(f"/games/{game}/analysis"), 403, "scope_missing")


@pytest.mark.slow
def test_a_game_without_an_analyst_has_no_analysis(
    make_app: Callable[..., Flask], ada: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = played_out(ada)
    monkeypatch.setitem(OFFERS["carcassonne"].__dict__, "analyst", None)
    for answer in (ada.post(f"/games/{game}/analysis"), ada.get(f"/games/{game}/analysis")):
        problem(answer, 404, "not_found")
