"""What streams have done with while they go on: a game that is over, in a stream of many games."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable


class StreamEndings:
    """Functions that let go of what a stream needs no more. Thread-safe.

    They ask the store and the hub, so they cannot be called where the hub hands over.
    """

    def __init__(self) -> None:
        self._due: deque[Callable[[], None]] = deque()

    def add(self, release: Callable[[], None]) -> None:
        """Have a function called within a second or two."""
        self._due.append(release)

    def look(self) -> None:
        """Call what is due; the hub does so once in a while."""
        for _ in range(len(self._due)):
            self._due.popleft()()
