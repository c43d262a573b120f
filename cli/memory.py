"""The directory in memory of a running `serve`: the files of its metrics and its signs of life.

Processes map the files of metrics into their memory, and a full disk would end each of them with
SIGBUS. So the files are not in the data directory; the next start does not need them.
"""

from __future__ import annotations

import hashlib
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
def open_memory_dir(data: Path, parent: Path | None = None) -> Iterator[Path]:
    """Yield an empty directory for the `serve` that holds the data directory `data`.

    Its name follows from `data`, so that the next start deletes what a killed `serve` has left.
    """
    within = parent or (SHARED_MEMORY if SHARED_MEMORY.is_dir() else Path(tempfile.gettempdir()))
    name = hashlib.sha256(os.fsencode(data.resolve())).hexdigest()[:16]
    path = within / f"cartulary-{os.getuid()}-{name}"
    if _is_ours(path):
        shutil.rmtree(path)
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:  # another user has taken the name
        path = Path(tempfile.mkdtemp(prefix="cartulary-", dir=within))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def _is_ours(path: Path) -> bool:
    try:
        found = path.lstat()
    except FileNotFoundError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
