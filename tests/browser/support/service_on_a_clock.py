"""A service in this process whose clock a test sets: web server and dispatcher are threads.

The store is a real server on a data directory, so that a restart loses what a restart loses.
"""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from gunicorn.config import Config

from bench.ports import find_free_port
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.app import create_app
from cartulary.service.process.settings import WebSettings
from cartulary.service.server.connection_host import ServerLimits
from cartulary.service.server.loop import EventLoop
from cartulary.service.server.server import Server
from cartulary.service.server.thread_pool import Pool
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.queues.queues import queues_on
from cartulary.workers.wiring import provide
from cartulary.workers.worker import make_worker
from tests.support.fake_clock import FakeClock

THREADS = 4


@contextmanager
def kept_signals() -> Iterator[None]:
    """Give the signals back that a worker of RQ takes: else Ctrl-C ends no later test."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


class Repeating:
    """A thread that does something again and again until it is stopped."""

    def __init__(self, task: Callable[[], object], name: str) -> None:
        self._task, self._stopping = task, False
        self.rounds = 0
        self.failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            while not self._stopping:
                self._task()
                self.rounds += 1
        except BaseException as error:  # a test asks for it
            self.failure = error
            raise

    def stop(self) -> None:
        """End the thread after its current round."""
        self._stopping = True
        self._thread.join(60)
        assert not self._thread.is_alive()
        assert self.failure is None


class Web:
    """The web process as a thread: the real server and the real app."""

    def __init__(self, store: Store, port: int) -> None:
        settings = WebSettings(log_requests=False, heartbeat=1.0)
        self.app = create_app(settings, store, OFFERS)
        self._listener = socket.create_server(("127.0.0.1", port), reuse_port=False)
        self._server = Server(
            self.app, Config(), [self._listener], ServerLimits(), Pool(THREADS), EventLoop()
        )
        self._server.open()
        self._turning = Repeating(lambda: self._server.turn(0.1), "web")

    def stop(self) -> None:
        """Let streams end as when a process stops, and close the door."""
        self._turning.stop()
        self._server.stop()
        self._listener.close()
        for _ in range(20):
            self._server.turn(0.01)
        self._server.close()
        self.app.extensions["cartulary"].board_pictures.close()
        self.app.extensions["cartulary"].hub.close()  # it would look for its store for ever


class TimedService:
    """A context manager; `restart` ends everything, lets time pass, and begins again."""

    def __init__(self, data: Path, clock: FakeClock) -> None:
        self.clock = clock
        self._valkey = EmbeddedValkey(data)
        self._port = find_free_port()
        self._begin()

    def _begin(self) -> None:
        self._valkey.start()
        assert self._valkey.url is not None
        self.store = Store(connect(self._valkey.url), OFFERS, clock=self.clock)
        self.store.claim()
        self._queues = queues_on(connect(self._valkey.url))
        provide(self.store, OFFERS)
        self.beat()
        self._dispatcher = Dispatcher(self.store, self._queues)
        self._working = Repeating(lambda: self._dispatcher.step(50), "dispatcher")
        self._web = Web(self.store, self._port)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def beat(self) -> None:
        """Show that the web process lives, as it does every few seconds."""
        self.store.outages.beat()

    def pass_time(self, ms: int) -> None:
        """Let time pass while the service works, and the dispatcher look at what is due.

        A web process beats every few seconds; what is left of that is its last heartbeat.
        """
        self.store.redis.set(keys.heartbeat(), self.clock.now + ms)
        self.clock.advance(ms)
        self.let_work()

    def let_work(self, rounds: int = 3) -> None:
        """Run the jobs, and wait until the dispatcher has looked at everything again.

        The jobs run in the calling thread: a worker of RQ wants the main thread for its signals.
        """
        last = self._working.rounds + rounds
        while self._working.rounds < last or self._queues.job_ids:
            assert self._working.failure is None
            if self._queues.job_ids:
                with kept_signals():
                    make_worker(self._queues).work(burst=True, logging_level="WARNING")
                last = self._working.rounds + rounds
            threading.Event().wait(0.01)

    def stop(self) -> None:
        """End the service, as at a restart of the machine."""
        self._web.stop()
        self._working.stop()
        provide(self.store, {})
        self.store.close()
        self._valkey.stop()

    def restart(self, away_ms: int) -> None:
        """End the service, and begin again after some time."""
        self.stop()
        self.clock.advance(away_ms)
        self._begin()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
