"""Keep child processes alive, and stop them together."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from cartulary.events.server.die_with_parent import make_end_with_parent
from cartulary.events.server.heartbeat import write_life
from cartulary.settings.settings import FILE
from cartulary.settings.table import LIFE_FILE

GRACE_S = 5.0
"""Seconds that children may take to stop before a kill; `serve` promises 10 s in all."""

BACKOFF_S = (0.2, 0.5, 1.0, 2.0, 5.0)
"""Seconds of pause before the first, second, … restart in a row; later restarts take the last."""

STEADY_S = 30.0
"""Seconds after which a child counts as steady: its pauses begin with the first again."""

START_S = 30.0
"""Seconds that a child may take to start, before its first sign of life."""

POLL_S = 0.1

STDERR = 2
"""Children write to stderr, because stdout has only the line that says ready."""

Say = Callable[[str], None]


class SignOfLife:
    """The sign of life of a child: a file whose time the child sets while it works.

    `silent_s` is the number of seconds after which a child that shows no sign hangs.
    """

    def __init__(self, file: Path, silent_s: float) -> None:
        self.silent_s = silent_s
        self._file = file
        self._looked = time.monotonic()

    def begin(self) -> dict[str, str]:
        """Return the variable that names the file to a child, which may take `START_S` to start."""
        self._file.touch()
        write_life(self._file, time.monotonic() + START_S)
        return {LIFE_FILE: str(self._file)}

    def is_over(self) -> bool:
        """Return whether the child hangs.

        Where this process did not run for a while, the children may not have run either: they get
        time to show a sign first.
        """
        now, before = time.monotonic(), self._looked
        self._looked = now
        shown = self._file.stat().st_mtime
        if now - before > self.silent_s / 2 and shown < now:
            write_life(self._file, now)
            return False
        return now - shown > self.silent_s


class Child:
    """A process that runs as long as its supervisor.

    `say` gets a line for people whenever the process starts or dies. Each start adds `environment`,
    as it is then, to the environment of the supervisor.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        say: Say,
        environment: Mapping[str, str] | None = None,
        pass_fds: Sequence[int] = (),
        life: SignOfLife | None = None,
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
        self._life = life

    @property
    def alive(self) -> bool:
        """True while the process runs."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        """The process id, None while there is no process."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start the process in its own session, so that Ctrl-C reaches only the supervisor."""
        life = {} if self._life is None else self._life.begin()
        self._process = subprocess.Popen(
            self._command,
            env={**_inherit(self._environment), **self._environment, **life},
            stdin=subprocess.DEVNULL,
            stdout=STDERR,
            pass_fds=self._pass_fds,
            start_new_session=True,
            # Nothing that a child does is lost by a kill, and a child that hangs heeds no other
            # signal.
            preexec_fn=make_end_with_parent(signal.SIGKILL),
        )
        self._started = time.monotonic()
        self._asked = math.inf
        self._say(f"{self.name} runs (pid {self._process.pid})")

    def look_after(self) -> None:
        """Report a death, and restart the process when its pause is over.

        Kills a process that runs more than `GRACE_S` after `ask_to_stop`.
        """
        if self.alive:
            if time.monotonic() - self._asked > GRACE_S:
                self._kill("does not stop")
            elif self._life is not None and self._life.is_over():
                self._kill(f"has shown no sign of life for {self._life.silent_s:g} s")
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
            f"{self.name} (pid {process.pid}) {_describe_end(process.returncode)}; "
            f"restarting it in {pause:g} s"
        )

    def ask_to_stop(self) -> None:
        """Send SIGTERM."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._asked = time.monotonic()

    def wait_or_kill(self, deadline: float) -> None:
        """Wait until `deadline` (of `time.monotonic`), then kill the rest of the session."""
        if self._process is None:
            return
        try:
            self._process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._kill("does not stop")

    def _kill(self, why: str) -> None:
        assert self._process is not None
        self._say(f"{self.name} (pid {self._process.pid}) {why}; killing it")
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def _describe_end(returncode: int) -> str:
    if returncode < 0:
        return f"was killed by {signal.Signals(-returncode).name}"
    return f"ended with exit code {returncode}"


class Supervisor:
    """Keeps children alive until `stop`, SIGINT or SIGTERM."""

    def __init__(self) -> None:
        self.children: list[Child] = []
        self._duties: list[Callable[[], None]] = []
        # Not a threading.Event: a signal that interrupts `wait` finds its lock held by the main
        # thread, and `set` in the handler would wait for that lock for ever.
        self._stopping = False

    def heed_signals(self) -> None:
        """Make SIGINT and SIGTERM stop the supervisor; call this from the main thread."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self.stop())

    def stop_requested(self) -> bool:
        """Return whether `stop` was called."""
        return self._stopping

    def stop(self) -> None:
        """Set the flag and return at once, without a lock: a signal handler may call this."""
        self._stopping = True

    def start(self, child: Child) -> None:
        """Start a child and look after it."""
        self.children.append(child)
        child.start()

    def add_duty(self, look_after: Callable[[], None]) -> None:
        """Call a function as often as `run` looks after the children."""
        self._duties.append(look_after)

    def run(self, until: Callable[[], bool] = lambda: False) -> None:
        """Look after the children until `stop` is called or `until` is true."""
        while not self._stopping and not until():
            for look_after in self._duties:
                look_after()
            for child in self.children:
                child.look_after()
            time.sleep(POLL_S)

    def restart_children(self) -> None:
        """End all children; `run` starts them again."""
        for child in self.children:
            child.ask_to_stop()

    def stop_children(self, grace: float = GRACE_S) -> None:
        """Stop all children at once; kill children that still run after `grace` seconds."""
        deadline = time.monotonic() + grace
        for child in self.children:
            child.ask_to_stop()
        for child in self.children:
            child.wait_or_kill(deadline)
        self.children.clear()


def _inherit(handed: Mapping[str, str]) -> dict[str, str]:
    """Return what a child takes over: not the file of a secret that is handed to it as text."""
    files = {name + FILE for name in handed}
    return {name: text for name, text in os.environ.items() if name not in files}
