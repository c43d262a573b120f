"""The data directory: its lock admits one `serve`, and a note says where its server listens."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple, Self

from cartulary.cli.shared.errors import Unusable

DEFAULT = Path("data")
NOTE_SIZE = 4096
READERS_S = 1.0
"""Seconds for which `read_note` may hold the lock at most, on a machine that is very busy."""


class DataDir:
    """The directory that stores everything; the context manager holds its lock.

    The lock belongs to the open file, so it disappears with the process, even after SIGKILL.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._file = -1
        self._url = self._memory = ""
        self.left_behind = False
        """Whether the process that held the lock before was killed."""

    def __enter__(self) -> Self:
        """Lock it; raises `Unusable` when another process holds it."""
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.path.chmod(0o700)  # an earlier release made it readable by everybody
            self._file = os.open(self.path / "serve.lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise Unusable(f"cannot use the data directory {self.path}: {error}") from error
        if not self._take_lock():
            holder = os.read(self._file, NOTE_SIZE).decode().partition("\n")[0]
            os.close(self._file)
            raise Unusable(
                f"the data directory {self.path} is in use by {holder or 'another process'}; "
                "stop that process first, or choose another directory with --data"
            )
        self.left_behind = os.pread(self._file, NOTE_SIZE, 0) != b""
        try:
            self._write(self._holder)
        except OSError as error:  # the disk is full
            os.close(self._file)
            raise Unusable(f"cannot write to {self.path}: {error.strerror}") from error
        return self

    def _take_lock(self) -> bool:
        """Return whether the lock is ours; one who only reads the note has it for a moment."""
        deadline = monotonic() + READERS_S
        while True:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if monotonic() > deadline:
                    return False
                sleep(READERS_S / 20)
            else:
                return True

    @property
    def _holder(self) -> str:
        return f"cartulary (pid {os.getpid()})\n"

    def _write(self, text: str) -> None:
        # In this order the file keeps its block, and a full disk refuses no later note.
        os.pwrite(self._file, text.encode(), 0)
        os.ftruncate(self._file, len(text.encode()))

    def note(self, url: str) -> None:
        """Write down the address of the running server, for `read_note`."""
        self._url = url
        self._write(f"{self._holder}{self._url}\n{self._memory}\n")

    def note_memory(self, memory: Path) -> None:
        """Write down the directory in memory of this process, for `read_note`."""
        self._memory = str(memory)
        self.note(self._url)

    def __exit__(self, *_: object) -> None:
        self._write("")
        os.close(self._file)


def is_directory(path: Path) -> bool:
    """Return whether there is a directory that this user may see."""
    return os.path.isdir(path)  # `Path.is_dir` raises `PermissionError`


class Note(NamedTuple):
    """What the process that holds a data directory has written down; empty where nothing is.

    `holder` names the process, `url` is the address of its server, `memory` its directory in
    memory.
    """

    holder: str
    url: str
    memory: str


def read_note(path: Path) -> Note | None:
    """Return the note of the process that holds a data directory, None when no process does."""
    try:
        file = os.open(path / "serve.lock", os.O_RDONLY)
    except OSError:  # no `serve` has used the directory; the caller reports other faults of it
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        lines = os.read(file, NOTE_SIZE).decode().split("\n")
        return Note(*(line.strip() for line in (*lines, "", "", "")[:3]))
    finally:
        os.close(file)
    return None


def url_in_use(path: Path) -> str | None:
    """Return the address of the server that a running `serve` started, None when none runs."""
    note = read_note(path)
    return (note.url or None) if note is not None else None
