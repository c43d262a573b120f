"""`backup --follow`: everything that changes arrives, and every time can be restored."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import orjson
import pytest

from cartulary.cli.backups.following import Follower
from cartulary.events.backup.errors import DamagedBackup, NewerBackup
from cartulary.events.chat.messages import ROOMS
from cartulary.events.chat.talk import Wording
from cartulary.events.commands.commands import Intent
from cartulary.events.model.clock import milliseconds
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.shipping import segments
from cartulary.events.shipping.chains import (
    OutOfReach,
    find_newest,
    find_way,
    list_chains,
    put_together,
)
from cartulary.events.shipping.state import ChainState
from cartulary.events.store import Store
from tests.cli.backups.commands import flip, run
from tests.cli.backups.following import Shipping
from tests.events.backup.restoring import audit, carried
from tests.events.support.bean_games import any_move, beans_game, play_out
from tests.support.store_with_archive import NEVER, add_game

pytestmark = pytest.mark.real


def move(store: Store, player: Player, table: Table, key: str | None = None) -> Table:
    return store.commands.move(Intent(player, key=key), table.id, any_move(table)).table


def read_times(store: Store) -> list[int]:
    """When the events of all games in a store were made."""
    redis: Any = store.redis
    entries = [one for key in redis.keys("*:events") for one in redis.xrange(key)]
    return sorted(milliseconds(orjson.loads(fields[b"event"])["at"]) for _id, fields in entries)


def test_everything_that_changes_arrives(
    store: Store, player: Player, shipping: Shipping, elsewhere: str
) -> None:
    table = store.commands.create(Intent(player, key="one"), beans_game()).table
    shipping.turn()
    over = play_out(store, player, store.commands.create(Intent(player), beans_game()).table)
    store.redis.hset(keys.player(player.id), "claimed_at", "2026-11-26T12:00:00.000Z")
    said = [store.talk.say(player, table.id, Wording(ROOMS[0], "hello")) for _ in range(3)]
    archived = add_game(store)
    shipping.turn()
    store.talk.delete(player, table.id, said[1].message.id)
    table = move(store, player, table, "two")
    store.make_archiver().run(NEVER)
    shipping.turn()
    store.commands.score(over.id)
    store.notes.write(player, table.id, "mind the beans")
    store.redis.zadd("unknown:zset", {"one": 1, "two": 2})
    shipping.turn()
    store.redis.zrem("unknown:zset", "one")
    store.redis.delete(f"{{{table.id}}}:notes")
    shipping.turn()
    assert store.archive.archive.count() == 1
    with shipping.restored(elsewhere) as other:
        assert carried(other.redis) == carried(store.redis)
        assert list(other.archive.ids()) == list(store.archive.ids()) == [archived]
        assert other.audit.game(archived).valid
        assert audit(other) == []
    store.redis.delete("unknown:zset")


def test_a_time_between_segments_and_within_one_is_restored_to_the_event(
    store: Store, player: Player, shipping: Shipping, elsewhere: str
) -> None:
    first = shipping.turn()
    wait_after(store, first)  # a game of the same millisecond would be of that time, too
    moments = list[int]()
    for number in range(4):
        table = store.commands.create(Intent(player, key=f"{number}"), beans_game()).table
        for at in range(4):
            table = move(store, player, table, f"{at}")
            moments.append(store.clock.now_ms())
            wait_after(store, moments[-1])
        shipping.turn()
    shipping.turn()
    times = read_times(store)
    for moment in (first, *moments[::3], moments[-1]):
        with shipping.restored(elsewhere, moment) as other:
            assert read_times(other) == [at for at in times if at <= moment]
            assert audit(other) == []
            for game_id in other.ledger.game_ids():
                check_keys_of_game(other, game_id)


def wait_after(store: Store, moment: int) -> None:
    """Wait until what happens is later than a moment."""
    while store.clock.now_ms() <= moment:
        continue


def check_keys_of_game(store: Store, game_id: str) -> None:
    """An idempotency record names versions that are there, and an unfinished game has a secret."""
    redis: Any = store.redis
    version = store.ledger.version(game_id)
    found = redis.hgetall(keys.idempotency(game_id))
    last = [int(value.split()[1]) for name, value in found.items() if name != b"head"]
    assert max(last) <= version
    assert store.audit.game(game_id).valid


def test_a_time_out_of_reach_is_refused_with_the_times_that_are_not(shipping: Shipping) -> None:
    (chain,) = list_chains(shipping.target)
    assert chain.reach is not None
    for moment in (chain.reach[0] - 1, chain.reach[1] + 1):
        with pytest.raises(OutOfReach, match=r"no backup leads to .* can be restored: 20.* to 20"):
            find_way(shipping.target, moment)
    found = run("restore", shipping.target.name, "--to-time", "2001-01-01T00:00:00Z")
    assert (found.exit_code, "no backup leads to" in found.stderr) == (2, True)
    for text in ("yesterday", "2026-11-26T12:00:00"):
        found = run("restore", shipping.target.name, "--to-time", text)
        assert (found.exit_code, "2026-11-26T12:00:00Z" in found.stderr) == (2, True)


@pytest.mark.parametrize("at", ["before the marks", "before the upload"])
def test_a_follower_that_was_killed_goes_on_without_gap_or_doubling(
    store: Store,
    player: Player,
    shipping: Shipping,
    elsewhere: str,
    at: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Killed(BaseException):
        pass

    def die(*_arguments: object) -> None:
        raise Killed

    table = store.commands.create(Intent(player), beans_game()).table
    owner, name = (ChainState, "add") if at == "before the marks" else (Follower, "_send")
    with monkeypatch.context() as patched:
        patched.setattr(owner, name, die)
        with pytest.raises(Killed):
            shipping.follower.take_turn()
    shipping.follower.kill()
    table = move(store, player, table)
    shipping.start()
    shipping.turn()
    move(store, player, table)
    shipping.turn()
    numbers = [name.rpartition("/")[2][:8] for name in shipping.segments()]
    assert numbers == [f"{number:08d}" for number in range(1, len(numbers) + 1)]
    assert len(list_chains(shipping.target)) == 1
    with shipping.restored(elsewhere) as other:
        assert carried(other.redis) == carried(store.redis)


def test_a_target_that_is_away_gets_everything_when_it_is_back(
    store: Store, player: Player, shipping: Shipping, elsewhere: str
) -> None:
    away = shipping.folder / "away"
    shipping.target.path.rename(away)
    table = store.commands.create(Intent(player), beans_game()).table
    for _ in range(3):
        table = move(store, player, table)
        shipping.follower.take_turn()
    assert not shipping.follower.is_sent
    away.rename(shipping.target.path)
    shipping.turn()
    assert any("trying again" in line for line in shipping.lines)
    assert any("again after" in line for line in shipping.lines)
    with shipping.restored(elsewhere) as other:
        assert carried(other.redis) == carried(store.redis)


def test_a_disk_that_fills_under_the_follower_leaves_the_chain_whole(
    store: Store, shipping: Shipping, elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = list[sqlite3.Connection]()
    connect_to = sqlite3.connect

    def connect_and_note(*arguments: Any, **options: Any) -> sqlite3.Connection:
        opened.append(connect_to(*arguments, **options))
        return opened[-1]

    shipping.follower.end()
    with monkeypatch.context() as patched:
        patched.setattr(sqlite3, "connect", connect_and_note)
        shipping.start()
    shipping.turn()
    before = shipping.segments()
    with full_disk(opened):
        for number in range(300):
            store.players.create(f"Person {number}")
        shipping.turn()
        assert "disk is full" in shipping.lines[-1]
        assert shipping.segments() == before
    shipping.turn()
    store.players.create("Bob")
    shipping.turn()
    assert shipping.lines[-1] == "shipping goes on"
    shipping.follower.end()
    shipping.start()
    shipping.turn()
    numbers = [name.rpartition("/")[2][:8] for name in shipping.segments()]
    assert numbers == [f"{number:08d}" for number in range(1, len(numbers) + 1)]
    with shipping.restored(elsewhere) as other:
        assert carried(other.redis) == carried(store.redis)


@contextmanager
def full_disk(databases: list[sqlite3.Connection]) -> Iterator[None]:
    """Let databases not grow, as on a disk without room."""
    for one in databases:
        ((pages,),) = one.execute("PRAGMA page_count")
        one.execute(f"PRAGMA max_page_count = {pages}")
    yield
    for one in databases:
        one.execute("PRAGMA max_page_count = 1000000")


def test_a_lost_connection_and_a_store_that_fell_back_are_noticed(
    store: Store, player: Player, shipping: Shipping, elsewhere: str
) -> None:
    table = store.commands.create(Intent(player), beans_game()).table
    table = move(store, player, move(store, player, table))
    shipping.turn()
    redis: Any = store.redis
    stream = keys.events(table.id)
    (_id, last) = redis.xrevrange(stream, count=1)[0]
    for client in redis.client_list(_type="pubsub"):
        redis.client_kill_filter(_id=client["id"])
    redis.xdel(stream, f"{table.version}-0")
    redis.xadd(stream, {**last, b"nonce": b"another branch"}, id=f"{table.version}-1")
    store.players.create("Bob")
    shipping.turn()
    shipping.turn()
    assert any("trying again" in line for line in shipping.lines)
    with shipping.restored_values(elsewhere) as other:
        assert carried(other.redis) == carried(store.redis)


@pytest.mark.parametrize(
    ("damage", "word"),
    [
        ("missing", "segment 2 of .* is missing"),
        ("flipped", "checksum"),
        ("cut", "checksum"),
        ("exchanged", "not at this place"),
        ("foreign", "another backup"),
    ],
)
def test_a_chain_that_is_damaged_is_refused(
    store: Store, player: Player, shipping: Shipping, damage: str, word: str
) -> None:
    for _ in range(2):
        store.commands.create(Intent(player), beans_game())
        shipping.turn()
    first, second, third = (shipping.target.path / name for name in shipping.segments())
    if damage == "missing":
        second.unlink()
    elif damage == "flipped":
        flip(second, 300)
    elif damage == "cut":
        second.write_bytes(second.read_bytes()[:-1])
    elif damage == "exchanged":
        second.write_bytes(third.read_bytes())
    else:
        foreign = shipping.folder / "foreign"
        with foreign.open("w+b") as file:
            segments.write_segment(file, segments.SegmentHead("another", 2, "0" * 64), [])
        second.write_bytes(foreign.read_bytes())
    assert first.exists()
    work = shipping.folder / "work"
    work.mkdir()
    with pytest.raises(DamagedBackup, match=word):
        put_together(shipping.target, find_newest(shipping.target), None, (), work)
    assert run("restore", "--check", shipping.target.name).exit_code == 2


def test_a_segment_of_a_newer_release_is_refused(
    store: Store, player: Player, shipping: Shipping, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segments, "FORMAT", 9)
    store.commands.create(Intent(player), beans_game())
    shipping.turn()
    monkeypatch.undo()
    work = shipping.folder / "work"
    work.mkdir()
    with pytest.raises(NewerBackup, match="upgrade first"):
        put_together(shipping.target, find_newest(shipping.target), None, (), work)
