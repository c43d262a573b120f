"""Writing while other processes write: a stale cached table, a lost connection or script."""

from __future__ import annotations

from typing import Any

import pytest
from redis import Redis

from cartulary.events.commands.commands import Intent
from cartulary.events.model.errors import IdempotencyMismatch, IllegalMoveRefused, StaleVersion
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.conftest import OFFERS
from tests.events.support.bean_games import any_move, beans_game


@pytest.fixture
def elsewhere(store: Store) -> Store:
    """Another process on the same server: it remembers tables of its own."""
    return Store(store.redis, OFFERS)


def test_a_table_that_others_have_left_behind_is_noticed(
    store: Store, elsewhere: Store, ada: Player
) -> None:
    table = store.commands.create(Intent(ada), beans_game()).table
    elsewhere.commands.move(Intent(ada, table.version), table.id, any_move(table))
    with pytest.raises(StaleVersion) as refused:
        store.commands.move(Intent(ada, table.version), table.id, any_move(table))
    assert refused.value.current_version == table.version + 1
    assert store.ledger.version(table.id) == table.version + 1


def test_an_illegal_move_on_a_table_left_behind_is_stale_not_illegal(
    store: Store, elsewhere: Store, ada: Player
) -> None:
    table = store.commands.create(Intent(ada), beans_game()).table
    with pytest.raises(IllegalMoveRefused):
        store.commands.move(Intent(ada, table.version), table.id, {"type": "no"})
    elsewhere.commands.move(Intent(ada, table.version), table.id, any_move(table))
    with pytest.raises(StaleVersion):
        store.commands.move(Intent(ada, table.version), table.id, {"type": "no"})


def test_a_key_is_looked_at_first_also_on_a_cached_table(
    store: Store, elsewhere: Store, ada: Player
) -> None:
    table = store.commands.create(Intent(ada), beans_game()).table
    move = any_move(table)
    first = elsewhere.commands.move(Intent(ada, table.version, key="key"), table.id, move)
    again = store.commands.move(Intent(ada, table.version, key="key"), table.id, move)
    assert again.replayed
    assert again.events == first.events
    with pytest.raises(IdempotencyMismatch):
        store.commands.move(Intent(ada, table.version, key="key"), table.id, {"type": "no"})
    assert store.ledger.version(table.id) == table.version + 1


@pytest.mark.real
def test_connections_that_were_lost_are_made_again(real_store: Store, real_redis: Redis) -> None:
    ada = real_store.players.create("Ada")[0]
    table = real_store.commands.create(Intent(ada), beans_game()).table
    execute: Any = real_redis.execute_command
    for _ in range(3):
        execute("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        table = real_store.commands.move(
            Intent(ada, table.version), table.id, any_move(table)
        ).table
        assert real_store.ledger.version(table.id) == table.version


@pytest.mark.real
def test_a_script_that_the_server_has_forgotten_is_loaded_again(
    real_store: Store, real_redis: Redis
) -> None:
    ada = real_store.players.create("Ada")[0]
    table = real_store.commands.create(Intent(ada), beans_game()).table
    real_redis.script_flush()
    written = real_store.commands.move(Intent(ada, table.version), table.id, any_move(table))
    assert real_store.ledger.version(table.id) == written.table.version
