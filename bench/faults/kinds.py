"""The faults: each does its harm to the service and lifts it again.

`KINDS` has all of them. A fault that cannot be done here raises `Skipped` with the reason.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from redis import Redis
from redis.exceptions import RedisError

from bench.cluster_nodes import BenchCluster, ClusterNode
from bench.faults.disk import Disk
from bench.faults.journal import Journal
from bench.faults.machine import Machine
from bench.faults.notice_receiver import NoticeReceiver
from bench.faults.proxy import Proxy
from bench.faults.service import NotInTime, ProcessFacts, ServiceProcess, until
from cartulary.workers.archiving import NAME as ARCHIVING

BACK_WITHIN_S = 30.0
"""Seconds within which a process that was killed must be there again."""

STOPPED_S = (0.3, 3.0)
"""How long a process is stopped: less than the time after which `serve` replaces it."""

ARCHIVES_WITHIN_S = 20.0
"""Seconds for which a fault waits until a worker archives: a game has to end before."""

UNUSABLE = 2
"""Exit code of a `serve` that cannot start."""

TORN = b"*3\r\n$4\r\nXADD\r\n$30\r\n{01JTORN"
"""The beginning of a record whose writing a crash has ended."""


class Skipped(Exception):
    """A fault cannot be done here; the message says why."""


@dataclass
class FaultTargets:
    """What the faults do harm to; `disk` and `machine` are None where they cannot be made."""

    service: ServiceProcess
    proxy: Proxy
    journal: Journal
    rng: random.Random
    disk: Disk | None
    machine: Machine | None
    nodes: BenchCluster | None = None
    """The nodes of the store, None for the embedded server."""
    registry: ClusterNode | None = None
    """The server next to the nodes, None for the embedded server."""
    always: bool = False
    """Whether the store promises that an event is on the disk before it is acknowledged."""
    archives: bool = False
    """Whether games are archived soon after they are over."""
    receiver: NoticeReceiver | None = None
    """What gets the notices of the people, None in a run in which nothing is sent."""

    def kill(self, pids: list[int]) -> int:
        """Kill a process of a list, and return its id; raises `Skipped` for an empty list."""
        if not pids:
            raise Skipped("the process is not there")
        pid = self.rng.choice(pids)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        return pid

    @contextmanager
    def stopped(self, pid: int) -> Iterator[None]:
        """Stop a process for the time of the context."""
        os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)

    @contextmanager
    def store(self) -> Iterator[Redis]:
        """Yield a client of the store; raises `Skipped` when the store does not answer."""
        client = self.service.store()
        if client is None:
            raise Skipped("the store is not there")
        try:
            yield client
        except RedisError as error:
            raise Skipped(f"the store does not answer: {error}") from error
        finally:
            client.close()


# -- processes die --------------------------------------------------------------------------------


def kill_web_process(scene: FaultTargets) -> None:
    """Kill a process that answers requests."""
    scene.kill(scene.service.web_processes())


def kill_named(name: str, scene: FaultTargets) -> None:
    """Kill a child of `serve`."""
    scene.kill(scene.service.pids(name))


def kill_worker_in_job(scene: FaultTargets) -> None:
    """Kill a worker while it has a job; any worker when none has within a second."""
    deadline = time.monotonic() + 1.0
    with scene.store() as store:
        busy: list[int] = []
        while not busy and time.monotonic() < deadline:
            busy = [pid for pid in find_busy(store) if pid in scene.service.pids("worker")]
    scene.kill(busy or scene.service.pids("worker"))


def kill_archiver(scene: FaultTargets) -> None:
    """Kill a worker while it archives; raises `Skipped` when none does for a while."""
    if not scene.archives:
        raise Skipped("nothing is archived in this run")
    deadline = time.monotonic() + ARCHIVES_WITHIN_S
    with scene.store() as store:
        found: list[int] = []
        while not found and time.monotonic() < deadline:
            found = [p for p in find_busy(store, ARCHIVING) if p in scene.service.pids("worker")]
    scene.kill(found)


def find_busy(store: Redis, job: str = "") -> list[int]:
    """Return the ids of the processes of workers that have a job whose id begins with `job`."""
    names: Any = store.smembers("rq:workers")
    pipe = store.pipeline(transaction=False)
    for name in names:
        pipe.hmget(name, "state", "pid", "current_job")
    return [
        int(pid)
        for state, pid, current in pipe.execute()
        if state == b"busy" and pid and (current or b"").startswith(job.encode())
    ]


def kill_store_twice(scene: FaultTargets) -> None:
    """Kill Valkey, and kill it again as soon as `serve` has restarted it."""
    first = scene.kill(scene.service.pids("valkey"))
    again = until(lambda: [p for p in scene.service.pids("valkey") if p != first], BACK_WITHIN_S)
    scene.kill(again)


def kill_serve(scene: FaultTargets) -> None:
    """Kill `serve`, and start another on the same directory and port at once."""
    scene.service.kill()
    scene.service.start()


def kill_everything(scene: FaultTargets) -> None:
    """Kill `serve` and all that it has started at once, and start another."""
    scene.service.kill_all()
    scene.service.start()


def restart_serve(scene: FaultTargets) -> None:
    """End `serve` as an operator does, and start another."""
    scene.service.stop()
    scene.service.start()


# -- processes hang -------------------------------------------------------------------------------


def stop_process(find: Callable[[ServiceProcess], list[int]], scene: FaultTargets) -> None:
    """Stop a process for a moment."""
    pids = find(scene.service)
    if not pids:
        raise Skipped("the process is not there")
    with scene.stopped(scene.rng.choice(pids)):
        time.sleep(scene.rng.uniform(*STOPPED_S))


def find_named(name: str, service: ServiceProcess) -> list[int]:
    """Return the processes of a name."""
    return service.pids(name)


def find_serve(service: ServiceProcess) -> list[int]:
    """Return `serve` itself."""
    return [service.pid] if service.running else []


# -- the store ------------------------------------------------------------------------------------


def pause_store(scene: FaultTargets) -> None:
    """Let the store answer no client for a while."""
    seconds = scene.rng.uniform(0.2, 1.5)
    with scene.store() as store:
        store.client_pause(round(seconds * 1000), all=True)
    time.sleep(seconds)


def cut_store_connections(scene: FaultTargets) -> None:
    """Close all connections to the store, answers that are on their way included."""
    with scene.store() as store:
        for kind in ("normal", "pubsub"):
            store.client_kill_filter(_type=kind, skipme=True)


def flush_scripts(scene: FaultTargets) -> None:
    """Let the store forget all scripts."""
    with scene.store() as store:
        store.script_flush()


def take_memory(scene: FaultTargets) -> None:
    """Let the store refuse writes because it has no memory left."""
    with scene.store() as store:
        store.config_set("maxmemory", "1mb")
        time.sleep(scene.rng.uniform(0.2, 1.5))
        store.config_set("maxmemory", "0")


def lose_queue(scene: FaultTargets) -> None:
    """Delete all jobs: the queue may be lost at any time."""
    with scene.store() as store:
        names = [name for name in store.scan_iter("rq:*", count=1000) if b"worker" not in name]
        if names:
            store.delete(*names)


def tear_record(scene: FaultTargets) -> None:
    """Kill Valkey in the middle of writing a record to its file."""
    with _store_away(scene), newest_log(scene.service.data).open("ab") as file:
        file.write(TORN)


def fall_back(scene: FaultTargets) -> None:
    """Let the store go on from a copy of its files from some seconds ago."""
    files = scene.service.data / "valkey" / "appendonlydir"
    copy = scene.service.log.parent / "copy"
    copied = time.monotonic()
    copy_log(files, copy)
    time.sleep(scene.rng.uniform(0.3, 2.0))
    with _store_away(scene) as killed:
        shutil.rmtree(files)
        shutil.move(copy, files)
        scene.journal.note_fallback(copied, killed)


@contextmanager
def _store_away(scene: FaultTargets) -> Iterator[float]:
    """Kill Valkey, keep `serve` from restarting it, and yield when that was."""
    pids = scene.service.pids("valkey")
    if not pids:
        raise Skipped("the store is not there")
    with scene.stopped(scene.service.pid):
        killed = scene.kill(pids)
        until(ProcessFacts(killed).has_ended, BACK_WITHIN_S, 0.005)
        yield time.monotonic()


def newest_log(data: Path, store: str = "valkey") -> Path:
    """Return the file to which Valkey appends."""
    return max((data / store / "appendonlydir").glob("*.incr.aof"), key=_number_of)


def _number_of(file: Path) -> int:
    return int(file.name.split(".")[-3])


def copy_log(files: Path, copy: Path) -> None:
    """Copy the files of Valkey; again when Valkey has rewritten them meanwhile."""
    for _ in range(20):
        shutil.rmtree(copy, ignore_errors=True)
        before = sorted(file.name for file in files.iterdir())
        with suppress(FileNotFoundError):
            shutil.copytree(files, copy)
            if sorted(file.name for file in files.iterdir()) == before:
                return
    raise NotInTime(f"{files} does not keep still")


# -- the machine ----------------------------------------------------------------------------------


def fill_disk(scene: FaultTargets) -> None:
    """Take all room on the disk of the data for a while."""
    if scene.disk is None:
        raise Skipped("a file system may not be mounted here")
    scene.disk.fill()
    try:
        time.sleep(scene.rng.uniform(1.5, 3.0))
    finally:
        scene.disk.free()
    # A `serve` that starts without room says so and ends; its operator starts it again.
    if scene.service.exit_code == UNUSABLE:
        scene.service.start()


def cut_connections(scene: FaultTargets) -> None:
    """Reset all connections of the clients, a few times."""
    for _ in range(scene.rng.randint(1, 5)):
        scene.proxy.cut()
        time.sleep(scene.rng.uniform(0.01, 0.1))


def find_machine(scene: FaultTargets) -> Machine:
    """Return the machine; raises `Skipped`."""
    if scene.machine is None:
        raise Skipped("there is no compiler of C for what the processes see of the machine")
    return scene.machine


def slow_disk(scene: FaultTargets) -> None:
    """Let each sync of a file take long for a while, and wait for the end of the last sync.

    A kill of Valkey during a sync is another fault, which may cost answers.
    """
    seconds = scene.rng.uniform(0.1, 1.0)
    with find_machine(scene).slow_disk(seconds):
        time.sleep(scene.rng.uniform(1.0, 2.5))
    time.sleep(seconds + 0.2)


def kill_store_on_slow_disk(scene: FaultTargets) -> None:
    """Kill Valkey while a sync of its file takes long.

    With the durability `everysec` Valkey writes to its file when the sync has ended, or after two
    seconds.
    """
    began = time.monotonic()
    with find_machine(scene).slow_disk(3.0):
        time.sleep(scene.rng.uniform(1.5, 3.0))
        with _store_away(scene) as killed:
            if not scene.always:
                scene.journal.note_fallback(began, killed)


def jump_clock(scene: FaultTargets) -> None:
    """Let the clock of all processes jump, and back again after a while."""
    machine = find_machine(scene)
    seconds = scene.rng.choice((-1, 1)) * scene.rng.choice((0.5, 2, 5, 30, 90))
    machine.jump(seconds)
    time.sleep(scene.rng.uniform(0.2, 1.0))
    machine.jump(-seconds)


class FaultKind(NamedTuple):
    """A kind of fault; of 1 000 faults about `weight` are of this kind.

    `do` may return a function that clears up, which is called when the play goes on.
    """

    do: Callable[[FaultTargets], Callable[[], None] | None]
    weight: int


KINDS: dict[str, FaultKind] = {
    "web process killed": FaultKind(kill_web_process, 80),
    "web master killed": FaultKind(partial(kill_named, "web"), 20),
    "dispatcher killed": FaultKind(partial(kill_named, "dispatcher"), 40),
    "worker killed in a job": FaultKind(kill_worker_in_job, 50),
    "archiver killed": FaultKind(kill_archiver, 30),
    "store killed": FaultKind(partial(kill_named, "valkey"), 40),
    "store killed twice": FaultKind(kill_store_twice, 15),
    "serve killed": FaultKind(kill_serve, 15),
    "everything killed": FaultKind(kill_everything, 15),
    "serve restarted": FaultKind(restart_serve, 10),
    "web process stopped": FaultKind(
        partial(stop_process, ServiceProcess.web_processes),
        40,
    ),
    "dispatcher stopped": FaultKind(partial(stop_process, partial(find_named, "dispatcher")), 30),
    "worker stopped": FaultKind(partial(stop_process, partial(find_named, "worker")), 40),
    "store stopped": FaultKind(partial(stop_process, partial(find_named, "valkey")), 30),
    "serve stopped": FaultKind(partial(stop_process, find_serve), 15),
    "store paused": FaultKind(pause_store, 80),
    "store connections cut": FaultKind(cut_store_connections, 120),
    "scripts flushed": FaultKind(flush_scripts, 80),
    "store out of memory": FaultKind(take_memory, 50),
    "queue lost": FaultKind(lose_queue, 50),
    "last record torn": FaultKind(tear_record, 20),
    "store fell back": FaultKind(fall_back, 15),
    "disk full": FaultKind(fill_disk, 20),
    "disk slow": FaultKind(slow_disk, 30),
    "store killed on a slow disk": FaultKind(kill_store_on_slow_disk, 15),
    "connections cut": FaultKind(cut_connections, 100),
    "clock jumped": FaultKind(jump_clock, 60),
}
