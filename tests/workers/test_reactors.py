"""Reactors: each gets every changed table, and a failing reactor fails alone."""

from __future__ import annotations

import pytest
from redis.exceptions import ConnectionError as Unreachable

from cartulary.events.commands.commands import Intent
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from cartulary.workers import dispatcher as module
from cartulary.workers.dispatcher import DELIVERIES, Dispatcher
from cartulary.workers.queues.queues import Queues
from cartulary.workers.reactors import ReactionOutcome, ReactionRound, WakeTournaments
from tests.support.small_transcript import small
from tests.workers.conftest import new_game


class Listener:
    """A reactor for the tests: notes what it gets, and raises the given exception."""

    def __init__(self, *errors: Exception) -> None:
        self.seen: list[tuple[str, int]] = []
        self.errors = list(errors)

    def react(self, table: Table) -> None:
        self.seen.append((table.id, table.version))
        if self.errors:
            raise self.errors.pop(0)


@pytest.fixture
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry that failed is tried again at the next step, and not ten seconds later."""
    monkeypatch.setattr(module, "RECLAIM_IDLE_MS", 0)
    monkeypatch.setattr(module, "RECLAIM_EVERY_S", 0)


def listening(store: Store, queue: Queues, *listeners: Listener) -> Dispatcher:
    return Dispatcher(store, queue, reactors=listeners)


def test_a_reactor_of_our_own_gets_every_changed_table(
    store: Store, queue: Queues, ada: Player
) -> None:
    own = Listener()
    first, second = new_game(store, ada), new_game(store, ada)
    listening(store, queue, own).step()
    assert sorted(own.seen) == sorted((table.id, table.version) for table in (first, second))


def test_a_reactor_that_raises_keeps_neither_other_reactors_nor_other_games(
    store: Store, queue: Queues, ada: Player, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = new_game(store, ada), new_game(store, ada)
    own = Listener(ValueError("a fault"))
    listening(store, queue, own).step()
    assert len(own.seen) == 2
    assert sorted(queue.job_ids) == sorted(f"bot-{t.id}-{t.position}" for t in (first, second))
    assert "Listener fails for game" in caplog.text
    assert "a fault" in caplog.text


def test_a_round_says_whether_a_server_was_away_or_a_reactor_failed(
    store: Store, ada: Player
) -> None:
    table = new_game(store, ada)
    outcomes = [
        ReactionRound([Listener(*errors)]).react(table)
        for errors in ((), (ValueError("a fault"),), (Unreachable("away"),))
    ]
    assert outcomes == [ReactionOutcome.DONE, ReactionOutcome.FAILED, ReactionOutcome.AWAY]


def test_the_end_of_a_game_of_no_tournament_wakes_none(store: Store, ada: Player) -> None:
    over = store.commands.import_transcript(Intent(ada), small()).table
    assert over.status.finished
    WakeTournaments(store).react(over)


@pytest.mark.usefixtures("_at_once")
def test_the_entry_of_a_failed_reactor_comes_again(
    store: Store, queue: Queues, ada: Player
) -> None:
    table = new_game(store, ada)
    own = Listener(ValueError("once"))
    dispatcher = listening(store, queue, own)
    dispatcher.step()
    assert store.outbox.depth() == 1
    dispatcher.step()
    assert own.seen == [(table.id, table.version)] * 2
    assert store.outbox.depth() == 0
    assert queue.count == 1


def test_the_entry_of_a_failed_reactor_waits_before_it_comes_again(
    store: Store, queue: Queues, ada: Player
) -> None:
    new_game(store, ada)
    own = Listener(ValueError("first"), ValueError("second"))
    dispatcher = listening(store, queue, own)
    for _ in range(5):
        dispatcher.step()
    assert len(own.seen) == 1
    assert store.outbox.depth() == 1


@pytest.mark.usefixtures("_at_once")
def test_an_entry_that_fails_again_and_again_is_given_up_and_logged(
    store: Store, queue: Queues, ada: Player, caplog: pytest.LogCaptureFixture
) -> None:
    table = new_game(store, ada)
    own = Listener(*[ValueError("always")] * 99)
    dispatcher = listening(store, queue, own)
    for _ in range(DELIVERIES + 3):
        dispatcher.step()
    assert len(own.seen) == DELIVERIES
    assert store.outbox.depth() == 0
    assert f"giving up on game {table.id} at version {table.version}" in caplog.text


@pytest.mark.usefixtures("_at_once")
def test_a_reactor_whose_server_is_away_is_asked_once_a_batch_and_loses_nothing(
    store: Store, queue: Queues, ada: Player
) -> None:
    games = [new_game(store, ada) for _ in range(3)]
    own = Listener(*[Unreachable("away")] * 2 * DELIVERIES)
    dispatcher = listening(store, queue, own)
    for _ in range(2 * DELIVERIES):
        before = len(own.seen)
        dispatcher.step()
        assert len(own.seen) == before + 1
    in_lines = {table.id for table in games if table.id in dispatcher.feeder.lines}
    assert in_lines | {job.split("-")[1] for job in queue.job_ids} == {game.id for game in games}
    assert store.outbox.depth() == 3
    dispatcher.step()
    assert {game for game, _ in own.seen[-3:]} == {table.id for table in games}
    assert store.outbox.depth() == 0
