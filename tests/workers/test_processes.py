"""Real processes on a real server, killed at the worst moment."""

from __future__ import annotations

import os
import signal
import sys
import textwrap
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from subprocess import Popen
from types import ModuleType

import pytest

from bench.faults.service import ProcessFacts
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.model.table import Table
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.server.leases import LEASE_S
from cartulary.events.store import Store
from cartulary.settings.settings import SettingsError
from cartulary.workers import dispatcher, worker
from cartulary.workers.dispatcher import BLOCK_MS
from cartulary.workers.queues.queues import put, queues_on
from cartulary.workers.sweep import EVERY_S, GRACE_S
from tests.support.night import at_night, short_or_long
from tests.support.polling import until

pytestmark = [pytest.mark.slow, pytest.mark.real]

DISPATCHER, WORKER = ("-m", "cartulary.workers.dispatcher"), ("-m", "cartulary.workers.worker")

KILLED_AFTER_APPEND = """
    import os, signal
    from cartulary.workers import jobs, worker
    play_on = jobs.play_on
    def play_and_die(*arguments, **named):
        assert play_on(*arguments, budget=0) == 1
        os.kill(os.getpid(), signal.SIGKILL)
    jobs.play_on = play_and_die
    worker.main()
"""
"""A worker whose event is stored, and which dies before its job is done."""

KILLED_BEFORE_ACK = """
    import os, signal
    from cartulary.events.server.outbox import Outbox
    from cartulary.workers import dispatcher
    def die(self, entries):
        if entries:
            os.kill(os.getpid(), signal.SIGKILL)
    Outbox.ack = die
    dispatcher.main()
"""
"""A dispatcher that acts on what it reads and dies before it acknowledges it."""

STOPPED_WHERE_NOTHING_GETS_THROUGH = """
    import os, signal
    from cartulary.workers import worker
    from cartulary.workers.process import stoppable_worker
    heartbeat, sent = stoppable_worker.StoppableWorker.heartbeat, []
    def telling(self, *arguments, **options):
        if not sent:
            sent.append(True)
            try:
                os.kill(os.getpid(), signal.SIGTERM)
            except Exception:  # as redis-py does around each command
                pass
        return heartbeat(self, *arguments, **options)
    stoppable_worker.StoppableWorker.heartbeat = telling
    worker.main()
"""
"""A worker that gets a stop signal where it catches every exception."""


THINKING = """
    import os, time
    from cartulary.bots.base import BotEntry
    from cartulary.workers import jobs, worker
    def think(state, rng):
        with open(os.environ["THOUGHTS"], "a") as thoughts:
            print(os.getpid(), file=thoughts)
        if not os.path.exists(os.environ["THOUGHTS"] + ".quick"):
            time.sleep(float(os.environ["SECONDS"]))
        return state.moves()[0]
    jobs.find_entry = lambda game, name: BotEntry(think, "")
    worker.main()
"""
"""A worker whose bots think for `SECONDS` and note in the file `THOUGHTS` that they begin.

When there is a file of that name with the ending `QUICK`, they take no time.
"""

QUICK = ".quick"

BOTS = "rq:queue:cartulary-bots"
"""The key of the queue of games among bots."""

GAMES = short_or_long(12, 30)
"""Games that a dispatcher leaves in its lines: more than it puts into a queue at once."""

THINKS_S = 12.0


@contextmanager
def running(url: str, *arguments: str, **environment: str) -> Iterator[Popen[bytes]]:
    addresses = {"CARTULARY_EVENTS_URL": url, "CARTULARY_QUEUE_URL": ""}
    process = Popen([sys.executable, *arguments], env={**os.environ, **addresses, **environment})
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def doomed(url: str, program: str) -> None:
    """Run a program that is to be killed by its own hand."""
    with running(url, "-c", textwrap.dedent(program)) as process:
        assert process.wait(60) == -signal.SIGKILL


@pytest.fixture
def table(real_store: Store) -> Table:
    """A game of Carcassonne among bots that has just started."""
    ada, _ = real_store.players.create("Ada")
    seats = [SeatRequest("bot", "greedy"), SeatRequest("bot", "random")]
    return real_store.commands.create(Intent(ada), NewGame("carcassonne", seats)).table


