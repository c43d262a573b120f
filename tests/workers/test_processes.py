"""Real processes on a real server, killed at the worst moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from subprocess import Popen

import pytest
from rq import SimpleWorker

from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.model.table import Table
from cartulary.events.server.connection import connect
from cartulary.events.server.leases import LEASE_S
from cartulary.events.store import Store
from cartulary.workers.dispatcher import BLOCK_MS
from cartulary.workers.queues.queues import put, queues_on
from cartulary.workers.sweep import EVERY_S, GRACE_S
from tests.support.night import at_night, each_or_all, short_or_long
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
"""So many moves after a fault a game is watched; at night to its end."""


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


def test_a_worker_killed_between_append_and_acknowledgement_leaves_exactly_one_move(
    real_store: Store, real_redis_url: str, table: Table
) -> None:
    with running(real_redis_url, *DISPATCHER):
        doomed(real_redis_url, KILLED_AFTER_APPEND)
        assert real_store.ledger.version(table.id) == table.version + 1
        with running(real_redis_url, *WORKER):
            check_whole(real_store, table)


def test_a_dispatcher_killed_before_the_acknowledgement_is_carried_on_by_the_next(
    real_store: Store, real_redis_url: str, table: Table
) -> None:
    doomed(real_redis_url, KILLED_BEFORE_ACK)
    assert real_store.outbox.depth() > 0
    with running(real_redis_url, *DISPATCHER), running(real_redis_url, *WORKER):
        check_whole(real_store, table)
        until(lambda: real_store.outbox.depth() == 0)


def test_the_games_in_the_lines_of_a_killed_dispatcher_are_carried_on_by_the_next(
    real_store: Store, real_redis_url: str, table: Table
) -> None:
    ada, _ = real_store.players.create("Ada")
    seats = [SeatRequest("bot", "random"), SeatRequest("bot", "random")]
    new = NewGame("carcassonne", seats)
    tables = [table, *(real_store.commands.create(Intent(ada), new).table for _ in range(GAMES))]
    with running(real_redis_url, *DISPATCHER):
        until(lambda: real_store.outbox.depth() == 0)
    assert real_store.redis.llen("rq:queue:cartulary-bots") < len(tables)
    with running(real_redis_url, *DISPATCHER), running(real_redis_url, *WORKER):
        for one in tables:
            check_whole(real_store, one)


def test_a_queue_that_has_lost_everything_is_filled_by_the_sweep(
    real_store: Store, real_redis_url: str, table: Table
) -> None:
    with running(real_redis_url, *DISPATCHER):
        until(lambda: real_store.redis.llen("rq:queue:cartulary-bots"))
        real_store.redis.delete(*real_store.redis.keys("rq:*"))
        with running(real_redis_url, *WORKER):
            check_whole(real_store, table)


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
        started = time.monotonic()
        until(moved, within=4 * THINKS_S)
        assert time.monotonic() - started > THINKS_S - 1
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
            killed = time.monotonic()
            until(lambda: real_store.ledger.version(table.id) > table.version, within=60)
            print(f"the game went on {time.monotonic() - killed:.1f} s after the kill")
    assert lines(thoughts)[:2] == [str(doomed_worker.pid), str(other.pid)]


def test_what_a_killed_worker_leaves_is_found_within_five_seconds() -> None:
    waits = EVERY_S + BLOCK_MS / 1000  # the sweep looks once a second, between two waits
    assert LEASE_S + waits <= 5
    assert GRACE_S + waits <= 5


def test_several_dispatchers_and_workers_do_not_get_in_each_other_s_way(
    real_store: Store, real_redis_url: str, table: Table
) -> None:
    url = real_redis_url
    with (
        running(url, *DISPATCHER),
        running(url, *DISPATCHER),
        running(url, *WORKER),
        running(url, *WORKER),
    ):
        check_whole(real_store, table)


@pytest.mark.parametrize(
    ("module", "number"), each_or_all([DISPATCHER, WORKER], [signal.SIGTERM, signal.SIGINT])
)
def test_a_signal_ends_the_process_cleanly(
    real_store: Store, real_redis_url: str, table: Table, module: tuple[str, ...], number: int
) -> None:
    with running(real_redis_url, *module) as process:
        if module == DISPATCHER:
            until(lambda: real_store.outbox.depth() == 0)
        else:
            queue = queues_on(real_store.redis).people
            until(lambda: [w.get_state() for w in SimpleWorker.all(queue=queue)] == ["idle"])
        process.send_signal(number)
        assert process.wait(60) == 0


def test_a_worker_stops_also_when_the_signal_comes_where_no_exception_gets_through(
    real_redis_url: str,
) -> None:
    program = textwrap.dedent(STOPPED_WHERE_NOTHING_GETS_THROUGH)
    with running(real_redis_url, "-c", program) as process:
        assert process.wait(60) == 0


@pytest.mark.parametrize("module", [DISPATCHER, WORKER])
def test_a_process_stops_also_while_its_server_is_away(
    tmp_path: Path, module: tuple[str, ...]
) -> None:
    with EmbeddedValkey(tmp_path) as valkey:
        client = connect(str(valkey.url))
        with running(str(valkey.url), *module) as process:
            until(lambda: len(client.client_list()) > 1)
            valkey.stop()
            process.terminate()
            process.wait(60)


def test_without_a_server_the_processes_say_what_is_missing() -> None:
    for module in (DISPATCHER, WORKER):
        ended = subprocess.run(
            [sys.executable, *module],
            env={**os.environ, "CARTULARY_EVENTS_URL": ""},
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        assert ended.returncode == 1
        assert "CARTULARY_EVENTS_URL is not set" in ended.stderr


def test_a_worker_goes_on_after_the_store_has_refused_its_commands(
    real_store: Store, real_redis_url: str, table: Table
) -> None:
    queues = queues_on(connect(real_redis_url))
    with running(real_redis_url, *WORKER) as worker:
        until(lambda: queues.count_workers() == 1)
        names = set(connect(real_redis_url).smembers("rq:workers"))
        try:
            real_store.redis.config_set("maxmemory", "1mb")
            time.sleep(2.0)
        finally:
            real_store.redis.config_set("maxmemory", "0")
        put(queues.people, "bot", table.id, table.position)
        until(lambda: real_store.ledger.version(table.id) > table.version)
        assert worker.poll() is None
        assert set(connect(real_redis_url).smembers("rq:workers")) != names, "it was refused"
        worker.terminate()
        assert worker.wait(10) == 0


def test_a_worker_that_the_store_refuses_can_be_stopped(
    real_store: Store, real_redis_url: str
) -> None:
    queues = queues_on(connect(real_redis_url))
    with running(real_redis_url, *WORKER) as worker:
        until(lambda: queues.count_workers() == 1)
        try:
            real_store.redis.config_set("maxmemory", "1mb")
            time.sleep(1.5)
            worker.terminate()
            assert worker.wait(10) == 0
        finally:
            real_store.redis.config_set("maxmemory", "0")
