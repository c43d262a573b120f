"""Streams of events: how many are held, at what cost, and what they do to the moves.

Two web processes and the embedded Valkey are loaded with watchers over games, all from one
process. Then moves are made at a set rate, and the time from the request of a move to the receipt
of its event is measured, for each watcher. At last moves are made as fast as possible, before the
watchers come, beside the watchers, and after the watchers have gone.
"""

from __future__ import annotations

import os
import resource
import selectors
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import orjson

from bench._served import CONFIGURATION, Served, post, serve
from bench.http import Load, Table
from cartulary.events.embedded import EmbeddedValkey

PROCESSES = 2
PACE = 50  # moves a second while the latency is measured, in all games
PACE_OF_A_GAME = 2  # and in each game
SLICE = 1.0  # seconds
BURST = 200  # connections that are opened at a time


OPTIONS = {"watchers": 500, "games": 100}


def main(seconds: float, watchers: int, games: int) -> dict[str, Any]:
    _raise_descriptors()
    with ExitStack() as held:
        directory = held.enter_context(tempfile.TemporaryDirectory())
        valkey = held.enter_context(EmbeddedValkey(Path(directory)))
        environment = {
            "CARTULARY_EVENTS_URL": str(valkey.url),
            "CARTULARY_RATE_WRITES": "1000000000/minute",
            "CARTULARY_RATE_PLAYERS": "",
            "CARTULARY_STREAMS_PER_ADDRESS": "1000000",
            "CARTULARY_LOG_REQUESTS": "0",
        }
        arguments = ["-c", CONFIGURATION]
        served = held.enter_context(serve(arguments, environment, PROCESSES))
        return _measure(served, seconds, watchers, games)


def _measure(served: Served, seconds: float, watchers: int, games: int) -> dict[str, Any]:
    port = served.port
    token = post(port, "/players", {"name": "bench"})["token"]
    tables = [Table(port, token) for _ in range(games)]
    slices = max(2, int(seconds / 6))
    without = _moves(served, slices)
    before = _memory()
    crowd = Crowd(port, [tables[number % games].id for number in range(watchers)])
    with crowd.open_streams() as opening:
        memory = (_memory() - before) / watchers
        held = [len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in _web_processes(os.getpid())]
        busy = _cpu_seconds()
        latencies = crowd.follow(tables, seconds / 3)
        busy = _cpu_seconds() - busy
        beside = _moves(served, 2 * slices)
    time.sleep(1)
    without += _moves(served, slices)
    hundredths = statistics.quantiles(latencies, n=100)
    return {
        "watchers": watchers,
        "games": games,
        "opened_in_s": opening,
        "opened_per_second": watchers / opening,
        "bytes_each": memory,
        "on_the_fuller_process": max(held) / sum(held),
        "received": len(latencies),
        "cpu_us_a_receipt": busy / len(latencies) * 1e6,
        "p50_ms": hundredths[49] * 1000,
        "p99_ms": hundredths[98] * 1000,
        "moves_without": statistics.median(without),
        "moves_beside": statistics.median(beside),
        "ratio": statistics.median(beside) / statistics.median(without),
    }


def _moves(served: Served, slices: int) -> list[float]:
    """Make moves as fast as possible; return the moves a second in each slice."""
    load = Load(served)
    return [load.run(SLICE) for _ in range(slices)]


class Watcher:
    """One stream: notes when each version has come."""

    def __init__(self, port: int, game: str) -> None:
        self.game, self.last = game, 0
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self._tail = b""
        self.opened = False
        self._request = (
            f"GET /api/v1/games/{game}/events HTTP/1.1\r\nHost: bench\r\n"
            "Accept: text/event-stream\r\n\r\n"
        ).encode()
        self.socket.connect_ex(("127.0.0.1", port))

    def ask(self) -> None:
        """Send the request: the connection is there."""
        self.socket.sendall(self._request)

    def receive(self) -> list[int]:
        """Return the versions that have come; raises `ConnectionError` for a stream that ends."""
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionError("a stream has ended")
        if not self.opened:
            if not data.startswith(b"HTTP/1.1 200"):
                raise ConnectionError(data[:200].decode())
            self.opened = True
        *lines, self._tail = (self._tail + data).split(b"\n")
        versions = [int(line[4:]) for line in lines if line.startswith(b"id: ")]
        for version in versions:
            if version != self.last + 1:
                raise RuntimeError(f"version {version} came after {self.last}")
            self.last = version
        return versions


