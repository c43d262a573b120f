"""The threads that run the app."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

log = logging.getLogger("cartulary.service")


class Pool:
    """A few threads and a queue.

    Not `concurrent.futures`: no thread waits for a result here, and a future with its lock costs
    ten times as much as an entry in a `SimpleQueue`. The threads are daemons: a task that does not
    end does not delay the end of the process.
    """

    def __init__(self, threads: int) -> None:
        self._tasks: SimpleQueue[tuple[Callable[..., object], tuple[Any, ...]]] = SimpleQueue()
        for number in range(threads):
            threading.Thread(target=self._work, name=f"request-{number}", daemon=True).start()

    def put(self, task: Callable[..., object], *arguments: Any) -> None:
        """Have a thread run a task."""
        self._tasks.put((task, arguments))

    @property
    def waiting(self) -> int:
        """Return how many tasks no thread has begun."""
        return self._tasks.qsize()

    def _work(self) -> None:
        while True:
            task, arguments = self._tasks.get()
            try:
                task(*arguments)
            except Exception:  # a thread that ends would be missing for ever
                log.exception("a task has failed")
            del task, arguments  # a stream would stay in memory until the next request
