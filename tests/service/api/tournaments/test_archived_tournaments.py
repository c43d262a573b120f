"""Every read of a tournament answers the same before and after the tournament is archived.

The operations come from the description of the API: a new one is asked here without a change of
this file, and a parameter without a value here fails the test.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from redis import Redis

from cartulary.events.archive.archive import Archive
from cartulary.events.archive.errors import ArchiveUnavailable
from cartulary.events.archive.identity import Noted
from cartulary.events.store import Store
from tests.events.archive.database import run
from tests.service.api.game.test_archived import PREFIX, make_app, show
from tests.service.api.tournaments.test_verified_by_url import serve, verify
from tests.service.support.acted_tournaments import WISH, play_round
from tests.service.support.caller import Caller, register_player
from tests.support.night import short_or_long
from tests.support.store_with_archive import NEVER, find_url, open_with_archive, tell_all

pytestmark = pytest.mark.real

Open = Callable[[Noted], Archive]

TERMS = {**WISH, "rounds": 1}


class World(NamedTuple):
    """Ada, who hosts tournaments that have ended, her entrant Bob, and Eve, a stranger."""

    store: Store
    ada: Caller
    bob: Caller
    eve: Caller
    tournaments: dict[str, str]


@pytest.fixture
def world(real_redis: Redis, tmp_path: Path) -> Iterator[World]:
    with open_with_archive(real_redis, tmp_path) as store:
        app = make_app(store)
        ada, bob, eve = (register_player(app, name) for name in ("Ada", "Bob", "Eve"))
        others = [register_player(app, name) for name in ("Cyd", "Dan")]
        found = World(store, ada, bob, eve, {})
        _hold(found, "over", [bob, *others])
        _hold(found, "duplicate", [bob, *others], visibility="private", duplicate=True)
        _hold(found, "cancelled", [bob])
        yield found
        app.extensions["cartulary"].hub.close()


@contextmanager
def open_client(redis: Redis, folder: Path, open_: Open | None = None) -> Iterator[Any]:
    """Yield a client of another process, which has read nothing so far."""
    with open_with_archive(redis, folder, open_) as store:
        app = make_app(store)
        yield app.test_client()
        app.extensions["cartulary"].hub.close()


def _hold(world: World, kind: str, entrants: list[Caller], **terms: Any) -> None:
    """Let Ada host a tournament with some entrants; play its round, or cancel it."""
    people = [world.ada, *entrants]
    invited = {"entrants": {"invited": [one.id for one in people]}} if "visibility" in terms else {}
    made = world.ada.post("/tournaments", {**TERMS, **terms, **invited})
    assert made.status_code == 201, made.text
    world.tournaments[kind] = made.json["id"]
    path = f"/tournaments/{made.json['id']}"
    for one in people:
        assert one.post(f"{path}/entry", {}).status_code == 201
    if kind == "cancelled":
        assert world.ada.post(f"{path}/cancel", {}).status_code == 201
        world.store.tournaments.driver.run()
        return
    assert world.ada.post(f"{path}/start", {}).status_code == 201
    play_round(world.store, made.json["id"])
    assert world.ada.get(path).json["status"] == "over"


def archive(world: World) -> None:
    done = world.store.tournaments.make_archiver().run(NEVER)
    assert (done.archived, done.left) == (len(world.tournaments), 0)


QUERIES: dict[str, list[dict[str, str]]] = {
    "list_tournament_events": [{}, {"after": "2", "limit": "2"}, {"after": "VERSION"}],
    "stream_tournament_events": [{}, {"after": "2"}, {"after": "VERSION"}],
    "compare_tables": [{}, {"seat": "1"}],
    "list_tables": [{}, {"round": "1"}, {"round": "2"}],
    "list_tournaments": [{}, {"status": "over"}, {"player": "me"}, {"game": "caylus"}],
}
"""What is asked of an operation; of all others that which every caller asks."""

FORMS = ("text/event-stream", "application/x-ndjson")

OF_THE_CALLER = ("/players/me/export", "/players/me/inbox")


class Question(NamedTuple):
    """A request that reads."""

    path: str
    query: dict[str, str]
    accept: str

    def ask(self, client: Any, token: str | None) -> tuple[Any, ...]:
        headers = {"Accept": self.accept}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        return show(client.get(self.path, query_string=self.query, headers=headers))


def list_questions(described: dict[str, Any], world: World) -> Iterator[Question]:
    """Yield every read of tournaments, of each tournament, and the page of each."""
    for path, methods in described["paths"].items():
        found = methods.get("get")
        if found is None or "/tournaments" not in path:
            continue
        forms = FORMS if found["operationId"] == "stream_tournament_events" else FORMS[:0]
        ids = [*world.tournaments.values()] if "{tournament_id}" in path else [""]
        for one in ids:
            for query in QUERIES.get(found["operationId"], [{}]):
                asked = {name: _fill(world, one, value) for name, value in query.items()}
                full = path.format(tournament_id=one, round_number="1", table_number="1")
                for accept in forms or ("application/json",):
                    yield Question(full, asked, accept)
    for one in world.tournaments.values():
        yield Question(f"/tournaments/{one}", {}, "text/html")
    for path in OF_THE_CALLER:
        yield Question(f"{PREFIX}{path}", {}, "application/json")


def _fill(world: World, tournament_id: str, value: str) -> str:
    if value != "VERSION":
        return value
    return str(world.store.tournaments.streams.read(tournament_id).version)


@pytest.mark.slow
def test_each_read_answers_the_same_before_and_after_archiving(
    world: World, described: dict[str, Any], real_redis: Redis, tmp_path: Path
) -> None:
    questions = list(list_questions(described, world))
    assert {one.path.split("/")[-1] for one in questions} >= {
        *("events", "stream", "standings", "1", "entrants", "games", "comparison"),
        *("verification", "times", "tournaments"),
    }
    tokens = [world.ada.token, world.eve.token]
    tokens += short_or_long([], [world.bob.token, None])
    asked = [(one, token) for one in questions for token in tokens]
    with (
        open_client(real_redis, tmp_path) as earlier,
        open_client(real_redis, tmp_path) as fresh,
    ):
        before = [question.ask(earlier, token) for question, token in asked]
        assert {status for status, _, _ in before} >= {200, 204, 403, 404}
        archive(world)
        for (question, token), known in zip(asked, before, strict=True):
            for client in (earlier, fresh):
                assert question.ask(client, token) == known, question
    assert not list(world.store.tournaments.streams.ids()), "no read brings one back"


def test_an_archived_tournament_and_its_games_are_proved_by_its_address(world: World) -> None:
    games = [
        table.game
        for one in world.tournaments.values()
        for table in world.store.tournaments.streams.read(one).tournament.tables.values()
    ]
    tell_all(world.store)
    assert world.store.make_archiver().run(NEVER).archived == len(games) == 4
    archive(world)
    with serve(world.ada.client.application) as address:
        found = verify(f"{address}/tournaments/{world.tournaments['over']}")
    first, *lines = found.output.splitlines()
    assert (found.exit_code, len(lines)) == (0, 2), found.output
    assert "the chain holds" in first
    assert all("proved fair" in line for line in lines)


WRITES: tuple[tuple[str, str, Any], ...] = (
    ("POST", "entry", {}),
    ("DELETE", "entry", None),
    ("POST", "start", {}),
    ("POST", "cancel", {}),
    ("DELETE", "entrants/BOB", None),
    ("POST", "tables/1/times", {"time": "2027-01-01T00:00:00Z"}),
)


ORDERS = [{"command": command, "reason": "a mistake"} for command in ("start", "cancel")]


@pytest.mark.slow
def test_a_write_is_refused_as_for_one_that_has_ended(world: World) -> None:
    operator = world.store.players.by_id(world.eve.id)
    assert operator is not None
    world.eve.token = world.store.office.operators.grant(operator, 1).secret
    result = {"reason": "a mistake", "ranks": None}

    def send(kind: str) -> list[tuple[int, str | None]]:
        path = f"/tournaments/{world.tournaments[kind]}"
        answers = [
            who.send(method, f"{path}/{rest.replace('BOB', world.bob.id)}", json=body)
            for method, rest, body in WRITES
            for who in (world.ada, world.eve)
        ]
        answers.append(world.eve.put(f"{path}/tables/1/result", result))
        answers += [world.eve.post(f"/operator{path}/orders", order) for order in ORDERS]
        return [(one.status_code, one.json.get("code")) for one in answers]

    before = {kind: send(kind) for kind in world.tournaments}
    assert (409, "tournament_started") in before["over"]
    assert before["over"][-3:] == [(409, "round_open"), *[(409, "tournament_started")] * 2]
    archive(world)
    assert {kind: send(kind) for kind in world.tournaments} == before
    assert not list(world.store.tournaments.streams.ids()), "no write brings one back"


def test_while_the_archive_is_away_a_tournament_may_well_exist(
    world: World, real_redis: Redis, tmp_path: Path
) -> None:
    def refuse(_noted: Noted) -> Archive:
        raise ArchiveUnavailable("the database does not answer")

    archive(world)
    one = world.tournaments["over"]
    with open_client(real_redis, tmp_path, refuse) as client:
        for wanted in (one, "01MISSING"):
            for part in ("", "/standings", "/events", "/events/stream", "/verification"):
                answer = client.get(f"{PREFIX}/tournaments/{wanted}{part}")
                assert (answer.status_code, answer.json["code"]) == (503, "archive_unavailable")
        page = client.get(f"/tournaments/{one}", headers={"Accept": "text/html"})
        assert page.status_code == 200, "the page says that it waits"
        listed = client.get(f"{PREFIX}/tournaments").json["tournaments"]
        assert one in {tournament["id"] for tournament in listed}


def test_a_damaged_tournament_is_said_to_those_only_who_may_know_of_it(
    world: World, tmp_path: Path
) -> None:
    archive(world)
    run(find_url(tmp_path), "UPDATE tournaments SET version = version + 1")
    path = f"/tournaments/{world.tournaments['duplicate']}"
    for part in ("", "/standings", "/rounds/1", "/events", "/events/stream"):
        damaged, hidden = world.bob.get(path + part), world.eve.get(path + part)
        assert (damaged.status_code, damaged.json["code"]) == (503, "game_damaged"), part
        assert (hidden.status_code, hidden.json["code"]) == (404, "not_found"), part
    for who, status in ((world.bob, 503), (world.eve, 404)):
        entered = who.post(f"{path}/entry", {}, headers={"If-Match": '"v1"'})
        assert entered.status_code == status
        assert who.post(f"{path}/cancel", {}).status_code == status
    said = world.bob.get(f"{path}/verification").json
    assert said["valid"] is False
    assert "its row was changed" in said["problems"][0]["detail"]
    assert world.eve.get(f"{path}/verification").status_code == 404
    open_one = f"/tournaments/{world.tournaments['over']}"
    assert world.eve.get(open_one).json["code"] == "game_damaged"


def test_a_stream_that_is_open_ends_with_the_tournament(
    world: World, described: dict[str, Any]
) -> None:
    made = world.ada.post("/tournaments", TERMS).json["id"]
    answer = world.bob.client.get(
        f"{PREFIX}/tournaments/{made}/events/stream", headers={"Accept": FORMS[1]}
    )
    lines: Any = answer.response
    begun = next(lines)
    assert world.ada.post(f"/tournaments/{made}/cancel", {}).status_code == 201
    rest = b"".join(lines)
    types = [json.loads(line)["type"] for line in (begun + rest).split(b"\n") if line]
    assert types == ["tournament_created", "tournament_cancelled"]
    again = world.bob.get(f"/tournaments/{made}/events/stream", query_string={"after": "2"})
    assert again.status_code == 204
