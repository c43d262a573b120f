"""A web process: a store, and a thread for each request; and how clients reach it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from flask import Flask, Response
from redis.exceptions import RedisError

from cartulary.events.archive.errors import ArchiveUnavailable
from cartulary.events.store import Store
from cartulary.service.http.refusals import register
from cartulary.service.http.wire.observer import REQUEST_ID
from cartulary.service.process.pulse import Pulse
from simulation.play.service import open_own_store
from simulation.world.processes import Process, Strand
from simulation.world.world import SECOND, TOO_LATE, SimulatedWorld

ENDS_WITHIN = 24 * SECOND
"""Nanoseconds within which a request ends: a silent store is asked once, for 10 s, and what comes
after an append once more. A process that stands still is not judged, nor one that asks a slow
store: with two of its connections cut meanwhile twelve messages of two seconds each are 24 s."""

MESSAGE_TAKES = 2_000_000
"""Nanoseconds, at most, that a message between a client and a web process takes."""


class WebSilent(Exception):
    """No answer came, or the service says that it does not know what is stored."""


class WebAnswer(NamedTuple):
    """What a request led to: a value, or the error that the view would turn into a problem."""

    value: Any = None
    error: Exception | None = None


Perform = Callable[[Store], Any]


class NoWatchers:
    """The live hub as the pulse sees it: no stream is read."""

    def count_watchers(self) -> dict[str, int]:
        """Return how many people watch each game."""
        return {}


RequestHeaders = list[tuple[str, str]]


class StreamingApp(Protocol):
    """The app of a process, which answers requests for streams (`simulation.play.streams`)."""

    hub: Any

    def answer(self, path: str, headers: RequestHeaders, stream: SentStream) -> None:
        """Answer a request, in the strand that runs."""


class SentStream(Protocol):
    """What goes to a client."""

    is_left: bool
    """Whether the client is gone."""

    def send(self, part: int | bytes | None) -> None:
        """Send the status, some bytes, or None for the end."""


class WebServer:
    """A web process by its name; it may be gone, and come back."""

    def __init__(self, world: SimulatedWorld, name: str, beats: bool = False) -> None:
        self.world, self.name, self.beats = world, name, beats
        self.store: Store | None = None
        self.complain: Callable[[str], None] = lambda _line: None
        self.find_slow: Callable[[], int] = lambda: 0
        """Returns until when the store was slow: each of its answers takes two seconds then."""
        self.make_app: Callable[[Store], StreamingApp] | None = None
        """Makes the app of the process, where people follow games live."""
        self._app: StreamingApp | None = None
        self.ended: Callable[[Strand, WebAnswer], None] = lambda _strand, _answer: None
        """Takes the thread of a request that has come to its end, and what it answers."""
        self._process: Process | None = None

    def run(self) -> None:
        """Be the process: open the store, then wait for ever; each request is a thread."""
        store = open_own_store()
        self._process = self.world.must_run().process
        while True:
            try:
                store.ping()
                break
            except RedisError:
                self.world.sleep(0.5)
        self._app = None if self.make_app is None else self.make_app(store)
        if self.beats:
            watchers: Any = NoWatchers() if self._app is None else self._app.hub
            Pulse(store, watchers).start()
            self.store = store
            self.world.wait("its end")
        self.store = store
        while True:
            self.world.sleep(1.0)
            with suppress(RedisError):
                store.show_life("web")

    def take(self, perform: Perform, answer: Callable[[WebAnswer | None], None]) -> None:
        """Take a request that has arrived; `answer` is called with None when the process dies."""
        process = self._process
        if process is None or process.is_halted or self.store is None:
            answer(None)
            return
        store = self.store

        def lose() -> None:
            answer(None)

        def work() -> None:
            began = self.world.now
            try:
                found = WebAnswer(perform(store))
            except (RedisError, ArchiveUnavailable) as error:
                found = WebAnswer(error=WebSilent(f"{find_status(error)} for {error!r}"))
            except Exception as error:
                found = WebAnswer(error=error)
            self.ended(self.world.must_run(), found)
            hindered = max(process.paused_until, self.find_slow()) >= began
            if self.world.now - began > ENDS_WITHIN and not hindered:
                self.complain(f"a request to {self.name} takes {ENDS_WITHIN // SECOND} s and more")
            if lose in process.at_end:
                del process.at_end[lose]
                answer(found)

        process.at_end[lose] = None
        self.world.spawn(process, f"{self.name}/request", work)

    def open_stream(self, path: str, headers: RequestHeaders, stream: SentStream) -> None:
        """Take a request for a stream that has arrived; it ends when the process dies."""
        process, app = self._process, self._app
        if process is None or process.is_halted or app is None:
            stream.send(None)
            return

        def lose() -> None:
            stream.send(None)

        def work() -> None:
            try:
                app.answer(path, headers, stream)
            except Exception as error:
                self.complain(f"a stream of {self.name} raises {error!r}"[:200])
            if process.at_end.pop(lose, lose) is None:
                stream.send(None)

        process.at_end[lose] = None
        self.world.spawn(process, f"{self.name}/stream", work)


_apps: list[Flask] = []


def find_status(error: Exception) -> int:
    """Return the status of the answer to a request that ends with an error.

    The service's own handlers of errors say it.
    """
    if not _apps:
        app = Flask("simulation")
        register(app, Response)
        _apps.append(app)
    with _apps[0].test_request_context(environ_overrides={REQUEST_ID: "simulated"}):
        answer = _apps[0].make_response(_apps[0].handle_user_exception(error))
    return answer.status_code


class WebClient:
    """What a client has: a way to each web process, over which messages may be lost."""

    def __init__(
        self, world: SimulatedWorld, servers: list[WebServer], patience_s: float = 15.0
    ) -> None:
        self.world, self.servers, self.patience_s = world, servers, patience_s
        self.loses: Callable[[], bool] = lambda: False
        """Whether the next answer is lost."""
        self.complain: Callable[[str], None] = lambda _line: None
        """Takes a line about an answer that the service must not give."""

    def ask(self, perform: Perform) -> Any:
        """Ask a web process once; raises `WebSilent`, and what the command raises."""
        world = self.world
        server = self.servers[world.choose(len(self.servers))]
        strand = world.must_run()
        token = strand.token
        lost = self.loses()

        def answer(found: WebAnswer | None) -> None:
            if not lost:
                world.wake(strand, token, found, delay=world.choose(MESSAGE_TAKES))

        world.at(world.choose(MESSAGE_TAKES), lambda: server.take(perform, answer))
        found = world.wait(f"an answer of {server.name}", self.patience_s)
        if found is None or found is TOO_LATE:
            raise WebSilent
        if found.error is not None:
            if isinstance(found.error, WebSilent) and not str(found.error).startswith("503"):
                self.complain(f"{server.name} answers {found.error}"[:200])
            raise found.error
        return found.value
