"""A backup of a live store, restored elsewhere, is what was stored at one moment."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from cartulary.events.backup import dump, reading, records
from cartulary.events.backup.container import read_records
from cartulary.events.chat.messages import BEGIN, ROOMS
from cartulary.events.chat.talk import Wording
from cartulary.events.commands.commands import Intent
from cartulary.events.server import keys
from cartulary.events.server.format import check_format
from cartulary.events.store import Store
from cartulary.events.upkeep.rebuild import rebuild
from tests.events.backup.restoring import (
    audit,
    back_up,
    carried,
    load_only,
    restore,
    some_games,
)
from tests.events.support.bean_games import any_move, beans_game, play_out
from tests.events.support.opened_tables import At, open_table

pytestmark = pytest.mark.real


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
            store.projections.games_of(ada.id, status=status),
            other.projections.games_of(ada.id, status=status),
        ]
        assert len(found[0].games) == 1 or status == "open"
        rebuild(store)
        assert other.projections.games_of(ada.id, status=status) == store.projections.games_of(
            ada.id, status=status
        )


def test_play_goes_on_and_a_repeated_move_is_recognised(store: Store, other: Store) -> None:
    ada = some_games(store)
    restore(other, back_up(store))
    again = other.commands.create(Intent(ada, key="running"), beans_game())
    assert again.replayed
    assert other.commands.move(
        Intent(ada, key="first"), again.table.id, any_move(again.table)
    ).replayed
    table = other.projector.table(again.table.id)
    assert not other.commands.move(Intent(ada, key="second"), table.id, any_move(table)).replayed


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


def test_standing_answers_are_carried(store: Store, other: Store) -> None:
    ada, bob = (store.players.create(name)[0] for name in ("Ada", "Bob"))
    at = At(store, open_table(store, [ada, bob], game="carcassonne"), [ada, bob])
    skipping = {"kind": "place_follower", "move": {"type": "skip_follower"}, "until": "game"}
    store.commands.standing_answers.change(at.asked(), at.id, [skipping])
    restore(other, back_up(store))
    there = At(other, at.now, [ada, bob])
    assert [event.get("by") for event in there.move().events] == [None, "standing_answer"]


def test_talk_notes_and_reports_are_carried(store: Store, other: Store) -> None:
    ada, bob = (store.players.create(name)[0] for name in ("Ada", "Bob"))
    table = open_table(store, [ada, bob])
    said = [
        store.talk.say(ada, table.id, Wording(room, phrase="hello"), room).message for room in ROOMS
    ]
    store.talk.delete(ada, table.id, said[0].id)
    store.notes.write(bob, table.id, "north first")
    store.complaints.report(bob, "message", said[1].id, "spam", "")
    store.mutes.mute(bob.id, ada.id)
    store.office.muted.impose(bob.id, "insults")
    restore(other, back_up(store))
    assert other.talk.read(table.id, BEGIN, 9) == store.talk.read(table.id, BEGIN, 9)
    assert other.notes.read(bob, table.id) == "north first"
    assert [*other.complaints.walk()] == [*store.complaints.walk()]
    assert other.mutes.muted_by(bob.id) == {ada.id}
    assert other.office.muted.list_all().keys() == {bob.id}
    wording = Wording(ROOMS[1], phrase="hello")
    assert other.talk.say(ada, table.id, wording, ROOMS[1]) == (said[1], True)
    later = other.talk.say(ada, table.id, wording).message
    assert later.place > said[1].place


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
    for module in (records, reading):
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
    store.redis.set(keys.lease("01KAB", 3), "me", ex=60)
    store.heartbeats.write(0, 0.0)
    store.tickets.issue("token", "/path")
    load_only(other, back_up(store))
    assert not any(b"projections" in key or b"snapshots" in key for key in other.redis.keys("*"))
    assert {keys.player(ada.id).encode(), b"format"} <= set(other.redis.keys("*"))
    left = {b"dispatcher", *other.redis.keys("ticket*"), *other.redis.keys("*lease*")}
    assert not left & set(other.redis.keys("*"))


def test_a_truncated_stream_is_still_known_to_be_truncated(store: Store, other: Store) -> None:
    ada = some_games(store)
    table = store.commands.create(Intent(ada), beans_game()).table
    store.commands.move(Intent(ada), table.id, any_move(table))
    store.redis.xdel(keys.events(table.id), "3-0")
    restore(other, back_up(store))
    assert [p["problem"] for p in store.audit.game(table.id).problems] == ["version_gap"]
    assert [p["problem"] for p in other.audit.game(table.id).problems] == ["version_gap"]


def test_a_stream_that_cannot_be_read_is_carried_as_it_is(store: Store, other: Store) -> None:
    store.redis.xadd(keys.events("01KODD"), {"event": b"\xff{", "more": ""}, id="3-7")
    load_only(other, back_up(store))
    carried, stored = (one.redis.xrange(keys.events("01KODD")) for one in (other, store))
    assert carried == stored != []


def test_the_memory_holds_one_game(store: Store) -> None:
    """Of the whole backup, at a time, memory holds the keys of one game."""
    sizes: list[int] = []
    ada = some_games(store)
    for _ in range(20):
        play_out(store, ada, store.commands.create(Intent(ada), beans_game()).table)
    real: Callable[..., list[reading.Reading]] = reading.read_keys

    def note(redis: Any, names: list[bytes], *since: Any) -> list[reading.Reading]:
        sizes.append(len({name.partition(b"}")[0] for name in names if name.startswith(b"{")}))
        return real(redis, names, *since)

    monkey = pytest.MonkeyPatch()
    with monkey.context() as patched:
        patched.setattr(reading, "read_keys", note)
        patched.setattr(dump, "read_keys", note)
        back_up(store)
    assert set(sizes) == {0, 1}
