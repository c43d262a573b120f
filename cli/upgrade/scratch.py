"""A store for the copy: a folder with a server of its own that leaves nothing behind.

A process that is killed removes nothing itself. So a small shell holds the end of a pipe from it:
the pipe ends with the process, however it ends, and the shell removes the folder.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import NamedTuple

from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.cli.embedded.errors import EmbeddedError
from cartulary.cli.operators.store import open_by_url
from cartulary.cli.shared.environment import ARCHIVE_FILE
from cartulary.cli.shared.errors import Unusable
from cartulary.events.store import Store

PREFIX = "cartulary-upgrade-"
"""How the names of the folders begin."""

_REMOVE = """
cat >/dev/null
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  rm -rf -- "$1" 2>/dev/null
  [ -e "$1" ] || exit 0
  sleep 0.5
done
exit 1
"""
"""Removes a folder once the pipe ends: again for ten seconds, while a server still writes there."""


class Scratch(NamedTuple):
    """A folder of its own and the server that keeps its data there."""

    folder: Path
    url: str

    @property
    def archive(self) -> Path:
        """The file of the copied archive; it may be missing."""
        return self.folder / ARCHIVE_FILE

    @property
    def archive_url(self) -> str:
        """The address of the copied archive."""
        return f"sqlite:///{self.archive}"


def open_copy(scratch: Scratch) -> Store:
    """Return the ledger of the copy. A process of a pool that calls this ends with its parent."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent,), daemon=True).start()
    # An archive that is missing would be made at the first look.
    return open_by_url(scratch.url, scratch.archive_url if scratch.archive.exists() else "")


def _end_with(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    os._exit(1)


@contextmanager
def open_scratch(within: Path | None = None) -> Iterator[Scratch]:
    """Yield an empty store in a new folder below `within`, by default that for temporary files.

    Both are gone at the end, also when this process is killed. Raises `Unusable`.
    """
    with _open_folder(within) as folder:
        valkey = EmbeddedValkey(folder / "valkey")
        try:
            url = valkey.start()
        except EmbeddedError as error:
            raise Unusable(f"no store can be started for the copy: {error}") from error
        try:
            yield Scratch(folder, url)
        finally:
            valkey.stop()


@contextmanager
def _open_folder(within: Path | None) -> Iterator[Path]:
    try:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=within))
    except OSError as error:
        raise Unusable(f"no folder can be made for the copy: {error}") from error
    # A session of its own: Ctrl-C on the terminal is for this process.
    remover = subprocess.Popen(
        ["/bin/sh", "-c", _REMOVE, "sh", folder], stdin=subprocess.PIPE, start_new_session=True
    )
    assert remover.stdin is not None
    try:
        yield folder
    finally:
        remover.stdin.close()
        if remover.wait():
            raise Unusable(f"{folder} cannot be removed: remove it by hand")
