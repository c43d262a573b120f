"""Rebuilding games: memory, snapshots, streams."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orjson
import pytest

from cartulary.events.commands.commands import Intent, NewGame, Written
from cartulary.events.ledger.projector import CAPACITY, Projector, weigh
from cartulary.events.ledger.snapshots import EVERY
from cartulary.events.model.cache import ENTRY
from cartulary.events.model.errors import NotFound
from cartulary.events.model.failures import BrokenHistory
from cartulary.events.model.table import Table
from cartulary.events.model.types import Entries
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.events.support.bean_games import (
    ME,
    OPEN,
    any_move,
    beans_game,
    everything_stored,
    play_out,
    private_with_open_seat,
    shown,
)


@pytest.fixture
def played(store: Store, ada: Player) -> list[dict[str, Any]]:
    """A whole game of Carcassonne: the table at every version from 2 on, as it was shown."""
    table = store.commands.create(Intent(ada), NewGame("carcassonne", [ME, ME])).table
    seen = [shown(table)]

    def see(written: Written) -> None:
        seen.append(shown(written.table))

    table = play_out(store, ada, table, see)
    seen.append(shown(store.commands.score(table.id).table))
    return seen


def cold(store: Store, capacity: int = CAPACITY) -> Projector:
    """The projector of another process."""
    return Projector(store.ledger, store.snapshots, store.rules, capacity)


def note_reads(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the first version of each read of a stream from now on."""
    asked: list[int] = []
    read = store.ledger.entries

    def spy(game_id: str, after: int = 0, limit: int | None = None) -> Entries:
        asked.append(after + 1)
        return read(game_id, after, limit)

    monkeypatch.setattr(store.ledger, "entries", spy)
    return asked


@pytest.mark.slow
def test_any_version_is_what_the_engine_had_then(
    store: Store, played: list[dict[str, Any]]
) -> None:
    game_id = played[0]["id"]
    for projector in (store.projector, cold(store), cold(store, capacity=1)):
        for seen in played:
            assert shown(projector.table(game_id, seen["version"])) == seen
        for seen in reversed(played):
            assert shown(projector.table(game_id, seen["version"])) == seen
        assert shown(projector.table(game_id)) == played[-1]


def test_snapshots_lie_every_so_many_versions(store: Store, played: list[dict[str, Any]]) -> None:
    names = store.redis.hkeys(keys.snapshots(played[0]["id"]))
    expected = range(EVERY, played[-1]["version"] + 1, EVERY)
    assert sorted(int(name) for name in names) == list(expected)


