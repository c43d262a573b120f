"""Bots that think for long, and bots that wait: who moves when, and what is thought once."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from cartulary.bots.base import BotEntry
from cartulary.bots.thought import Budget, Thought
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from cartulary.workers import jobs
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.queues.feeder import Feeder
from cartulary.workers.queues.queues import PEOPLE, THINK, Queues, put
from cartulary.workers.sweep import Sweep
from cartulary.workers.thinking.busy_since import PAUSE_MS
from cartulary.workers.wiring import provide
from tests.conftest import OFFERS
from tests.support.fake_clock import FakeClock
from tests.workers.conftest import BOT, ME

DELAY = 600


class Thinking:
    """A bot that plans its whole turn: each decision by the last legal move."""

    def __init__(self, clock: FakeClock) -> None:
        self.clock = clock
        self.budgets: list[Budget] = []
        self.takes_ms = 0
        self.meanwhile: Callable[[], object] = lambda: None

    def __call__(self, state: Any, _rng: random.Random, budget: Budget) -> Thought:
        self.budgets.append(budget)
        self.clock.advance(self.takes_ms)
        self.meanwhile()
        seat, moves = state.seat, []
        while state.seat == seat:
            moves.append(state.moves()[-1])
            state.play(moves[-1])
        return Thought(tuple(moves), budget.iterations or 1, ())


@pytest.fixture
def bot(clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> Thinking:
    found = Thinking(clock)
    entry = BotEntry(found, "", version=3, ms=150, think=found, budget=Budget(64))  # type: ignore[arg-type]
    monkeypatch.setattr(jobs, "find_entry", lambda game, name: entry)
    return found


@pytest.fixture
def working(timed: Store, queue: Queues) -> Iterator[Store]:
    """The store with the clock of the test; this process takes the jobs of bots that think."""
    provide(timed, OFFERS, queue)
    yield timed
    provide(timed, {})


def open_carcassonne(store: Store, delay: int = 0, bot: SeatRequest = BOT) -> Table:
    """A game against a bot that is asked first: for a tile, and then for a follower."""
    ada = store.players.create("Ada")[0]
    return store.commands.create(
        Intent(ada), NewGame("carcassonne", [bot, ME], bot_delay=delay)
    ).table


def thinking_dispatcher(store: Store, queue: Queues) -> Dispatcher:
    return Dispatcher(store, queue, thinks=lambda table: table.bot_to_move is not None)


def run_next(store: Store, queue: Queues, name: str) -> int:
    """Run the only job that waits, which must be in the queue of this name."""
    ((origin, job),) = [(one.name, job) for one in queue for job in one.jobs]
    assert origin == name
    job.delete()
    game, position = job.args
    return jobs.play_on(store, game, position)


def list_moves(store: Store, table: Table) -> list[dict[str, Any]]:
    events = store.ledger.events(table.id)
    return [event for event in events if event["type"] == "move_made"]


def test_a_planned_move_is_appended_with_the_move_before_it(working: Store, bot: Thinking) -> None:
    table = open_carcassonne(working)
    assert jobs.play_on(working, table.id, table.position) == 2
    first, planned = list_moves(working, table)
    assert len(bot.budgets) == 1
    assert first["bot"] == {
        "level": "random",
        "version": 3,
        "iterations": 64,
        "ms": 0,
        "seed": first["bot"]["seed"],
    }
    assert planned["bot"] == {
        "level": "random",
        "version": 3,
        "iterations": 0,
        "ms": 0,
        "planned": True,
        "seed": planned["bot"]["seed"],
    }
    assert planned["bot"]["seed"] != first["bot"]["seed"]
    assert working.audit.game(table.id).problems == []


def test_the_event_says_how_long_the_bot_thought(working: Store, bot: Thinking) -> None:
    bot.takes_ms = 70
    table = open_carcassonne(working)
    jobs.play_on(working, table.id, table.position)
    assert [move["bot"]["ms"] for move in list_moves(working, table)] == [70, 0]


def test_a_bot_whose_person_has_waited_gets_less(
    working: Store, bot: Thinking, clock: FakeClock
) -> None:
    table = open_carcassonne(working)
    clock.advance(2000)
    jobs.play_on(working, table.id, table.position)
    assert [budget.iterations for budget in bot.budgets] == [16]
    assert list_moves(working, table)[0]["bot"]["iterations"] == 16


def test_what_a_person_waited_while_the_worker_was_away_shrinks_no_budget(
    working: Store, bot: Thinking, clock: FakeClock
) -> None:
    games = [open_carcassonne(working) for _ in range(3)]
    clock.advance(60_000)
    bot.takes_ms = 1000
    for table in games:  # one job after the other, so the line grows from now on
        jobs.bot_turn(table.id, table.position)
    assert [budget.iterations for budget in bot.budgets] == [64, 32, 16]
    clock.advance(PAUSE_MS)
    late = open_carcassonne(working)
    clock.advance(60_000)
    jobs.bot_turn(late.id, late.position)
    assert bot.budgets[-1].iterations == 64


def test_a_bot_for_which_nobody_waits_gets_its_whole_budget(
    working: Store, bot: Thinking, clock: FakeClock
) -> None:
    ada = working.players.create("Ada")[0]
    table = working.commands.create(Intent(ada), NewGame("carcassonne", [BOT, BOT])).table
    clock.advance(60_000)
    jobs.play_on(working, table.id, table.position, budget=0)
    assert [budget.iterations for budget in bot.budgets] == [64]


def test_a_bot_that_thinks_has_a_queue_of_its_own(
    working: Store, queue: Queues, bot: Thinking
) -> None:
    open_carcassonne(working)
    thinking_dispatcher(working, queue).step()
    assert run_next(working, queue, THINK) == 2


def test_a_worker_for_quick_jobs_hands_a_bot_that_thinks_over(
    working: Store, queue: Queues, bot: Thinking
) -> None:
    table = open_carcassonne(working, bot=SeatRequest("bot", "hard"))
    provide(working, OFFERS, queue, thinks=False)
    put(queue.people, "bot", table.id, table.position)  # as an earlier release enqueued it
    assert run_next(working, queue, PEOPLE) == 0
    assert bot.budgets == []
    provide(working, OFFERS, queue)
    assert run_next(working, queue, THINK) == 2


def test_a_bot_that_thinks_already_is_not_handed_over(
    working: Store, queue: Queues, bot: Thinking
) -> None:
    table = open_carcassonne(working, bot=SeatRequest("bot", "hard"))
    provide(working, OFFERS, queue, thinks=False)
    with working.leases.hold(table.id, table.position):
        assert jobs.play_on(working, table.id, table.position) == 0
    assert queue.job_ids == []


def test_a_quick_bot_gets_no_job_before_it_may_move(
    working: Store, queue: Queues, bot: Thinking, clock: FakeClock
) -> None:
    table = open_carcassonne(working, DELAY)
    dispatcher = Dispatcher(working, queue)
    dispatcher.step()
    clock.advance(DELAY - 1)
    dispatcher.step()
    assert queue.job_ids == []
    assert jobs.play_on(working, table.id, table.position) == 0
    clock.advance(1)
    dispatcher.step()
    assert run_next(working, queue, PEOPLE) == 1


def test_a_bot_thinks_while_it_waits_and_moves_at_its_time(
    working: Store, queue: Queues, bot: Thinking, clock: FakeClock
) -> None:
    bot.takes_ms = 150
    table = open_carcassonne(working, DELAY)
    dispatcher = thinking_dispatcher(working, queue)
    dispatcher.step()
    assert run_next(working, queue, THINK) == 0
    assert len(bot.budgets) == 1
    clock.advance(DELAY - 150)
    dispatcher.step()
    assert run_next(working, queue, PEOPLE) == 1
    assert len(bot.budgets) == 1
    (move,) = list_moves(working, table)
    assert (move["bot"]["iterations"], move["bot"]["ms"]) == (64, 150)


def test_a_planned_move_waits_as_well_and_is_not_thought_again(
    working: Store, queue: Queues, bot: Thinking, clock: FakeClock
) -> None:
    table = open_carcassonne(working, DELAY)
    dispatcher = thinking_dispatcher(working, queue)
    clock.advance(DELAY)
    assert jobs.play_on(working, table.id, table.position) == 1
    dispatcher.step()
    assert run_next(working, queue, THINK) == 0
    clock.advance(DELAY)
    dispatcher.step()
    assert run_next(working, queue, PEOPLE) == 1
    assert len(bot.budgets) == 1
    first, planned = list_moves(working, table)
    assert planned["bot"]["planned"] is True
    assert planned["bot"]["seed"] != first["bot"]["seed"]
    assert working.audit.game(table.id).problems == []


def test_a_bot_that_thinks_for_longer_than_it_has_to_wait_moves_at_once(
    working: Store, bot: Thinking
) -> None:
    bot.takes_ms = DELAY
    table = open_carcassonne(working, DELAY)
    assert jobs.play_on(working, table.id, table.position) == 1


def test_a_thought_that_is_lost_is_thought_again(
    working: Store, bot: Thinking, clock: FakeClock
) -> None:
    table = open_carcassonne(working, DELAY)
    assert jobs.play_on(working, table.id, table.position) == 0
    working.redis.delete(*working.redis.keys("*:plan:*"))
    clock.advance(DELAY)
    assert jobs.play_on(working, table.id, table.position) == 1
    assert len(bot.budgets) == 2


def test_a_thought_from_before_the_draws_were_renewed_is_thought_again(
    working: Store, bot: Thinking, clock: FakeClock
) -> None:
    table = open_carcassonne(working, DELAY)
    assert jobs.play_on(working, table.id, table.position) == 0
    renewed = working.commands.renew_draws(table.id).table
    clock.advance(DELAY)
    assert jobs.play_on(working, table.id, table.position) == 1
    assert len(bot.budgets) == 2
    (move,) = list_moves(working, table)
    assert move["bot"]["seed"] == working.draws.bot_seed(renewed)


def test_draws_that_are_renewed_while_a_bot_thinks_void_its_thought(
    working: Store, bot: Thinking
) -> None:
    table = open_carcassonne(working)
    bot.meanwhile = lambda: working.commands.renew_draws(table.id)
    assert jobs.play_on(working, table.id, table.position) == 0
    assert list_moves(working, table) == []
    bot.meanwhile = lambda: None
    assert jobs.play_on(working, table.id, table.position) == 2


def test_a_game_whose_bot_waits_is_not_late(
    working: Store, queue: Queues, clock: FakeClock
) -> None:
    table = open_carcassonne(working, 60_000)
    working.projections.apply(table)
    sweep = Sweep(working, Feeder(queue, now=clock.now_ms))
    for _ in range(6):
        clock.advance(10_000)
        assert sweep.run() == 0
    assert queue.job_ids == []
    clock.advance(5_000)
    assert sweep.run() == 1


def test_the_next_dispatcher_knows_the_games_whose_bots_wait(
    working: Store, queue: Queues, clock: FakeClock
) -> None:
    table = open_carcassonne(working, DELAY)
    working.projections.apply(table)
    dispatcher = Dispatcher(working, queue, "another")
    working.outbox.ack(working.outbox.read("lost", 10, None))
    dispatcher.step()
    assert queue.job_ids == []
    clock.advance(DELAY)
    dispatcher.step()
    assert [job.args[0] for job in queue.jobs] == [table.id]


def test_the_next_dispatcher_lets_a_bot_move_whose_time_came_in_between(
    working: Store, queue: Queues, bot: Thinking, clock: FakeClock
) -> None:
    table = open_carcassonne(working, DELAY)
    thinking_dispatcher(working, queue).step()
    ((thinkers, job),) = [(one, job) for one in queue for job in one.jobs]
    thinkers.remove(job)  # the queue remembers its id, as that of a job that has ended
    assert jobs.play_on(working, table.id, table.position) == 0
    clock.advance(DELAY)
    thinking_dispatcher(working, queue).step()
    assert [job.args[0] for job in queue.jobs] == [table.id]


def test_the_next_dispatcher_knows_a_game_whose_bot_thinks_while_it_waits(
    working: Store, queue: Queues, bot: Thinking, clock: FakeClock
) -> None:
    table = open_carcassonne(working, DELAY)
    working.projections.apply(table)
    working.outbox.ack(working.outbox.read("lost", 10, None))
    dispatcher = Dispatcher(working, queue)
    with working.leases.hold(table.id, table.position):
        dispatcher.step()
    clock.advance(DELAY)
    dispatcher.step()
    assert [job.args[0] for job in queue.jobs] == [table.id]


def test_an_event_that_leaves_the_position_alone_lets_a_bot_wait_again(
    working: Store, bot: Thinking, clock: FakeClock
) -> None:
    ada, bob = (working.players.create(name)[0] for name in ("Ada", "Bob"))
    seats = [BOT, ME, SeatRequest("open")]
    request = NewGame("carcassonne", seats, bot_delay=DELAY)
    table = working.commands.create(Intent(ada), request).table
    table = working.commands.arranging.join(Intent(bob), table.id).table
    assert jobs.play_on(working, table.id, table.position) == 0
    clock.advance(DELAY - 100)
    working.commands.proposals.propose(Intent(ada), table.id, "end")
    clock.advance(DELAY - 100)
    assert jobs.play_on(working, table.id, table.position) == 0
    clock.advance(100)
    assert jobs.play_on(working, table.id, table.position) == 1
    assert len(bot.budgets) == 1


def test_no_clock_of_a_person_runs_while_a_bot_waits(
    working: Store, bot: Thinking, clock: FakeClock, ada: Player
) -> None:
    pace = {"mode": "live", "delay": 30, "bank": 600}
    table = working.commands.create(
        Intent(ada), NewGame("carcassonne", [BOT, ME], pace=pace, bot_delay=DELAY)
    ).table
    for _ in range(2):
        clock.advance(DELAY)
        assert jobs.play_on(working, table.id, table.position) == 1
        table = working.projector.table(table.id)
    assert table.clocks is not None
    assert table.clocks.banks[1] == 600_000
    assert table.clocks.since == clock.now_ms()
