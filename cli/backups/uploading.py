"""Sends segments to the target in a thread of its own, in order, until the target has them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Thread
from time import monotonic

from cartulary.cli.backups.making import Making
from cartulary.events.backup.errors import BackupError
from cartulary.events.backup.targets.naming import SegmentName
from cartulary.events.backup.targets.target import open_private

AGAIN_S = 1.0
"""Seconds after which a target that has failed is tried again."""

LOOK_S = 0.2


class Uploader:
    """Takes segments in order; a file is removed when the target has its segment.

    A target that fails is tried again for ever, and segments wait meanwhile. `say` gets lines for
    the operator.
    """

    def __init__(self, making: Making, say: Callable[[str], None]) -> None:
        self._making, self._say = making, say
        self._queue: Queue[tuple[SegmentName, Path]] = Queue()
        self._ended = Event()
        self._failed_since: float | None = None
        self._thread = Thread(target=self._run, daemon=True, name="uploader")
        self._thread.start()

    def send(self, name: SegmentName, file: Path) -> None:
        """Send a segment, soon."""
        self._queue.put((name, file))

    @property
    def is_idle(self) -> bool:
        """Whether the target has all segments."""
        return self._queue.unfinished_tasks == 0

    def end(self, within: float) -> bool:
        """End the thread; return whether the target has got everything in `within` seconds."""
        deadline = monotonic() + within
        while not self.is_idle and monotonic() < deadline:
            self._ended.wait(LOOK_S)
        self._ended.set()
        self._thread.join()
        return self.is_idle

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                name, file = self._queue.get(timeout=LOOK_S)
            except Empty:
                continue
            while not self._ended.is_set() and not self._try(name, file):
                self._ended.wait(AGAIN_S)
            self._note_done(file)

    def _note_done(self, file: Path) -> None:
        """Count a segment as sent; one that the end has interrupted is still on the disk."""
        if not file.exists():
            self._queue.task_done()

    def _try(self, name: SegmentName, file: Path) -> bool:
        try:
            self._upload(name, file)
        except (BackupError, OSError) as error:
            if self._failed_since is None:
                self._failed_since = monotonic()
                self._say(f"the target does not take segments, trying again: {error}")
            return False
        if self._failed_since is not None:
            self._say(
                f"the target takes segments again after {monotonic() - self._failed_since:.0f} s"
            )
            self._failed_since = None
        return True

    def _upload(self, name: SegmentName, file: Path) -> None:
        encryption, target = self._making.encryption, self._making.target
        with target.open_work() as work:
            copied = work / "segment"
            with file.open("rb") as source, open_private(copied) as into:
                if encryption.is_on:
                    encryption.encrypt(source, into)
                else:
                    shutil.copyfileobj(source, into)
            target.put(str(name._replace(is_encrypted=encryption.is_on)), copied)
        file.unlink()
