"""Chains of segments: where each begins, goes on and ends, and what removes them."""

from __future__ import annotations

import shutil
from pathlib import Path
from threading import Event
from typing import Any

import pyrage
import pytest

from cartulary.cli.backups import following
from cartulary.cli.backups.making import Making, make_backup, prove_stored
from cartulary.cli.shared.errors import Failed
from cartulary.events.backup.targets.encryption import Encryption
from cartulary.events.commands.commands import Intent
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.shipping.chains import (
    find_newest,
    list_chains,
    put_together,
)
from cartulary.events.store import Store
from tests.cli.backups.following import Shipping
from tests.events.backup.restoring import carried
from tests.events.support.bean_games import any_move, beans_game
from tests.support.fake_clock import FakeClock
from tests.support.polling import until

pytestmark = pytest.mark.real

DAY = 86_400_000


def move(store: Store, player: Player, table: Table, key: str | None = None) -> Table:
    return store.commands.move(Intent(player, key=key), table.id, any_move(table)).table


def test_a_new_chain_begins_where_the_one_before_ends(
    store: Store, player: Player, shipping: Shipping, elsewhere: str
) -> None:
    table = store.commands.create(Intent(player), beans_game()).table
    shipping.follower.end()
    shipping.start(every_ms=1, keep=1).every_ms = DAY
    shipping.turn()
    moment = store.clock.now_ms()
    table = move(store, player, table)
    shipping.begin()
    move(store, player, table)
    shipping.turn()
    chains = list_chains(shipping.target)
    assert len(chains) == 1, "the older one was removed, with its segments"
    assert chains[0].reach is not None
    assert chains[0].reach[0] > moment
    assert {name.partition(".")[0] for name in shipping.segments()} == {chains[0].backup.stem}
    with shipping.restored(elsewhere) as other:
        assert carried(other.redis) == carried(store.redis)


def test_what_changes_is_shipped_while_older_backups_are_removed(
    store: Store, shipping: Shipping, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = Event()

    def clear_slowly(_making: Making, _keep: int | None) -> list[str]:
        assert goes_on.wait(60)
        return ["one of last week"]

    def begins_to_clear() -> bool:
        shipping.follower.take_turn()
        return shipping.follower.is_clearing

    monkeypatch.setattr(following, "clear_away", clear_slowly)
    shipping.follower.end()
    shipping.start(keep=1)
    until(begins_to_clear, every=0.05)
    before = shipping.segments()
    store.players.create("Bob")
    shipping.follower.take_turn()
    until(lambda: len(shipping.segments()) > len(before))
    assert shipping.follower.is_clearing
    goes_on.set()
    until(lambda: shipping.lines[-1] == "removed one of last week")


def test_both_chains_lead_to_the_moment_between_them(
    store: Store, player: Player, shipping: Shipping
) -> None:
    shipping.follower.end()
    shipping.start(every_ms=1).every_ms = DAY
    store.commands.create(Intent(player), beans_game())
    shipping.begin()
    new, old = list_chains(shipping.target)
    assert old.reach is not None
    assert new.reach is not None
    assert old.reach[1] == new.reach[0]


def test_a_chain_that_goes_on_after_a_newer_backup_has_the_newest(
    store: Store, player: Player, shipping: Shipping, elsewhere: str
) -> None:
    made = make_backup(store, shipping.making, store.clock.now_ms())
    prove_stored(store, shipping.making, made, 1)
    store.commands.create(Intent(player), beans_game())
    shipping.turn()
    assert len(list_chains(shipping.target)) == 2
    with shipping.restored(elsewhere) as other:
        assert carried(other.redis) == carried(store.redis)


def test_after_the_clock_was_set_back_by_ten_minutes_the_newest_is_what_came_last(
    store: Store, player: Player, shipping: Shipping, elsewhere: str
) -> None:
    table = store.commands.create(Intent(player), beans_game()).table
    shipping.turn()
    store.clock = FakeClock(store.clock.now_ms() - 600_000)
    table = move(store, player, table)
    shipping.turn()
    with shipping.restored(elsewhere) as other:
        assert carried(other.redis) == carried(store.redis)
    shipping.follower.end()
    shutil.rmtree(shipping.folder / "state")
    shipping.start(keep=1)
    shipping.begin()
    move(store, player, table)
    shipping.turn()
    assert len(list_chains(shipping.target)) == 1, "the chain from before is the older one"
    with shipping.restored(elsewhere) as other:
        assert carried(other.redis) == carried(store.redis)


def test_a_first_backup_that_does_not_hold_ends_the_follower(
    store: Store, player: Player, tmp_path: Path
) -> None:
    table = store.commands.create(Intent(player), beans_game()).table
    table = move(store, player, table)
    store.redis.xdel(keys.events(table.id), "2-0")
    shipping = Shipping(store, tmp_path)
    with pytest.raises(Failed, match="kept aside"):
        shipping.begin()
    shipping.follower.end()


def test_while_only_the_heartbeat_changes_there_is_a_segment_a_minute(
    store: Store, shipping: Shipping
) -> None:
    shipping.turn()
    before = len(shipping.segments())
    for _ in range(3):
        store.redis.set(keys.heartbeat(), store.clock.now_ms())
        shipping.turn()
    assert len(shipping.segments()) == before


def test_segments_are_encrypted_like_their_backup(
    store: Store, player: Player, shipping: Shipping
) -> None:
    key: Any = pyrage.x25519.Identity.generate()
    shipping.follower.end()
    shipping.making = shipping.making._replace(encryption=Encryption.parse([str(key.to_public())]))
    shipping.start(every_ms=1).every_ms = DAY
    shipping.begin()
    store.commands.create(Intent(player), beans_game())
    shipping.turn()
    names = [name for name in shipping.target.list_names() if name.endswith(".age")]
    assert len(names) >= 2
    work = shipping.folder / "work"
    work.mkdir()
    way = find_newest(shipping.target)
    assert way.chain.backup.is_encrypted
    assert put_together(shipping.target, way, None, [key], work).exists()
