"""Child processes that are kept alive, and stopped together."""

from __future__ import annotations

import ctypes
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence

GRACE_S = 5.0
"""How long children may take to stop before they are killed; `serve` promises 10 s in all."""

BACKOFF_S = (0.2, 0.5, 1.0, 2.0, 5.0)
"""Pauses before the first, second, … restart in a row; the last one goes on."""

STEADY_S = 30.0
"""A child that lived this long starts again without a pause from before."""

POLL_S = 0.1

STDERR = 2
"""Children write to the supervisor's stderr: its stdout is for the one line that says ready."""

PR_SET_PDEATHSIG = 1

Say = Callable[[str], None]


def _die_with_parent() -> Callable[[], None] | None:
    """Return what a child runs before exec so that it ends when its parent is killed.

    Linux only; elsewhere a killed `serve` leaves its children to be stopped by hand.
    """
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None, use_errno=True)
    parent = os.getpid()

    def before_exec() -> None:
        # The handler is still the parent's: it would note the signal here, and exec forget it.
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGTERM)

    return before_exec


class Child:
    """One process that is to run for as long as its supervisor does.

    `say` takes a line for people whenever the process starts or dies. `environment` is added to
    the supervisor's own, as it is at each start.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        say: Say,
        environment: Mapping[str, str] | None = None,
        pass_fds: Sequence[int] = (),
    ) -> None:
        self.name = name
        self._command = list(command)
        self._say = say
        self._environment = environment or {}
        self._pass_fds = tuple(pass_fds)
        self._process: subprocess.Popen[bytes] | None = None
        self._deaths = 0
        self._started = 0.0
        self._due = 0.0
        self._asked = math.inf

    @property
    def alive(self) -> bool:
        """True while the process runs."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        """The process id, None while there is no process."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start the process, in a session of its own: Ctrl-C is for the supervisor alone."""
        self._process = subprocess.Popen(
            self._command,
            env={**os.environ, **self._environment},
            stdin=subprocess.DEVNULL,
            stdout=STDERR,
            pass_fds=self._pass_fds,
            start_new_session=True,
            preexec_fn=_die_with_parent(),
        )
        self._started = time.monotonic()
        self._asked = math.inf
        self._say(f"{self.name} runs (pid {self._process.pid})")

    def look_after(self) -> None:
        """Notice a death, and start the process again when its pause is over.

        One that was asked to stop and has not within `GRACE_S` is killed.
        """
        if self.alive:
            if time.monotonic() - self._asked > GRACE_S:
                self._kill()
            return
        if self._process is not None:
            self._note_death(self._process)
        if time.monotonic() >= self._due:
            self.start()

    def _note_death(self, process: subprocess.Popen[bytes]) -> None:
        self._process = None
        if time.monotonic() - self._started > STEADY_S:
            self._deaths = 0
        pause = BACKOFF_S[min(self._deaths, len(BACKOFF_S) - 1)]
        self._deaths += 1
        self._due = time.monotonic() + pause
        self._say(
            f"{self.name} (pid {process.pid}) {_cause(process.returncode)}; "
            f"starting it again in {pause:g} s"
        )

    def ask_to_stop(self) -> None:
        """Send SIGTERM."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._asked = time.monotonic()

    def wait_or_kill(self, deadline: float) -> None:
        """Wait until `deadline` (of `time.monotonic`), then kill what is left of its session."""
        if self._process is None:
            return
        try:
            self._process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._kill()

    def _kill(self) -> None:
        assert self._process is not None
        self._say(f"{self.name} (pid {self._process.pid}) does not stop; killing it")
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def _cause(returncode: int) -> str:
    if returncode < 0:
        return f"was killed by {signal.Signals(-returncode).name}"
    return f"ended with exit code {returncode}"


class Supervisor:
    """Keeps children alive until it is told to stop, by `stop` or by SIGINT or SIGTERM."""

    def __init__(self) -> None:
        self.children: list[Child] = []
        self._also: list[Callable[[], None]] = []
        # No threading.Event: its `set` in a signal handler waits forever for the lock that `wait`
        # holds when the signal comes while the main thread is on its way into or out of it.
        self._stopping = False

    def heed_signals(self) -> None:
        """Let SIGINT and SIGTERM stop it; call from the main thread."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self.stop())

    def told_to_stop(self) -> bool:
        """Return whether it has been told to stop."""
        return self._stopping

    def stop(self) -> None:
        """Tell it to stop; returns at once, takes no lock: a signal handler may call it."""
        self._stopping = True

    def start(self, child: Child) -> None:
        """Start a child and look after it from now on."""
        self.children.append(child)
        child.start()

    def also(self, look_after: Callable[[], None]) -> None:
        """Call this as often as it looks after its children."""
        self._also.append(look_after)

    def run(self, until: Callable[[], bool] = lambda: False) -> None:
        """Look after the children until it is told to stop or `until` says so."""
        while not self._stopping and not until():
            for look_after in self._also:
                look_after()
            for child in self.children:
                child.look_after()
            time.sleep(POLL_S)

    def restart_children(self) -> None:
        """End all children; `run` starts them again."""
        for child in self.children:
            child.ask_to_stop()

    def stop_children(self, grace: float = GRACE_S) -> None:
        """Stop all children at once; whoever is left after `grace` seconds is killed."""
        deadline = time.monotonic() + grace
        for child in self.children:
            child.ask_to_stop()
        for child in self.children:
            child.wait_or_kill(deadline)
        self.children.clear()