class Crowd:
    """All watchers, read by one thread."""

    def __init__(self, port: int, games: list[str]) -> None:
        self._port, self._games = port, games
        self._selector = selectors.DefaultSelector()
        self._watchers: list[Watcher] = []
        self._sent: dict[tuple[str, int], float] = {}
        self._latencies: list[float] = []
        self._gone = False
        self._failure: Exception | None = None

    @contextmanager
    def open_streams(self) -> Iterator[float]:
        """Open all streams; yields the seconds that it took until each had its backlog."""
        began = time.perf_counter()
        self._open_all()
        took = time.perf_counter() - began
        reader = threading.Thread(target=self._read, daemon=True)
        reader.start()
        try:
            yield took
        finally:
            self._gone = True
            reader.join()
            for watcher in self._watchers:
                watcher.socket.close()

    def versions(self) -> set[int]:
        """Return the last versions that watchers have; all of them came once and in order."""
        if self._failure is not None:
            raise self._failure
        return {watcher.last for watcher in self._watchers}

    def _open_all(self) -> None:
        under_way = 0
        games = iter(self._games)
        left = len(self._games)
        while left:
            while under_way < BURST and (game := next(games, None)) is not None:
                watcher = Watcher(self._port, game)
                self._watchers.append(watcher)
                self._selector.register(watcher.socket, selectors.EVENT_WRITE, watcher)
                under_way += 1
            for key, mask in self._selector.select(1.0):
                watcher = key.data
                if mask & selectors.EVENT_WRITE:
                    watcher.ask()
                    self._selector.modify(watcher.socket, selectors.EVENT_READ, watcher)
                    continue
                known = watcher.last
                watcher.receive()
                if not known and watcher.last:
                    under_way -= 1
                    left -= 1

    def _read(self) -> None:
        try:
            while not self._gone:
                for key, _ in self._selector.select(0.1):
                    self._receive(key.data)
        except (OSError, RuntimeError) as failure:
            self._failure = failure

    def _receive(self, watcher: Watcher) -> None:
        for version in watcher.receive():
            sent = self._sent.get((watcher.game, version))
            if sent is not None:
                self._latencies.append(time.perf_counter() - sent)

    def follow(self, tables: list[Table], seconds: float) -> list[float]:
        """Make moves at a set pace; return the seconds from a move's request to each receipt."""
        client = socket.create_connection(("127.0.0.1", self._port))
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        began = time.perf_counter()
        pace = min(PACE, PACE_OF_A_GAME * len(tables))
        for number in range(int(seconds * pace)):
            table = tables[number % len(tables)]
            if table.over:
                continue
            delay = began + number / pace - time.perf_counter()
            if delay > 0:
                time.sleep(delay)
            self._move(client, table)
        time.sleep(2)
        client.close()
        if self._failure is not None:
            raise self._failure
        return list(self._latencies)

    def _move(self, client: socket.socket, table: Table) -> None:
        request = table.request()
        self._sent[table.id, table.version + 1] = time.perf_counter()
        client.sendall(request)
        received = b""
        while True:
            received += client.recv(262144)
            head, found, body = received.partition(b"\r\n\r\n")
            if found and len(body) >= int(head.partition(b"Content-Length: ")[2].split(b"\r")[0]):
                break
        answer = orjson.loads(body)
        table.follow(answer["event"]["chance"], answer["version"])


def _memory() -> int:
    """Return the resident memory of the web processes."""
    total = 0
    for pid in _web_processes(os.getpid()):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                total += int(line.split()[1]) * 1024
    return total


def _cpu_seconds() -> float:
    """Return the CPU time that the web processes have taken."""
    ticks = 0
    for pid in _web_processes(os.getpid()):
        after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(after_name[11]) + int(after_name[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _web_processes(parent: int) -> list[int]:
    """Return the processes below gunicorn's masters, which are children of this process."""
    found = []
    for master in _children(parent):
        if b"gunicorn" in Path(f"/proc/{master}/cmdline").read_bytes():
            found += _children(master)
    return found


def _children(parent: int) -> list[int]:
    return [
        int(child)
        for thread in Path(f"/proc/{parent}/task").iterdir()
        for child in (thread / "children").read_text().split()
    ]


def _raise_descriptors() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