MOVES = short_or_long(6, None)
"""The number of moves after a fault for which a game is watched; at night to its end."""


def check_whole(store: Store, table: Table) -> None:
    """The game goes on, at night to its end, and every version was written once."""
    if MOVES is not None:
        until(lambda: store.ledger.version(table.id) > table.version + MOVES, within=60)
    else:
        until(lambda: store.projector.table(table.id).status == "over", within=60)
    events = store.ledger.events(table.id)
    assert [event["version"] for event in events] == list(range(1, len(events) + 1))
    if MOVES is None:
        assert [event["type"] for event in events].count("game_scored") == 1
    assert store.audit.game(table.id).problems == []


def test_a_game_goes_on_whichever_process_is_killed_and_whatever_the_queue_has_lost(
    real_store: Store, real_redis_url: str, table: Table
) -> None:
    url, depth = real_redis_url, real_store.outbox.depth
    doomed(url, KILLED_BEFORE_ACK)
    assert depth() > 0
    with running(url, *DISPATCHER):
        until(lambda: depth() == 0)  # what the killed one has acted on is acknowledged
        until(lambda: real_store.redis.llen(BOTS))
        real_store.redis.delete(*real_store.redis.keys("rq:*"))
        doomed(url, KILLED_AFTER_APPEND)  # it gets the job that the sweep enqueues
        assert real_store.ledger.version(table.id) == table.version + 1
        with running(url, *WORKER):
            check_whole(real_store, table)
            until(lambda: depth() == 0)


def test_the_games_in_the_lines_of_a_killed_dispatcher_are_carried_on_by_the_next(
    real_store: Store, real_redis_url: str, table: Table
) -> None:
    ada, _ = real_store.players.create("Ada")
    seats = [SeatRequest("bot", "random"), SeatRequest("bot", "random")]
    new = NewGame("carcassonne", seats)
    tables = [table, *(real_store.commands.create(Intent(ada), new).table for _ in range(GAMES))]
    with running(real_redis_url, *DISPATCHER):
        until(lambda: real_store.outbox.depth() == 0)
    assert real_store.redis.llen(BOTS) < len(tables)
    with running(real_redis_url, *DISPATCHER), running(real_redis_url, *WORKER):
        for one in tables:
            check_whole(real_store, one)


def thinking(url: str, thoughts: Path, seconds: float) -> AbstractContextManager[Popen[bytes]]:
    program = textwrap.dedent(THINKING)
    return running(url, "-c", program, THOUGHTS=str(thoughts), SECONDS=str(seconds))


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


@at_night("tests/workers/test_jobs.py::test_a_bot_that_thinks_is_started_once")
def test_a_bot_that_thinks_for_twelve_seconds_is_started_once(
    real_store: Store, real_redis_url: str, table: Table, tmp_path: Path
) -> None:
    thoughts, url = tmp_path / "thoughts", real_redis_url
    begun: list[list[str]] = []

    def moved() -> bool:
        now = lines(thoughts)
        if real_store.ledger.version(table.id) > table.version:
            return True
        begun.append(now)
        return False

    with (
        running(url, *DISPATCHER),
        thinking(url, thoughts, THINKS_S),
        thinking(url, thoughts, THINKS_S),
        thinking(url, thoughts, THINKS_S),
    ):
        until(lambda: lines(thoughts))
        until(moved)
    assert len(begun[-1]) == 1


