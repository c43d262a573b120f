"""Readers of streams: many of them in one thread, and processes that each hold a part of them."""

from __future__ import annotations

import multiprocessing
import selectors
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection as Pipe
from typing import Any, NamedTuple

from bench.service._served import CLIENT_TLS

BURST = 200
"""Connections that a crowd opens at a time."""
LATER = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)


class Receipt(NamedTuple):
    """A watcher has received an event; the time is of `time.monotonic`, which processes share."""

    game: str
    version: int
    at: float


class Watcher:
    """One stream: notes when each version has come."""

    path = "/games/{}/events"

    def __init__(self, port: int, game: str, secure: bool) -> None:
        self.game, self.last = game, 0
        self._tail = b""
        self.opened = False
        self._request = (
            f"GET /api/v1{self.path.format(game)} HTTP/1.1\r\nHost: bench\r\n"
            "Accept: text/event-stream\r\n\r\n"
        ).encode()
        self.socket = socket.socket()
        if secure:
            # The handshake is waited for: hundreds at once would only wait for each other.
            self.socket.connect(("127.0.0.1", port))
            self.socket = CLIENT_TLS.wrap_socket(self.socket)
            self.ask()
        self.socket.setblocking(False)
        if not secure:
            self.socket.connect_ex(("127.0.0.1", port))

    def ask(self) -> None:
        """Send the request, once: the connection is there."""
        request, self._request = self._request, b""
        self.socket.sendall(request)

    def receive(self) -> list[int]:
        """Return the versions that have come; raises `ConnectionError` for a stream that ends."""
        lines = self.receive_lines()
        versions = [int(line[4:]) for line in lines if line.startswith(b"id: ")]
        for version in versions:
            if version != self.last + 1:
                raise RuntimeError(f"version {version} came after {self.last}")
            self.last = version
        return versions

    def receive_lines(self) -> list[bytes]:
        """Return the whole lines that have come; raises `ConnectionError`."""
        try:
            data = self.socket.recv(65536)
        except LATER:
            return []
        if not data:
            raise ConnectionError("a stream has ended")
        if not self.opened:
            if not data.startswith(b"HTTP/1.1 200"):
                raise ConnectionError(data[:200].decode())
            self.opened = True
        *lines, self._tail = (self._tail + data).split(b"\n")
        return lines


class LobbyWatcher(Watcher):
    """A stream of the lobby: notes each of its lines; `last` is their number."""

    path = "/lobby/stream"

    def receive(self) -> list[int]:
        """Return the numbers of the lines that have come."""
        before = self.last
        self.last += sum(line.startswith(b"id: ") for line in self.receive_lines())
        return [*range(before + 1, self.last + 1)]


LOBBY = ""
"""Stands for the lobby among the games of a crowd."""

TOURNAMENT = "tournament:"
"""Begins the name of a tournament among them; its id follows."""


class TournamentWatcher(Watcher):
    """The stream of a tournament."""

    path = "/tournaments/{}/events/stream"


def open_watcher(port: int, game: str, secure: bool) -> Watcher:
    """Open the stream of a game, of a tournament, or of the lobby."""
    if game.startswith(TOURNAMENT):
        return TournamentWatcher(port, game.removeprefix(TOURNAMENT), secure)
    return (Watcher if game != LOBBY else LobbyWatcher)(port, game, secure)


class Crowd:
    """Watchers, read by one thread."""

    def __init__(self, port: int, games: Sequence[str], secure: bool = False) -> None:
        self._port, self._games, self._secure = port, games, secure
        self._selector = selectors.DefaultSelector()
        self._watchers: list[Watcher] = []
        self._receipts: list[Receipt] = []
        self._over = False
        self._failure: Exception | None = None

    @contextmanager
    def open_streams(self) -> Iterator[float]:
        """Open all streams; yields the seconds that it took until each had its backlog."""
        began = time.monotonic()
        self._open_all()
        took = time.monotonic() - began
        self._receipts = []
        reader = threading.Thread(target=self._read, daemon=True)
        reader.start()
        try:
            yield took
        finally:
            self._over = True
            reader.join()
            for watcher in self._watchers:
                watcher.socket.close()

    def versions(self) -> set[int]:
        """Return the last versions that watchers have; all of them came once and in order."""
        self._raise_failure()
        return {watcher.last for watcher in self._watchers}

    def take_receipts(self) -> list[Receipt]:
        """Return what has been received since the last call."""
        self._raise_failure()
        taken, self._receipts = self._receipts, []
        return taken

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _open_all(self) -> None:
        under_way = 0
        games = iter(self._games)
        left = len(self._games)
        while left:
            while under_way < BURST and (game := next(games, None)) is not None:
                watcher = open_watcher(self._port, game, self._secure)
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
            while not self._over:
                for key, _ in self._selector.select(0.1):
                    self._receive(key.data)
        except (OSError, RuntimeError) as failure:
            self._failure = failure

    def _receive(self, watcher: Watcher) -> None:
        versions = watcher.receive()
        if versions:
            now = time.monotonic()
            self._receipts += [Receipt(watcher.game, version, now) for version in versions]


class Readers:
    """Processes of their own that hold the streams, so that reading takes no time of the bench."""

    def __init__(self, port: int, games: Sequence[str], secure: bool, processes: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipes: list[Pipe] = []
        self._processes = []
        for number in range(processes):
            ours, theirs = context.Pipe()
            arguments = (theirs, port, games[number::processes], secure)
            process = context.Process(target=_hold, args=arguments, daemon=True)
            process.start()
            theirs.close()
            self._pipes.append(ours)
            self._processes.append(process)
        self._ask("start")

    @contextmanager
    def open_streams(self) -> Iterator[float]:
        """Open all streams; yields the seconds that it took until each had its backlog."""
        began = time.monotonic()
        self._ask("open")
        try:
            yield time.monotonic() - began
        finally:
            self._ask("close")

    def take_receipts(self) -> list[Receipt]:
        """Return what has been received since the last call."""
        return [receipt for part in self._ask("receipts") for receipt in part]

    def end(self) -> None:
        """End the processes."""
        for pipe, process in zip(self._pipes, self._processes, strict=True):
            pipe.close()
            process.join()

    def _ask(self, question: str) -> list[Any]:
        for pipe in self._pipes:
            pipe.send(question)
        answers = [pipe.recv() for pipe in self._pipes]
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
        return answers


def _hold(pipe: Pipe, port: int, games: Sequence[str], secure: bool) -> None:
    """Hold streams in a process of its own, as the process at the other end of the pipe asks."""
    with ExitStack() as held:
        crowd = Crowd(port, games, secure)
        while True:
            try:
                question = pipe.recv()
            except EOFError:
                return
            answer: Any = None
            try:
                if question == "open":
                    crowd = Crowd(port, games, secure)
                    held.enter_context(crowd.open_streams())
                elif question == "receipts":
                    answer = crowd.take_receipts()
                elif question == "close":
                    held.close()
            except Exception as failure:  # the bench fails with it
                answer = failure
            pipe.send(answer)
