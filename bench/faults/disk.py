"""A small file system in memory that can be full."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

RESERVE = 4 << 20
"""Bytes that the ballast never takes at once: the rest is filled in small steps."""


class Disk:
    """A mounted file system; `fill` takes all its room and `free` gives it back."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._ballast = path / "ballast"

    def fill(self) -> None:
        """Write until there is no room."""
        found = os.statvfs(self.path)
        room = found.f_bavail * found.f_frsize
        with self._ballast.open("ab") as file:
            if room > RESERVE:
                os.posix_fallocate(file.fileno(), 0, file.tell() + room - RESERVE)
            file.seek(0, os.SEEK_END)
            try:
                while True:
                    os.write(file.fileno(), b"x" * 4096)
            except OSError:
                return

    def free(self) -> None:
        """Give the room back."""
        self._ballast.unlink(missing_ok=True)


@contextmanager
def mount_disk(path: Path, megabytes: int) -> Iterator[Disk | None]:
    """Yield a file system of a size at `path`; None where it may not be mounted."""
    path.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0700", "tmpfs", str(path)]
    try:
        mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        mounted = False
    if not mounted:
        yield None
        return
    try:
        yield Disk(path)
    finally:
        subprocess.run(["umount", "-l", str(path)], check=True)
