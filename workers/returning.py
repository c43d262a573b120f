"""The part of the dispatcher that brings mistakes back into inboxes."""

from __future__ import annotations

from typing import ClassVar

from cartulary.workers.queues.low_priority_poll import Looking


class MistakeLooker(Looking):
    """Looks whose mistakes have come back: a minute is soon enough after three days."""

    every_s: ClassVar[float] = 60.0
    begins_s: ClassVar[float] = 60.0

    def run(self) -> int:
        """Renew the inboxes whose time has come; no job comes of it. Raises `RedisError`."""
        self._store.returned_mistakes.step()
        return 0
