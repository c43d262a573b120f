"""Without a master for some slots the games of all other slots go on."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import pytest
from redis import Redis
from redis.exceptions import RedisError
from werkzeug.serving import make_server

from bench.cluster_nodes import BenchCluster, wait_until
from cartulary.client import Client, ClosedLine, EventLine, GameLine
from cartulary.client.core import following_many
from cartulary.events.commands.commands import Intent
from cartulary.events.live.live import Hub
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server.connection import check, connect
from cartulary.events.server.coverage import write_slots
from cartulary.events.server.servers import find_missing, is_missing
from cartulary.events.server.slots import FIXED, draw_game_id, find_slot
from cartulary.events.store import Store
from cartulary.service.app import create_app
from cartulary.service.process.settings import WebSettings
from tests.conftest import OFFERS
from tests.events.support.bean_games import any_move, beans_game
from tests.events.support.followed_streams import take

pytestmark = pytest.mark.real


class Halved(NamedTuple):
    """A cluster whose second master may be killed, a game there and a game elsewhere."""

    nodes: BenchCluster
    store: Store
    ada: Player
    there: Table
    elsewhere: Table

    def move(self, table: Table) -> Table:
        """Make a move with a key, so that it may be repeated."""
        key = str(table.version)
        return self.store.commands.move(
            Intent(self.ada, table.version, key=key), table.id, any_move(table)
        ).table

    def kill(self) -> None:
        """Kill the second master, and wait until the others have noticed."""
        self.nodes.masters[1].kill()
        wait_until(lambda: bool(find_missing(self.store.redis)))

    def repair(self) -> None:
        """Start the second master again, with what it has on the disk."""
        self.nodes.masters[1].start()
        wait_until(lambda: all(map(self.nodes.is_complete, self.nodes.masters)))
        wait_until(lambda: not find_missing(self.store.redis))


@pytest.fixture
def halved(tmp_path: Path, real_redis: Redis) -> Iterator[Halved]:
    with BenchCluster(tmp_path, 3, timeout_ms=500, durability="always") as nodes:
        store = Store(connect(nodes.url), OFFERS, rng=random.Random(3), registry=real_redis)
        ada = store.players.create("Ada")[0]
        found: dict[bool, Table] = {}
        while len(found) < 2:
            table = store.commands.create(Intent(ada), beans_game()).table
            found[5461 < find_slot(table.id) < 10924] = table
        yield Halved(nodes, store, ada, found[True], found[False])
        store.close()


def test_games_of_other_slots_go_on_and_those_of_a_missing_slot_when_it_is_back(
    halved: Halved,
) -> None:
    store, there, elsewhere = halved.store, halved.there, halved.elsewhere
    with closing(Hub(store.ledger)) as hub, ExitStack() as opened:
        waiting, going_on = (
            opened.enter_context(hub.subscribe(table.id, table.version))
            for table in (there, elsewhere)
        )
        there = halved.move(there)
        assert take(waiting, there.version) == [there.version]
        store.outbox.ack(store.outbox.read("one"))
        halved.kill()
        assert write_slots(find_missing(store.redis)) == "5462-10923"
        check(store.redis)
        elsewhere = halved.move(elsewhere)
        assert take(going_on, elsewhere.version) == [elsewhere.version]
        assert [entry.game for entry in store.outbox.read("one")] == [elsewhere.id]
        assert store.outbox.depth() == 1
        with pytest.raises(RedisError):
            halved.move(there)
        created = [store.commands.create(Intent(halved.ada), beans_game()).table for _ in range(6)]
        assert not any(is_missing(store.redis, table.id) for table in created)
        app: Any = create_app(WebSettings(log_requests=False), store, OFFERS).test_client()
        refused = app.get(f"/api/v1/games/{there.id}")
        assert (refused.status_code, refused.json["code"]) == (503, "unavailable")
        assert refused.json["detail"].startswith("the part of the store that has this game")
        store.heartbeats.write(queued=0, queue_age=0.0)
        assert app.get("/readyz").json["missing_slots"] == "5462-10923"
        halved.repair()
        there = halved.move(there)
        assert take(waiting, there.version) == [there.version]
        assert there.id in {entry.game for entry in store.outbox.read("one")}
        assert app.get("/readyz").json["missing_slots"] == ""


def test_a_new_game_gets_no_missing_slot() -> None:
    missing = frozenset(FIXED[1:])
    assert {find_slot(draw_game_id(missing)) for _ in range(5)} == {FIXED[0]}


def test_slots_are_written_as_ranges() -> None:
    assert write_slots([7000, 1, 0, 2]) == "0-2,7000"
    assert write_slots([]) == ""


def test_without_any_of_the_fixed_slots_no_game_begins(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    coverage: Any = store.redis.coverage  # type: ignore[attr-defined]
    monkeypatch.setattr(coverage, "read_missing", lambda: frozenset(FIXED))
    with pytest.raises(RedisError, match="no node of the cluster takes new games"):
        store.commands.create(Intent(ada), beans_game())
    assert store.outbox.list_shards() == []
    assert store.outbox.depth() == 0
    assert store.outbox.read("one") == []
    assert store.outbox.reclaim("one", 0) == []


def test_a_stream_of_many_games_goes_on_without_the_missing_slot_and_has_it_when_it_is_back(
    halved: Halved, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following_many, "ASK_AGAIN", 0.5)
    there, elsewhere = halved.there, halved.elsewhere
    with _serve(halved.store) as url, Client(url) as client:
        known = {table.id: table.version for table in (there, elsewhere)}
        early = _Reader(client, known)
        first = halved.move(there)
        assert early.read_until(first) == [first.version]
        halved.kill()
        elsewhere = halved.move(elsewhere)
        assert early.read_until(elsewhere) == [elsewhere.version]
        late = _Reader(client, known)
        assert late.read_until(elsewhere) == [elsewhere.version]
        halved.repair()
        last = halved.move(first)
        assert late.read_until(last) == ["unavailable", first.version, last.version]
        versions = [said for said in early.read_until(last) if said != "unavailable"]
        assert versions == [first.version, last.version], "each event once, whatever came between"


@contextmanager
def _serve(store: Store) -> Iterator[str]:
    """Serve a store in threads of this process."""
    app = create_app(WebSettings(log_requests=False, heartbeat=0.5), store, OFFERS)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        app.extensions["cartulary"].board_pictures.close()
        app.extensions["cartulary"].hub.close()
        server.server_close()
        thread.join()


class _Reader:
    """Sorts the lines of a stream by their games."""

    def __init__(self, client: Client, games: dict[str, int]) -> None:
        self._lines = client.follow_games(games)
        self._said: dict[str, list[int | str]] = {game: [] for game in games}

    def read_until(self, table: Table) -> list[int | str]:
        """Return all that came of a game when its version is there: versions, and `closed`."""
        said = self._said[table.id]
        while table.version not in said:
            line = next(self._lines, None)
            assert line is not None, (table.id, table.version, self._said)
            if isinstance(line, ClosedLine):
                self._said[line.game].append(line.reason)
            elif isinstance(line, GameLine) and isinstance(line.line, EventLine):
                self._said[line.game].append(line.line.version)
        return said
