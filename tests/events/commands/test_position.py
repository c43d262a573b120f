"""A move depends on the position: an event that leaves the position alone does it no harm.

No such event comes during the play yet, so the tests add one: `seat_noted`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.ledger.streams import IdempotencyRecord
from cartulary.events.model.effects.folding import Folding
from cartulary.events.model.effects.kinds import KINDS, EventKind, Field
from cartulary.events.model.errors import AlreadyStarted, GameNotRunning, StaleVersion
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.types import Json, event
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.conftest import OFFERS
from tests.events.support.bean_games import BOT, ME, OPEN, any_move, beans_game
from tests.support.handmade_events import append


def _leave_alone(table: Table, _event: Json, _folding: Folding) -> Table:
    return table


@pytest.fixture(autouse=True)
def seat_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    """An event type that leaves the position alone."""
    row = EventKind(
        type="seat_noted",
        text="A player wrote a note.",
        fields=(Field("seat", int, {"type": "integer"}),),
        comes_in=(Status.OPEN, Status.RUNNING),
        apply=_leave_alone,
    )
    monkeypatch.setitem(KINDS, row.type, row)


@pytest.fixture
def elsewhere(store: Store) -> Store:
    """Another process on the same server: it caches tables of its own."""
    return Store(store.redis, OFFERS)


def note(store: Store, game_id: str) -> None:
    version = store.ledger.version(game_id)
    append(store.ledger, game_id, version, [event(version + 1, "seat_noted", seat=0)])


def before_the_append(
    store: Store, monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]
) -> list[int]:
    """Have `act` happen between judging and appending, once; returns the versions tried."""
    append_stored, tried = store.ledger.append, []

    def late(game_id: str, version: int, *rest: Any) -> IdempotencyRecord | None:
        tried.append(version)
        if len(tried) == 1:
            act()
        return append_stored(game_id, version, *rest)

    monkeypatch.setattr(store.ledger, "append", late)
    return tried


class TestMove:
    def test_every_version_since_the_position_holds(self, store: Store, ada: Player) -> None:
        for late in (0, 1, 2):
            table = store.commands.create(Intent(ada), beans_game()).table
            note(store, table.id)
            note(store, table.id)
            written = store.commands.move(
                Intent(ada, table.version + late), table.id, any_move(table)
            )
            assert written.table.version == table.version + 3
            assert written.table.position == written.events[0]["version"] == table.version + 3

    def test_a_version_before_the_position_is_stale(self, store: Store, ada: Player) -> None:
        table = store.commands.create(Intent(ada), beans_game()).table
        note(store, table.id)
        moved = store.commands.move(Intent(ada), table.id, any_move(table)).table
        for version in range(1, moved.version):
            with pytest.raises(StaleVersion) as stale:
                store.commands.move(Intent(ada, version), table.id, any_move(moved))
            assert stale.value.members() == {"current_version": moved.version}

    def test_a_version_that_the_game_does_not_have_is_stale(
        self, store: Store, ada: Player
    ) -> None:
        table = store.commands.create(Intent(ada), beans_game()).table
        note(store, table.id)
        with pytest.raises(StaleVersion):
            store.commands.move(Intent(ada, table.version + 2), table.id, any_move(table))

    def test_another_process_may_have_written_the_event(
        self, store: Store, elsewhere: Store, ada: Player
    ) -> None:
        table = store.commands.create(Intent(ada), beans_game()).table
        note(elsewhere, table.id)
        written = store.commands.move(Intent(ada, table.version), table.id, any_move(table))
        assert written.events[0]["version"] == table.version + 2

    def test_an_event_that_overtakes_the_move_refuses_nothing(
        self, store: Store, elsewhere: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table = store.commands.create(Intent(ada), beans_game()).table
        tried = before_the_append(store, monkeypatch, lambda: note(elsewhere, table.id))
        written = store.commands.move(
            Intent(ada, table.version, key="key"), table.id, any_move(table)
        )
        assert tried == [table.version, table.version + 1]
        assert [one["type"] for one in store.ledger.events(table.id, table.version)] == [
            "seat_noted",
            "move_made",
        ]
        again = store.commands.move(
            Intent(ada, table.version, key="key"), table.id, any_move(table)
        )
        assert again.replayed
        assert again.events == written.events

    def test_a_move_that_overtakes_the_move_makes_it_stale(
        self, store: Store, elsewhere: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table = store.commands.create(Intent(ada), beans_game()).table

        def overtake() -> None:
            elsewhere.commands.move(Intent(ada), table.id, any_move(table))

        before_the_append(store, monkeypatch, overtake)
        with pytest.raises(StaleVersion) as stale:
            store.commands.move(Intent(ada, table.version), table.id, any_move(table))
        assert stale.value.current_version == table.version + 1
        assert store.ledger.version(table.id) == table.version + 1


class TestSeats:
    """Commands about seats are judged by the current version."""

    def test_only_the_current_version_holds(self, store: Store, ada: Player, bob: Player) -> None:
        table = store.commands.create(Intent(ada), beans_game(ME, OPEN, OPEN)).table
        note(store, table.id)
        for version in (table.version, table.version + 2):
            with pytest.raises(StaleVersion) as stale:
                store.commands.arranging.join(Intent(bob, version), table.id)
            assert stale.value.current_version == table.version + 1
        joined = store.commands.arranging.join(Intent(bob, table.version + 1), table.id).table
        with pytest.raises(StaleVersion):
            store.commands.arranging.leave(Intent(bob, table.version + 1), table.id, 1)
        assert store.ledger.version(table.id) == joined.version

    def test_an_event_that_overtakes_the_command_makes_it_stale(
        self,
        store: Store,
        elsewhere: Store,
        ada: Player,
        bob: Player,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        table = store.commands.create(Intent(ada), beans_game(ME, OPEN, OPEN)).table
        before_the_append(store, monkeypatch, lambda: note(elsewhere, table.id))
        with pytest.raises(StaleVersion):
            store.commands.arranging.join(Intent(bob, table.version), table.id)
        assert store.ledger.version(table.id) == table.version + 1

    def test_a_start_that_overtakes_the_command_refuses_it(
        self,
        store: Store,
        elsewhere: Store,
        ada: Player,
        bob: Player,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        table = store.commands.create(Intent(ada), beans_game(ME, OPEN)).table
        cat = store.players.create("Cat")[0]
        before_the_append(
            store, monkeypatch, lambda: elsewhere.commands.arranging.join(Intent(cat), table.id)
        )
        with pytest.raises(AlreadyStarted):
            store.commands.arranging.join(Intent(bob, table.version), table.id)


class TestBotMove:
    def test_the_work_is_named_by_the_position(self, store: Store, ada: Player) -> None:
        table = store.commands.create(Intent(ada), beans_game(BOT, BOT)).table
        note(store, table.id)
        drawn: list[float] = []

        def choose(state: Any, rng: random.Random) -> Any:
            drawn.append(rng.random())
            return state.moves()[0]

        assert store.commands.bots.move(table.id, table.version + 1, choose).events == []
        written = store.commands.bots.move(table.id, table.position, choose)
        assert written.events[0]["version"] == table.version + 2
        seed = written.events[0]["bot"]["seed"]
        assert drawn == [random.Random(int(seed, 16)).random()]

    def test_a_bot_thinks_once_whatever_comes_while_it_thinks(
        self, store: Store, ada: Player
    ) -> None:
        table = store.commands.create(Intent(ada), beans_game(BOT, BOT)).table
        asked: list[int] = []

        def choose(state: Any, rng: random.Random) -> Any:
            asked.append(state.seat)
            note(store, table.id)
            return state.moves()[-1]

        written = store.commands.bots.move(table.id, table.position, choose)
        assert len(asked) == 1
        assert written.events[0]["version"] == table.version + 2


def test_a_move_after_the_end_is_refused_for_the_end_and_not_for_its_version(
    store: Store, ada: Player
) -> None:
    table = store.commands.create(Intent(ada), beans_game()).table
    version = store.ledger.version(table.id)
    append(store.ledger, table.id, version, [event(version + 1, "game_aborted", reason="")])
    with pytest.raises(GameNotRunning):
        store.commands.move(Intent(ada, table.version), table.id, any_move(table))
