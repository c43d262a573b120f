"""The sweep: what was lost between the ledger and the queue is enqueued again."""

from __future__ import annotations

from itertools import pairwise

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from cartulary import workers
from cartulary.events.commands.game.failing_bots import Failure
from cartulary.events.ledger.writer import Written
from cartulary.events.lists import projections
from cartulary.events.model.errors import StaleVersion
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.workers.jobs import play_on
from cartulary.workers.process.table_reader import now_ms
from cartulary.workers.queues.feeder import Feeder
from cartulary.workers.queues.lines import AwaitedJob
from cartulary.workers.queues.queues import Queues
from cartulary.workers.sweep import ADOPTED, GRACE_S, LONGEST_PAUSE_S, Sweep
from tests.workers.conftest import BOT, ME, new_game, until_asked


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sweep(store: Store, queue: Queues, clock: Clock) -> Sweep:
    """A sweep for which every game that waits at all has waited long enough."""
    return Sweep(store, Feeder(queue), clock=clock, now=lambda: now_ms() + 3_600_000)


def test_a_bot_turn_whose_job_was_lost_gets_another(
    store: Store, queue: Queues, sweep: Sweep, ada: Player
) -> None:
    table = new_game(store, ada)
    store.projections.apply(table)
    assert sweep.run() == 1
    (job,) = queue.jobs
    assert job.id.startswith(f"bot-{table.id}-{table.position}-")
    assert list(job.args) == [table.id, table.position]


def test_a_score_whose_job_was_lost_gets_another(
    store: Store, queue: Queues, sweep: Sweep, ada: Player
) -> None:
    table = new_game(store, ada)
    play_on(store, table.id, table.position, budget=60)
    store.projections.apply(store.projector.table(table.id))
    assert sweep.run() == 1
    assert queue.job_ids[0].startswith(f"score-{table.id}-")


def test_people_are_not_hurried(store: Store, queue: Queues, sweep: Sweep, ada: Player) -> None:
    table = until_asked(store, ada, ME, BOT)
    store.projections.apply(table)
    sweep.run()
    assert not any(table.id in job for job in queue.job_ids)


def test_a_game_that_has_just_moved_is_left_alone(store: Store, queue: Queues, ada: Player) -> None:
    store.projections.apply(new_game(store, ada))
    assert Sweep(store, Feeder(queue), grace=GRACE_S).run() == 0


@pytest.mark.slow
def test_the_same_position_is_put_in_again_less_and_less_often(
    store: Store, queue: Queues, sweep: Sweep, clock: Clock, ada: Player
) -> None:
    store.projections.apply(new_game(store, ada))
    put_in, ids = [], set()
    for second in range(300):
        clock.now = 1000.0 + second
        if sweep.run():
            put_in.append(second)
        for job in queue.jobs:
            ids.add(job.id)
            job.delete()
    pauses = [after - before for before, after in pairwise(put_in)]
    assert put_in[0] == 0
    assert pauses[:5] == [3, 6, 12, 24, 48]
    assert set(pauses[5:]) == {LONGEST_PAUSE_S}
    assert len(ids) == len(put_in)


