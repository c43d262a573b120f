"""The service notices a defect of itself: before an append, after it, after a read, in the lists.

Each test puts a defect into the code, or a value into the store that no command leaves there.
"""

from __future__ import annotations

import random
from contextlib import closing
from typing import Any

import pytest

from cartulary.bots.randomly import play_randomly
from cartulary.events.commands.commands import Intent
from cartulary.events.ledger.drafts import Draft
from cartulary.events.lists import inbox_items
from cartulary.events.lists.projections import Projections
from cartulary.events.model.failures import BrokenHistory, InvariantBroken
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from simulation.known.catalogue import KNOWN
from simulation.known.patches import CodePatch, apply_patch
from tests.conftest import OFFERS
from tests.events.support.bean_games import BOT, any_move, beans_game


@pytest.fixture
def table(store: Store, ada: Player) -> Table:
    table = store.commands.create(Intent(ada), beans_game()).table
    for _ in range(2):
        table = move(store, ada, table)
    return table


@pytest.fixture
def defects(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return what puts patches into the code until the test ends."""

    def put(*patches: CodePatch) -> None:
        for patch in patches:
            apply_patch(patch, monkeypatch.setattr)

    return put


def move(store: Store, player: Player, table: Table, which: int = 0) -> Table:
    assert table.state is not None
    chosen = table.state.move_json(table.state.moves()[which])
    return store.commands.move(Intent(player, table.version), table.id, chosen).table


# -- before an append -----------------------------------------------------------------------------


def _name_another(draft: Draft) -> None:
    draft.sealed[0] = draft.sealed[0]._replace(prev="0" * 64)


def _skip_a_version(draft: Draft) -> None:
    draft.events[0]["version"] += 1


def _remember_another_end(draft: Draft) -> None:
    draft.after = draft.table._replace(life=draft.table.life._replace(head="0" * 64))


def _remember_another_version(draft: Draft) -> None:
    life = draft.table.life
    draft.after = draft.table._replace(life=life._replace(version=life.version + 1))


def _begin_elsewhere(draft: Draft) -> None:
    assert draft.before is not None
    draft.before = draft.before._replace(life=draft.before.life._replace(version=1))


SPOILED = (
    _name_another,
    _skip_a_version,
    _remember_another_end,
    _remember_another_version,
    _begin_elsewhere,
)


@pytest.mark.parametrize("spoil", SPOILED, ids=lambda one: one.__name__.strip("_"))
@pytest.mark.parametrize("way", ["move", "prepare_move"])
def test_a_draft_that_does_not_follow_its_table_is_not_sent(
    store: Store, ada: Player, table: Table, monkeypatch: pytest.MonkeyPatch, spoil: Any, way: str
) -> None:
    play = Draft.play

    def play_and_spoil(draft: Draft, *words: Any) -> None:
        play(draft, *words)
        spoil(draft)

    monkeypatch.setattr(Draft, "play", play_and_spoil)
    with pytest.raises(InvariantBroken, match=f"{table.id}, version 4: draft") as broken:
        getattr(store.commands, way)(Intent(ada, table.version), table.id, any_move(table))
    assert not broken.value.is_stored
    assert store.ledger.version(table.id) == table.version
    monkeypatch.undo()
    assert move(store, ada, table).version == table.version + 1


@pytest.mark.parametrize("is_put_back", [True, False])
def test_a_thought_of_another_secret_is_not_appended(
    store: Store, ada: Player, defects: Any, is_put_back: bool
) -> None:
    """The known fault *thought of lost draws*."""
    if is_put_back:
        defects(*KNOWN["thought of lost draws"].patches)
    table = store.commands.create(Intent(ada), beans_game(BOT, BOT)).table

    def think(state: Any, rng: random.Random) -> Any:
        store.commands.renew_draws(table.id)
        return play_randomly(state, rng)

    def move_bot() -> None:
        store.commands.bots.move(table.id, table.position, think)

    if is_put_back:
        with pytest.raises(InvariantBroken, match="thought of random"):
            move_bot()
    else:
        move_bot()
    types = [one["type"] for one in store.ledger.events(table.id)]
    assert types[-1] == "draws_renewed"


# -- after an append ------------------------------------------------------------------------------


def test_an_append_that_was_stored_elsewhere_is_noticed(
    store: Store, ada: Player, table: Table, defects: Any
) -> None:
    defects(
        CodePatch(
            "ledger/append.lua",
            "local follows = version == expected and (not known[1] or known[1] == ARGV[2])",
            "local follows = true",
        )
    )
    unfenced = Store(store.redis, OFFERS)
    with closing(unfenced):
        table = move(unfenced, ada, table)
        move(store, ada, table)  # of which the other process does not know
        prepared = unfenced.commands.prepare_move(Intent(ada), table.id, any_move(table))
        assert prepared is not None
        with pytest.raises(InvariantBroken, match=f"{table.id}, version 7: appended") as broken:
            unfenced.ledger.send(prepared.append)
    assert broken.value.is_stored


# -- after a read ---------------------------------------------------------------------------------


def test_a_stream_with_a_gap_is_damaged_for_every_reader(store: Store, table: Table) -> None:
    store.redis.xdel(keys.events(table.id), f"{table.version - 1}-0")
    store.projector.forget()
    for read in (
        lambda: store.ledger.deliver(table.id),
        lambda: store.ledger.events(table.id, table.version - 2),
        lambda: store.ledger.tail(table.id, 0, "of a key"),
        lambda: store.projector.table(table.id),
    ):
        with pytest.raises(BrokenHistory, match="version_gap"):
            read()
    assert store.ledger.deliver(table.id, table.version - 1)
    assert store.ledger.deliver(table.id, table.version) == []


def fall_back(store: Store, table: Table) -> None:
    """Let the store lose what followed on a table, as a fall-back does."""
    redis: Any = store.redis
    name = keys.events(table.id)
    kept = redis.xrange(name, "-", f"{table.version}-0")
    redis.delete(name)
    for id_, fields in kept:
        redis.xadd(name, fields, id=id_)
    redis.hset(keys.idempotency(table.id), "head", table.head)
    store.projector.forget()


def branch(store: Store, player: Player, table: Table) -> tuple[Table, Table]:
    """Return the table after a move that the store has lost, and after that which came instead."""
    lost = move(store, player, table)
    fall_back(store, table)
    return lost, move(store, player, table, -1)


def test_events_that_do_not_follow_on_what_a_process_remembers_are_noticed(
    store: Store, ada: Player, table: Table, defects: Any
) -> None:
    """The known fault *phantom state*."""
    elsewhere = Store(store.redis, OFFERS)
    with closing(elsewhere):
        lost, stored = branch(store, ada, table)
        elsewhere.projector.remember(lost)
        assert elsewhere.projector.table(table.id).head == stored.head
        elsewhere.projector.forget()
        defects(KNOWN["phantom state"].patches[1])
        after = move(store, ada, stored)
        assert after.version == lost.version + 1
        elsewhere.projector.remember(lost)
        with pytest.raises(BrokenHistory, match=f"version {after.version}: chain"):
            elsewhere.projector.table(table.id)


# -- the lists ------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_put_back", [True, False])
@pytest.mark.parametrize("fault", ["stale list at the same version", "list of a lost event"])
def test_a_summary_that_stands_for_another_event_is_noticed(
    store: Store, ada: Player, table: Table, defects: Any, fault: str, is_put_back: bool
) -> None:
    if is_put_back:
        defects(*KNOWN[fault].patches)
    lists = Projections(store.redis)
    first, then = branch(store, ada, table)
    if fault == "list of a lost event":
        first, then = then, first
    assert lists.apply(first)
    if is_put_back:
        with pytest.raises(InvariantBroken, match=f"version {then.version}: summary"):
            lists.apply(then)
    else:
        assert lists.apply(then) == (fault == "stale list at the same version")


def test_a_summary_that_goes_back_is_noticed(
    store: Store, ada: Player, table: Table, defects: Any
) -> None:
    defects(CodePatch("lists/project.lua", "if (known > version or another) and", "if another and"))
    lists = Projections(store.redis)
    assert lists.apply(move(store, ada, table))
    with pytest.raises(InvariantBroken, match=f"version {table.version}: summary"):
        lists.apply(table)


def test_inboxes_are_not_told_of_another_version(
    store: Store, table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    follow = inbox_items.follow_steps

    def stay_behind(*words: Any) -> Any:
        told, items = follow(*words)
        return told._replace(version=told.version - 1), items

    monkeypatch.setattr(inbox_items, "follow_steps", stay_behind)
    store.list_updater.follow(table)
    assert f"{table.id}, version {table.version}: told" in caplog.text
    assert store.projections.read_told(table.id) == ""
    assert store.projections.read_version(table.id) == table.version
