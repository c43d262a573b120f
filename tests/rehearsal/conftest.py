"""A rehearsal in this process: the service on a fake server, and the edge before it."""

from __future__ import annotations

import random
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import fakeredis
import pytest
from werkzeug.serving import WSGIRequestHandler, make_server

from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.rehearsal.control import Control
from cartulary.rehearsal.edge import EdgeParts, EdgeServer
from cartulary.rehearsal.report import Record, RehearsalReport, read_report
from cartulary.rehearsal.scripts import Prompter, check_script
from cartulary.service.app import create_app
from cartulary.service.process.settings import WebSettings

Open = Callable[[list[dict[str, Any]]], "Rehearsed"]


class Quiet(WSGIRequestHandler):
    """Logs nothing, and keeps connections."""

    protocol_version = "HTTP/1.1"

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Log nothing."""


class Joined(EdgeServer):
    """An edge whose threads end before it does: they write to the report."""

    daemon_threads = False


class Rehearsed:
    """A rehearsal that runs: its address, and what its report says."""

    def __init__(self, url: str, file: Path) -> None:
        self.url, self._file = url, file

    def read(self) -> list[Record]:
        """Return the report so far."""
        return read_report(self._file)


@contextmanager
def run(server: Any) -> Iterator[None]:
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture(scope="session")
def service_port() -> Iterator[int]:
    """The port of a service, without workers: the seats are those of people."""
    store = Store(fakeredis.FakeRedis(server=fakeredis.FakeServer()), OFFERS, rng=random.Random(1))
    app = create_app(WebSettings(log_requests=False, heartbeat=0.5), store, OFFERS)
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
    with run(server):
        yield server.server_port
    app.extensions["cartulary"].board_pictures.close()
    app.extensions["cartulary"].hub.close()


@pytest.fixture
def rehearse(service_port: int, tmp_path: Path) -> Iterator[Open]:
    """Begin a rehearsal with the steps of a script."""
    with ExitStack() as stack:

        def begin(steps: list[dict[str, Any]]) -> Rehearsed:
            file = tmp_path / "report.ndjson"
            checked = check_script({"form": 1, "steps": steps})
            report = RehearsalReport(stack.enter_context(file.open("w")), checked)
            prompter = Prompter(checked)
            control = Control(tmp_path, prompter, report, file)
            listener = socket.create_server(("127.0.0.1", 0))
            edge = Joined(listener, EdgeParts(service_port, prompter, report, control))
            stack.enter_context(run(edge))
            return Rehearsed(f"http://127.0.0.1:{listener.getsockname()[1]}", file)

        yield begin
