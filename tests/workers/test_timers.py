"""What ends by itself ends in the dispatcher, in one or in five, and wakes no process before."""

from __future__ import annotations

import time
from typing import NoReturn

import pytest

from cartulary.events.commands.commands import Intent, SeatRequest
from cartulary.events.model.failures import WrongKey
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.jobs import play_on
from cartulary.workers.queues.feeder import Feeder
from cartulary.workers.queues.queues import Queues
from cartulary.workers.sweep import Sweep
from tests.events.support.games_on_a_clock import circle
from tests.support.fake_clock import DAY, FakeClock
from tests.workers.conftest import ME, new_game

OPEN = SeatRequest("open")


def run_until(dispatchers: list[Dispatcher], store: Store, game_id: str, version: int) -> None:
    """Let dispatchers step in turn until the game has this version, and a while longer."""
    until = time.monotonic() + 60
    while store.ledger.version(game_id) < version:
        assert time.monotonic() < until, "the dispatcher does not end the game"
        for dispatcher in dispatchers:
            dispatcher.step()
        time.sleep(0.02)
    for _ in range(3):
        for dispatcher in dispatchers:
            dispatcher.step()


@pytest.mark.slow
def test_the_dispatcher_aborts_a_game_that_waits_too_long_for_its_start(
    timed: Store, queue: Queues, clock: FakeClock
) -> None:
    ada = timed.players.create("Ada")[0]
    table = new_game(timed, ada, ME, OPEN)
    dispatcher = Dispatcher(timed, queue)
    dispatcher.step()
    clock.advance(14 * DAY + 10_000)
    run_until([dispatcher], timed, table.id, 2)
    events = timed.ledger.deliver(table.id, 0, 10)
    assert [event["type"] for event in events] == ["game_created", "game_aborted"]
    summary = timed.projections.summary(table.id)
    assert summary is not None
    assert summary["status"] == "aborted"
    assert timed.projections.due_games(clock.now_ms() + 1000 * DAY) == []


@pytest.mark.slow
def test_five_dispatchers_end_a_game_once(timed: Store, queue: Queues, clock: FakeClock) -> None:
    game = circle(timed, "Ada", "Bob")
    for seat in (0, 1):
        timed.commands.leaving.go_away(Intent(game.who(seat)), game.id, seat)
    dispatchers = [Dispatcher(timed, queue, f"dispatcher-{number}") for number in range(5)]
    clock.advance(30 * DAY + 10_000)
    run_until(dispatchers, timed, game.id, 5)
    assert game.types()[-1] == "game_aborted"
    assert game.types().count("game_aborted") == 1


def test_nobody_thinks_for_a_game_that_rests(timed: Store, queue: Queues) -> None:
    game = circle(timed, "Ada", "Bob", "bot:random")
    for seat in (0, 1):
        timed.commands.leaving.go_away(Intent(game.who(seat)), game.id, seat)
    dispatcher = Dispatcher(timed, queue)
    for _ in range(3):
        dispatcher.step()
    assert queue.job_ids == []
    assert play_on(timed, game.id, game.table.position) == 0


def test_a_return_wakes_the_bots_of_a_game_that_rested(timed: Store, queue: Queues) -> None:
    game = circle(timed, "Ada", "Bob")
    seat, (other,) = game.asked, game.others()
    for one in (seat, other):
        timed.commands.leaving.go_away(Intent(game.who(one)), game.id, one)
    dispatcher = Dispatcher(timed, queue)
    dispatcher.step()
    timed.commands.leaving.come_back(Intent(game.who(other)), game.id, other)
    dispatcher.step()
    assert queue.job_ids == [f"bot-{game.id}-{game.table.position}"]
    assert play_on(timed, game.id, game.table.position) >= 1
    assert game.events()[-1]["by"] == "stand_in"


def test_a_running_game_of_people_waits_for_no_worker_and_is_not_adopted(
    timed: Store, queue: Queues
) -> None:
    game = circle(timed, "Ada", "Bob")
    dispatcher = Dispatcher(timed, queue)
    for _ in range(3):
        dispatcher.step()
    assert queue.job_ids == []
    assert timed.projections.due_games(timed.clock.now_ms()) == []
    assert timed.projections.due_games(timed.clock.now_ms() + 61 * DAY) == [game.id]


def test_a_timer_that_fails_is_tried_again_less_and_less_often(
    timed: Store,
    queue: Queues,
    clock: FakeClock,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> NoReturn:
        raise WrongKey("another key")

    ada: Player = timed.players.create("Ada")[0]
    table = new_game(timed, ada, ME, OPEN)
    monkeypatch.setattr(timed.draws, "reveal", fail)
    clock.advance(15 * DAY)
    now = [1000.0]
    sweep = Sweep(timed, Feeder(queue), clock=lambda: now[0])
    for second in range(100):
        now[0] = 1000.0 + second
        assert sweep.run() == 0
    assert timed.ledger.version(table.id) == 1
    assert 3 <= caplog.text.count(f"game {table.id} does not end") <= 8
