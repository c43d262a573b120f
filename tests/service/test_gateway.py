"""The worker of gunicorn, where it answers without the app."""

from __future__ import annotations

import logging
import socket
import subprocess
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import fakeredis
import orjson
import pytest
from gunicorn.http.errors import InvalidResponseHeader

from cartulary.events.store import Store
from cartulary.service.app import create_app
from cartulary.service.process.gateway import Worker
from cartulary.service.process.settings import Settings
from cartulary.service.process.sockets import ClientSocket, TooSlow


@pytest.fixture
def worker() -> Worker:
    """A worker that has loaded the app; it serves no port."""
    made = Worker.__new__(Worker)
    made.wsgi = create_app(Settings(), Store(fakeredis.FakeRedis(), {}), {})
    return made


def refusal(worker: Worker, error: Exception, **request: Any) -> bytes:
    """Return what the client receives when `error` comes out of handling its request."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        worker.handle_error(SimpleNamespace(**request), ours, ("192.0.2.1", 7), error)
        ours.shutdown(socket.SHUT_WR)
        return theirs.makefile("rb").read()


@pytest.mark.parametrize("error", [RuntimeError("a secret"), InvalidResponseHeader("a secret")])
def test_what_fails_outside_of_the_app_is_an_internal_error_that_the_log_has(
    worker: Worker, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    with caplog.at_level(logging.ERROR, "cartulary.service"):
        answer = refusal(worker, error, path="/livez", headers=[("X-REQUEST-ID", "mine")])
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 500 ")
    assert b"\r\nX-Request-Id: mine\r\n" in head + b"\r\n"
    problem = orjson.loads(body)
    assert (problem["code"], problem["instance"]) == ("internal_error", "/livez")
    assert b"secret" not in answer
    (record,) = caplog.records
    assert record.__dict__["request_id"] == "mine"
    assert record.exc_info is not None
    assert record.exc_info[1] is error


def test_an_answered_request_is_not_answered_again(worker: Worker) -> None:
    assert refusal(worker, RuntimeError(), answered=True) == b""


def test_a_client_that_is_gone_disturbs_nobody(worker: Worker) -> None:
    ours, theirs = socket.socketpair()
    theirs.close()
    with ours:
        worker.handle_error(None, ours, None, RuntimeError())


def test_the_master_loads_nothing_of_the_app_with_it() -> None:
    """Else a reload would mix the old code with the new."""
    loaded = subprocess.run(
        [sys.executable, "-c", f"import {Worker.__module__}, sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    ours = {name for name in loaded if name.startswith("cartulary.")}
    service = "cartulary.service"
    process = f"{service}.process"
    assert ours == {service, process, f"{process}.gateway", f"{process}.sockets"}
    assert "flask" not in loaded


def test_no_idle_client_keeps_a_process_that_stops(worker: Worker) -> None:
    asked, silent = SimpleNamespace(timeout=30.0), SimpleNamespace(timeout=30.0)
    worker.keepalived_conns, worker.pending_conns = [asked], [silent]
    worker._cap_keepalive(2.0)
    assert asked.timeout == silent.timeout == 2.0


@pytest.fixture
def pair() -> Iterator[tuple[ClientSocket, socket.socket]]:
    """A socket of the service, which waits for a second, and that of its client."""
    ours, theirs = socket.socketpair()
    with ClientSocket.take_over(ours, 1) as taken, theirs:
        yield taken, theirs


def test_a_client_that_stops_in_its_request_is_too_slow(
    pair: tuple[ClientSocket, socket.socket],
) -> None:
    ours, theirs = pair
    theirs.sendall(b"GET /")
    assert ours.recv(9) == b"GET /"
    with pytest.raises(TooSlow):
        ours.recv(9)


def test_a_client_that_takes_nothing_any_more_counts_as_gone(
    pair: tuple[ClientSocket, socket.socket],
) -> None:
    ours, _ = pair
    with pytest.raises(BrokenPipeError):
        ours.sendall(bytes(10_000_000))
