"""What a running `serve` writes down about itself, and what `cartulary status` reads of it.

The file is in the directory in memory of the `serve` (`cli.processes.memory_directory`); the lock
of the data directory names that directory.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from cartulary.cli.processes.supervisor import Supervisor
from cartulary.events.model.clock import now

FILE = "serve.json"


class ServeProcess(NamedTuple):
    """A process of a running `serve`.

    `since` is RFC 3339; `silent_s` are the seconds since the last sign of life, None for a process
    that gives no signs.
    """

    name: str
    pid: int
    since: str
    silent_s: float | None


class ServeState:
    """Keeps the file of a `serve` up to date; `write` is cheap when nothing has changed."""

    def __init__(
        self, memory: Path, supervisor: Supervisor, store_pid: Callable[[], int | None]
    ) -> None:
        self._file = memory / FILE
        self._supervisor, self._store_pid = supervisor, store_pid
        self._since: dict[tuple[str, int], str] = {}
        self._written: dict[tuple[str, int], str] | None = None
        self._started = now()
        self.address = ""

    def write(self) -> None:
        """Write the file again when a process was started or has ended."""
        running = dict(self._list_running())
        self._since = {one: self._since.get(one) or now() for one in running.items()}
        if self._since == self._written:
            return
        self._written = self._since
        processes = [
            {"name": name, "pid": pid, "since": since} for (name, pid), since in self._since.items()
        ]
        state = {"address": self.address, "since": self._started, "processes": processes}
        fresh = self._file.with_suffix(".new")
        try:
            fresh.write_text(json.dumps(state))
            fresh.replace(self._file)
        except OSError:  # memory is full: `status` shows less, and the service goes on
            self._written = None

    def announce(self, address: str) -> None:
        """Write down the address that the service answers at."""
        self.address, self._written = address, None
        self.write()

    def _list_running(self) -> Iterator[tuple[str, int]]:
        if (pid := self._store_pid()) is not None:
            yield "valkey", pid
        for child in self._supervisor.children:
            if child.pid is not None and child.alive:
                yield child.name, child.pid


class Running(NamedTuple):
    """A `serve` that runs; `address` is empty until it is ready for the first time."""

    memory: Path
    address: str
    since: str
    processes: list[ServeProcess]


def read_state(memory: Path) -> Running | None:
    """Return what a `serve` wrote in its directory in memory, None when that cannot be read."""
    try:
        state: dict[str, Any] = json.loads((memory / FILE).read_text())
    except (OSError, ValueError):
        return None
    processes = [
        ServeProcess(one["name"], one["pid"], one["since"], _read_silence(memory, one["name"]))
        for one in state["processes"]
        if _lives(one["pid"])
    ]
    return Running(memory, state["address"], state["since"], processes)


def _read_silence(memory: Path, name: str) -> float | None:
    """Return the seconds since the last sign of life: the time of the file is monotonic."""
    file = memory / name.replace(" ", "-")
    if not file.is_file():
        return None
    shown = file.stat().st_mtime
    return round(max(0.0, time.monotonic() - shown), 1)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
