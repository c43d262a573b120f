"""Taking what is due and working at many of it at once: for notices and for questions to bots."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Generic, TypeVar

from cartulary.events.model.clock import Clock
from cartulary.events.notices.waiting import WaitingEntry, WaitingList

T = TypeVar("T")


class SideBySide(Generic[T]):
    """Takes what is due of a list, and holds at most `most` tasks. For one event loop.

    `read` says what an entry is. `find_pause_ms` takes a place for it and returns 0, or returns for
    how long it waits (ms) because all its places are taken; who begins it gives the place back.
    """

    def __init__(
        self,
        waiting: WaitingList,
        clock: Clock,
        most: int,
        read: Callable[[WaitingEntry], T],
        find_pause_ms: Callable[[T], int],
    ) -> None:
        self._waiting, self._clock, self._most = waiting, clock, most
        self._read, self._find_pause_ms = read, find_pause_ms
        self._tasks: set[asyncio.Task[None]] = set()

    async def step(self, start: Callable[[list[tuple[WaitingEntry, T]]], Awaitable[None]]) -> int:
        """Take what is due, as much as there is room for, and start what has a place.

        What has none waits on. `start` calls `begin` for each. Returns how much was taken.
        """
        free = self._most - len(self._tasks)
        if free <= 0:
            return 0
        now = self._clock.now_ms()
        taken = await asyncio.to_thread(self._waiting.take_as, self._read, now, free)
        placed, busy = [], []
        for entry, one in taken:
            pause = self._find_pause_ms(one)
            if pause:
                busy.append((entry, now + pause))
            else:
                placed.append((entry, one))
        if placed:
            await start(placed)
        if busy:
            await asyncio.to_thread(self._waiting.put_off_all, busy)
        return len(taken)

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Work at something that was taken, next to everything else."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def drain(self) -> None:
        """Wait for what is under way."""
        if self._tasks:
            await asyncio.gather(*self._tasks)
