"""Analyses in slices: they go on where they were, and no bot waits for them."""

from __future__ import annotations

import signal
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace
from typing import Any

import orjson
import pytest
from redis import RedisError
from rq import SimpleWorker
from rq.serializers import JSONSerializer
from rq.timeouts import JobTimeoutException

from cartulary.events.analyses.storage import Analysis
from cartulary.events.archive.errors import ArchiveUnavailable
from cartulary.events.commands.commands import Intent, NewGame
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from cartulary.workers import analysing, jobs
from cartulary.workers.analysing import ATTEMPTS, INTERRUPTED, analyse_slice, go_on
from cartulary.workers.queues.queues import Queues, put
from cartulary.workers.thinking.analysis_slices import ANALYSING, SliceFeeder, put_slice
from cartulary.workers.thinking.interrupting import Interrupted
from cartulary.workers.wiring import provide
from tests.conftest import OFFERS
from tests.events.support.games_on_a_clock import circle
from tests.support.polling import until
from tests.workers.conftest import BOT
from tests.workers.test_processes import DISPATCHER, running

SEATS = [{"accuracy": 100.0, "loss": 0.0, "luck": 0.0, "turning_points": []}]

STAND_IN = """
    import os, signal
    from types import SimpleNamespace
    from cartulary.workers import analysing, worker
    def judge(*_, versions, start, **__):
        for index, version in enumerate(versions[start:], start):
            if index == int(os.environ["DIES_AT"]):
                os.kill(os.getpid(), signal.SIGKILL)
            yield SimpleNamespace(to_json=lambda version=version: {"version": version})
    analysing.analyse = judge
    analysing.summarise = lambda *_: []
    analysing.choose_moments = lambda *_: []
    worker.main()
"""
"""A worker whose analysis says nothing of a decision but its version, and which may die."""


def judge(*_: Any, versions: list[int], start: int, **__: Any) -> Iterator[Any]:
    """A stand-in for the analysis: it says nothing of a decision but its version."""
    for version in versions[start:]:
        found = {"version": version}
        yield SimpleNamespace(to_json=lambda found=found: found)


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysing, "analyse", judge)
    monkeypatch.setattr(analysing, "summarise", lambda *_: SEATS)
    monkeypatch.setattr(analysing, "choose_moments", lambda *_: [])


def play_game(store: Store, player: Player, game: str = "beans") -> Table:
    """A game of two bots that is over."""
    table = store.commands.create(Intent(player), NewGame(game, (BOT, BOT))).table
    jobs.play_on(store, table.id, table.position, budget=60)
    return store.commands.score(table.id).table


@pytest.fixture
def over(store: Store, ada: Player) -> Table:
    """A game whose analysis Ada has asked for."""
    table = play_game(store, ada)
    assert store.asking.ask(ada, table).is_new
    return table


def list_versions(store: Store, table: Table) -> list[int]:
    """The versions of the moves of a game."""
    events = store.ledger.events(table.id)
    return [event["version"] for event in events if event["type"] == "move_made"]


def list_judged(store: Store, table: Table) -> list[int]:
    """The versions of the decisions that are judged, as they are stored."""
    return [orjson.loads(one)["version"] for one in store.analyses.read_decisions(table.id)]


def find(store: Store, table: Table) -> Analysis:
    found = store.analyses.find(table.id)
    assert found is not None
    return found


