"""A program that gets a stop signal at every line of its loop, one line in each round.

`python -m tests.e2e.stop_requested` ends with 0 when each round of each loop has ended. A handler
that waits for a lock of the thread that it interrupts never ends: then the stack is printed, exit
1.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, NoReturn

from fakeredis import FakeRedis
from gunicorn.config import Config
from redis.exceptions import RedisError

from cartulary.cli.processes import supervisor as supervising
from cartulary.cli.processes.supervisor import Supervisor
from cartulary.events.store import Store
from cartulary.service.server import loop as looping
from cartulary.service.server.worker import Worker
from cartulary.workers import dispatcher as dispatching
from cartulary.workers.dispatcher import Dispatcher, heed_signals
from cartulary.workers.queues.queues import queues_on
from tests.conftest import OFFERS

HUNG_AFTER_S = 20
LINES = 80
"""More than two rounds of a loop have, those of a wait in the standard library included."""


class Interrupted:
    """Sends SIGTERM to its own process when so many lines have been run since it was entered."""

    def __init__(self, after: int) -> None:
        self._left = after

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Interrupted:
        if event == "line":
            self._left -= 1
            if self._left == 0:
                signal.raise_signal(signal.SIGTERM)
        return self

    def run(self, loop: Callable[[], object]) -> None:
        sys.settrace(self)
        try:
            loop()
        finally:
            sys.settrace(None)


def supervisor(interrupted: Interrupted) -> None:
    """`cartulary serve` while all is well."""
    supervising.POLL_S = 0.001
    told = Supervisor()
    told.heed_signals()
    interrupted.run(told.run)


class Deserted(Dispatcher):
    """A dispatcher whose server is away."""

    def step(self, block_ms: int | None = None) -> NoReturn:
        raise RedisError("away")


def dispatcher(interrupted: Interrupted) -> None:
    """The dispatcher while its server is away."""
    dispatching.PAUSE_S = 0.001
    dispatching.log.disabled = True
    client = FakeRedis()
    told = Deserted(Store(client, OFFERS), queues_on(client))
    heed_signals(told)
    interrupted.run(told.run)


class NoApp(Worker):
    """A web process without an app and without listeners."""

    def __init__(self) -> None:
        self.PIPE = os.pipe()
        self.sockets: list[Any] = []
        self.ppid, self.alive = os.getppid(), True
        self.cfg = Config()
        self.cfg.set("graceful_timeout", 1)
        self.descriptors = 1000

    def wsgi(self, *_: Any) -> list[bytes]:
        return []

    def notify(self) -> None:
        """There is no master."""


def web_process(interrupted: Interrupted) -> None:
    """The event loop of a web process without clients."""
    looping.TICK = 0.001
    worker = NoApp()
    signal.signal(signal.SIGTERM, worker.handle_exit)
    interrupted.run(worker.run)
    for end in worker.PIPE:
        os.close(end)


LOOPS = {"supervisor": supervisor, "dispatcher": dispatcher, "web_process": web_process}


def main() -> None:
    for loop in LOOPS.values():
        for line in range(1, LINES + 1):
            faulthandler.dump_traceback_later(HUNG_AFTER_S, exit=True)
            loop(Interrupted(line))


if __name__ == "__main__":
    main()
