"""A real `serve` whose store has no room or dies again and again: it goes on without a restart."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import ResponseError

from bench.faults.clients import NoAnswer, ReconnectingClient, ServiceReply
from bench.faults.disk import Disk, mount_disk
from bench.faults.journal import Journal
from bench.faults.kinds import TORN, newest_log
from bench.faults.service import ProcessFacts, ServiceProcess
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.cli.embedded.holes import find_holes
from cartulary.events.server.connection import connect
from tests.support.night import at_night, short_or_long
from tests.support.polling import until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.real,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc"),
]

NAME = "x" * 60
PAUSES = ["0.2", "0.5", "1", "2"][: short_or_long(2, 4)]
"""Seconds before each restart of a store that dies again and again."""


FEW = {"CARTULARY_NOTICES": "0", "CARTULARY_WEB_PROCESSES": "1"}
"""Settings for a service of few processes: the start of each takes half a second of a processor."""


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    made = Journal(tmp_path / "journal")
    yield made
    made.close()


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Disk | None]:
    """A small file system, None where no file system may be mounted."""
    with mount_disk(tmp_path / "disk", megabytes=24) as mounted:
        yield mounted


@pytest.fixture
def disk(place: Disk | None) -> Disk:
    if place is None:
        pytest.skip("a file system may not be mounted here")
    return place


def ask(caller: ReconnectingClient, method: str, path: str, **how: object) -> ServiceReply:
    """Ask once; an answer of 599 stands for none."""
    try:
        return caller.ask(method, path, **how)  # type: ignore[arg-type]
    except NoAnswer:
        return ServiceReply(599, {}, 0.0)


def register(caller: ReconnectingClient, tokens: list[str]) -> int:
    """Register a player and note the token; returns the status."""
    answer = ask(caller, "POST", "/players", body={"name": NAME})
    if answer.status == 201:
        tokens.append(answer.body["token"])
    return answer.status


def is_known(caller: ReconnectingClient, token: str) -> bool:
    return ask(caller, "GET", "/players/me", token=token).status == 200


def register_until(caller: ReconnectingClient, tokens: list[str], status: int) -> None:
    until(lambda: register(caller, tokens) == status, every=0.05)


def test_a_store_that_finds_no_room_or_dies_or_has_a_torn_record_loses_nothing_acknowledged(
    tmp_path: Path, place: Disk | None, journal: Journal
) -> None:
    tokens: list[str] = []
    data = (place.path if place else tmp_path) / "data"
    with ServiceProcess(data, "--workers=2", log=tmp_path / "log", environment=FEW) as service:
        check_all_processes_are_found(service)
        caller = ReconnectingClient(service.port, journal)
        for _ in range(20):
            register_until(caller, tokens, 201)
        serve = service.pid
        if place:
            check_full_disk(service, caller, tokens, place)
        for deaths in range(1, len(PAUSES) + 1):
            (store,) = until(partial(service.pids, "valkey"))
            os.kill(store, signal.SIGKILL)
            until(partial(has_died, service, deaths))
        register_until(caller, tokens, 201)
        assert find_pauses(service) == PAUSES, "the pauses grow"
        assert service.pid == serve
        assert all(is_known(caller, token) for token in tokens)
        caller.close()
    with newest_log(data).open("ab") as file:
        file.write(TORN)
    if place:
        check_refused_start(service, place)
    with ServiceProcess(data, "--workers=1", log=service.log, environment=FEW) as service:
        caller = ReconnectingClient(service.port, journal)
        register_until(caller, tokens, 201)
        assert all(is_known(caller, token) for token in tokens)
        caller.close()


def check_full_disk(
    service: ServiceProcess, caller: ReconnectingClient, tokens: list[str], disk: Disk
) -> None:
    """Check that on a full disk reads go on and writes wait for room, without a restart."""
    serve, store = service.pid, service.pids("valkey")
    disk.fill()
    register_until(caller, tokens, 503)
    assert is_known(caller, tokens[0]), "reads go on"
    disk.free()
    register_until(caller, tokens, 201)
    assert (service.pid, service.pids("valkey")) == (serve, store), "nothing was restarted"
    assert all(is_known(caller, token) for token in tokens)


def check_refused_start(service: ServiceProcess, disk: Disk) -> None:
    """Start on a full disk: `serve` ends, and says why."""
    disk.fill()
    before = len(service.log.read_text())
    service.start()
    code = until(lambda: [service.exit_code] if not service.running else [])
    assert code == [2]
    said = service.log.read_text()[before:]
    assert f"Error: cannot write to {disk.path}" in said
    assert "No space left on device" in said
    assert "Traceback" not in said
    disk.free()


def test_a_store_whose_disk_was_full_after_a_rewrite_of_its_file_starts_again_with_everything(
    disk: Disk,
) -> None:
    valkey = EmbeddedValkey(disk.path / "data")
    client = connect(valkey.start())
    client.bgrewriteaof()
    until(lambda: not client.info("persistence")["aof_rewrite_in_progress"])
    for number in range(20):
        client.set(f"before {number}", "x" * 1000)
    disk.fill()
    until(lambda: not set_value(client, "refused"))
    disk.free()
    until(lambda: set_value(client, "behind"))
    file = newest_log(disk.path, "data")
    until(lambda: any(find_holes(file.read_bytes())))
    assert valkey.pid is not None
    os.kill(valkey.pid, signal.SIGKILL)
    valkey.stop()
    with EmbeddedValkey(disk.path / "data") as again:
        kept = connect(str(again.url))
        assert kept.exists(*(f"before {number}" for number in range(20)), "behind") == 21


def set_value(client: Redis, key: str) -> bool:
    """Write a value that is longer than a page; returns whether the store takes it."""
    try:
        return bool(client.set(key, "x" * 6000))
    except ResponseError:
        return False


@at_night(
    "tests/faults/test_store_in_trouble.py::"
    "test_a_store_that_finds_no_room_or_dies_or_has_a_torn_record_loses_nothing_acknowledged"
)
def test_with_durability_always_a_store_that_a_full_disk_ends_is_restarted_when_there_is_room(
    tmp_path: Path, disk: Disk, journal: Journal
) -> None:
    arguments = ("--workers=1", "--durability=always")
    tokens: list[str] = []
    with ServiceProcess(
        disk.path / "data", *arguments, log=tmp_path / "log", environment=FEW
    ) as service:
        caller = ReconnectingClient(service.port, journal)
        for _ in range(5):
            register_until(caller, tokens, 201)
        store, serve = service.pids("valkey"), service.pid
        disk.fill()
        register_until(caller, tokens, 503)
        # Valkey ends, and `serve` tries more than once to start it while there is no room.
        until(partial(has_died, service, 2))
        disk.free()
        register_until(caller, tokens, 201)
        assert service.pid == serve
        assert service.pids("valkey") != store
        assert all(is_known(caller, token) for token in tokens)
        caller.close()


def has_died(service: ServiceProcess, times: int) -> bool:
    return len(find_pauses(service)) >= times


def find_pauses(service: ServiceProcess) -> list[str]:
    """Return the pauses before restarts of Valkey, in seconds."""
    return re.findall(r"valkey died; restarting it in (\S+) s", service.log.read_text())


def check_all_processes_are_found(service: ServiceProcess) -> None:
    """Check that a service of two workers is found whole: the faults kill what is found."""
    expected = {"web": 1, "dispatcher": 1, "worker": 2, "valkey": 1}
    until(lambda: {name: len(service.pids(name)) for name in expected} == expected)
    until(lambda: len(service.web_processes()) == 1)
    # RQ gives a worker another command line when the worker begins to wait for jobs.
    until(lambda: is_waiting(service))
    assert len(service.pids("worker")) == 2


def is_waiting(service: ServiceProcess) -> bool:
    return all("rq:worker" in ProcessFacts(pid).read_command() for pid in service.pids("worker"))
