"""A server in this process, whose loop, clock and threads a test moves by hand."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Self

from gunicorn.config import Config

from cartulary.service.server.app_interface import RECEIVED, Sink
from cartulary.service.server.connection_host import ServerLimits
from cartulary.service.server.loop import EventLoop
from cartulary.service.server.server import Server
from cartulary.service.server.streaming import ConnectionSink

GET = b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n"


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Threads:
    """A pool whose tasks run when the test says so."""

    def __init__(self) -> None:
        self.tasks: list[tuple[Callable[..., object], tuple[Any, ...]]] = []

    def put(self, task: Callable[..., object], *arguments: Any) -> None:
        self.tasks.append((task, arguments))

    def work(self) -> int:
        """Run what is there; the number of tasks."""
        tasks, self.tasks = self.tasks, []
        for task, arguments in tasks:
            task(*arguments)
        return len(tasks)


class Stream:
    """A stream that a test sends to."""

    every = 15.0

    def __init__(self) -> None:
        self.beat = b": beat\n"
        self.closed = 0

    def detach(self, sink: Sink) -> None:
        assert isinstance(sink, ConnectionSink)
        self.sink = sink

    def farewell(self, retry_ms: int) -> bytes:
        return b"retry: %d\n" % retry_ms

    def close(self) -> None:
        self.closed += 1

    def __iter__(self) -> Iterator[bytes]:
        raise AssertionError("a stream is not read")


class Wait:
    """A long poll that a test wakes."""

    seconds = 20.0

    def __init__(self) -> None:
        self.closed = 0

    def watch(self, wake: Callable[[], None]) -> None:
        self.wake = wake

    def close(self) -> None:
        self.closed += 1

    def __iter__(self) -> Iterator[bytes]:
        raise AssertionError("a wait is not read")


class Served:
    """A server with the small app below; `streams` and `waits` are what it has answered with."""

    def __init__(self, **limits: Any) -> None:
        self.clock, self.threads = Clock(), Threads()
        self.loop = EventLoop(self.clock)
        self.streams: list[Stream] = []
        self.waits: list[Wait] = []
        self.asked: list[str] = []
        server: Any = Server
        self.server: Server = server(
            self.app, Config(), [], ServerLimits(**limits), self.threads, self.loop
        )
        self._clients: list[socket.socket] = []

    def app(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        self.asked.append(path)
        if path == "/fails":
            raise RuntimeError("it fails")
        if path == "/wait" and "cartulary.waited" not in environ:
            self.waits.append(Wait())
            start("200 OK", [])
            return self.waits[-1]
        start("200 OK", [("Content-Type", "text/plain")])
        if path == "/stream":
            self.streams.append(Stream())
            return self.streams[-1]
        if path.startswith("/long/"):
            return [b"x" * int(path[6:])]
        if path == "/client":
            return [f"[{environ['REMOTE_ADDR']}]".encode()]
        if path == "/received":
            return [str(environ[RECEIVED]).encode()]
        if path == "/body":
            try:
                return [environ["wsgi.input"].read()]
            except Exception as error:
                return [type(error).__name__.encode()]
        return [path.encode()]

    def connect(self, address: str = "192.0.2.1", sent: bytes = b"") -> socket.socket:
        """A client, which has sent something."""
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        theirs.settimeout(5)
        self._clients.append(theirs)
        self.server.admit(ours, (address, 1), ("127.0.0.1", 80))
        if sent:
            theirs.sendall(sent)
        return theirs

    def turn(self) -> None:
        """Let the loop and the threads do all that there is to do."""
        quiet = 0
        while quiet < 4:  # what has come, its end, and the answer each take a turn
            self.server.turn(0)
            quiet = 0 if self.threads.work() or self.loop.busy else quiet + 1

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        until = self.clock.now + seconds
        while self.clock.now < until:
            self.clock.now = min(until, self.clock.now + 0.25)
            self.turn()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.server.close()
        self.loop.close()
        for client in self._clients:
            client.close()


def came(client: socket.socket) -> bytes:
    """What a client has been sent so far."""
    client.setblocking(False)
    found = b""
    try:
        while piece := client.recv(65536):
            found += piece
    except BlockingIOError:
        return found
    except ConnectionError:
        return found
    return found + b"<end>"


def answer(body: bytes) -> bytes:
    """How an answer of the small app ends."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
