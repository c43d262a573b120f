"""What a machine remembers of a chain: the marks of all shipped values, and segments on their way.

A chain is a backup and the segments after it. The file is a database of SQLite in a folder of its
own, next to the segments that the target does not have yet. A segment counts as soon as its marks
are committed; its file is on the disk before. A process that is killed between the two leaves a
file with a number that does not count, which the next process removes. So nothing is shipped twice
and nothing is left out, wherever the process was killed.

All of it can be deleted: then the next start makes a new backup and begins a new chain.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple, Self

from cartulary.events.backup.targets.folder import sync_path
from cartulary.events.backup.targets.naming import SegmentName, parse_segment

AT_ONCE: Final = 500
SUFFIX: Final = ".chain"


class ChainPlace(NamedTuple):
    """Where a chain stands: the last segment (0: the backup alone), and its checksum."""

    number: int
    digest: str


class ChainState:
    """The state of one chain. One thread at a time may use it. Methods raise `sqlite3.Error`."""

    def __init__(self, folder: Path, stem: str) -> None:
        self.folder, self.stem = folder / f"{stem}{SUFFIX}", stem
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # A backup is made in one thread, and shipping goes on in another.
        self._db = sqlite3.connect(self.folder / "marks", check_same_thread=False)
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute(
            "CREATE TABLE IF NOT EXISTS marks (key BLOB PRIMARY KEY, mark BLOB) WITHOUT ROWID"
        )
        self._db.execute("CREATE TABLE IF NOT EXISTS place (number INTEGER, digest TEXT)")

    @classmethod
    def list_stems(cls, folder: Path) -> list[str]:
        """Return the chains that a folder has a state of, the newest first."""
        found = (path.name.removesuffix(SUFFIX) for path in folder.glob(f"*{SUFFIX}"))
        return sorted(found, reverse=True)

    # -- the marks --------------------------------------------------------------------------------

    def add(self, key: bytes, mark: bytes) -> None:
        """Note the mark of a value of the backup; `begin` commits all of them."""
        self._db.execute("INSERT OR REPLACE INTO marks VALUES (?, ?)", (key, mark))

    def begin(self, digest: str) -> None:
        """Note that the backup is in the target: the chain begins."""
        self._db.execute("DELETE FROM place")
        self._db.execute("INSERT INTO place VALUES (0, ?)", (digest,))
        self._db.commit()

    @property
    def position(self) -> ChainPlace | None:
        """Return where the chain stands, None for one whose backup was not completed."""
        row = self._db.execute("SELECT number, digest FROM place").fetchone()
        return None if row is None else ChainPlace(*row)

    def find(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return the marks of those of these keys that have one."""
        wanted, found = list(keys), dict[bytes, bytes]()
        for at in range(0, len(wanted), AT_ONCE):
            some = wanted[at : at + AT_ONCE]
            query = f"SELECT key, mark FROM marks WHERE key IN ({','.join('?' * len(some))})"
            found.update(self._db.execute(query, some).fetchall())
        return found

    def list_keys(self) -> Iterator[bytes]:
        """Yield all keys that have a mark."""
        after = b""
        while rows := self._db.execute(
            "SELECT key FROM marks WHERE key > ? ORDER BY key LIMIT ?", (after, AT_ONCE)
        ).fetchall():
            yield from (key for (key,) in rows)
            after = rows[-1][0]

    # -- the segments on their way ----------------------------------------------------------------

    def commit(
        self, name: SegmentName, file: Path, digest: str, marks: Mapping[bytes, bytes | None]
    ) -> None:
        """Take a segment over, which `file` has, with the marks from then on (None: gone).

        Raises `OSError`, `sqlite3.Error`; the chain stands where it stood then.
        """
        waiting = self.file_of(name)
        try:
            sync_path(file)
            os.replace(file, waiting)
            sync_path(self.folder)
            for key, mark in marks.items():
                if mark is None:
                    self._db.execute("DELETE FROM marks WHERE key = ?", (key,))
                else:
                    self.add(key, mark)
            self._db.execute("UPDATE place SET number = ?, digest = ?", (name.number, digest))
            self._db.commit()
        except BaseException:
            # This connection would read what it has not committed: the disk may be full.
            self._db.rollback()
            waiting.unlink(missing_ok=True)
            raise

    def list_waiting(self) -> list[tuple[SegmentName, Path]]:
        """Return the segments that count and that `ship` has not removed, in order."""
        place = self.position
        last = 0 if place is None else place.number
        found = []
        for file in sorted(self.folder.glob("*.segment")):
            name = parse_segment(f"{self.stem}.segments/{file.name}")
            if name is not None and name.number <= last:
                found.append((name, file))
        return found

    def sweep(self) -> None:
        """Remove the file of a segment that does not count."""
        waiting = {file for _name, file in self.list_waiting()}
        for file in self.folder.glob("*.segment*"):
            if file not in waiting:
                file.unlink()

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    def remove(self) -> None:
        """Close and delete everything."""
        self.close()
        for file in self.folder.iterdir():
            file.unlink()
        self.folder.rmdir()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def file_of(self, name: SegmentName) -> Path:
        """Return the file of a segment that waits."""
        return self.folder / str(name).rpartition("/")[2].removesuffix(".age")
