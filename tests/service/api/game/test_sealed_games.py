"""Until a duplicate round is closed, no operation tells more of its games than a seat has seen.

The walk goes through the description of the API: a new operation is asked here without a change of
this file. It is walked by a stranger, an operator, an entrant of another table, and by a player who
is seated and makes of the own game whatever can be made of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import fakeredis
import pytest
from flask import Flask

from cartulary.events.commands.table.transcripts import transcript_of
from cartulary.events.model.fairness import derive_seed
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.queues.queues import queues_on
from tests.events.support.rounds import DUPLICATE, ENTROPY, SECRET, Round
from tests.service.support.caller import Caller, register_player
from tests.service.support.description import ENDLESS
from tests.support.night import short_or_long

pytestmark = pytest.mark.slow

RUNNING, OVER = "running", "over"
PLAYED: Final = 8
"""Moves that were made at the table that runs."""

ENDING: Final = {"/api/v1/players/me/deletion", "/api/v1/players/me/merge", "/api/v1/sessions"}
"""Where a caller gives the own account up, or another one to it."""

BESIDE: Final = (
    "/games/{game_id}",
    "/embed/games/{game_id}",
    "/oembed?url=http://x/games/{game_id}",
)
"""What is no operation, and shows games."""

OF_RUNNING: Final = frozenset({"stream_events", "stream_many_games"})
"""Streams that go on as long as the game of the caller does."""

HASHES: Final = ("hash", "state_hash")
GAME: Final = "{game_id}"
METHODS: Final = ("get", "put", "post", "patch", "delete")


class Evening(NamedTuple):
    """A round of two tables: one runs, one is over. Its first player sits where it runs."""

    store: Store
    app: Flask
    callers: dict[str, Caller]
    tables: dict[str, Table]

    def close(self) -> None:
        """Close the round, as its tournament does."""
        played = Round(self.store)
        played.close(*self.tables.values())
        self.dispatch()

    def dispatch(self) -> None:
        """Let a dispatcher follow everything that has happened."""
        dispatcher = Dispatcher(self.store, queues_on(fakeredis.FakeRedis()))
        while dispatcher.step():
            continue

    def list_marks(self, *names: str) -> set[str]:
        """Return what only those know who see these tables: ids, hashes, what was said.

        Both tables begin with the same moves, so some hashes are those of both.
        """
        others = [self._marks_of(name) for name in self.tables if name not in names]
        secrets = {SECRET.hex(), derive_seed(SECRET, [ENTROPY]).hex()}
        return set().union(*map(self._marks_of, names)).difference(*others) | secrets

    def _marks_of(self, name: str) -> set[str]:
        events = self.store.ledger.deliver(self.tables[name].id, 0, 1000)
        hashes = {str(event[key]) for event in events for key in HASHES if key in event}
        return hashes | {self.tables[name].id, f"said at {name}"}


@pytest.fixture
def evening(app: Flask, store: Store, sketched_pictures: None) -> Evening:
    names = ("Ada", "Bob", "Eve", "Kim", "Sam")
    callers = {name: register_player(app, name) for name in names}
    callers["visitor"] = Caller(app.test_client())
    judge = store.players.create("Judge")[0]
    token = store.office.operators.grant(judge, 1).secret
    callers["operator"] = Caller(app.test_client(), token, judge.id)
    played = Round(store)
    seated = [Player(callers[name].id, name) for name in names]
    running = played.make(1, *seated[:2], duplicate=DUPLICATE)
    over = played.make(2, *seated[2:4], duplicate=DUPLICATE)
    found = Evening(store, app, callers, {})
    found.tables[RUNNING] = played.play(running.id, PLAYED)
    found.tables[OVER] = played.play(over.id)
    for name, table in ((RUNNING, running), (OVER, over)):
        speaker = callers["Ada" if name == RUNNING else "Eve"]
        speaker.post("/players/me/recovery_codes", {})
        body = {"room": "players", "text": f"said at {name}"}
        assert speaker.post(f"/games/{table.id}/messages", body).status_code == 201
    found.dispatch()
    return found


class Walk(NamedTuple):
    """A walk of one caller through the description; each step is an answer."""

    evening: Evening
    described: dict[str, Any]
    caller: Caller
    left_out: frozenset[str] = frozenset()

    def go(self) -> Iterator[tuple[str, str, Any]]:
        """Yield path, method and answer of each operation, for each game where it takes one."""
        for path, operations in self.described["paths"].items():
            for method in METHODS:
                operation = operations.get(method)
                if operation is None or path in ENDING:
                    continue
                if operation["operationId"] in ENDLESS | self.left_out:
                    continue
                games = [one.id for one in self.evening.tables.values()]
                for game_id in games if GAME in path else [""]:
                    yield path, method, self._ask(path, method, operation, game_id)

    def _ask(self, path: str, method: str, operation: dict[str, Any], game_id: str) -> Any:
        values = {"game_id": game_id, "game_name": "carcassonne", "version": "2", "seat": "0"}
        values |= {"player_id": self.evening.callers["Eve"].id}
        for one in operation.get("parameters", ()):
            name = one.get("name", "")
            values.setdefault(name, "0")
        headers = (
            {} if self.caller.token is None else {"Authorization": f"Bearer {self.caller.token}"}
        )
        answer = self.caller.client.open(
            path.format_map(values),
            method=method.upper(),
            headers={"Accept": "application/json, */*;q=0.5", **headers},
            query_string=self._list_query(operation),
            json=_find_body(operation) if method != "get" else None,
        )
        answer.get_data()
        answer.close()
        return answer

    def _list_query(self, operation: dict[str, Any]) -> dict[str, str]:
        ids = ",".join(one.id for one in self.evening.tables.values())
        known = {"games": ids, "name": "Eve", "game": "carcassonne", "move": '{"type":"pass"}'}
        known["url"] = f"http://localhost/games/{self.evening.tables[OVER].id}"
        asked = [
            one.get("name") for one in operation.get("parameters", ()) if one.get("in") == "query"
        ]
        return {name: known[name] for name in asked if name in known}


def _find_body(operation: dict[str, Any]) -> Any:
    """Return the first example of a body, {} without one."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    examples = list(content.get("examples", {}).values())
    return examples[0]["value"] if examples else content.get("example", {})


