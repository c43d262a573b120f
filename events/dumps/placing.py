"""Placing: the folder of a month appears whole under its name, or not at all.

A dump that is killed leaves a hidden folder, which the next one removes. One dump is written to a
folder at a time; the lock disappears with the process that has it.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from cartulary.events.backup.targets.folder import sync_path

_LEFT: Final = re.compile(r"\.([0-9]{4}-[0-9]{2})\.(part|old)")


class DumpExists(Exception):
    """The month is there already."""


class DumpBusy(Exception):
    """Another process writes to the folder."""


@contextmanager
def place_month(folder: Path, name: str, again: bool = False) -> Iterator[Path]:
    """Yield an empty folder that takes the name of a month when the block ends without an error.

    It replaces the one that is there if `again`. Raises `DumpExists`, `DumpBusy`, `OSError`.
    """
    target, part, old = (folder / one for one in (name, f".{name}.part", f".{name}.old"))
    with _hold(folder):
        if target.exists() and not again:
            raise DumpExists(f"{target} is there already")
        part.mkdir(mode=0o755)
        yield part
        sync_path(part)
        if target.exists():
            target.rename(old)
        part.rename(target)
        sync_path(folder)


@contextmanager
def _hold(folder: Path) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    lock = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DumpBusy(f"another process writes a dump to {folder} now") from None
        _sweep(folder)
        try:
            yield
        finally:
            _sweep(folder)
    finally:
        os.close(lock)


def _sweep(folder: Path) -> None:
    """Remove what is left of dumps; a month that should have been replaced and was not is back."""
    for left in list(folder.iterdir()):
        named = _LEFT.fullmatch(left.name)
        if named is None:
            continue
        if named[2] == "old" and not (folder / named[1]).exists():
            left.rename(folder / named[1])
        else:
            shutil.rmtree(left)
