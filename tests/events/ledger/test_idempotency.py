"""Idempotency keys: the same request twice happens once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from cartulary.events.commands.commands import Intent, Written
from cartulary.events.model.errors import IdempotencyMismatch, IllegalMoveRefused
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.server.connection import FellBack, connect
from cartulary.events.store import Store
from tests.conftest import OFFERS
from tests.events.support.bean_games import ME, OPEN, any_move, beans_game, play_out


def same(first: Written, second: Written) -> bool:
    return (
        (first.replayed, second.replayed) == (False, True)
        and first.events == second.events
        and first.table.text() == second.table.text()
    )


def test_a_repeated_move_gets_the_first_answer_again(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), beans_game()).table
    move = any_move(table)
    first = store.commands.move(Intent(ada, 2, key="k"), table.id, move)
    store.commands.move(Intent(ada), table.id, any_move(first.table))
    assert same(first, store.commands.move(Intent(ada, 2, key="k"), table.id, move))
    assert store.ledger.version(table.id) == 4


def test_the_key_is_looked_at_before_everything_else(store: Store, ada: Player) -> None:
    """Even when the game has long been over, and after a restart of the process."""
    table = store.commands.create(Intent(ada), beans_game()).table
    move = any_move(table)
    first = store.commands.move(Intent(ada, 2, key="k"), table.id, move)
    store.commands.score(play_out(store, ada, first.table).id)
    other_process = Store(store.redis, OFFERS)
    assert same(first, other_process.commands.move(Intent(ada, 2, key="k"), table.id, move))


@pytest.mark.parametrize("grows", [False, True], ids=["shorter", "as long, with another event"])
def test_a_key_whose_event_a_fall_back_takes_meanwhile_gets_no_event_of_others(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch, grows: bool
) -> None:
    """The record of the key is read, then the store falls back, then the events are read."""
    table = store.commands.create(Intent(ada), beans_game()).table
    names = [keys.events(table.id), keys.idempotency(table.id)]
    copies: list[Any] = [store.redis.dump(name) for name in names]
    move = any_move(table)
    store.commands.move(Intent(ada, key="k"), table.id, move)
    deliver = store.ledger.deliver

    def fall_back_first(*asked: Any) -> list[Json]:
        for name, copy in zip(names, copies, strict=True):
            store.redis.restore(name, 0, copy, replace=True)
        if grows:
            store.commands.move(Intent(ada, key="other"), table.id, move)
        return deliver(*asked)

    monkeypatch.setattr(store.ledger, "deliver", fall_back_first)
    with pytest.raises(FellBack, match="send it again"):
        store.commands.move(Intent(ada, key="k"), table.id, move)


def test_a_key_with_another_body_is_refused(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), beans_game()).table
    table = store.commands.move(Intent(ada, 2, key="k"), table.id, {"type": "keep"}).table
    for move, version in (({"type": "give", "to": 0}, 2), ({"type": "keep"}, 3)):
        with pytest.raises(IdempotencyMismatch):
            store.commands.move(Intent(ada, version, key="k"), table.id, move)
    with pytest.raises(IdempotencyMismatch):
        store.commands.arranging.join(Intent(ada, key="k"), table.id)
    assert store.ledger.version(table.id) == 3


def test_keys_are_scoped_to_player_and_game(store: Store, ada: Player, bob: Player) -> None:
    tables = [store.commands.create(Intent(ada, key="k"), beans_game()).table]
    tables.append(store.commands.create(Intent(ada), beans_game()).table)
    for table in tables:
        assert not store.commands.move(Intent(ada, key="k"), table.id, any_move(table)).replayed
    assert store.commands.create(Intent(bob, key="k"), beans_game()).table.id != tables[0].id


def test_a_refused_request_does_not_use_its_key_up(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), beans_game()).table
    with pytest.raises(IllegalMoveRefused):
        store.commands.move(Intent(ada, key="k"), table.id, {"type": "fly"})
    assert not store.commands.move(Intent(ada, key="k"), table.id, any_move(table)).replayed


def test_creating_twice_makes_one_game(store: Store, ada: Player) -> None:
    request = beans_game(ME, OPEN)
    first = store.commands.create(Intent(ada, key="k"), request)
    assert same(first, store.commands.create(Intent(ada, key="k"), request))
    assert len(list(store.ledger.game_ids())) == 1
    with pytest.raises(IdempotencyMismatch):
        store.commands.create(Intent(ada, key="k"), beans_game(ME, ME))
    assert len(list(store.ledger.game_ids())) == 1


def test_a_creation_that_was_cut_off_is_taken_up_again(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the reservation of the id and the append."""

    class Cut(Exception):
        pass

    def cut(*_: object) -> None:
        raise Cut

    with monkeypatch.context() as patch:
        patch.setattr(store.ledger, "append", cut)
        with pytest.raises(Cut):
            store.commands.create(Intent(ada, key="k"), beans_game())
    first = store.commands.create(Intent(ada, key="k"), beans_game())
    assert not first.replayed
    assert same(first, store.commands.create(Intent(ada, key="k"), beans_game()))


def test_joining_and_leaving_twice_happens_once(store: Store, ada: Player, bob: Player) -> None:
    table = store.commands.create(Intent(ada), beans_game(ME, OPEN, OPEN)).table
    first = store.commands.arranging.join(Intent(bob, key="j"), table.id, 1)
    assert same(first, store.commands.arranging.join(Intent(bob, key="j"), table.id, 1))
    left = store.commands.arranging.leave(Intent(bob, key="l"), table.id, 1)
    assert same(left, store.commands.arranging.leave(Intent(bob, key="l"), table.id, 1))
    assert store.ledger.version(table.id) == 3


@pytest.mark.parametrize("key", ["k" * 255, "a b:c", "ключ", "\udcff"])
def test_any_string_is_a_key(store: Store, ada: Player, key: str) -> None:
    first = store.commands.create(Intent(ada, key=key), beans_game())
    assert same(first, store.commands.create(Intent(ada, key=key), beans_game()))
    move = any_move(first.table)
    moved = store.commands.move(Intent(ada, key=key), first.table.id, move)
    assert same(moved, store.commands.move(Intent(ada, key=key), first.table.id, move))


@pytest.mark.real
def test_one_key_from_many_sides_at_once_happens_once(
    real_store: Store, real_redis_url: str
) -> None:
    ada = real_store.players.create("Ada")[0]
    table = real_store.commands.create(Intent(ada), beans_game()).table
    move, writers = any_move(table), 8
    barrier = Barrier(writers)

    def send(_: int) -> Written:
        mine = Store(connect(real_redis_url), OFFERS)
        barrier.wait(timeout=60)
        try:
            return mine.commands.move(Intent(ada, 2, key="k"), table.id, move)
        finally:
            mine.close()

    def create(_: int) -> Written:
        mine = Store(connect(real_redis_url), OFFERS)
        barrier.wait(timeout=60)
        try:
            return mine.commands.create(Intent(ada, key="c"), beans_game())
        finally:
            mine.close()

    for command, version in ((send, 3), (create, 2)):
        with ThreadPoolExecutor(writers) as pool:
            written = list(pool.map(command, range(writers)))
        assert [one.replayed for one in written].count(False) == 1
        assert all(one.events == written[0].events for one in written)
        assert {one.table.version for one in written} == {version}
    assert real_store.ledger.version(table.id) == 3
    assert len(list(real_store.ledger.game_ids())) == 2