def test_games_whose_node_does_not_answer_do_not_hold_up_those_of_another_node(
    store: Store, queue: Queues, sweep: Sweep, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An attempt may take as long as the timeout of a connection: a look asks a node once."""
    games = [new_game(store, ada) for _ in range(4)]
    for table in games:
        store.projections.apply(table)
    read, away, asked = store.projector.table, [one.id for one in games[:3]], list[str]()

    def refuse(game_id: str) -> Table:
        if game_id in away:
            asked.append(game_id)
            raise RedisConnectionError("the node does not answer")
        return read(game_id)

    monkeypatch.setattr(store.projector, "table", refuse)
    monkeypatch.setattr(workers.sweep, "find_server", lambda _redis, game: game in away)
    with pytest.raises(RedisConnectionError):
        sweep.run()
    sweep.run_when_due()
    assert {job.split("-")[1] for job in queue.job_ids} == {games[3].id}
    assert len(asked) == 1


def test_failed_bots_whose_node_does_not_answer_hold_up_no_game_and_no_bot_of_another_node(
    store: Store, queue: Queues, sweep: Sweep, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An attempt may take as long as the timeout of a connection: a look asks a node once."""
    games = [new_game(store, ada) for _ in range(4)]
    for table in games:
        store.projections.apply(table)
        fail_bot(store, table)
    failing = store.commands.failing_bots
    away, replace = [one.id for one in games[:3]], failing.replace
    asked: list[str] = []

    def refuse(failure: Failure) -> Written:
        if failure.game in away:
            asked.append(failure.game)
            raise RedisConnectionError("the node does not answer")
        return replace(failure)

    monkeypatch.setattr(failing, "replace", refuse)
    monkeypatch.setattr(workers.sweep, "find_server", lambda _redis, game: game in away)
    for looks in (1, 2):
        with pytest.raises(RedisConnectionError):
            sweep.run()
        assert len(asked) == looks
        assert {failure.game for failure in failing.list_failed()} == set(away)
    assert queue.job_ids
    monkeypatch.undo()
    sweep.run()
    assert failing.list_failed() == []


def test_a_failed_bot_is_replaced_by_the_next_look_when_others_are_always_faster(
    store: Store, sweep: Sweep, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = store.commands.failing_bots
    fail_bot(store, new_game(store, ada))

    def conflict(_failure: Failure) -> Written:
        raise StaleVersion(7)

    with monkeypatch.context() as contended:
        contended.setattr(failing, "replace", conflict)
        sweep.run()
    assert len(failing.list_failed()) == 1
    sweep.run()
    assert failing.list_failed() == []


def fail_bot(store: Store, table: Table) -> None:
    store.commands.failing_bots.schedule(Failure(table.id, table.position, 0))


def test_after_a_server_was_away_a_game_gets_its_next_job_without_a_pause(
    store: Store, queue: Queues, sweep: Sweep, clock: Clock, ada: Player
) -> None:
    store.projections.apply(new_game(store, ada))
    for clock.now in (1000.0, 1003.0, 1009.0):
        assert sweep.run() == 1
        queue.jobs[0].delete()
    clock.now += 1
    assert sweep.run() == 0
    sweep.forget_pauses()
    assert sweep.run() == 1


def test_a_game_that_went_on_gets_its_next_job_without_a_pause(
    store: Store, queue: Queues, sweep: Sweep, clock: Clock, ada: Player
) -> None:
    table = new_game(store, ada)
    store.projections.apply(table)
    sweep.run()
    play_on(store, table.id, table.position, budget=0)
    store.projections.apply(store.projector.table(table.id))
    clock.now += 0.1
    assert sweep.run() == 1


def test_a_game_that_waits_in_a_line_is_not_put_in_again(
    store: Store, queue: Queues, ada: Player
) -> None:
    table = new_game(store, ada)
    store.projections.apply(table)
    feeder = Feeder(queue)
    feeder.lines.add(AwaitedJob("bot", table.id, table.position, ada.id, people=False))
    assert Sweep(store, feeder, now=lambda: now_ms() + 3_600_000).run() == 0
    assert [job for job in queue.job_ids if job.startswith("bot-")] == [
        f"bot-{table.id}-{table.position}"
    ]


def test_a_dispatcher_takes_over_the_games_that_waited_in_the_lines_of_the_last(
    store: Store, queue: Queues, ada: Player
) -> None:
    tables = [new_game(store, ada) for _ in range(ADOPTED + 5)]
    for table in tables:
        store.projections.apply(table)
    feeder = Feeder(queue)
    sweep = Sweep(store, feeder)
    looks = 0
    while sweep.adopting:
        sweep.adopt()
        looks += 1
    assert looks == 2
    assert len(feeder.lines) == len(tables)


def test_a_game_that_somebody_works_on_is_not_taken_over(
    store: Store, queue: Queues, ada: Player
) -> None:
    table = new_game(store, ada)
    store.projections.apply(table)
    feeder = Feeder(queue)
    with store.leases.hold(table.id, table.position):
        Sweep(store, feeder).adopt()
    assert table.id not in feeder.lines


def test_lost_games_are_found_behind_any_number_of_games_in_the_lines(
    store: Store, queue: Queues, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projections, "PAGE", 2)
    feeder = Feeder(queue)
    for _ in range(5):
        table = new_game(store, ada)
        store.projections.apply(table)
        feeder.lines.add(AwaitedJob("bot", table.id, table.position, ada.id, people=False))
    lost = new_game(store, ada)
    store.projections.apply(lost)
    sweep = Sweep(store, feeder, now=lambda: now_ms() + 3_600_000)
    assert sweep.run() == 1
    assert lost.id in feeder.lines


def test_the_sweep_looks_once_a_second(
    store: Store, queue: Queues, sweep: Sweep, clock: Clock, ada: Player
) -> None:
    store.projections.apply(new_game(store, ada))
    sweep.run_when_due()
    assert queue.count == 0
    clock.now += 1.0
    sweep.run_when_due()
    assert queue.count == 1


def test_a_game_that_somebody_works_on_is_left_alone(
    store: Store, queue: Queues, sweep: Sweep, ada: Player
) -> None:
    table = new_game(store, ada)
    store.projections.apply(table)
    with store.leases.hold(table.id, table.position):
        assert sweep.run() == 0
    assert sweep.run() == 1


def test_a_lease_of_an_earlier_position_protects_nobody(
    store: Store, queue: Queues, sweep: Sweep, ada: Player
) -> None:
    table = new_game(store, ada)
    with store.leases.hold(table.id, table.position - 1):
        store.projections.apply(table)
        assert sweep.run() == 1


def test_a_projection_that_lags_behind_is_judged_by_the_newest_table(
    store: Store, queue: Queues, sweep: Sweep, ada: Player
) -> None:
    table = new_game(store, ada)
    store.projections.apply(table)
    play_on(store, table.id, table.position, budget=60)
    store.commands.score(table.id)
    assert sweep.run() == 0
    assert store.projections.late(now_ms() + 1) == []
    assert queue.count == 0


def test_games_of_an_installation_with_the_old_set_are_found(
    store: Store, queue: Queues, sweep: Sweep, ada: Player
) -> None:
    table = new_game(store, ada)
    store.projections.apply(table)
    store.redis.rename(keys.due(), keys.waiting())
    assert sweep.run() == 1
    assert not store.redis.exists(keys.waiting())
    assert queue.job_ids[0].startswith(f"bot-{table.id}-{table.position}-")


def test_a_game_of_the_old_set_that_waits_no_longer_leaves_the_due_set(
    store: Store, queue: Queues, sweep: Sweep, ada: Player
) -> None:
    table = until_asked(store, ada, ME, BOT)
    store.projections.apply(table)
    store.redis.delete(keys.due())
    store.redis.zadd(keys.waiting(), {table.id: 1})
    assert sweep.run() == 0
    assert store.projections.late(now_ms()) == []


def test_a_game_that_cannot_be_read_is_tried_less_and_less_often(
    store: Store, sweep: Sweep, clock: Clock, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = new_game(store, ada)
    store.projections.apply(table)
    store.redis.xadd(keys.events(table.id), {"event": b"?"}, id="99-0")
    read, tries = store.projector.table, []

    def counting(game_id: str) -> Table:
        tries.append(clock.now)
        return read(game_id)

    monkeypatch.setattr(store.projector, "table", counting)
    for second in range(10):
        clock.now = 1000.0 + second
        assert sweep.run() == 0
    assert tries == [1000.0, 1003.0, 1009.0]
