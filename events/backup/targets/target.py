"""What a target of backups can do, whether it is a folder or a bucket."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO, Protocol

from cartulary.events.backup.errors import BackupError

SCHEME = "s3://"
"""How the address of a bucket begins."""

PARTIAL = ".partial"
"""How the names of files end that are being written; a killed process leaves such a file."""


class TargetError(BackupError):
    """A target that cannot be reached, read or written."""


class TargetBusy(TargetError):
    """A target to which another process makes a backup."""


class MissingFile(TargetError):
    """A file that is not in the target."""


class BackupTarget(Protocol):
    """A place with named files. All methods raise `TargetError`."""

    @property
    def name(self) -> str:
        """Return the address as it was given."""
        ...

    def hold(self) -> AbstractContextManager[None]:
        """Hold the target: no other process makes backups there. Raises `TargetBusy`.

        What a process has left behind that was killed in the middle of a file is removed.
        """
        ...

    def open_work(self) -> AbstractContextManager[Path]:
        """Yield a folder for files that `put` takes over; it is removed afterwards."""
        ...

    def list_names(self, prefix: str = "") -> Iterator[str]:
        """Yield the names that begin with a prefix, in order."""
        ...

    def put(self, name: str, file: Path) -> None:
        """Store a file under a name: whole and durable, or not at all. The file may be moved."""
        ...

    def get(self, name: str, into: BinaryIO) -> None:
        """Write a file into another file. Raises `MissingFile`."""
        ...

    def rename(self, name: str, new: str) -> None:
        """Give a file another name. Raises `MissingFile`."""
        ...

    def remove(self, name: str) -> None:
        """Remove a file; one that is missing will do."""
        ...


def open_private(path: Path) -> BinaryIO:
    """Open a new file for writing and reading that only its owner can read. Raises `OSError`."""
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b")
