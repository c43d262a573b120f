"""A folder as the target of backups."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from cartulary.events.backup.targets.target import (
    PARTIAL,
    MissingFile,
    TargetBusy,
    TargetError,
    open_private,
)

LOCK = ".backup.lock"


class BackupFolder:
    """A folder, which is made when missing; only its owner can read it."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.name = str(self.path)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold the folder: the lock disappears with the process, also when it is killed."""
        with self._refuse():
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = os.open(self.path / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise TargetBusy(f"another process makes a backup to {self.name} now") from None
            with self._refuse():
                self._sweep()
            yield
        finally:
            os.close(lock)

    def _sweep(self) -> None:
        """Remove what killed processes have left: nothing has had its name yet."""
        for left in self.path.glob(f".*{PARTIAL}"):
            shutil.rmtree(left) if left.is_dir() else left.unlink()

    @contextmanager
    def open_work(self) -> Iterator[Path]:
        """Yield a folder on the same disk, so that `put` moves files."""
        with self._refuse():
            work = Path(tempfile.mkdtemp(prefix=".", suffix=PARTIAL, dir=self.path))
        try:
            yield work
        finally:
            shutil.rmtree(work, ignore_errors=True)

    def list_names(self, prefix: str = "") -> Iterator[str]:
        """Yield the names that begin with a prefix, in order."""
        folder, _, begin = prefix.rpartition("/")
        try:
            found = sorted((self.path / folder).iterdir())
        except FileNotFoundError:
            return
        except OSError as error:
            raise self._make_error(error) from error
        for path in found:
            if path.name.startswith(begin) and not path.name.startswith("."):
                name = path.relative_to(self.path).as_posix()
                if path.is_dir():
                    yield from self.list_names(f"{name}/")
                else:
                    yield name

    def put(self, name: str, file: Path) -> None:
        """Store a file; it is moved where it lies on the same disk."""
        goal = self.path / name
        with self._refuse():
            goal.parent.mkdir(mode=0o700, exist_ok=True)
            if file.stat().st_dev != self.path.stat().st_dev:
                file = self._copy(file, goal)
            sync_path(file)
            os.replace(file, goal)
            sync_path(goal.parent)

    def _copy(self, file: Path, goal: Path) -> Path:
        copied = self.path / f".{goal.name}{PARTIAL}"
        try:
            with open_private(copied) as into, file.open("rb") as source:
                shutil.copyfileobj(source, into)
        except BaseException:
            copied.unlink(missing_ok=True)
            raise
        return copied

    def get(self, name: str, into: BinaryIO) -> None:
        """Write a file into another file."""
        with self._refuse(), (self.path / name).open("rb") as source:
            shutil.copyfileobj(source, into)

    def rename(self, name: str, new: str) -> None:
        """Give a file another name."""
        with self._refuse():
            os.replace(self.path / name, self.path / new)
            sync_path(self.path)

    def remove(self, name: str) -> None:
        """Remove a file, and the folder of segments that it was the last in."""
        path = self.path / name
        with self._refuse():
            path.unlink(missing_ok=True)
            if path.parent != self.path:
                _remove_if_empty(path.parent)

    @contextmanager
    def _refuse(self) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError as error:
            raise MissingFile(f"{error.filename} is missing") from error
        except OSError as error:
            raise self._make_error(error) from error

    def _make_error(self, error: OSError) -> TargetError:
        return TargetError(f"{error.filename or self.name}: {error.strerror}")


def _remove_if_empty(folder: Path) -> None:
    """Remove a folder without files; to look whether it has some takes long where it has many."""
    try:
        folder.rmdir()
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOENT):
            raise


def sync_path(path: Path) -> None:
    """Write a file, or the names in a folder, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