def test_a_snapshot_saves_reading_the_events_before_it(
    store: Store, played: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = note_reads(store, monkeypatch)
    cold(store).table(played[0]["id"], 2 * EVERY + 3)
    cold(store).table(played[0]["id"])
    assert asked == [2 * EVERY, played[-1]["version"] // EVERY * EVERY]


def spoil(**changes: Any) -> Any:
    return lambda stored: orjson.dumps({**orjson.loads(stored), **changes})


def spoil_state(stored: bytes) -> bytes:
    snapshot = orjson.loads(stored)
    snapshot["state"]["scores"][0] += 1
    return orjson.dumps(snapshot)


@pytest.mark.parametrize(
    "damage",
    [
        lambda stored: b"",
        lambda stored: stored[:-20],
        lambda stored: b"[]",
        lambda stored: b"{}",
        spoil_state,
        spoil(format=0),
        spoil(rules_version=0),
        spoil(game="chess"),
        spoil(version=3),
        spoil(id="another"),
        spoil(state=None),
        spoil(seats=7),
    ],
    ids=[
        "empty",
        "cut",
        "list",
        "nothing",
        "state",
        "format",
        "rules",
        "game",
        "version",
        "id",
        "no-state",
        "seats",
    ],
)
@pytest.mark.slow
def test_a_damaged_snapshot_is_passed_over(
    store: Store, played: list[dict[str, Any]], damage: Any
) -> None:
    game_id = played[0]["id"]
    name = keys.snapshots(game_id)
    for version, stored in store.redis.hgetall(name).items():
        store.redis.hset(name, version, damage(stored))
    assert shown(cold(store).table(game_id)) == played[-1]
    assert shown(cold(store).table(game_id, EVERY)) == played[EVERY - 2]


@pytest.mark.slow
def test_without_snapshots_the_stream_is_enough(store: Store, played: list[dict[str, Any]]) -> None:
    store.snapshots.drop(played[0]["id"])
    assert shown(cold(store).table(played[0]["id"])) == played[-1]


def test_what_others_have_written_is_seen(store: Store, ada: Player, bob: Player) -> None:
    table = store.commands.create(Intent(ada), beans_game(ME, OPEN)).table
    other = cold(store)
    assert other.table(table.id).version == 1
    store.commands.arranging.join(Intent(bob), table.id)
    assert other.table(table.id).version == 3
    assert other.table(table.id, 2).seats_of(bob.id) == [1]


def room_for(tables: list[Table]) -> int:
    """Bytes for these tables, which may grow a little meanwhile."""
    return sum((weigh(table) + ENTRY) * 5 // 4 for table in tables)


def test_only_so_many_tables_are_remembered(store: Store, ada: Player) -> None:
    tables = [store.commands.create(Intent(ada), beans_game()).table for _ in range(5)]
    projector = cold(store, room_for(tables[:3]))
    for table in tables:
        projector.table(table.id)
    assert [projector.newest(table.id) is not None for table in tables] == [False] * 2 + [True] * 3
    projector.table(tables[2].id)
    projector.table(tables[0].id)
    assert projector.newest(tables[2].id) is not None, "the least recently used one goes first"
    assert projector.newest(tables[3].id) is None
    assert [projector.table(table.id).id for table in tables] == [table.id for table in tables]


def test_of_a_game_that_goes_on_the_newest_table_alone_is_kept(store: Store, ada: Player) -> None:
    tables = [store.commands.create(Intent(ada), beans_game()).table for _ in range(3)]
    projector = cold(store, room_for(tables[:3]))
    for _ in range(4):
        for table in tables:
            store.commands.move(Intent(ada), table.id, any_move(store.projector.table(table.id)))
            projector.table(table.id)
    for table in tables:
        newest = projector.newest(table.id)
        assert newest is not None, "however long the games are, all three have room"
        assert newest.version == table.version + 4
    assert shown(projector.table(tables[0].id, tables[0].version)) == shown(tables[0])


@pytest.mark.slow
def test_a_replay_takes_the_room_of_one_table(
    store: Store, ada: Player, played: list[dict[str, Any]]
) -> None:
    others = [store.commands.create(Intent(ada), beans_game()).table for _ in range(3)]
    last = store.projector.table(played[0]["id"])
    projector = cold(store, room_for([*others, last, last]))
    for table in [*others, projector.table(played[0]["id"])]:
        projector.table(table.id)
    for seen in played:
        assert shown(projector.table(seen["id"], seen["version"])) == seen
    assert all(projector.newest(table.id) is not None for table in others)


@pytest.mark.slow
def test_a_look_at_the_past_is_not_taken_for_the_present(
    store: Store, played: list[dict[str, Any]]
) -> None:
    projector, game_id = cold(store), played[0]["id"]
    projector.table(game_id, 3)
    assert projector.newest(game_id) is None, "the present is rebuilt from the newest snapshot"
    assert shown(projector.table(game_id)) == played[-1]


def test_who_is_late_does_not_bring_an_older_table_back(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), beans_game()).table
    later = store.commands.move(Intent(ada), table.id, any_move(table)).table
    store.projector.remember(table)
    assert store.projector.newest(table.id) is later


@pytest.mark.parametrize("version", [-1, 0, 3, 100, 10**30])
def test_a_version_that_is_not_there_is_not_found(store: Store, ada: Player, version: int) -> None:
    table = store.commands.create(Intent(ada), beans_game()).table
    for projector in (store.projector, cold(store)):
        with pytest.raises(NotFound):
            projector.table(table.id, version)
    with pytest.raises(NotFound):
        store.projector.table("nothing")


def test_reading_changes_nothing(store: Store, played: list[dict[str, Any]]) -> None:
    before = everything_stored(store)
    projector = cold(store)
    projector.table(played[0]["id"])
    projector.table(played[0]["id"], 30)
    projector.outline(played[0]["id"])
    assert everything_stored(store) == before


def test_the_outline_needs_no_moves(store: Store, ada: Player, bob: Player) -> None:
    table = private_with_open_seat(store, ada)
    assert store.projector.outline(table.id).seats == table.seats
    store.redis.xadd(keys.events(table.id), {"event": b'{"schema":1,"type":"move_made"}'}, id="2-0")
    with pytest.raises(BrokenHistory):
        cold(store).table(table.id)
    with pytest.raises(BrokenHistory):
        store.projector.outline(table.id)
    with pytest.raises(NotFound):
        store.projector.outline("nothing")


def test_the_outline_knows_who_may_see_a_game_whose_moves_are_broken(
    store: Store, ada: Player, bob: Player
) -> None:
    table = store.commands.create(Intent(ada), beans_game(visibility="private")).table
    move = {"schema": 1, "version": 3, "type": "move_made", "at": "", "seat": 9, "move": {}}
    store.redis.xadd(keys.events(table.id), {"event": orjson.dumps(move)}, id="3-0")
    outline = store.projector.outline(table.id)
    assert outline.visible_to(ada.id)
    assert not outline.visible_to(bob.id)
    with pytest.raises(BrokenHistory):
        cold(store).visible(table.id, ada.id)


def test_a_private_game_of_others_has_no_version_that_is_missing(
    store: Store, ada: Player, bob: Player
) -> None:
    table = store.commands.create(Intent(ada), beans_game(visibility="private")).table
    with pytest.raises(NotFound, match="has no version 99"):
        store.projector.visible(table.id, ada.id, 99)
    with pytest.raises(NotFound, match=f"there is no game {table.id}"):
        store.projector.visible(table.id, bob.id, 99)


@pytest.mark.slow
def test_many_threads_share_one_projector(store: Store, played: list[dict[str, Any]]) -> None:
    projector = cold(store, capacity=8)
    game_id = played[0]["id"]

    def read(number: int) -> bool:
        seen = played[number * 7 % len(played)]
        table: Table = projector.table(game_id, seen["version"])
        return shown(table) == seen and shown(projector.table(game_id)) == played[-1]

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(read, range(120)))


def test_a_snapshot_of_the_format_before_is_passed_over(
    store: Store, played: list[dict[str, Any]]
) -> None:
    game_id = played[0]["id"]
    key = keys.snapshots(game_id)
    for version in (EVERY, 2 * EVERY):
        stored = store.redis.hget(key, str(version))
        assert isinstance(stored, bytes)
        old = {**orjson.loads(stored), "format": 1}
        del old["course"]
        store.redis.hset(key, str(version), orjson.dumps(old))
    for seen in (played[EVERY - played[0]["version"]], played[-1]):
        assert shown(cold(store).table(game_id, seen["version"])) == seen


def test_a_snapshot_of_another_event_is_passed_over(
    store: Store, played: list[dict[str, Any]]
) -> None:
    game_id = played[0]["id"]
    key = keys.snapshots(game_id)
    other = store.redis.hget(key, str(2 * EVERY))
    assert isinstance(other, bytes)
    forged = {**orjson.loads(other), "version": EVERY, "position": EVERY}
    store.redis.hset(key, str(EVERY), orjson.dumps(forged))
    for seen in (played[EVERY - played[0]["version"]], played[EVERY - played[0]["version"] + 2]):
        assert shown(cold(store).table(game_id, seen["version"])) == seen
