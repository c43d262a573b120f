"""A backup of a live store, restored elsewhere, is what was stored at one moment."""

from __future__ import annotations

import io
import random
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from cartulary.events import keys
from cartulary.events.backup import dump as dumping
from cartulary.events.backup import load as loading
from cartulary.events.backup import records
from cartulary.events.backup.container import read_records
from cartulary.events.backup.dump import Counts, dump
from cartulary.events.backup.errors import BackupError, Damaged, NotFresh
from cartulary.events.backup.load import begin, check_file, load
from cartulary.events.connection import connect
from cartulary.events.embedded import EmbeddedValkey
from cartulary.events.errors import HalfRestored, NewerStore
from cartulary.events.families import is_carried
from cartulary.events.format import FORMAT, check_format, claim_format
from cartulary.events.players import Player
from cartulary.events.rebuild import rebuild
from cartulary.events.store import Store
from tests.conftest import OFFERS
from tests.events.backup.files import COUNTS, TOKEN, whole
from tests.events.conftest import ME, OPEN, any_move, beans_game, play_out

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def other_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with EmbeddedValkey(tmp_path_factory.mktemp("other")) as valkey:
        assert valkey.url is not None
        yield valkey.url


@pytest.fixture
def other(other_server: str) -> Iterator[Store]:
    """An empty store elsewhere."""
    store = Store(connect(other_server), OFFERS)
    yield store
    store.redis.flushall()
    store.close()


@pytest.fixture
def store(real_store: Store) -> Store:
    real_store.claim()
    return real_store


def back_up(store: Store) -> io.BytesIO:
    file = io.BytesIO()
    dump(store.redis, file)
    return file


def restore(store: Store, file: io.BytesIO) -> Counts:
    contents = check_file(file)
    begin(store.redis, contents, "the.backup")
    load(store.redis, file, contents)
    assert rebuild(store) == []
    loading.end(store.redis)
    return contents.counts


def value(redis: Any, key: bytes) -> Any:
    """What a key holds, whatever its type, and when it expires."""
    read = {
        b"string": redis.get,
        b"hash": redis.hgetall,
        b"set": redis.smembers,
        b"zset": lambda key: redis.zrange(key, 0, -1, withscores=True),
        b"list": lambda key: redis.lrange(key, 0, -1),
        b"stream": lambda key: (redis.xrange(key), redis.xinfo_stream(key)["last-generated-id"]),
    }
    return read[redis.type(key)](key), redis.pexpiretime(key)


def carried(redis: Any) -> dict[bytes, Any]:
    """All keys that a backup carries, with their values."""
    return {key: value(redis, key) for key in redis.keys("*") if is_carried(key.decode("latin1"))}


def audit(store: Store) -> list[dict[str, Any]]:
    return [p for game_id in store.ledger.game_ids() for p in store.audit.game(game_id).problems]


def some_games(store: Store) -> Player:
    """An open, a running and a finished game, created and played with keys."""
    ada, _ = store.players.create("Ana Žižić")
    store.commands.create(ada, beans_game(ME, OPEN), key="open")
    running = store.commands.create(ada, beans_game(), key="running").table
    store.commands.move(ada, running.id, any_move(running), key="first")
    over = play_out(store, ada, store.commands.create(ada, beans_game()).table)
    store.commands.score(over.id)
    return ada


def test_what_is_restored_is_what_was_stored(store: Store, other: Store) -> None:
    some_games(store)
    counts = restore(other, back_up(store))
    assert counts.games == 3
    assert counts.players == 1
    assert counts.unknown == 0
    assert counts.events == sum(store.ledger.version(one) for one in store.ledger.game_ids())
    assert carried(other.redis) == carried(store.redis)
    assert audit(other) == []
    check_format(other.redis)  # the mark is removed


def test_projections_are_computed_again(store: Store, other: Store) -> None:
    ada = some_games(store)
    restore(other, back_up(store))
    rebuild(store)
    for status in ("open", "running", "over"):
        found = [
            store.projections.games_of(ada.id, status),
            other.projections.games_of(ada.id, status),
        ]
        assert len(found[0].games) == 1 or status == "open"
        rebuild(store)
        assert other.projections.games_of(ada.id, status) == store.projections.games_of(
            ada.id, status
        )


