"""The dispatcher: from the outbox to projections and jobs, exactly once in effect."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NoReturn

import orjson
import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from cartulary.events.commands.commands import Intent
from cartulary.events.model.failures import UnknownEvent
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.workers import dispatcher as module
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.jobs import play_on
from cartulary.workers.process.table_reader import now_ms
from cartulary.workers.queues.feeder import Feeder
from cartulary.workers.queues.low_priority_poll import Looking
from cartulary.workers.queues.queues import Queues
from cartulary.workers.sweep import Sweep
from tests.events.support.bean_games import any_move
from tests.support.polling import until
from tests.workers.conftest import BOT, ME, new_game, until_asked


def drain(dispatcher: Dispatcher) -> None:
    while dispatcher.step():
        pass


def test_a_bot_to_move_gets_a_job(
    store: Store, queue: Queues, dispatcher: Dispatcher, ada: Player
) -> None:
    table = new_game(store, ada)
    drain(dispatcher)
    assert queue.job_ids == [f"bot-{table.id}-{table.position}"]


def test_a_person_to_move_gets_no_job(
    store: Store, queue: Queues, dispatcher: Dispatcher, ada: Player
) -> None:
    table = until_asked(store, ada, ME, BOT)
    drain(dispatcher)
    assert not any(table.id in job for job in queue.job_ids)


def test_a_play_that_is_over_gets_a_score_job(
    store: Store, queue: Queues, dispatcher: Dispatcher, ada: Player
) -> None:
    table = new_game(store, ada)
    play_on(store, table.id, table.position, budget=60)
    drain(dispatcher)
    assert queue.job_ids == [f"score-{table.id}-{store.projector.table(table.id).position}"]


def test_projections_follow(store: Store, dispatcher: Dispatcher, ada: Player) -> None:
    table = new_game(store, ada)
    play_on(store, table.id, table.position, budget=60)
    store.commands.score(table.id)
    drain(dispatcher)
    (game,) = store.projections.lobby(status="over").games
    assert (game["id"], game["version"]) == (table.id, store.ledger.version(table.id))


def test_entries_are_acknowledged(store: Store, dispatcher: Dispatcher, ada: Player) -> None:
    new_game(store, ada)
    assert store.outbox.depth() > 0
    drain(dispatcher)
    assert store.outbox.depth() == 0


def test_an_entry_that_comes_twice_makes_one_job(
    store: Store, queue: Queues, dispatcher: Dispatcher, ada: Player
) -> None:
    table = new_game(store, ada)
    drain(dispatcher)
    store.outbox.put(table.id, table.version, "game_started")
    drain(dispatcher)
    assert queue.count == 1


def test_entries_of_a_dispatcher_that_died_before_acting_are_taken_over(
    store: Store, queue: Queues, ada: Player
) -> None:
    table = new_game(store, ada)
    assert store.outbox.read("dead")
    drain(Dispatcher(store, queue, "next"))
    assert queue.job_ids == [f"bot-{table.id}-{table.position}"]
    assert store.outbox.depth() == 0


def test_a_dispatcher_that_dies_between_acting_and_acknowledging_is_repeated_without_effect(
    store: Store, queue: Queues, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_game(store, ada)
    with monkeypatch.context() as patch:

        def killed(entries: Any) -> None:
            raise KeyboardInterrupt

        patch.setattr(store.outbox, "ack", killed)
        with pytest.raises(KeyboardInterrupt):
            Dispatcher(store, queue).step()
    assert queue.count == 1
    drain(Dispatcher(store, queue))
    assert queue.count == 1
    assert store.outbox.depth() == 0


def test_a_game_that_cannot_be_folded_does_not_hold_up_the_others(
    store: Store,
    queue: Queues,
    dispatcher: Dispatcher,
    ada: Player,
    caplog: pytest.LogCaptureFixture,
) -> None:
    broken, whole = new_game(store, ada), new_game(store, ada)
    store.redis.xadd(keys.events(broken.id), {"event": b"nonsense"}, id="99-0")
    drain(dispatcher)
    assert queue.job_ids == [f"bot-{whole.id}-{whole.position}"]
    assert store.outbox.depth() == 0
    assert f"game {broken.id} cannot be followed" in caplog.text


def test_a_server_that_is_away_for_a_moment_is_waited_for_and_its_games_pause_no_longer(
    store: Store,
    queue: Queues,
    dispatcher: Dispatcher,
    ada: Player,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "PAUSE_S", 0.01)
    monkeypatch.setattr(module, "BLOCK_MS", 10)
    read, refusals = store.outbox.read, [1, 2, 3]

    def sometimes(*arguments: Any, **named: Any) -> Any:
        if refusals:
            refusals.pop()
            raise RedisConnectionError("away")
        return read(*arguments, **named)

    monkeypatch.setattr(store.outbox, "read", sometimes)
    forgotten: list[Sweep] = []
    monkeypatch.setattr(Sweep, "forget_pauses", lambda sweep: forgotten.append(sweep))
    new_game(store, ada)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(dispatcher.run)
        try:
            until(lambda: queue.count == 1)
        finally:
            dispatcher.stop()
        running.result(60)
    assert not refusals
    assert len(forgotten) == 3


def test_new_entries_come_first_while_those_left_behind_cannot_be_taken_over(
    store: Store,
    queue: Queues,
    dispatcher: Dispatcher,
    ada: Player,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "RECLAIM_EVERY_S", 0.0)
    drain(dispatcher)
    monkeypatch.setattr(module, "RECLAIM_EVERY_S", 3600.0)

    def refuse(*_: object) -> NoReturn:
        raise RedisConnectionError("a node of the cluster is away")

    monkeypatch.setattr(store.outbox, "reclaim", refuse)
    new_game(store, ada)
    with pytest.raises(RedisConnectionError):
        dispatcher.step()
    assert dispatcher.step() > 0
    assert queue.count == 1


def test_a_game_whose_node_does_not_answer_does_not_hold_up_the_games_of_other_nodes(
    store: Store,
    queue: Queues,
    dispatcher: Dispatcher,
    ada: Player,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    away, whole = new_game(store, ada), new_game(store, ada)
    read = store.projector.table

    def refuse(game_id: str) -> Table:
        if game_id == away.id:
            raise RedisConnectionError("the node does not answer")
        return read(game_id)

    monkeypatch.setattr(store.projector, "table", refuse)
    monkeypatch.setattr(module, "find_server", lambda _redis, game_id: game_id)
    with pytest.raises(RedisConnectionError):
        dispatcher.step()
    assert queue.job_ids == [f"bot-{whole.id}-{whole.position}"]
    assert {entry.game for entry in store.outbox.reclaim("other", 0)} == {away.id}


def test_a_server_that_does_not_answer_is_asked_for_a_single_game(
    store: Store, dispatcher: Dispatcher, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        new_game(store, ada)
    asked: list[str] = []

    def refuse(game_id: str) -> NoReturn:
        asked.append(game_id)
        raise RedisConnectionError("the server does not answer")

    monkeypatch.setattr(store.projector, "table", refuse)
    with pytest.raises(RedisConnectionError):
        dispatcher.step()
    assert len(asked) == 1


def test_however_many_entries_were_left_behind_all_are_taken_over(
    store: Store, queue: Queues, ada: Player
) -> None:
    table = new_game(store, ada)
    for _ in range(250):
        store.outbox.put(table.id, table.version, "game_started")
    while store.outbox.read("dead"):
        pass
    drain(Dispatcher(store, queue, "next"))
    assert store.outbox.depth() == 0


def write_newer(store: Store, table: Table) -> None:
    """Append an event of a type that only a later release knows."""
    event = {"schema": 1, "type": "nonsense", "version": table.version + 1, "at": table.updated_at}
    store.redis.xadd(
        keys.events(table.id), {"event": orjson.dumps(event)}, id=f"{table.version + 1}-0"
    )
    store.outbox.put(table.id, table.version + 1, "nonsense")


def test_a_game_that_a_newer_version_has_written_is_reported_once_and_holds_up_no_other(
    store: Store,
    queue: Queues,
    dispatcher: Dispatcher,
    ada: Player,
    caplog: pytest.LogCaptureFixture,
) -> None:
    newer, known = new_game(store, ada), new_game(store, ada)
    for _ in range(2):
        write_newer(store, newer)
        drain(dispatcher)
        store.redis.xdel(keys.events(newer.id), f"{newer.version + 1}-0")
        newer = newer._replace(life=newer.life._replace(version=newer.version + 1))
    assert queue.job_ids == [f"bot-{known.id}-{known.position}"]
    assert store.outbox.depth() == 0
    assert caplog.text.count(f"game {newer.id} waits for a newer version") == 1


def test_a_game_that_a_newer_version_has_written_goes_on_after_the_upgrade(
    store: Store, queue: Queues, dispatcher: Dispatcher, ada: Player
) -> None:
    table = until_asked(store, ada, ME, BOT)
    drain(dispatcher)
    for job in queue.jobs:
        job.delete()
    bot = store.commands.move(Intent(ada), table.id, any_move(table)).table
    while bot.bot_to_move is None:
        bot = store.commands.move(Intent(ada), table.id, any_move(bot)).table
    with pytest.MonkeyPatch.context() as patch:

        def unknown(game_id: str) -> NoReturn:
            raise UnknownEvent(game_id, bot.version, "an event of a type to come")

        patch.setattr(store.projector, "table", unknown)
        drain(dispatcher)
    upgraded = Sweep(store, Feeder(queue), now=lambda: now_ms() + 3_600_000)
    assert upgraded.run() >= 1
    assert any(job.startswith(f"bot-{bot.id}-{bot.position}-") for job in queue.job_ids)
    summary = store.projections.summary(bot.id)
    assert summary is not None
    assert summary["version"] == bot.version


def test_a_step_looks_at_everything_that_time_alone_brings(
    store: Store, queue: Queues, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    monkeypatch.setattr(Looking, "run_when_due", lambda self: looked.append(type(self).__name__))
    Dispatcher(store, queue).step()
    assert {
        "SliceFeeder",
        "FilmFeeder",
        "SeekLooker",
        "LobbyLooker",
        "TournamentLooker",
        "MistakeLooker",
    } <= {*looked}
