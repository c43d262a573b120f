"""Processes that share connections."""

from __future__ import annotations

import os
import socket
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from cartulary.service.process.connection_shares import PART, SLACK, SLOTS, Shares
from tests.service.support.gunicorn_process import Gunicorn
from tests.service.support.server_in_process import Served
from tests.support.polling import until


def test_a_process_alone_is_never_ahead() -> None:
    share = Shares().of(1)
    share.set(10_000)
    assert not share.ahead


def test_a_process_with_clearly_more_connections_is_ahead() -> None:
    shares = Shares()
    first, second = shares.of(1), shares.of(2)
    first.set(1000)
    second.set(1000 + SLACK + 1000 // PART)
    assert not first.ahead
    assert not second.ahead
    second.set(1001 + SLACK + 1000 // PART)
    assert second.ahead
    assert not first.ahead


def test_a_process_that_has_ended_keeps_nobody_back() -> None:
    shares = Shares()
    first, second = shares.of(1), shares.of(SLOTS + 2)
    first.set(0)
    second.set(500)
    assert second.ahead
    first.leave()
    assert not second.ahead


@pytest.mark.process
def test_processes_see_each_other() -> None:
    shares = Shares()
    mine = shares.of(1)
    mine.set(500)
    child = os.fork()
    if not child:
        shares.of(2).set(3)
        os._exit(0)
    os.waitpid(child, 0)
    assert mine.ahead


def test_a_server_says_how_many_connections_it_has() -> None:
    shares = Shares()
    shares.of(2).set(0)
    with Served() as served:
        served.server.share = shares.of(1)
        clients = [served.connect(str(number)) for number in range(SLACK + 1)]
        assert served.server.ahead
        clients[0].close()
        served.turn()
        assert not served.server.ahead
        served.connect("other")
        served.server.stop()
        assert not shares.of(2).ahead


@pytest.mark.real
def test_two_processes_share_the_few_connections_of_a_proxy(
    valkey_url: str, tmp_path: Path
) -> None:
    with Gunicorn(valkey_url, tmp_path / "log", web_processes=2) as service, ExitStack() as held:
        until(lambda: len(_list_children(service.process.pid)) == 2)
        processes = _list_children(service.process.pid)

        def connect(number: int) -> None:
            for _ in range(number):
                held.enter_context(socket.create_connection(("127.0.0.1", service.port)))

        def count() -> list[int]:
            inodes = _find_connections(service.port)
            return [len(inodes & _list_sockets(process)) for process in processes]

        def have_both_begun() -> bool:
            connect(1)
            return min(count()) > 0

        until(have_both_begun)
        taken = count()
        connect(16)
        until(lambda: sum(count()) >= sum(taken) + 16)
        more = [now - then for now, then in zip(count(), taken, strict=True)]
        # Half and half, but for a process that gets no time of the machine for a while.
        assert abs(more[0] - more[1]) <= 8 + abs(taken[0] - taken[1])


def _list_children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(child) for child in found.split()]


def _find_connections(port: int) -> set[str]:
    """Return the inodes of the connections at the server's side."""
    lines = Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]
    fields = [line.split() for line in lines]
    established = "01"
    return {one[9] for one in fields if one[1].endswith(f":{port:04X}") and one[3] == established}


def _list_sockets(pid: int) -> set[str]:
    """Return the inodes of the sockets that a process has open."""
    found = set()
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed since it was listed
            found.add(os.readlink(file).removeprefix("socket:[").removesuffix("]"))
    return found
