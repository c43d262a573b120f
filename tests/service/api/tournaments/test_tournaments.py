"""Tournaments over HTTP."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.order.tournament_decisions import TableResult
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from cartulary.service.api.tournaments import comparison
from cartulary.tournaments.comparison import compare_round
from tests.service.support.acted_tournaments import WISH
from tests.service.support.caller import Caller
from tests.service.support.scene import pointers, problem

Register = Callable[[str], Caller]


@pytest.fixture
def eve(register: Register) -> Caller:
    return register("Eve")


def announce(who: Caller, **more: Any) -> str:
    answer = who.post("/tournaments", {**WISH, **more})
    assert answer.status_code == 201, answer.text
    return str(answer.json["id"])


def enter(tournament: str, *callers: Caller) -> None:
    for one in callers:
        answer = one.post(f"/tournaments/{tournament}/entry", {})
        assert answer.status_code == 201, answer.text


def resign_all(store: Store, tournament: str, *callers: Caller) -> None:
    """Let the first seat of each open table resign, and a dispatcher look."""
    for table in store.tournaments.streams.read(tournament).tournament.playing_tables():
        game = store.projector.table(table.game)
        owner = game.seats[0].player
        assert owner is not None
        (loser,) = [one for one in callers if one.id == owner["id"]]
        assert loser.post(f"/games/{table.game}/resignation", {}).status_code == 201
        store.commands.score(table.game)
    store.tournaments.driver.step(tournament)


@pytest.mark.slow
def test_a_tournament_from_its_poster_to_its_standings(
    store: Store, ada: Caller, bob: Caller, eve: Caller, register: Register
) -> None:
    dan = register("Dan")
    tournament = announce(ada)
    enter(tournament, ada, bob, eve, dan)
    path = f"/tournaments/{tournament}"
    started = ada.post(f"{path}/start", {})
    assert (started.status_code, started.json["tournament"]["status"]) == (201, "running")
    store.tournaments.driver.step(tournament)
    shown = bob.get(f"{path}/rounds/1").json
    assert (shown["status"], len(shown["tables"]), shown["byes"]) == ("open", 2, [])
    resign_all(store, tournament, ada, bob, eve, dan)
    resign_all(store, tournament, ada, bob, eve, dan)
    standings = bob.get(f"{path}/standings").json
    assert standings["status"] == "over"
    points = [one["points"] for one in standings["standings"]]
    assert (sum(points), points) == (4000, sorted(points, reverse=True))
    whole = bob.get(path).json
    assert whole["pairing"]["secret"] is not None
    assert bob.get("/tournaments?player=me&status=over").json["tournaments"][0]["id"] == tournament
    proof = bob.get(f"{path}/verification").json
    assert (proof["valid"], proof["pairings"], proof["problems"]) == (True, "proved", [])
    games = bob.get(f"{path}/games?round=2").json["games"]
    assert [one["status"] for one in games] == ["scored", "scored"]
    events = bob.get(f"{path}/events?limit=1000").json["events"]
    assert [one["version"] for one in events] == list(range(1, len(events) + 1))
    told = [one["type"] for one in bob.get("/players/me/inbox").json["items"]]
    expected = ["tournament_starts", "table_ready", "round_closed"]
    expected += ["table_ready", "round_closed", "tournament_over"]
    assert [one for one in told if one in expected] == expected


def test_the_version_is_the_tag_and_a_key_repeats_nothing(ada: Caller, bob: Caller) -> None:
    tournament = announce(ada)
    path = f"/tournaments/{tournament}"
    first = bob.post(f"{path}/entry", {}, headers={"Idempotency-Key": "once"})
    again = bob.post(f"{path}/entry", {}, headers={"Idempotency-Key": "once"})
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.json == first.json
    same = bob.post(f"{path}/entry", {})
    assert (same.status_code, same.json["events"]) == (200, [])
    shown = bob.get(path)
    assert shown.headers["ETag"] == '"v2"'
    unchanged = bob.get(f"{path}/standings", headers={"If-None-Match": '"v2"'})
    assert unchanged.status_code == 304
    stale = ada.post(f"{path}/cancel", {}, headers={"If-Match": '"v1"'})
    problem(stale, 412, "stale_version")
    assert ada.post(f"{path}/cancel", {}, headers={"If-Match": '"v2"'}).status_code == 201


def test_only_a_full_page_of_events_is_kept_and_each_depends_on_the_caller(ada: Caller) -> None:
    path = f"/tournaments/{announce(ada)}/events"
    for limit, lasting in ((1, "public, max-age=86400"), (2, "no-cache")):
        answer = ada.get(f"{path}?limit={limit}")
        assert answer.headers["Cache-Control"] == lasting
        assert "Authorization" in answer.headers["Vary"]


def test_the_id_of_a_streamed_event_is_its_version(ada: Caller, visitor: Caller) -> None:
    path = f"/tournaments/{announce(ada)}/events/stream"
    first = visitor.get(path, buffered=False)
    enter(path.split("/")[2], ada)
    read = b""
    for piece in first.iter_encoded():
        read += piece
        if read.count(b"data: ") == 2:
            break
    first.close()
    assert re.findall(rb"^id: (.*)$", read, re.MULTILINE) == [b"1", b"2"]
    again = visitor.get(path, headers={"Last-Event-ID": "1"}, buffered=False)
    piece = next(one for one in again.iter_encoded() if b"data: " in one)
    again.close()
    assert piece.startswith(b"id: 2\ndata: ")


def test_refusals_say_why(ada: Caller, bob: Caller, eve: Caller) -> None:
    wrong = ada.post("/tournaments", {**WISH, "format": "arena", "table": [3]})
    assert "/table" in pointers(problem(wrong, 422, "invalid"))
    past = ada.post("/tournaments", {**WISH, "start": {"at": "2020-01-01T00:00:00Z"}})
    assert pointers(problem(past, 422, "invalid")) == ["/start/at"]
    tournament = announce(ada, entrants={"max": 2})
    path = f"/tournaments/{tournament}"
    problem(ada.post(f"{path}/start", {}), 409, "seats_open")
    problem(bob.delete(f"{path}/entry"), 409, "not_entered")
    problem(bob.post(f"{path}/start", {}), 403, "not_host")
    enter(tournament, ada, bob)
    problem(eve.post(f"{path}/entry", {}), 409, "tournament_full")
    assert ada.delete(f"{path}/entrants/{bob.id}").status_code == 200
    problem(bob.post(f"{path}/entry", {}), 403, "removed")
    enter(tournament, eve)
    assert ada.post(f"{path}/start", {}).status_code == 201
    problem(bob.post(f"{path}/entry", {}), 409, "tournament_started")
    unknown = problem(ada.get(f"{path}/rounds/1"), 404, "not_found")
    assert unknown["detail"].startswith("a round with this number does not exist")


def test_a_private_tournament_is_missing_for_all_others(
    ada: Caller, bob: Caller, eve: Caller
) -> None:
    tournament = announce(ada, visibility="private", entrants={"invited": [bob.id], "max": 2})
    path = f"/tournaments/{tournament}"
    problem(eve.get(path), 404, "not_found")
    problem(eve.post(f"{path}/entry", {}), 404, "not_found")
    problem(eve.get(f"{path}/events/stream"), 404, "not_found")
    assert bob.get(path).status_code == 200
    assert eve.get("/tournaments").json["tournaments"] == []
    assert [one["id"] for one in ada.get("/tournaments").json["tournaments"]] == [tournament]


@pytest.mark.slow
def test_a_closed_round_of_a_duplicate_is_compared_decision_by_decision(
    store: Store, ada: Caller, bob: Caller, eve: Caller, register: Register
) -> None:
    dan = register("Dan")
    tournament = announce(ada, duplicate=True, rounds=1)
    enter(tournament, ada, bob, eve, dan)
    path = f"/tournaments/{tournament}"
    assert ada.post(f"{path}/start", {}).status_code == 201
    store.tournaments.driver.step(tournament)
    callers = {one.id: one for one in (ada, bob, eve, dan)}
    tables = list(store.tournaments.streams.read(tournament).tournament.playing_tables())
    for number, table in enumerate(tables):
        for step in range(4):
            game = store.projector.table(table.game)
            assert game.state is not None
            owner = game.seats[game.state.seat].player
            assert owner is not None
            mover = callers[owner["id"]]
            legal = mover.legal(table.game)
            # Both begin alike, and part at the first follower.
            chosen = legal[0] if step % 2 == 0 else legal[min(number, len(legal) - 1)]
            assert mover.move(table.game, chosen).status_code == 201
    problem(ada.get(f"{path}/rounds/1/comparison"), 409, "round_open")
    resign_all(store, tournament, ada, bob, eve, dan)
    shown = bob.get(f"{path}/rounds/1/comparison").json
    assert [one["status"] for one in shown["tables"]] == ["scored", "scored"]
    first = shown["partings"][0]
    assert (first["decision"], first["kind"]) == (1, "place_follower")
    assert [one["tables"] for one in first["choices"]] == [[1], [2]]
    only = bob.get(f"{path}/rounds/1/comparison?seat=1").json
    assert only == {**shown, "seats": shown["seats"][1:]}
    problem(bob.get(f"{path}/rounds/2/comparison"), 404, "not_found")


def test_a_comparison_is_computed_once_and_again_after_an_operator_has_decided(
    store: Store, ada: Caller, bob: Caller, eve: Caller, register: Register, monkeypatch: Any
) -> None:
    dan = register("Dan")
    tournament = announce(ada, duplicate=True, rounds=2)
    enter(tournament, ada, bob, eve, dan)
    assert ada.post(f"/tournaments/{tournament}/start", {}).status_code == 201
    store.tournaments.driver.step(tournament)
    resign_all(store, tournament, ada, bob, eve, dan)
    made: list[int] = []

    def compare(*given: Any) -> Any:
        made.append(given[1].number)
        return compare_round(*given)

    monkeypatch.setattr(comparison, "compare_round", compare)
    path = f"/tournaments/{tournament}/rounds/1/comparison"
    first = bob.get(path)
    assert (eve.get(path).json, eve.get(f"{path}?seat=0").status_code) == (first.json, 200)
    unchanged = bob.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (unchanged.status_code, made) == (304, [1])
    decided = TableResult("a misclick", [1, 2], [20, 10])
    store.office.tournaments.decide_table(Intent(Player(ada.id, "Ada")), tournament, 1, decided)
    again = bob.get(path).json
    assert (again["tables"][0]["scores"], made) == ([20, 10], [1, 1])


WEEK = {"timezone": "UTC", "days": {day: [["00:00", "24:00"]] for day in ("mon", "thu", "sun")}}


@pytest.mark.slow
def test_a_table_finds_its_time_and_others_never_see_a_week(
    store: Store, ada: Caller, bob: Caller, eve: Caller
) -> None:
    tournament = announce(ada, table=[2], rounds=1, window=168)
    enter(tournament, ada, bob)
    path = f"/tournaments/{tournament}"
    ada.post(f"{path}/start", {})
    store.tournaments.driver.step(tournament)
    times = f"{path}/tables/1/times"
    nothing = ada.get(times).json
    assert (nothing["times"], sorted(nothing["unstated"])) == ([], [1, 2])
    wrong = ada.put("/players/me/availability", {"availability": {"timezone": "?", "days": {}}})
    problem(wrong, 422, "invalid")
    for one in (ada, bob):
        assert one.put("/players/me/availability", {"availability": WEEK}).status_code == 200
    found = ada.get(times).json
    assert found["unstated"] == []
    assert len(found["times"]) > 1
    chosen = found["times"][-1]["time"]
    problem(eve.get(times), 403, "not_seated")
    problem(bob.post(times, {"time": "2020-01-01T00:00:00Z"}), 422, "invalid")
    assert ada.post(times, {"time": chosen}).status_code == 201
    assert ada.post(times, {"time": chosen}).status_code == 200
    store.tournaments.driver.step(tournament)
    (item,) = [
        one for one in bob.get("/players/me/inbox").json["items"] if one["type"] == "times_proposed"
    ]
    assert (item["data"]["time"], item["data"]["table"]) == (chosen, 1)
    assert bob.post(times, {"time": chosen}).status_code == 201
    assert bob.get(times).json["agreed"] == chosen
    assert "timezone" not in eve.get(f"{path}/events").text


def test_a_calendar_needs_no_token_and_ends_with_its_address(visitor: Caller, ada: Caller) -> None:
    opened = ada.post("/players/me/calendar")
    assert opened.headers["Cache-Control"] == "no-store"
    url = opened.json["url"].removeprefix("/api/v1")
    shown = visitor.get(url)
    assert shown.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert shown.headers["Cache-Control"] == "private, no-cache"
    assert shown.data.startswith(b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
    same = visitor.get(url, headers={"If-None-Match": shown.headers["ETag"]})
    assert same.status_code == 304
    assert ada.delete("/players/me/calendar").status_code == 204
    problem(visitor.get(url), 404, "not_found")
    problem(ada.delete("/players/me/calendar"), 404, "not_found")


def test_the_entropy_of_an_entrant_is_stored(ada: Caller, bob: Caller) -> None:
    entropy = "ab" * 16
    done = bob.post(f"/tournaments/{announce(ada)}/entry", {"entropy": entropy})
    assert [one["entropy"] for one in done.json["events"]] == [entropy]
