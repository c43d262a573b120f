"""Every read of a finished game answers the same before and after the game is archived.

The operations come from the description of the API: a new one is asked here without a change
of this file, and a parameter without a value here fails the test.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from redis import Redis

from cartulary.events.chat.messages import BEGIN
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.app import create_app
from cartulary.service.process.settings import WebSettings
from tests.service.support.caller import SMALL_CITY, Caller, register_player
from tests.service.support.description import ENDLESS
from tests.support.store_with_archive import archive_all, open_with_archive, tell_all

PREFIX = "/api/v1"
CAYLUS = Path(__file__).parents[3] / "cases" / "caylus"
OWN = {"X-Request-Id", "Date"}
"""Headers that differ between two answers to the same request; those of limits do as well."""

KINDS = ("carcassonne", "caylus", "private", "aborted", "deserted")
FORMS = ("application/json", "text/event-stream", "application/x-ndjson")


class Game(NamedTuple):
    """A game that is over: its id, its last version, and a message in it."""

    id: str
    version: int
    message: str


class World(NamedTuple):
    """Ada, whose games are over, and everything that others need to look at them."""

    store: Store
    ada: Caller
    visitor: Caller
    games: dict[str, Game]
    keyed: list[tuple[str, str, Any, str]]
    """Writes that were sent with a key: method, path, body, key."""

    def list_ids(self) -> str:
        """Return the ids of the games with commas between them."""
        return ",".join(game.id for game in self.games.values())

    def send_again(self) -> list[tuple[Any, ...]]:
        """Send all writes once more with their keys."""
        return [
            show(self.ada.send(method, path, json=body, headers={"Idempotency-Key": key}))
            for method, path, body, key in self.keyed
        ]


def make_app(store: Store) -> Any:
    return create_app(WebSettings(log_requests=False, rates={}), store, OFFERS)


@pytest.fixture
def world(sketched_pictures: None, real_redis: Redis, tmp_path: Path) -> Iterator[World]:
    with open_with_archive(real_redis, tmp_path) as store:
        app = make_app(store)
        ada, bob = register_player(app, "Ada"), register_player(app, "Bob")
        found = World(store, ada, Caller(app.test_client()), {}, [])
        ada.post("/players/me/recovery_codes", {})
        _import_games(found)
        _play_alone(found)
        _play_with_one_who_goes(found, bob)
        store.redis.delete(keys.talked(ada.id))
        tell_all(store)
        # A table that a command has made, or that was a snapshot, has keys in other orders.
        store.projector.forget()
        for one in found.games.values():
            store.snapshots.drop(one.id)
        yield found


def _write(world: World, method: str, path: str, body: Any, key: str) -> Any:
    world.keyed.append((method, path, body, key))
    answer = world.ada.send(method, path, json=body, headers={"Idempotency-Key": key})
    assert answer.status_code in (200, 201), answer.text
    return answer.json


def _note(world: World, kind: str, game_id: str) -> None:
    """Talk at a game, write a note, and keep what the tests need to know of it."""
    path = f"/games/{game_id}"
    world.store.redis.delete(keys.talked(world.ada.id))
    said = _write(world, "POST", f"{path}/messages", {"room": "players", "text": "Hm"}, "talk")
    gone = world.ada.post(f"{path}/messages", {"room": "spectators", "phrase": "good_game"})
    assert gone.status_code == 201, gone.text
    world.ada.delete(f"{path}/messages/{gone.json['id']}")
    _write(world, "PUT", f"{path}/note", {"text": f"a note on {kind}"}, "note")
    world.games[kind] = Game(game_id, world.ada.version(game_id), said["id"])


def _import_games(world: World) -> None:
    small = {**SMALL_CITY, "remark": {"z": 1, "a": ["ü", None]}}
    made = _write(world, "POST", "/games/import", small, "small")
    _note(world, "carcassonne", made["id"])
    whole = min(CAYLUS.glob("game-*.json"), key=lambda path: path.stat().st_size)
    transcript = json.loads(whole.read_text("utf-8"))
    transcript["players"] = ["Ada", *transcript.get("players", ["", "Eve"])[1:]]
    made = _write(world, "POST", "/games/import", transcript, "whole")
    _note(world, "caylus", made["id"])
    _write(world, "POST", f"/games/{made['id']}/rematch", {}, "again")


def _play_alone(world: World) -> None:
    """Play a private game with a takeback, and end it; abort another one before its start."""
    body = {"game": "carcassonne", "visibility": "private", "seats": [{"kind": "me"}] * 2}
    game_id = _write(world, "POST", "/games", body, "private")["id"]
    for number in range(4):
        move = world.ada.legal(game_id)[0]
        _write(world, "POST", f"/games/{game_id}/moves", {"move": move}, f"move {number}")
    back = world.ada.post(f"/games/{game_id}/proposals", {"kind": "takeback"})
    assert back.status_code == 201, back.text
    ended = world.ada.post(f"/games/{game_id}/proposals", {"kind": "end"})
    assert ended.status_code == 201, ended.text
    world.store.commands.score(game_id)
    _note(world, "private", game_id)
    unplayed = str(world.ada.open("me", "open")["id"])
    assert world.ada.post(f"/games/{unplayed}/abort").status_code in (200, 201)
    _note(world, "aborted", unplayed)


def _play_with_one_who_goes(world: World, bob: Caller) -> None:
    """Play with a player who deletes the account: that ends the game."""
    game_id = str(world.ada.open("me", "open")["id"])
    bob.post(f"/games/{game_id}/seats", {})
    for caller in (world.ada, bob, world.ada, bob):
        caller.move(game_id)
    bob.put(f"/games/{game_id}/note", {"text": "of Bob"})
    assert bob.post("/players/me/deletion", {"confirm": "Bob"}).status_code == 204
    world.store.commands.score(game_id)
    _note(world, "deserted", game_id)


def show(answer: Any) -> tuple[Any, ...]:
    """Return what has to stay the same of an answer."""
    named = {
        name: value
        for name, value in answer.headers
        if name not in OWN and not name.lower().startswith("ratelimit")
    }
    body = answer.get_data()
    answer.close()  # gives the place of a stream back
    if answer.status_code >= 400:
        said = json.loads(body)
        body = json.dumps({name: said[name] for name in said if name != "request_id"}).encode()
    return answer.status_code, named, body


class Question(NamedTuple):
    """A request that reads."""

    path: str
    query: dict[str, str]
    accept: str
    with_token: bool

    def ask(self, world: World, client: Any) -> tuple[Any, ...]:
        headers = {"Accept": self.accept}
        if self.with_token:
            headers["Authorization"] = f"Bearer {world.ada.token}"
        answer = client.get(self.path, query_string=self.query, headers=headers)
        return show(answer)


QUERIES: dict[str, list[dict[str, str]]] = {
    "list_events": [{}, {"after": "2", "limit": "2"}, {"after": "VERSION"}, {"after": "100000"}],
    "stream_events": [{}, {"after": "2"}],
    "stream_many_games": [{"games": "GAMES"}, {"games": "GAMES", "include": "clock"}],
    "show_story": [{}, {"after": "1", "limit": "3"}],
    "show_board": [{}, {"version": "2"}, {"parts": "status"}],
    "list_features": [{}, {"version": "2"}],
    "list_moves": [{}, {"words": "1"}],
    "show_history": [{"game": "caylus"}],
    "show_statistics": [{"game": "caylus"}],
    "show_position_text": [{}, {"version": "2"}],
    "list_messages": [{}, {"room": "players"}, {"limit": "1"}, {"after": "MESSAGE"}],
    "explain_move": [{"move": '{"type": "pass"}'}],
    "list_games": [
        *({}, {"status": "over"}, {"status": "aborted"}, {"player": "me"}, {"pace": "none"}),
        *({"player": "me", "limit": "2"}, {"game": "caylus"}, {"limit": "1"}, {"pace": "live"}),
        {"player": "me", "status": "over", "limit": "1"},
    ],
}
"""What is asked of an operation; of all others that which every caller asks."""

OF_PROCESSES = {"show_liveness", "show_readiness", "show_metrics"}
"""What says how the service fares, and not what is stored."""

OF_DEVICES = {"show_local_game"}
"""What says something of a game that the service does not play."""


def list_questions(described: dict[str, Any], world: World) -> Iterator[Question]:
    """Yield every read of the API, of each game."""
    for path, methods in described["paths"].items():
        found = methods.get("get")
        if found is None or found["operationId"] in OF_PROCESSES | OF_DEVICES | ENDLESS:
            continue
        forms = FORMS if found["operationId"] in ("list_events", "stream_events") else FORMS[:1]
        games = list(world.games.values()) if "{game_id}" in path else [None]
        for game in games:
            for query in QUERIES.get(found["operationId"], [{}]):
                for accept in forms:
                    asked = _fill(path, query, game, world)
                    yield from (Question(*asked, accept, token) for token in (True, False))


def _fill(path: str, query: dict[str, str], game: Game | None, world: World) -> tuple[str, Any]:
    query = {name: value.replace("GAMES", world.list_ids()) for name, value in query.items()}
    values = {"player_id": world.ada.id, "game_name": "caylus", "version": "2"}
    values |= {"webhook_id": "0", "report_id": "0"}
    values |= {
        "tournament_id": "0",
        "round_number": "1",
        "calendar_secret": "0",
        "table_number": "1",
        "study_id": "0",
        "node_number": "1",
        "chapter_number": "1",
        "puzzle_id": "carcassonne-small000",
        "dump_month": "2026-10",
        "dump_file": "games.jsonl.zst",
    }
    if game is not None:
        values |= {"game_id": game.id}
        said = {"VERSION": str(game.version), "MESSAGE": game.message}
        query = {name: said.get(value, value) for name, value in query.items()}
    return path.format(**values), query


@pytest.mark.slow
@pytest.mark.timeout(380)
def test_each_read_answers_the_same_before_and_after_archiving(
    world: World, described: dict[str, Any], real_redis: Redis, tmp_path: Path
) -> None:
    questions = list(list_questions(described, world))
    assert {one.path.split("/")[-1] for one in questions} >= {"transcript", "board.svg", "export"}
    archive_keys = [f"{{{game.id}}}:events" for game in world.games.values()]
    before = [one.ask(world, world.ada.client) for one in questions]
    assert archive_all(world.store).archived == len(KINDS)
    assert real_redis.exists(*archive_keys) == 0
    with open_with_archive(real_redis, tmp_path) as fresh:
        client = make_app(fresh).test_client()
        for asked, known in zip(questions, before, strict=True):
            assert asked.ask(world, client) == known, asked
            assert asked.ask(world, world.ada.client) == known, asked
    assert real_redis.exists(*archive_keys) == 0, "no read brings a game back"


@pytest.mark.slow
def test_a_repeated_request_gets_its_stored_answer(world: World, real_redis: Redis) -> None:
    before = world.send_again()
    assert all(headers["Idempotency-Replayed"] == "true" for _, headers, _ in before)
    archive_all(world.store)
    world.store.projector.forget()
    assert world.send_again() == before


@pytest.mark.slow
def test_a_list_is_paged_over_both_places_with_the_same_cursors(world: World) -> None:
    newer = [world.ada.open("me", "open")["id"] for _ in range(2)]
    query = {"player": "me", "limit": "2"}
    first = world.ada.get("/games", query_string=query).json
    archive_all(world.store)
    found, cursor = [], None
    while True:
        asked = query | ({} if cursor is None else {"cursor": cursor})
        page = world.ada.get("/games", query_string=asked).json
        found += [game["id"] for game in page["games"]]
        if (cursor := page["next_cursor"]) is None:
            break
        assert cursor != first["next_cursor"] or found == [one["id"] for one in first["games"]]
    assert found == sorted(found, reverse=True)
    assert {*newer, *(game.id for game in world.games.values())} <= {*found}
    assert len(found) == len({*found})


@pytest.mark.slow
def test_what_is_written_brings_the_game_back_and_stays_when_it_goes_again(
    world: World, real_redis: Redis
) -> None:
    game = world.games["carcassonne"]
    archive_all(world.store)
    said = world.ada.post(f"/games/{game.id}/messages", {"room": "players", "text": "Again"})
    assert said.status_code == 201, said.text
    assert real_redis.exists(f"{{{game.id}}}:events")
    listed = world.ada.get(f"/games/{game.id}/messages").json["messages"]
    assert [one["text"] for one in listed if one["id"] == said.json["id"]] == ["Again"]
    assert game.message in {one["id"] for one in listed}
    assert archive_all(world.store).archived == 1
    assert world.ada.get(f"/games/{game.id}/messages").json["messages"] == listed
    assert world.ada.get(f"/games/{game.id}/note").json["text"] == "a note on carcassonne"


@pytest.mark.slow
def test_a_rematch_of_an_archived_game_is_opened_once(world: World) -> None:
    path = f"/games/{world.games['carcassonne'].id}/rematch"
    archive_all(world.store)
    assert world.ada.get(path).status_code == 404
    made = world.ada.post(path, {})
    assert made.status_code == 201, made.text
    archive_all(world.store)
    assert world.ada.get(path).json["id"] == made.json["id"]
    assert world.ada.post(path, {}).json["id"] == made.json["id"]


@pytest.mark.slow
def test_an_archived_game_is_branched(world: World) -> None:
    game = world.games["caylus"]
    archive_all(world.store)
    made = world.ada.post(f"/games/{game.id}/branches", {"version": 9})
    assert made.status_code == 201, made.text
    assert made.json["branched_from"]["game"] == game.id


def find_words(world: World, game_id: str) -> list[str]:
    """Return those words of Ada that the row of a game in the archive has."""
    row = world.store.archive.read_side_keys(game_id)
    assert row is not None
    said = [fields for _, fields in row.read_stream("chat:players")]
    found = b" ".join([*row.read_hash("notes").values(), *(b"%r" % one for one in said)]).decode()
    return [words for words in ("a note on", '"Hm"', "Later") if words in found]


@pytest.mark.slow
def test_an_account_that_is_deleted_while_its_game_is_back_leaves_no_words_in_the_row(
    world: World,
) -> None:
    game = world.games["caylus"]
    archive_all(world.store)
    assert find_words(world, game.id) == ["a note on", '"Hm"']
    world.ada.put(f"/games/{game.id}/note", {"text": "Later"})
    world.store.redis.delete(keys.pin(game.id))
    assert find_words(world, game.id) == ["a note on", '"Hm"'], "the row is as before"
    assert world.ada.post("/players/me/deletion", {"confirm": "Ada"}).status_code == 204
    assert find_words(world, game.id) == []
    assert world.store.ledger.stored_version(game.id), "the game itself is in the store"


@pytest.mark.slow
def test_a_message_that_is_deleted_leaves_the_row_of_its_game_at_once(world: World) -> None:
    game = world.games["caylus"]
    archive_all(world.store)
    gone = world.ada.delete(f"/games/{game.id}/messages/{game.message}")
    assert gone.status_code == 200, gone.text
    assert find_words(world, game.id) == ["a note on"]
    row = world.store.archive.read(game.id)
    assert row is not None
    assert len(row.texts) == game.version


@pytest.mark.slow
def test_a_game_that_cannot_be_archived_holds_no_deletion_up_and_its_row_keeps_its_events(
    world: World,
) -> None:
    game = world.games["caylus"]
    archive_all(world.store)
    row = world.store.archive.read(game.id)
    assert row is not None
    world.ada.put(f"/games/{game.id}/note", {"text": "Later"})
    world.store.redis.hset(keys.idempotency(game.id), "head", "0" * 64)
    gone = world.ada.post("/players/me/deletion", {"confirm": "Ada"})
    assert gone.status_code == 204, gone.text
    assert find_words(world, game.id) == []
    kept = world.store.archive.read(game.id)
    assert kept is not None
    assert (kept.texts, kept.head) == (row.texts, row.head)


@pytest.mark.slow
def test_a_deleted_account_leaves_nothing_of_its_words_in_archived_games(world: World) -> None:
    archive_all(world.store)
    gone = world.ada.post("/players/me/deletion", {"confirm": "Ada"})
    assert gone.status_code == 204, gone.text
    game = world.games["caylus"]
    assert not any(one.message.text for one in world.store.talk.read(game.id, BEGIN, 100))
    assert world.store.notes.find(world.ada.id, game.id) is None
    assert find_words(world, game.id) == [], "without another run of the archiver"
    archive_all(world.store)
    assert find_words(world, game.id) == []
    shown = world.store.projections.summaries([world.games["deserted"].id])[0]
    assert {seat["player"]["name"] for seat in shown["seats"]} == {"(deleted)"}
