"""The outbox: every append is handed to one dispatcher, and to the next one when that dies."""

from __future__ import annotations

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.server.outbox import Outbox
from cartulary.events.store import Store
from tests.events.support.bean_games import any_move, beans_game


def fill(store: Store, ada: Player, games: int) -> set[str]:
    return {store.commands.create(Intent(ada), beans_game()).table.id for _ in range(games)}


def test_one_append_is_one_entry_of_its_last_event(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), beans_game()).table
    store.commands.move(Intent(ada), table.id, any_move(table))
    entries = store.outbox.read("one")
    assert [(e.game, e.version, e.type) for e in entries] == [
        (table.id, 2, "game_started"),
        (table.id, 3, "move_made"),
    ]
    assert {entry.shard for entry in entries} == {keys.outbox(table.id)}


def test_entries_of_all_shards_are_read(store: Store, ada: Player) -> None:
    games = fill(store, ada, 30)
    entries = store.outbox.read("one")
    assert {entry.game for entry in entries} == games
    assert {entry.shard for entry in entries} == {keys.outbox(game) for game in games}
    assert len({entry.shard for entry in entries}) > 1
    assert store.outbox.depth() == 30


def test_each_entry_goes_to_one_dispatcher(store: Store, ada: Player) -> None:
    games = fill(store, ada, 12)
    other = Outbox(store.redis)
    first = store.outbox.read("one", count=2)
    second = other.read("two")
    assert {e.game for e in first} | {e.game for e in second} == games
    assert not {e.game for e in first} & {e.game for e in second}
    assert store.outbox.read("one") == []


def test_what_is_acknowledged_is_gone(store: Store, ada: Player) -> None:
    fill(store, ada, 5)
    entries = store.outbox.read("one")
    store.outbox.ack(entries)
    assert store.outbox.depth() == 0
    assert store.outbox.reclaim("two", idle_ms=0) == []
    store.outbox.ack([])


def test_what_a_dead_dispatcher_held_is_taken_over(store: Store, ada: Player) -> None:
    games = fill(store, ada, 9)
    store.outbox.read("dead")
    survivor = Outbox(store.redis)
    assert survivor.read("survivor") == []
    assert survivor.reclaim("survivor", idle_ms=60_000) == [], "not as long as it may be working"
    taken = survivor.reclaim("survivor", idle_ms=0)
    assert {entry.game for entry in taken} == games
    survivor.ack(taken)
    assert survivor.depth() == 0


def test_entries_written_before_the_first_dispatcher_are_not_lost(
    store: Store, ada: Player
) -> None:
    games = fill(store, ada, 3)
    assert {entry.game for entry in Outbox(store.redis).read("late")} == games


def test_an_entry_can_be_put_by_hand(store: Store) -> None:
    store.outbox.put("G", 7, "move_made")
    (entry,) = store.outbox.read("one")
    assert (entry.game, entry.version, entry.type) == ("G", 7, "move_made")


def test_waiting_for_entries_ends_when_none_comes(store: Store) -> None:
    assert store.outbox.read("one", block_ms=20) == []


@pytest.mark.real
def test_a_server_that_lost_its_data_gets_its_groups_again(real_store: Store) -> None:
    """On a real server only: fakeredis says something else there."""
    store = real_store
    store.outbox.read("one")
    store.redis.flushdb()
    store.outbox.put("G", 1, "game_created")
    assert len(store.outbox.read("one")) == 1
    store.redis.flushdb()
    assert store.outbox.reclaim("one", idle_ms=0) == []
