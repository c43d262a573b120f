"""A process killed at the worst moment: the append is all there is, and it is whole."""

from __future__ import annotations

import signal
import subprocess
import sys

import orjson
import pytest
from redis.exceptions import RedisError

from cartulary.events.commands.commands import Intent, NewGame
from cartulary.events.ledger.snapshots import EVERY
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.support.bean_games import ME, OPEN, any_move, everything_stored, shown

KILLED = """
import os, signal, sys
from cartulary.games import OFFERS
from cartulary.events.commands.commands import Intent
from cartulary.events.server.connection import connect
from cartulary.events.people.players import Player
from cartulary.events.store import Store

url, player_id, game_id, command, moment, part, method = sys.argv[1:]
store = Store(connect(url), OFFERS)
player = Player(player_id, "Ada")
original = getattr(getattr(store, part), method)

def die(*arguments, **keywords):
    if moment == "after":
        original(*arguments, **keywords)
    os.kill(os.getpid(), signal.SIGKILL)

setattr(getattr(store, part), method, die)
if command == "move":
    table = store.projector.table(game_id)
    move = table.state.move_json(table.state.moves()[0])
    store.commands.move(Intent(player, table.version, key="k"), game_id, move)
elif command == "resign":
    store.commands.leaving.resign(Intent(player, key="k"), game_id, 1)
elif command == "take_back":
    store.commands.proposals.propose(Intent(player, key="k"), game_id, "takeback", 10)
else:
    store.commands.arranging.join(Intent(player, key="k"), game_id)
"""

pytestmark = pytest.mark.real


def kill(url: str, *arguments: str) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, url, *arguments], timeout=60)
    assert done.returncode == -signal.SIGKILL


@pytest.fixture
def table(real_store: Store) -> Table:
    """A game at version 24: the next event is followed by a snapshot."""
    ada = real_store.players.create("Ada")[0]
    table = real_store.commands.create(Intent(ada), NewGame("carcassonne", [ME, ME])).table
    while table.version < EVERY - 1:
        table = real_store.commands.move(Intent(ada), table.id, any_move(table)).table
    real_store.outbox.ack(real_store.outbox.read("test"))
    return table


def test_a_process_killed_before_the_append_leaves_nothing(
    real_store: Store, real_redis_url: str, table: Table
) -> None:
    before = everything_stored(real_store)
    kill(real_redis_url, table.created_by, table.id, "move", "before", "ledger", "append")
    assert everything_stored(real_store) == before


@pytest.mark.parametrize("point", [("after", "ledger", "append"), ("before", "snapshots", "save")])
def test_a_move_survives_the_process_that_made_it(
    real_store: Store, real_redis_url: str, table: Table, point: tuple[str, str, str]
) -> None:
    kill(real_redis_url, table.created_by, table.id, "move", *point)
    assert real_store.ledger.version(table.id) == 25
    (entry,) = real_store.outbox.read("test")
    assert entry.version == 25, "the outbox entry came with the event"
    ada = Player(table.created_by, "Ada")
    again = real_store.commands.move(Intent(ada, 24, key="k"), table.id, any_move(table))
    assert again.replayed
    assert again.table.version == 25
    assert real_store.audit.game(table.id).problems == []


@pytest.mark.parametrize(
    ("command", "types"),
    [("resign", ["seat_forfeited", "play_ended"]), ("take_back", ["moves_taken_back"])],
)
@pytest.mark.parametrize("point", [("after", "ledger", "append"), ("before", "snapshots", "save")])
def test_what_was_appended_is_whole_and_is_done_once(
    real_store: Store,
    real_redis_url: str,
    table: Table,
    command: str,
    types: list[str],
    point: tuple[str, str, str],
) -> None:
    kill(real_redis_url, table.created_by, table.id, command, *point)
    ada = Player(table.created_by, "Ada")
    commands = real_store.commands
    again = (
        commands.leaving.resign(Intent(ada, key="k"), table.id, 1)
        if command == "resign"
        else commands.proposals.propose(Intent(ada, key="k"), table.id, "takeback", 10)
    )
    assert again.replayed
    assert [event["type"] for event in again.events] == types
    assert real_store.ledger.version(table.id) == table.version + len(types)
    assert [one.version for one in real_store.outbox.read("test")] == [table.version + len(types)]
    assert real_store.audit.game(table.id).problems == []
    before = real_store.projector.table(table.id)
    real_store.projector.forget()
    assert shown(real_store.projector.table(table.id)) == shown(before)
    real_store.projections.apply(before)
    assert real_store.projections.summary(table.id) == orjson.loads(orjson.dumps(before.summary()))


@pytest.mark.parametrize("part", ["snapshots", "projections"])
def test_what_comes_after_the_append_may_fail(
    real_store: Store, part: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A 201 means that the event is stored: nothing else may turn it into an error."""

    def fail(_: Table) -> None:
        raise RedisError("gone")

    method = {"snapshots": "save", "projections": "apply"}[part]
    monkeypatch.setattr(getattr(real_store, part), method, fail)
    ada = real_store.players.create("Ada")[0]
    table = real_store.commands.create(Intent(ada), NewGame("carcassonne", [ME, ME])).table
    while table.version < EVERY:
        table = real_store.commands.move(Intent(ada), table.id, any_move(table)).table
    assert real_store.ledger.version(table.id) == EVERY
    assert "gone" in caplog.text


def test_a_projection_that_was_not_written_comes_from_the_outbox(
    real_store: Store, real_redis_url: str
) -> None:
    store = real_store
    ada, bob = store.players.create("Ada")[0], store.players.create("Bob")[0]
    table = store.commands.create(Intent(bob), NewGame("carcassonne", [ME, OPEN])).table
    kill(real_redis_url, ada.id, table.id, "join", "before", "projections", "apply")
    assert store.projections.games_of(ada.id).games == []
    for entry in store.outbox.read("test"):
        store.projections.apply(store.projector.table(entry.game))
    assert store.projections.games_of(ada.id).games[0]["status"] == "running"
