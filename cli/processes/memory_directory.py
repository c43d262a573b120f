"""The directory in memory of a running `serve`: the files of its metrics and its signs of life.

Processes map the files of metrics into their memory, and a full disk would end each of them with
SIGBUS. So the files are not in the data directory; the next start does not need them.

A `serve` holds the lock of its directory. A directory whose lock no process holds belongs to a
`serve` that was killed: the next start of any `serve` of the same user deletes it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SHARED_MEMORY = Path("/dev/shm")
"""Where Linux has a file system in memory; elsewhere the directory for temporary files serves."""


@contextmanager
def open_memory_dir(parent: Path | None = None) -> Iterator[Path]:
    """Yield an empty directory for a `serve`, and delete it in the end."""
    within = parent or _choose_place()
    prefix = f"cartulary-serve-{os.getuid()}-"
    for left in within.glob(f"{prefix}*"):
        _delete_if_left(left)
    path, lock = _make(within, prefix)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        os.close(lock)


def _choose_place() -> Path:
    """Return where the directory may be: a machine may keep its users out of the memory."""
    usable = SHARED_MEMORY.is_dir() and os.access(SHARED_MEMORY, os.W_OK | os.X_OK)
    return SHARED_MEMORY if usable else Path(tempfile.gettempdir())


def _make(within: Path, prefix: str) -> tuple[Path, int]:
    """Make a directory and take its lock; again where another start deletes it in between."""
    while True:
        path = Path(tempfile.mkdtemp(prefix=prefix, dir=within))
        lock = _lock(path)
        if lock is not None and path.exists():
            return path, lock


def _delete_if_left(path: Path) -> None:
    if _is_ours(path) and (lock := _lock(path)) is not None:
        shutil.rmtree(path, ignore_errors=True)
        os.close(lock)


def _lock(path: Path) -> int | None:
    """Return the descriptor with the lock of a directory, None where another process holds it."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def _is_ours(path: Path) -> bool:
    try:
        found = path.lstat()
    except FileNotFoundError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
