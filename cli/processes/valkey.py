"""The embedded Valkey of a data directory."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from cartulary.cli.embedded.embedded import REPORT_EVERY, EmbeddedValkey
from cartulary.cli.embedded.errors import EmbeddedError
from cartulary.cli.embedded.loading import ProgressWatch
from cartulary.cli.processes.supervisor import BACKOFF_S, STEADY_S
from cartulary.cli.shared.errors import Unusable

STUCK_S = 60.0
"""Seconds without progress after which a server that loads is killed and restarted."""

SILENT_S = 30.0
"""Seconds without an answer after which a server that has loaded its data is killed."""

ASK_EVERY_S = 1.0
"""Seconds between two questions whether the server answers."""

RESTART_WITHIN_S = 2.0
"""Seconds that one attempt to restart may wait for the end of the old server."""

POLL_S = 0.02


def start_valkey(data: Path, say: Callable[[str], None] = lambda _line: None) -> EmbeddedValkey:
    """Start the server that keeps its data below `data`, and wait until it has loaded its data.

    `say` gets a line about the progress every few seconds. Raises `Unusable` when the server cannot
    start.
    """
    valkey = EmbeddedValkey(data / "valkey")
    try:
        valkey.start(report=say)
    except EmbeddedError as error:
        raise Unusable(str(error)) from error
    return valkey


class Keeper:
    """Keeps the embedded server of `serve` alive, and reports how far its loading is.

    The server may die at any moment, also while it loads: the pauses before a restart grow, and
    `serve` goes on. A server that hangs is killed after `SILENT_S`, and restarted. `on_loaded` is
    called when the server answers for the first time, `on_moved` with the URL when a restarted
    server has another address. `say` gets lines for the operator.
    """

    def __init__(
        self, valkey: EmbeddedValkey, say: Callable[[str], None], stop_requested: Callable[[], bool]
    ) -> None:
        self._valkey, self._say, self._stop_requested = valkey, say, stop_requested
        self.on_loaded: Callable[[], None] = lambda: None
        self.on_moved: Callable[[str], None] = lambda _url: None
        self._url: str | None = None
        self._watch = ProgressWatch()
        self._loading = self._alive = True
        self._died_loading = False
        self._deaths = 0
        self._started = self._due = self._report_due = 0.0
        self._looked = self._answered = time.monotonic()

    @property
    def loading(self) -> bool:
        """Return whether the server has yet to load its data."""
        return self._loading

    @property
    def progressed(self) -> float:
        """Return the moment (of `time.monotonic`) of the last progress of the loading."""
        return self._watch.since

    def find_pid(self) -> int | None:
        """Return the process id of the server, None while it does not run."""
        return self._valkey.pid if self._valkey.running() else None

    def start(self, wait_s: float) -> None:
        """Start the server and wait up to `wait_s` seconds until it has loaded its data.

        Raises `Unusable` when the server cannot start or ends in that time, `StopRequested` when
        `serve` is to stop.
        """
        try:
            try:
                self._launch_and_wait(wait_s)
            except EmbeddedError:
                self._died_loading = not self._valkey.running()
                self._valkey.stop()
                if not self._mend():
                    raise
                self._launch_and_wait(wait_s)
        except EmbeddedError as error:
            raise Unusable(str(error)) from error
        except OSError as error:  # the disk is full
            where = self._valkey.data_dir
            raise Unusable(f"cannot write to {where}: {error.strerror}") from error

    def _launch_and_wait(self, wait_s: float) -> None:
        self._launch(30.0)
        deadline = time.monotonic() + wait_s
        while self._loading and time.monotonic() < deadline and not self._stop_requested():
            self._ask()
            time.sleep(POLL_S)

    def look_after(self) -> None:
        """Report the progress of the loading; restart a server that died, is stuck or hangs."""
        if self._valkey.running():
            if self._loading:
                self._look_after_loading()
            elif time.monotonic() > self._looked + ASK_EVERY_S:
                self._look_for_silence()
            return
        if self._alive:
            self._note_death()
        if time.monotonic() >= self._due:
            self._restart()

    def _look_after_loading(self) -> None:
        try:
            self._ask()
        except EmbeddedError:  # it has just died: the next look restarts it
            return
        if self._loading and self._watch.stuck_for > STUCK_S:
            self._say(f"valkey has loaded nothing for {STUCK_S:.0f} s; killing it")
            self._valkey.stop(timeout=0)

    def _look_for_silence(self) -> None:
        """Kill a server that has been silent for too long; `look_after` restarts it.

        A server that waits for its disk is not killed: what it has acknowledged may not be in its
        file yet, and the restarted server would wait for the same disk.
        """
        now = time.monotonic()
        if now - self._looked > SILENT_S / 2:  # this process did not run: nor may the server
            self._answered = now
        answers = self._valkey.answers()
        self._looked = time.monotonic()
        if answers:
            self._answered = self._looked
        elif self._looked - self._answered > SILENT_S:
            self._answered = self._looked
            if self._valkey.waits_for_disk():
                self._say(f"valkey has waited {SILENT_S:.0f} s for its disk")
                return
            self._say(f"valkey has not answered for {SILENT_S:.0f} s; killing it")
            self._valkey.stop(timeout=0)

    def _ask(self) -> None:
        progress = self._valkey.read_progress()
        self._watch.note(progress)
        if progress.ready:
            self._loading = False
            self._started = self._looked = self._answered = time.monotonic()
            self.on_loaded()
        elif progress.loaded >= 0 and time.monotonic() > self._report_due:
            self._report_due = time.monotonic() + REPORT_EVERY
            self._say(f"valkey loads its data: {progress.describe()}")

    def _note_death(self) -> None:
        steady = not self._loading and time.monotonic() - self._started > STEADY_S
        self._deaths = 0 if steady else self._deaths
        pause = BACKOFF_S[min(self._deaths, len(BACKOFF_S) - 1)]
        self._deaths += 1
        self._died_loading = self._loading
        self._alive, self._loading = False, True
        self._due = time.monotonic() + pause
        self._say(f"valkey died; restarting it in {pause:g} s")

    def _restart(self) -> None:
        try:
            self._valkey.stop()
            self._mend()
            self._launch(RESTART_WITHIN_S)
        except (EmbeddedError, OSError) as error:  # OSError: the disk is full
            self._say(f"valkey cannot be restarted: {error}")
            self._note_death()

    def _mend(self) -> bool:
        """Close the holes in the file of a server that has died while it loaded."""
        if not self._died_loading:
            return False
        self._died_loading = False
        holes = self._valkey.mend()
        if holes:
            self._say(f"valkey's file had {holes} holes from a full disk; they are closed")
        return holes > 0

    def _launch(self, timeout: float) -> None:
        url = self._valkey.launch(timeout, self._stop_requested)
        self._alive, self._loading, self._watch = True, True, ProgressWatch()
        self._report_due = time.monotonic() + REPORT_EVERY / 5
        self._say(f"valkey runs (pid {self._valkey.pid})")
        if self._url not in (None, url):
            self.on_moved(url)
        self._url = url
