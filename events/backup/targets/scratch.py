"""Temporary folders (`TMPDIR`) for whole backups; those of killed processes are removed."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PREFIX = "cartulary-scratch-"
LOCK = "in-use"


@contextmanager
def open_scratch() -> Iterator[Path]:
    """Yield an empty folder that is removed afterwards. Raises `OSError`.

    The folder of a process that was killed holds a backup, perhaps one that is encrypted elsewhere:
    its lock is free, so the next process removes it.
    """
    _sweep(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as folder:
        lock = _lock(Path(folder), os.O_CREAT)
        try:
            inner = Path(folder) / "files"
            inner.mkdir()
            yield inner
        finally:
            if lock is not None:
                os.close(lock)


def _sweep(parent: Path) -> None:
    for folder in parent.glob(f"{PREFIX}*"):
        lock = _lock(folder)
        if lock is not None:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)


def _lock(folder: Path, flags: int = 0) -> int | None:
    """Return the lock of a folder, None where another process has it or the folder has none."""
    try:
        lock = os.open(folder / LOCK, os.O_RDWR | flags, 0o600)
    except OSError:  # it is being made or removed, or is that of another user
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    return lock