def find_leaks(answer: Any, marks: set[str]) -> list[str]:
    """Return the marks in a successful answer; a refusal repeats the path that was asked for."""
    if answer.status_code >= 400:
        return []
    body = answer.get_data()
    return [mark for mark in marks if mark.encode() in body]


@pytest.mark.parametrize(
    "who", short_or_long(["Sam", "Ada"], ["visitor", "Sam", "Ada", "operator"])
)
def test_no_operation_shows_a_table_to_those_who_are_not_seated_there(
    evening: Evening, described: dict[str, Any], who: str
) -> None:
    hidden = (OVER,) if who == "Ada" else (RUNNING, OVER)
    marks = evening.list_marks(*hidden)
    ids = {evening.tables[name].id for name in hidden}
    endless = OF_RUNNING if who == "Ada" else frozenset()
    walk = Walk(evening, described, evening.callers[who], endless)
    seen = 0
    for path, method, answer in walk.go():
        leaks = find_leaks(answer, marks)
        assert leaks == [] or path.endswith("/streams"), (method, path, leaks)
        if GAME in path and any(one in answer.request.path for one in ids):
            assert answer.status_code in (401, 404, 422, 403), (method, path, answer.status_code)
            seen += answer.status_code == 404
    assert seen > 40
    for path in BESIDE:
        page = evening.callers[who].client.get(path.format(game_id=evening.tables[OVER].id))
        assert find_leaks(page, marks - ids) == [], path
        assert "Eve" not in page.text


def test_who_asks_for_many_streams_learns_that_there_is_no_such_game(evening: Evening) -> None:
    ids = ",".join(one.id for one in evening.tables.values())
    answer = evening.callers["Sam"].get("/streams", query_string={"games": ids})
    assert answer.status_code == 200 or answer.status_code == 404
    assert find_leaks(answer, evening.list_marks(RUNNING, OVER) - set(ids.split(","))) == []