def test_another_worker_goes_on_with_the_game_of_a_worker_killed_while_its_bot_thinks(
    real_store: Store, real_redis_url: str, table: Table, tmp_path: Path
) -> None:
    thoughts, url = tmp_path / "thoughts", real_redis_url
    held = [(table.id, table.position)]
    with (
        thinking(url, thoughts, THINKS_S) as one,
        thinking(url, thoughts, THINKS_S) as two,
    ):
        until(lambda: real_store.redis.scard("rq:workers") == 2, within=60)
        with running(url, *DISPATCHER):
            until(lambda: lines(thoughts), within=60)
            assert real_store.leases.are_held(held) == [True]
            thoughts.with_suffix(QUICK).touch()
            doomed_worker, other = sorted(
                (one, two), key=lambda it: str(it.pid) not in lines(thoughts)
            )
            doomed_worker.kill()
            until(lambda: real_store.ledger.version(table.id) > table.version, within=60)
    assert lines(thoughts)[:2] == [str(doomed_worker.pid), str(other.pid)]


def test_what_a_killed_worker_leaves_is_found_within_five_seconds() -> None:
    waits = EVERY_S + BLOCK_MS / 1000  # the sweep looks once a second, between two waits
    assert LEASE_S + waits <= 5
    assert GRACE_S + waits <= 5


def test_several_dispatchers_and_workers_play_one_game_and_each_ends_with_a_signal(
    real_store: Store, real_redis_url: str, table: Table
) -> None:
    url, stopping = real_redis_url, (signal.SIGTERM, signal.SIGINT)
    with (
        running(url, *DISPATCHER) as first,
        running(url, *DISPATCHER) as second,
        running(url, *WORKER) as third,
        running(url, *WORKER) as fourth,
    ):
        check_whole(real_store, table)
        pairs = [*zip((first, second, third, fourth), 2 * stopping, strict=True)]
        until(lambda: all(ProcessFacts(process.pid).heeds(signal.SIGTERM) for process, _ in pairs))
        for process, number in pairs:
            process.send_signal(number)
        assert [process.wait(60) for process, _ in pairs] == [0, 0, 0, 0]


def test_a_worker_stops_also_when_the_signal_comes_where_no_exception_gets_through(
    real_redis_url: str,
) -> None:
    program = textwrap.dedent(STOPPED_WHERE_NOTHING_GETS_THROUGH)
    with running(real_redis_url, "-c", program) as process:
        assert process.wait(60) == 0


def test_a_process_stops_also_while_its_server_is_away(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path) as valkey:
        url = str(valkey.url)
        client = connect(url)
        with running(url, *DISPATCHER) as one, running(url, *WORKER) as other:
            until(lambda: client.exists("rq:workers", keys.dispatcher()) == 2)
            valkey.stop()
            for process in (one, other):
                process.terminate()
                process.wait(60)


@pytest.mark.parametrize("module", [dispatcher, worker])
def test_without_a_server_a_process_says_what_is_missing(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARTULARY_EVENTS_URL", "")
    monkeypatch.setattr(sys, "argv", ["-m"])
    monkeypatch.setattr(module, "configure_logging", lambda: None)
    with pytest.raises(SettingsError, match="CARTULARY_EVENTS_URL is not set"):
        module.main()


def test_a_worker_goes_on_after_the_store_has_refused_its_commands_and_can_be_stopped_meanwhile(
    real_store: Store, real_redis_url: str, table: Table
) -> None:
    queues = queues_on(connect(real_redis_url))

    def find_names() -> set[object]:
        return set(real_store.redis.smembers("rq:workers"))

    def refuse() -> None:
        """Refuse all commands until the worker has noticed."""
        before = count_refused(real_store)
        real_store.redis.config_set("maxmemory", "1mb")
        until(lambda: count_refused(real_store) >= before + 3)

    with running(real_redis_url, *WORKER) as process:
        until(lambda: queues.count_workers() == 1)
        names = find_names()
        try:
            refuse()
            real_store.redis.config_set("maxmemory", "0")
            put(queues.people, "bot", table.id, table.position)
            until(lambda: real_store.ledger.version(table.id) > table.version)
            assert process.poll() is None
            assert find_names() != names, "it was refused"
            refuse()
            process.terminate()
            assert process.wait(60) == 0
        finally:
            real_store.redis.config_set("maxmemory", "0")


def count_refused(store: Store) -> int:
    """Return how many commands the server has refused because it has no memory."""
    found = store.redis.info("errorstats").get("errorstat_OOM", {"count": 0})
    return int(found["count"])
