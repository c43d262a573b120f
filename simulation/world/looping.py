"""The event loop of a logical process: it waits as a strand does, and its threads are strands.

The loop that runs is known for the whole interpreter, so one process of a world may have a loop.
"""

from __future__ import annotations

import asyncio
from asyncio import events
from collections.abc import Callable
from typing import Any

from simulation.world.processes import Strand
from simulation.world.world import find_strand, find_world


class WorldLoop(asyncio.BaseEventLoop):
    """An event loop that reads from no socket: it runs what is due and what threads hand in."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = self
        self._sleeper: tuple[Strand, int] | None = None
        self._is_woken = False

    def select(self, timeout: float | None) -> list[Any]:
        """Wait until something is handed in, so many seconds at most."""
        strand = find_strand()
        if strand is None or self._is_woken or (timeout is not None and timeout <= 0):
            self._is_woken = False
            return []
        self._sleeper = strand, strand.token
        events._set_running_loop(None)  # noqa: SLF001
        try:
            strand.world.wait("something to do", timeout)
        finally:
            self._sleeper, self._is_woken = None, False
            events._set_running_loop(self)  # noqa: SLF001
        return []

    def _process_events(self, _events: list[Any]) -> None:
        """Have nothing to do: no socket is read."""

    def _write_to_self(self) -> None:
        # The loop may have looked for something to do, and give way before it waits.
        self._is_woken = True
        if self._sleeper is not None:
            strand, token = self._sleeper
            strand.world.wake(strand, token)

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Run a function in a strand of its own, whatever the `executor`."""
        future: asyncio.Future[Any] = self.create_future()
        strand = find_strand()
        assert strand is not None

        def work() -> None:
            try:
                found, error = func(*args), None
            except Exception as raised:
                found, error = None, raised
            if not self.is_closed():
                self.call_soon_threadsafe(_settle, future, found, error)

        strand.world.spawn(strand.process, f"{strand.process.name}/executor", work)
        return future

    def add_signal_handler(self, *_arguments: Any) -> None:  # type: ignore[override]
        """Take no signal: a logical process gets none."""


def _settle(future: asyncio.Future[Any], found: Any, error: Exception | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(found)
    else:
        future.set_exception(error)


class WorldLoops(asyncio.DefaultEventLoopPolicy):
    """Makes loops of the world while there is one."""

    def new_event_loop(self) -> asyncio.AbstractEventLoop:
        """Return a new loop."""
        return WorldLoop() if find_world() is not None else super().new_event_loop()