def test_a_seated_player_sees_the_own_table_and_nothing_made_of_it_shows_its_draws(
    evening: Evening, described: dict[str, Any]
) -> None:
    eve, over = evening.callers["Eve"], evening.tables[OVER]
    assert eve.get(f"/games/{over.id}").status_code == 200
    transcript = eve.get(f"/games/{over.id}/transcript").json
    refused = {
        "branches": {"version": 5},
        "rematch": {},
        "analysis": {},
    }
    for name, body in refused.items():
        answer = eve.post(f"/games/{over.id}/{name}", body)
        assert (answer.status_code, answer.json["code"]) == (409, "round_open"), name
    empty = {"format": "cartulary-study/1", "title": "An evening", "language": "en"}
    study = eve.post("/studies", empty).json
    for moves in (len(transcript["moves"]), 4):
        part = _cut(evening, over, moves)
        answer = eve.post("/games/import", part)
        assert (answer.status_code, answer.json["code"]) == (409, "round_open"), moves
        chapter = {"type": "chapter_added", "title": "The evening", "transcript": part}
        answer = eve.post(f"/studies/{study['id']}/changes", {"changes": [chapter]})
        assert (answer.status_code, answer.json["code"]) == (409, "round_open"), moves
    chapter = {"type": "chapter_added", "title": "The evening", "game": over.id}
    answer = eve.post(f"/studies/{study['id']}/changes", {"changes": [chapter]})
    assert answer.status_code == 404, "it is private as long as the round is open"
    known = set(evening.store.ledger.game_ids())
    marks = {SECRET.hex(), derive_seed(SECRET, [ENTROPY]).hex()} | evening.list_marks(RUNNING)
    for path, method, answer in Walk(evening, described, eve).go():
        leaks = find_leaks(answer, marks)
        assert leaks == [] or path.endswith("/streams"), (method, path, leaks)
    draws = _list_draws(evening.store, over.id)
    for game_id in set(evening.store.ledger.game_ids()) - known:
        assert _list_draws(evening.store, game_id)[:4] != draws[:4], "a game with the same draws"


def _cut(evening: Evening, table: Table, moves: int) -> dict[str, Any]:
    """Return the transcript of the first moves of a game."""
    events = evening.store.ledger.events(table.id)
    made = [one for one in events if one["type"] == "move_made"]
    last = made[moves - 1]["version"]
    then = evening.store.projector.table(table.id, last)
    return transcript_of(then, [one for one in events if one["version"] <= last], {}).to_json()


def _list_draws(store: Store, game_id: str) -> list[str]:
    return [letter for event in store.ledger.events(game_id) for letter in event.get("chance", ())]


def test_a_player_at_a_table_that_runs_is_shown_the_tiles_so_far_and_no_proof(
    evening: Evening,
) -> None:
    ada, running = evening.callers["Ada"], evening.tables[RUNNING]
    drawn = _list_draws(evening.store, running.id)
    coming = _list_draws(evening.store, evening.tables[OVER].id)
    assert coming[: len(drawn)] == drawn
    assert len(coming) > len(drawn)
    shown = ada.get(f"/games/{running.id}/transcript").json["draws"]
    assert shown == drawn
    assert ada.get(f"/games/{running.id}/hint").status_code == 409
    fair = ada.get(f"/games/{running.id}/verification").json["fair"]
    assert fair["state"] == "hidden"


def test_when_the_round_is_closed_everybody_sees_its_games_and_their_proof(
    evening: Evening,
) -> None:
    played, sam, over = Round(evening.store), evening.callers["Sam"], evening.tables[OVER]
    played.play(evening.tables[RUNNING].id)
    evening.dispatch()
    listed = sam.get("/games", query_string={"game": "carcassonne"}).json["games"]
    assert listed == []
    assert _count_games(evening, sam) == 0
    evening.close()
    for table in evening.tables.values():
        assert sam.get(f"/games/{table.id}").status_code == 200
        report = sam.get(f"/games/{table.id}/verification").json
        assert report["valid"]
        assert (report["fair"]["state"], report["fair"]["entropy"]) == ("proved", ENTROPY)
    listed = sam.get("/games", query_string={"game": "carcassonne"}).json["games"]
    assert {one["id"] for one in listed} == {one.id for one in evening.tables.values()}
    assert {one["visibility"] for one in listed} == {"public"}
    assert _count_games(evening, sam) == 1
    made = sam.post(f"/games/{over.id}/branches", {"version": 5})
    assert made.status_code == 201, made.text


def _count_games(evening: Evening, caller: Caller) -> int:
    """Return how many finished games the figures of a player count."""
    path = f"/players/{evening.callers['Eve'].id}/statistics"
    answer = caller.get(path, query_string={"game": "carcassonne", "seats": "2"})
    assert answer.status_code == 200, answer.text
    found: int = answer.json["games"]
    return found