def test_play_goes_on_and_a_repeated_move_is_recognised(store: Store, other: Store) -> None:
    ada = some_games(store)
    restore(other, back_up(store))
    again = other.commands.create(ada, beans_game(), key="running")
    assert again.replayed
    assert other.commands.move(ada, again.table.id, any_move(again.table), key="first").replayed
    table = other.projector.table(again.table.id)
    assert not other.commands.move(ada, table.id, any_move(table), key="second").replayed


VALUES: dict[str | bytes, tuple[Any, ...]] = {
    "test:text": ("SET", "a"),
    "test:empty": ("SET", ""),
    "test:bytes": ("SET", b"\xff\x00\n"),
    "test:hash": ("HSET", "a", "1", b"\xfe", b"\xff", "c", ""),
    "test:set": ("SADD", "a", "b", b"\xff"),
    "test:scored": ("ZADD", "1.5", "a", "-inf", "b", "1e300", "c", "0.1", "d", "3", "e"),
    "test:list": ("RPUSH", "a", "b", "a", ""),
    "{test:game}:odd": ("RPUSH", "a"),
    "{test:odd": ("SET", "a"),
    "{test:odd}": ("SET", "a"),
}


def test_keys_of_unknown_families_are_carried_as_they_are(store: Store, other: Store) -> None:
    redis: Any = store.redis
    for key, (command, *arguments) in VALUES.items():
        redis.execute_command(command, key, *arguments)
    redis.execute_command("SET", b"test:\xff", "a")
    redis.execute_command("SET", "test:later", "a", "PXAT", 32503680000000)
    redis.execute_command("SET", "test:soon", "a", "PX", 60_000)
    redis.execute_command("XADD", "test:stream", "5-1", "a", "1", "a", "2", b"\xff", "")
    redis.execute_command("XADD", "test:shortened", "5-1", "a", "1")
    redis.execute_command("XADD", "test:shortened", "9-1", "a", "1")
    redis.execute_command("XDEL", "test:shortened", "9-1")
    redis.execute_command("XADD", "test:emptied", "5-1", "a", "1")
    redis.execute_command("XDEL", "test:emptied", "5-1")
    counts = restore(other, back_up(store))
    assert counts.unknown == len(VALUES) + 6
    assert carried(other.redis) == carried(redis)


