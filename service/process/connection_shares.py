"""How web processes share connections: each sees how many the others have.

All processes wait at the same listener, and the kernel wakes whom it likes: of 2 000 streams one
process had 1 550, and of the eight connections of a proxy one process had all. So a process that is
ahead of another leaves a new connection to it for a moment.
"""

from __future__ import annotations

import mmap

SLOTS = 512
FREE = -1
SLACK = 1
"""Connections that a process may have more than another before it holds back."""
PART = 16
"""Of many connections, also a part of so many: a crowd that comes at once need not queue."""


class Shares:
    """The numbers of connections of all processes, in memory that they share.

    The master makes it before it forks. A process writes its own number only, so there is no lock.
    """

    def __init__(self) -> None:
        self._numbers = memoryview(mmap.mmap(-1, SLOTS * 8)).cast("q")
        for slot in range(SLOTS):
            self._numbers[slot] = FREE

    def of(self, age: int) -> Share:
        """Return the share of the process with this number; the master counts them up."""
        return Share(self._numbers, age % SLOTS)


class Share:
    """The connections of one process, next to those of the others."""

    def __init__(self, numbers: memoryview[int], slot: int) -> None:
        self._numbers, self._slot = numbers, slot

    def set(self, number: int) -> None:
        """Say how many connections this process has."""
        self._numbers[self._slot] = number

    def leave(self) -> None:
        """Say that the process is no more, or takes no more connections."""
        self._numbers[self._slot] = FREE

    @property
    def ahead(self) -> bool:
        """Return whether another process has clearly fewer connections."""
        mine = self._numbers[self._slot]
        if mine <= SLACK:
            return False
        fewest = min(number for number in self._numbers.tolist() if number != FREE)
        return mine > fewest + SLACK + fewest // PART
