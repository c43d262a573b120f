"""Processes of the first release: its own code, from the sources that tests of upgrades keep."""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from redis.connection import Connection

from simulation.world.connection import SimulatedConnection
from simulation.world.own_globals import separate
from simulation.world.releases import LoadedRelease

SOURCES: Final = Path(__file__).parents[2] / "tests" / "upgrade" / "first-release.tar.xz"

FORMAT: Final = 5
"""The format that the first release writes, and the last one that it reads."""

ENTRIES: Final = ("workers.dispatcher", "workers.worker", "workers.jobs", "workers.analysing")


class FirstRelease:
    """The first release, loaded. `complain` takes a line about an event that it cannot read."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="first-release-")
        folder = Path(self._folder.name)
        with tarfile.open(SOURCES) as packed:
            packed.extractall(folder, filter="data")
        self.release = LoadedRelease(folder, ENTRIES)
        self.complain: Callable[[str], None] = lambda _line: None
        self._prepare()
        main = self.release.find("workers.worker").main
        self.bodies: dict[str, Callable[[], Any]] = {
            "dispatcher-1": self.release.find("workers.dispatcher").main,
            "worker-1": lambda: main(["--fast"]),
            "worker-2": lambda: main([]),
        }
        """What a process of the first release does, by its name."""

    def close(self) -> None:
        """Remove the sources."""
        self._folder.cleanup()

    def _prepare(self) -> None:
        """Let the first release live in the world: its connections, globals and logs."""
        find: Callable[[str], Any] = self.release.find
        find("events.borrowed")._BLOCKING[Connection] = SimulatedConnection  # noqa: SLF001
        wiring = find("workers.wiring")
        for name, make in (("_stores", list), ("_queues", list), ("_quick_only", list)):
            separate(wiring, name, make)
        separate(wiring, "_offers", dict)
        separate(wiring, "shift", find("workers.shifts").Shift, find("workers.jobs"))
        separate(wiring, "walks", find("workers.walks").Walks, find("workers.analysing"))
        for name in ("workers.dispatcher", "workers.worker"):
            find(name).configure_logging = lambda: None
        unknown = find("events.errors").UnknownEvent
        begin = unknown.__init__

        def note(error: Any, game_id: str, version: int, detail: str) -> None:
            begin(error, game_id, version, detail)
            self.complain(f"{game_id}: the first release cannot read version {version}: {detail}")

        unknown.__init__ = note