def test_the_next_slice_of_a_process_goes_on_with_the_walk_of_the_slice_before(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[int] = []

    def walk(*_: Any, versions: list[int], start: int, **__: Any) -> Iterator[Any]:
        begun.append(start)
        yield from judge(versions=versions, start=start)

    monkeypatch.setattr(analysing, "analyse", walk)
    monkeypatch.setattr(analysing, "summarise", lambda *_: SEATS)
    monkeypatch.setattr(analysing, "choose_moments", lambda *_: [])
    one, two = (play_game(store, ada) for _ in range(2))
    for table in (one, two):
        store.asking.ask(ada, table)
    for table in (one, one, two):
        assert analyse_slice(store, OFFERS, table.id, seconds=0) > 0
    assert begun == [0, 0]
    done = find(store, one).done
    analyse_slice(store, OFFERS, one.id, seconds=0)  # another game has come in between
    assert begun == [0, 0, done]
    assert list_judged(store, one) == list_versions(store, one)[: find(store, one).done]


@pytest.mark.usefixtures("stand_in")
def test_an_analysis_is_made_in_slices_to_its_end(store: Store, over: Table) -> None:
    versions, slices = list_versions(store, over), 0
    while find(store, over).under_way:
        assert analyse_slice(store, OFFERS, over.id, seconds=0) > 0
        slices += 1
        assert list_judged(store, over) == versions[: len(list_judged(store, over))]
    assert slices > 1
    assert list_judged(store, over) == versions
    assert (find(store, over).status, find(store, over).seats) == ("done", SEATS)
    assert store.analyses.list_under_way(5) == []


def test_what_a_stand_in_has_played_is_no_moment_of_the_player(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = circle(store, "Ada", "Bob")
    store.commands.leaving.go_away(Intent(game.who(1)), game.id, 1)
    while game.table.decision is not None:
        if game.asked == 0:
            game.move()
        else:
            jobs.play_on(store, game.id, game.table.position)
    left_out: list[set[int]] = []
    monkeypatch.setattr(analysing, "analyse", judge)
    monkeypatch.setattr(analysing, "summarise", lambda *_: SEATS)

    def choose(_decisions: Any, _seat: int, _seats: int, versions: frozenset[int]) -> list[Any]:
        left_out.append(set(versions))
        return []

    monkeypatch.setattr(analysing, "choose_moments", choose)
    store.asking.ask(game.who(0), store.commands.score(game.id).table)
    analyse_slice(store, OFFERS, game.id, seconds=60)
    moved = {one["version"] for one in game.events() if one["type"] == "move_made" and one["seat"]}
    assert left_out == [moved, moved]


@pytest.mark.parametrize(
    ("part", "step"), [("learning", "note"), ("analyses", "finish"), ("analyses", "drop")]
)
@pytest.mark.usefixtures("stand_in")
def test_a_worker_that_dies_at_the_end_of_an_analysis_takes_no_lesson_from_the_players(
    store: Store, monkeypatch: pytest.MonkeyPatch, part: str, step: str
) -> None:
    monkeypatch.setattr(analysing, "summarise", lambda *_: SEATS * 2)
    game = circle(store, "Ada", "Bob")
    while game.table.decision is not None:
        game.move()
    store.asking.ask(game.who(0), store.commands.score(game.id).table)

    def die(*_: Any) -> None:
        raise RedisError

    with monkeypatch.context() as dying:
        dying.setattr(getattr(store, part), step, die)
        with pytest.raises(RedisError):
            analyse_slice(store, OFFERS, game.id, seconds=60)
    analyse_slice(store, OFFERS, game.id, seconds=60)
    assert find(store, game.table).status == "done"
    learned = [[one.id for one in store.learning.read(game.who(seat).id)] for seat in range(2)]
    assert learned == [[game.id], [game.id]]


@pytest.mark.usefixtures("stand_in")
def test_a_slice_ends_when_people_wait(store: Store, over: Table) -> None:
    wanted = analyse_slice(store, OFFERS, over.id, seconds=60, is_wanted=lambda: True)
    assert 0 < wanted < len(list_versions(store, over))
    rest = analyse_slice(store, OFFERS, over.id, seconds=60)
    assert wanted + rest == len(list_versions(store, over))


@pytest.mark.usefixtures("stand_in")
def test_a_worker_puts_the_next_slice_into_the_queue(
    store: Store, queue: Queues, over: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    provide(store, OFFERS, queue)
    monkeypatch.setattr(analysing, "analyse_slice", partial(analyse_slice, seconds=0))
    feeder = SliceFeeder(store, queue)
    assert feeder.run() == 1
    assert feeder.run() == 0, "a slice waits already"
    assert go_on(over.id) > 0
    assert len(queue.analysis.job_ids) == 2
    worker = SimpleWorker(
        [queue.analysis], connection=store.redis, serializer=JSONSerializer, default_result_ttl=0
    )
    worker.work(burst=True, logging_level="WARNING")
    assert find(store, over).status == "done"


@pytest.mark.usefixtures("stand_in")
def test_two_workers_judge_each_decision_once(store: Store, over: Table) -> None:
    with store.leases.hold(over.id, ANALYSING):
        assert go_on(over.id) == 0
    assert go_on(over.id) == len(list_versions(store, over))
    assert go_on(over.id) == 0
    assert list_judged(store, over) == list_versions(store, over)


def test_a_slice_comes_after_every_job_of_a_game(queue: Queues) -> None:
    put_slice(queue.analysis, "a-game", 0)
    put(queue.think.bots, "bot", "another", 7)
    names = [one.name for one in queue.list_for(thinks=True)]
    assert names[-1] == queue.analysis.name
    assert queue.analysis not in queue.list_for(thinks=False)
    assert queue.job_ids[-1].startswith("analysis-a-game")


def test_the_dispatcher_repeats_a_slice_that_nobody_makes(
    store: Store, queue: Queues, over: Table
) -> None:
    feeder = SliceFeeder(store, queue)
    assert feeder.run() == 1
    store.redis.delete(queue.analysis.key)
    with store.leases.hold(over.id, ANALYSING):
        assert feeder.run() == 0, "a worker makes it"
    assert feeder.run() == 1


@pytest.mark.parametrize(
    ("error", "reason"),
    [(ZeroDivisionError(), "error"), (JobTimeoutException(), "late")],
)
def test_an_analysis_that_raises_has_failed_and_can_be_started_again(
    store: Store,
    ada: Player,
    over: Table,
    error: Exception,
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*arguments: Any, **named: Any) -> Iterator[Any]:
        yield from [*judge(*arguments, **named)][:2]
        raise error

    monkeypatch.setattr(analysing, "analyse", fail)
    assert analyse_slice(store, OFFERS, over.id, seconds=60) == 0
    failed = find(store, over)
    assert (failed.status, failed.reason, failed.done) == ("failed", reason, 2)
    monkeypatch.setattr(analysing, "analyse", judge)
    monkeypatch.setattr(analysing, "summarise", lambda *_: SEATS)
    monkeypatch.setattr(analysing, "choose_moments", lambda *_: [])
    assert store.asking.ask(ada, over).is_new
    analyse_slice(store, OFFERS, over.id, seconds=60)
    assert list_judged(store, over) == list_versions(store, over)
    assert find(store, over).status == "done"


@pytest.mark.slow
def test_a_decision_is_interrupted_when_people_wait_and_judged_later(
    store: Store, over: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[bool] = [True]

    def think(*arguments: Any, **named: Any) -> Iterator[Any]:
        while waiting:
            pass
        yield from judge(*arguments, **named)

    monkeypatch.setattr(analysing, "analyse", think)
    monkeypatch.setattr(analysing, "summarise", lambda *_: SEATS)
    monkeypatch.setattr(analysing, "choose_moments", lambda *_: [])
    monkeypatch.setattr(analysing, "do_people_wait", lambda: bool(waiting))
    for _ in range(INTERRUPTED):
        assert go_on(over.id) == 0
    assert find(store, over).under_way
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)
    waiting.clear()
    assert go_on(over.id) == len(list_versions(store, over))


def test_a_decision_that_was_interrupted_often_is_judged_to_its_end(
    store: Store, over: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysing, "analyse", judge)
    guarded: list[bool] = []

    @contextmanager
    def interrupt(_is_wanted: Any) -> Iterator[None]:
        guarded.append(True)
        raise Interrupted
        yield

    for _ in range(INTERRUPTED):
        assert analyse_slice(store, OFFERS, over.id, guard=interrupt) == 0
    assert analyse_slice(store, OFFERS, over.id, seconds=0, guard=interrupt) > 0
    assert len(guarded) == INTERRUPTED


@pytest.mark.usefixtures("stand_in")
def test_an_analysis_waits_for_an_archive_that_is_away(
    store: Store, over: Table, queue: Queues, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> Table:
        raise ArchiveUnavailable("the database does not answer")

    provide(store, OFFERS, queue)
    with monkeypatch.context() as away:
        away.setattr(store.projector, "table", refuse)
        for _ in range(ATTEMPTS + 1):
            assert go_on(over.id) == 0
    assert find(store, over).under_way
    assert not queue.analysis.job_ids, "the dispatcher repeats it, later"
    assert go_on(over.id) == len(list_versions(store, over))


def test_an_analysis_at_which_workers_die_has_failed(store: Store, over: Table) -> None:
    for _ in range(ATTEMPTS):
        store.analyses.count_attempt(over.id)
    assert analyse_slice(store, OFFERS, over.id) == 0
    assert find(store, over).reason == "crashed"


@pytest.mark.usefixtures("stand_in")
def test_the_analysis_of_an_end_that_is_lost_is_dropped(store: Store, over: Table) -> None:
    store.analyses.start(over.id, "another head")
    assert analyse_slice(store, OFFERS, over.id) == 0
    assert store.analyses.list_under_way(5) == []


def test_an_analysis_that_has_expired_is_dropped(store: Store, over: Table) -> None:
    store.redis.delete(*store.redis.keys("*:analysis*"))
    assert analyse_slice(store, OFFERS, over.id) == 0
    assert store.analyses.list_under_way(5) == []


@pytest.mark.slow
@pytest.mark.real
def test_an_analysis_whose_worker_is_killed_goes_on_where_it_was(
    real_store: Store, real_redis_url: str
) -> None:
    store, url, program = real_store, real_redis_url, textwrap.dedent(STAND_IN)
    ada, _ = store.players.create("Ada")
    provide(store, OFFERS)
    over = play_game(store, ada, "carcassonne")
    store.asking.ask(ada, over)
    with running(url, *DISPATCHER):
        with running(url, "-c", program, DIES_AT="3") as killed:
            assert killed.wait(60) == -signal.SIGKILL
        versions = list_versions(store, over)
        assert list_judged(store, over) == versions[:3]
        assert find(store, over).status == "running"
        with running(url, "-c", program, DIES_AT="-1"):
            until(lambda: find(store, over).status == "done", within=60)
    assert list_judged(store, over) == versions
    provide(store, {})
