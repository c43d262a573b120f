"""The part of the dispatcher that brings mistakes back into inboxes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar

from cartulary.events.store import Store
from cartulary.workers.queues.low_priority_poll import Looking
from cartulary.workers.queues.queues import Queues


class MistakeLooker(Looking):
    """Looks whose mistakes have come back: a minute is soon enough after three days."""

    every_s: ClassVar[float] = 60.0

    def __init__(
        self, store: Store, queues: Queues, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(store, queues, clock)
        self._due = clock() + self.every_s  # what waits for a start comes first

    def run(self) -> int:
        """Renew the inboxes whose time has come; no job comes of it. Raises `RedisError`."""
        self._store.returned_mistakes.step()
        return 0
