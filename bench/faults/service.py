"""The service under test: a real `cartulary serve` on a directory, and its processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Self, TypeVar

from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from bench.ports import find_free_port
from cartulary.cli.processes.readiness import is_ready
from cartulary.cli.shared.data_directory import url_in_use

ROOT = Path(__file__).parents[2]
READY_WITHIN_S = 90.0

UNLIMITED = {
    **{
        f"CARTULARY_RATE_{name}": "1000000/minute"
        for name in ("PLAYERS", "WRITES", "GAMES", "IMPORTS", "TICKETS", "VERIFICATIONS")
    },
    "CARTULARY_LOG_REQUESTS": "0",
    "CARTULARY_EVENTS_URL": "",
    "CARTULARY_QUEUE_URL": "",
}
"""The clients of the harness come from a single address and may do more than one person does."""

T = TypeVar("T")


class NotInTime(AssertionError):
    """Something that was waited for has not come true."""


def until(holds: Callable[[], T], within: float, every: float = 0.02) -> T:
    """Call `holds` until it returns something true, and return that; raises `NotInTime`."""
    deadline = time.monotonic() + within
    while not (answer := holds()):
        if time.monotonic() > deadline:
            raise NotInTime(f"did not come true within {within:g} s: {holds}")
        time.sleep(every)
    return answer


class ProcessFacts:
    """What `/proc` says about a process."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def read_command(self) -> str:
        """Return the command line, an empty string when the process has ended."""
        try:
            return Path(f"/proc/{self.pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
        except (FileNotFoundError, ProcessLookupError):
            return ""

    def read_children(self) -> list[int]:
        """Return the ids of the processes that this one has started, the oldest first."""
        try:
            tasks = list(Path(f"/proc/{self.pid}/task").iterdir())
            return [int(pid) for task in tasks for pid in (task / "children").read_text().split()]
        except (FileNotFoundError, ProcessLookupError):
            return []

    def heeds(self, number: int) -> bool:
        """Return whether the process has a handler for a signal."""
        try:
            status = Path(f"/proc/{self.pid}/status").read_text()
        except (FileNotFoundError, ProcessLookupError):
            return False
        caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
        return bool(int(caught.split()[1], 16) >> (number - 1) & 1)

    def has_ended(self) -> bool:
        """Return whether the process is no more, or is a zombie."""
        try:
            stat = Path(f"/proc/{self.pid}/stat").read_text()
        except (FileNotFoundError, ProcessLookupError):
            return True
        return stat.rsplit(")", 1)[1].split()[0] in "ZX"


COMMANDS = {
    "web": ("gunicorn",),
    "dispatcher": ("cartulary.workers.dispatcher",),
    "worker": ("cartulary.workers.worker", "rq:worker:"),
    "notifier": ("cartulary.workers.notices.notifier",),
    "valkey": ("valkey-server",),
}
"""What the command line of each child of `serve` contains; RQ changes that of a worker."""


def is_named(command: str, name: str) -> bool:
    """Return whether a command line is that of the child of a name in `COMMANDS`."""
    return any(part in command for part in COMMANDS[name])


class ServiceProcess:
    """`cartulary serve` on a data directory and a port of its own; a context manager.

    `environment` is added to that of this process; `log` gets what `serve` writes.
    """

    def __init__(
        self,
        data: Path,
        *arguments: str,
        log: Path,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.data = data
        self.port = find_free_port()
        self._arguments = arguments
        self._environment = {**os.environ, **UNLIMITED, **(environment or {})}
        self.log = log
        self._serve: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        self.await_ready()
        return self

    def __exit__(self, *_: object) -> None:
        if self.running:
            try:
                self.stop()
            except BaseException:
                self.kill_all()
                raise

    @property
    def running(self) -> bool:
        """Return whether `serve` itself lives."""
        return self._serve is not None and self._serve.poll() is None

    @property
    def exit_code(self) -> int | None:
        """The exit code of `serve`, None while it runs."""
        return None if self._serve is None else self._serve.poll()

    @property
    def pid(self) -> int:
        """The process id of `serve`."""
        assert self._serve is not None
        return self._serve.pid

    def start(self) -> None:
        """Start `serve`; it needs a few seconds until it answers."""
        command = [sys.executable, "-m", "cartulary.cli", "serve"]
        arguments = [f"--port={self.port}", f"--data={self.data}", *self._arguments]
        with self.log.open("ab") as log:
            self._serve = subprocess.Popen(
                [*command, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=ROOT,
                env=self._environment,
            )

    def stop(self, within: float = 30.0) -> None:
        """End `serve` as an operator does; raises when the exit code is not 0."""
        assert self._serve is not None
        # A signal that comes before `serve` heeds it ends it like any other program.
        until(self._heeds_stop, within)
        self._serve.terminate()
        code = self._serve.wait(within)
        if code:
            raise NotInTime(f"serve ended with exit code {code}; see {self.log}")

    def _heeds_stop(self) -> bool:
        return not self.running or ProcessFacts(self.pid).heeds(signal.SIGTERM)

    def kill(self) -> None:
        """Kill `serve` alone."""
        assert self._serve is not None
        self._serve.kill()
        self._serve.wait()

    def kill_all(self) -> None:
        """Kill `serve` and all that it has started; for a clean end of a failed run."""
        left = [pid for name in COMMANDS for pid in self.pids(name)]
        self.kill()
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def await_ready(self) -> None:
        """Wait until `/readyz` answers 200; raises `NotInTime`."""
        until(self.is_ready, READY_WITHIN_S, 0.1)

    def is_ready(self) -> bool:
        """Return whether `/readyz` answers 200; raises `NotInTime` when `serve` has ended."""
        if not self.running:
            raise NotInTime(f"serve has ended; see {self.log}")
        return is_ready("127.0.0.1", self.port)

    def pids(self, name: str) -> list[int]:
        """Return the ids of the running processes of a name in `COMMANDS`; of web, the master."""
        if not self.running:
            return []
        children = ProcessFacts(self.pid).read_children()
        return [pid for pid in children if is_named(ProcessFacts(pid).read_command(), name)]

    def web_processes(self) -> list[int]:
        """Return the ids of the processes that answer requests."""
        return [
            child for master in self.pids("web") for child in ProcessFacts(master).read_children()
        ]

    @property
    def addresses(self) -> tuple[str, str]:
        """Return the addresses of the games and of the queues, as `serve` has them."""
        events = self._environment["CARTULARY_EVENTS_URL"] or url_in_use(self.data) or ""
        return events, self._environment["CARTULARY_QUEUE_URL"] or events

    @property
    def environment(self) -> Mapping[str, str]:
        """Return the environment of `serve`."""
        return self._environment

    def store(self) -> Redis | None:
        """Return a client of the embedded server that gives up soon; None when it is unknown."""
        url = self.addresses[1]
        if not url:
            return None
        return Redis.from_url(url, socket_timeout=3, retry=Retry(NoBackoff(), 0))
