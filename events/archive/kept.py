"""What the archive does with a row whatever it is: a game or a tournament."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from sqlalchemy import Select, delete, func, select

from cartulary.events.archive.database import Database
from cartulary.events.archive.rows import Columns, Seals
from cartulary.events.archive.statements import read_lost, read_seals
from cartulary.events.archive.tables import ArchiveTable

AT_ONCE: Final = 500
"""Ids of one query."""

_UNREADABLE: Final = 0, ""


class KeptRows:
    """The rows of a table of archived streams. Thread-safe.

    All methods raise `ArchiveUnavailable`, those that write `ArchiveReadOnly` as well.
    """

    def __init__(self, database: Database, kept: ArchiveTable) -> None:
        self.database, self._kept = database, kept
        self._rows = kept.rows

    def seals(self, ids: Iterable[str]) -> Seals:
        """Return the seals of some rows, at most `AT_ONCE`, for `write`."""
        with self.database.reading() as connection:
            return read_seals(connection, self._kept, ids)

    def heads(self, ids: Iterable[str]) -> dict[str, tuple[int, str]]:
        """Return version and head of those of some ids that are here.

        0 and '' for a row that only `read` can say of what is wrong with it.
        """
        chosen, rows = list(ids), self._rows
        query = select(rows.c.id, rows.c.version, rows.c.head)
        found = {row["id"]: _read_head(row) for row in self.find(query, chosen)}
        lost = set(chosen) - found.keys()
        if lost:
            with self.database.reading() as connection:
                named = read_lost(connection, self._kept, lost)
            found |= dict.fromkeys(named, _UNREADABLE)
        return found

    def find(self, query: Select[Any], ids: Iterable[str]) -> list[Columns]:
        """Return what a query finds of the rows of some ids, a few hundred ids at once."""
        chosen = list(ids)
        found: list[Columns] = []
        with self.database.reading() as connection:
            for at in range(0, len(chosen), AT_ONCE):
                some = query.where(self._rows.c.id.in_(chosen[at : at + AT_ONCE]))
                found += map(dict, connection.execute(some).mappings())
        return found

    def remove(self, row_id: str, head: str) -> bool:
        """Remove a row if it has this head; returns whether it was here."""
        rows, inventory = self._rows, self._kept.inventory
        which = (rows.c.id == row_id) & (rows.c.head == bytes.fromhex(head))
        with self.database.writing() as connection:
            removed = connection.execute(delete(rows).where(which)).rowcount > 0
            if removed:
                connection.execute(delete(inventory).where(inventory.c.id == row_id))
            return removed

    def ids(self, after: str = "", limit: int = 1000) -> list[str]:
        """Return the ids after an id, in order, also those of rows that were lost."""
        found: set[str] = set()
        with self.database.reading() as connection:
            for column in (self._rows.c.id, self._kept.inventory.c.id):
                query = select(column).where(column > after).order_by(column).limit(limit)
                # An id that is no text sorts behind all others, and nothing can be found by it.
                found.update(one for one in connection.execute(query).scalars() if type(one) is str)
        return sorted(found)[:limit]

    def count(self) -> int:
        """Return the number of rows."""
        with self.database.reading() as connection:
            return connection.execute(select(func.count()).select_from(self._rows)).scalar_one()


def _read_head(row: Columns) -> tuple[int, str]:
    version: Any = row["version"]
    known = isinstance(version, int) and version > 0
    return (version, row["head"].hex()) if known else _UNREADABLE
