"""Names in order, each once, on the disk: a store may have more names than memory should hold."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Self


class DiskSet:
    """A set of byte strings in a temporary file of SQLite; a context manager.

    The file disappears with the set. Memory holds a cache of a few MiB, however many names there
    are.
    """

    def __init__(self) -> None:
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.execute("CREATE TABLE names (name BLOB PRIMARY KEY) WITHOUT ROWID")
        self._db.execute("BEGIN")

    def add(self, names: Iterable[bytes]) -> None:
        """Add names; a name that the set has already changes nothing."""
        self._db.executemany("INSERT OR IGNORE INTO names VALUES (?)", ((name,) for name in names))

    def __len__(self) -> int:
        """Return how many different names were added."""
        return int(self._db.execute("SELECT count(*) FROM names").fetchone()[0])

    def __iter__(self) -> Iterator[bytes]:
        """Yield the names in the order of their bytes."""
        for (name,) in self._db.execute("SELECT name FROM names ORDER BY name"):
            yield name

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()
