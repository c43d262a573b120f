"""An honest client next to clients that are not: hostile connections, and very many games of bots.

The service runs in one web process. The honest client sends one request after the other on a new
connection each, without the crowd and next to the crowd, in turn. The crowd lives in a process of
its own and comes from many addresses of the loopback network, so that no bound per address ends it;
what the service closes is opened again.

Then a person plays against a bot, without and with the games of bots that another client opened.
"""

from __future__ import annotations

import multiprocessing
import random
import resource
import selectors
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

from bench.service._crowded import measure_crowd
from bench.service._served import CONFIGURATION, run_service
from cartulary.cli.embedded.embedded import EmbeddedValkey

ADDRESSES = 20
ROUNDS = 4
HEAD = b"GET /api/v1/catalogue HTTP/1.1\r\nHost: bench\r\n"
HONEST = HEAD + b"Connection: close\r\n\r\n"


def main(
    seconds: float = 20.0,
    silent: int = 1000,
    half: int = 1000,
    dripping: int = 200,
    games: int = 250,
) -> dict[str, Any]:
    return {
        "connections": measure_connections(seconds / 2, silent, half, dripping),
        f"{games} bot games": measure_crowd(seconds / 2, games),
    }


def measure_connections(seconds: float, silent: int, half: int, dripping: int) -> dict[str, Any]:
    """Return what an honest client waits: alone, and next to the crowd of connections."""
    with tempfile.TemporaryDirectory() as directory, EmbeddedValkey(Path(directory)) as valkey:
        environment = {"CARTULARY_EVENTS_URL": str(valkey.url), "CARTULARY_LOG_REQUESTS": "0"}
        with run_service(["-c", CONFIGURATION], environment) as port:
            alone: list[float] = []
            crowded: list[float] = []
            _ask_for(port, 1.0)
            for _ in range(ROUNDS):
                alone += _ask_for(port, seconds / ROUNDS / 2)
                with _crowd(port, silent, half, dripping):
                    crowded += _ask_for(port, seconds / ROUNDS / 2)
    p95_alone, p95_crowded = (statistics.quantiles(found, n=20)[18] for found in (alone, crowded))
    return {
        "alone": {"p50_ms": statistics.median(alone) * 1000, "p95_ms": p95_alone * 1000},
        "beside": {"p50_ms": statistics.median(crowded) * 1000, "p95_ms": p95_crowded * 1000},
        "slowest_beside_ms": max(crowded) * 1000,
        "ratio": p95_crowded / p95_alone,
    }


def _ask_for(port: int, seconds: float) -> list[float]:
    """Send honest requests for a while; return the seconds that each took."""
    taken = []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        began = time.perf_counter()
        with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
            client.sendall(HONEST)
            answer = b""
            while piece := client.recv(262144):
                answer += piece
        taken.append(time.perf_counter() - began)
        if not answer.startswith(b"HTTP/1.1 200 "):
            raise RuntimeError(answer[:200].decode())
        time.sleep(0.01)
    return taken


@contextmanager
def _crowd(port: int, silent: int, half: int, dripping: int) -> Iterator[None]:
    """Run the crowd; yields when all its connections are open."""
    context = multiprocessing.get_context("spawn")
    there, over = context.Event(), context.Event()
    crowd = context.Process(target=_be_hostile, args=(port, silent, half, dripping, there, over))
    crowd.start()
    try:
        if not there.wait(60):
            raise RuntimeError("the crowd has not come")
        yield
    finally:
        over.set()
        crowd.join()


class Intruder:
    """One connection of the crowd."""

    def __init__(self, port: int, number: int, kind: str) -> None:
        self._port, self._number, self._kind = port, number, kind
        self.open()

    def open(self) -> None:
        """Connect, and send what this kind sends."""
        self.socket = socket.socket()
        self.socket.bind((f"127.0.1.{1 + self._number % ADDRESSES}", 0))
        self.socket.connect(("127.0.0.1", self._port))
        self.socket.setblocking(False)
        if self._kind != "silent":
            self.socket.send(HEAD)

    def drip(self) -> None:
        """Send one byte more of a head without an end."""
        try:
            self.socket.send(b"x")
        except OSError:
            return  # closed by the service: the crowd notices when it reads


def _be_hostile(
    port: int, silent: int, half: int, dripping: int, there: Event, over: Event
) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    kinds = ["silent"] * silent + ["half"] * half + ["dripping"] * dripping
    random.Random(1).shuffle(kinds)
    selector = selectors.DefaultSelector()
    drips = []
    for number, kind in enumerate(kinds):
        intruder = Intruder(port, number, kind)
        selector.register(intruder.socket, selectors.EVENT_READ, intruder)
        if kind == "dripping":
            drips.append(intruder)
    there.set()
    while not over.wait(0.9):
        for intruder in drips:
            intruder.drip()
        for key, _ in selector.select(0.1):
            intruder = key.data
            selector.unregister(intruder.socket)
            intruder.socket.close()
            intruder.open()
            selector.register(intruder.socket, selectors.EVENT_READ, intruder)
    sys.exit(0)