def test_long_values_are_split_and_joined(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    some_games(store)
    store.redis.set("test:long", random.Random(1).randbytes(5000))
    store.redis.rpush("test:list", *map(str, range(500)))
    store.redis.zadd("test:scored", {str(number): number for number in range(500)})
    store.redis.sadd("test:set", *map(str, range(500)))
    for module in (records, dumping):
        monkeypatch.setattr(module, "PART", 300)
    file = back_up(store)
    assert len(list(read_records(file))) > 60
    counts = restore(other, file)
    assert counts.keys == len(carried(store.redis))
    assert audit(other) == []
    assert other.redis.lrange("test:list", 0, -1) == store.redis.lrange("test:list", 0, -1)
    assert other.redis.get("test:long") == store.redis.get("test:long")
    assert other.redis.zrange("test:scored", 0, -1) == store.redis.zrange("test:scored", 0, -1)
    assert other.redis.smembers("test:set") == store.redis.smembers("test:set")
    for game_id in store.ledger.game_ids():
        assert other.ledger.entries(game_id) == store.ledger.entries(game_id)


def test_what_can_be_made_again_is_not_carried(store: Store, other: Store) -> None:
    ada = some_games(store)
    store.redis.set(keys.lease("01KAB", 3), "me")
    store.reports.write(0, 0.0)
    store.tickets.issue("token", "/path")
    load_only(other, back_up(store))
    assert not any(b"projections" in key or b"snapshots" in key for key in other.redis.keys("*"))
    assert {keys.player(ada.id).encode(), b"format"} <= set(other.redis.keys("*"))
    left = {b"dispatcher", *other.redis.keys("ticket*"), *other.redis.keys("*lease*")}
    assert not left & set(other.redis.keys("*"))


def load_only(store: Store, file: io.BytesIO) -> None:
    contents = check_file(file)
    begin(store.redis, contents, "the.backup")
    load(store.redis, file, contents)


def test_a_truncated_stream_is_still_known_to_be_truncated(store: Store, other: Store) -> None:
    ada = some_games(store)
    table = store.commands.create(ada, beans_game()).table
    store.commands.move(ada, table.id, any_move(table))
    store.redis.xdel(keys.events(table.id), "3-0")
    restore(other, back_up(store))
    assert [p["problem"] for p in store.audit.game(table.id).problems] == ["version_gap"]
    assert [p["problem"] for p in other.audit.game(table.id).problems] == ["version_gap"]


def test_a_stream_that_cannot_be_read_is_carried_as_it_is(store: Store, other: Store) -> None:
    store.redis.xadd(keys.events("01KODD"), {"event": b"\xff{", "more": ""}, id="3-7")
    load_only(other, back_up(store))
    assert other.ledger.entries("01KODD") == store.ledger.entries("01KODD")


# -- while moves are made ----------------------------------------------------------------------


class Crowd:
    """Eight threads that register, create games, and move in them with keys, until `stop`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._stopping = threading.Event()
        self.moved = 0
        self.failed: list[BaseException] = []
        self._threads = [threading.Thread(target=self._play, args=(n,)) for n in range(8)]

    def _play(self, number: int) -> None:
        rng = random.Random(number)
        try:
            while not self._stopping.is_set():
                self._play_game(rng)
        except BaseException as error:
            self.failed.append(error)

    def _play_game(self, rng: random.Random) -> None:
        person, _ = self._store.players.create(f"p{rng.random()}")
        guest, _ = self._store.players.create(f"g{rng.random()}")
        table = self._store.commands.create(
            person, beans_game(ME, OPEN), key=str(rng.random())
        ).table
        table = self._store.commands.join(guest, table.id, key="j").table
        while table.status == "running" and not self._stopping.is_set():
            assert table.decision is not None
            who = (person, guest)[table.decision.seat]
            move = any_move(table, rng)
            table = self._store.commands.move(who, table.id, move, key=f"m{table.version}").table
            self.moved += 1
        if table.status == "scoring":
            self._store.commands.score(table.id)

    def __enter__(self) -> Crowd:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join()
        assert self.failed == []


def check_consistent(store: Store) -> None:
    """Check what is promised of the keys of a backup among each other."""
    redis: Any = store.redis
    reserved = {
        (key.decode().split(":")[1], redis.get(key).decode()) for key in redis.keys("creation:*")
    }
    for game_id in store.ledger.game_ids():
        events = store.ledger.events(game_id)
        records = redis.hgetall(keys.idempotency(game_id))
        record_of = {
            int(value.split()[1]): value
            for field, value in records.items()
            if field not in (b"last", b"head")
        }
        for event in events:
            if event["type"] == "move_made":  # a move with its key was one append
                assert event["version"] in record_of
            if event["type"] == "seat_taken":
                assert store.players.by_id(event["player"]["id"]) is not None
        assert max(record_of, default=0) <= len(events), "no record of what is not stored"
        assert store.players.by_id(events[0]["created_by"]) is not None
        assert (events[0]["created_by"], game_id) in reserved
    for key in redis.keys("token:*"):
        assert store.players.by_id(redis.get(key).decode()) is not None


@pytest.mark.slow
def test_a_backup_while_eight_threads_move_is_one_moment_of_each_game(
    store: Store, other: Store
) -> None:
    made: list[tuple[io.BytesIO, dict[str, int]]] = []
    with Crowd(store) as crowd:
        while len(made) < 5:
            already = crowd.moved
            while crowd.moved < already + 50:
                assert crowd.failed == []
            before = {one: store.ledger.version(one) for one in store.ledger.game_ids()}
            moved = crowd.moved
            made.append((back_up(store), before))
            assert crowd.moved > moved, "moves were made meanwhile"
    for file, before in made:
        other.redis.flushall()
        restore(other, file)
        assert audit(other) == []
        check_consistent(other)
        for game_id in other.ledger.game_ids():
            found = other.ledger.entries(game_id)
            assert found == store.ledger.entries(game_id)[: len(found)], "a prefix"
        for game_id, version in before.items():
            assert other.ledger.version(game_id) >= version, "what was stored before is there"


# -- refusals ----------------------------------------------------------------------------------


def test_a_store_that_is_not_empty_is_refused_and_left_as_it_is(store: Store) -> None:
    some_games(store)
    file = back_up(store)
    before = carried(store.redis)
    with pytest.raises(NotFresh, match="not empty"):
        begin(store.redis, check_file(file), "the.backup")
    assert carried(store.redis) == before
    check_format(store.redis)


def test_no_process_works_on_a_store_while_it_is_restored(store: Store, other: Store) -> None:
    some_games(store)
    load_only(other, back_up(store))
    for refuse in (claim_format, check_format):
        with pytest.raises(HalfRestored, match=r"restore of the\.backup was interrupted"):
            refuse(other.redis)
    assert other.redis.get("format") == b"%d" % FORMAT


class Stop(Exception):
    """Ends a restore in the middle, as a kill would."""


def test_an_interrupted_restore_is_completed_by_the_same_file(store: Store, other: Store) -> None:
    some_games(store)
    file = back_up(store)
    contents = check_file(file)
    begin(other.redis, contents, "the.backup")

    def stop(done: int, total: int) -> None:
        if done > total / 2:
            raise Stop

    monkey = pytest.MonkeyPatch()
    with monkey.context() as patched:
        patched.setattr(loading, "AT_ONCE", 1)
        with pytest.raises(Stop):
            load(other.redis, file, contents, stop)
    assert 1 < other.redis.dbsize() < contents.counts.keys
    with pytest.raises(HalfRestored):
        other.claim()
    with pytest.raises(NotFresh, match="another file"):
        begin(other.redis, check_file(io.BytesIO(whole())), "other.backup")
    restore(other, file)
    assert carried(other.redis) == carried(store.redis)
    assert audit(other) == []
    other.claim()


def test_a_file_that_changes_while_it_is_restored_leaves_the_mark(
    store: Store, other: Store
) -> None:
    some_games(store)
    file = back_up(store)
    contents = check_file(file)
    begin(other.redis, contents, "the.backup")
    with pytest.raises(Damaged):
        load(other.redis, io.BytesIO(file.getvalue()[:-20]), contents)
    with pytest.raises(HalfRestored):
        other.claim()


def test_the_store_of_a_newer_release_is_refused() -> None:
    newer = TOKEN._replace(key=b"format", items=[b"%d" % (FORMAT + 1)])
    data = whole([newer], {**dict.fromkeys(COUNTS, 0), "keys": 1})
    with pytest.raises(NewerStore, match="upgrade"):
        check_file(io.BytesIO(data))


def test_a_key_of_a_wrong_type_ends_the_backup_with_its_name(store: Store) -> None:
    store.redis.set(keys.events("01KODD"), "text")
    with pytest.raises(BackupError, match=r"\{01KODD\}:events"):
        back_up(store)


def test_the_memory_holds_one_game(store: Store) -> None:
    """Of the whole backup, at a time, memory holds the keys of one game."""
    sizes: list[int] = []
    ada = some_games(store)
    for _ in range(20):
        play_out(store, ada, store.commands.create(ada, beans_game()).table)
    real = dumping._read_keys  # noqa: SLF001

    def note(redis: Any, names: list[bytes]) -> list[records.Record]:
        sizes.append(len({name.partition(b"}")[0] for name in names if name.startswith(b"{")}))
        return real(redis, names)

    monkey = pytest.MonkeyPatch()
    with monkey.context() as patched:
        patched.setattr(dumping, "_read_keys", note)
        back_up(store)
    assert set(sizes) == {0, 1}
