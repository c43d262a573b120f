"""Which archive holds the games of a store: the id of the database, and the note in the store.

The migration gives each database a random id, and a copy of the database has the same id. The store
notes the id of its archive before the first game leaves the store. A database with another id is
*foreign*: it does not have the games, so "not found" there says nothing about them.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Final

from sqlalchemy import Connection, select

from cartulary.events.archive import tables
from cartulary.events.archive.errors import ForeignArchive

Noted = Callable[[], str | None]
"""Returns the id of the archive that the store has noted, None while no archive has its games."""

AGREED_S: Final = 10.0
"""Seconds for which a process trusts that the note of the store is the same."""

_QUERY: Final = select(tables.identity.c.id)


def note_nothing() -> None:
    """Return the note of a store without a note."""
    return


def read_identity(connection: Connection, name: str) -> str:
    """Return the id of a database; `name` is its URL for people. Raises `ForeignArchive`."""
    found: str | None = connection.execute(_QUERY).scalar()
    if found is None:
        raise ForeignArchive(f"the archive {name} has lost its identity")
    return found


class Judge:
    """Judges whether a database is the archive of a store. Thread-safe."""

    def __init__(self, name: str, noted: Noted, monotonic: Callable[[], float] = monotonic) -> None:
        self._name, self._noted, self._monotonic = name, noted, monotonic
        self._agreed: tuple[str, float] = "", 0.0

    def check(self, connection: Connection) -> None:
        """Check the database behind a connection, in the transaction that is open.

        So a database that was exchanged behind its URL is noticed, too. Raises `ForeignArchive`.
        """
        found = read_identity(connection, self._name)
        known, until = self._agreed
        if found == known and self._monotonic() < until:
            return
        noted = self._noted()
        if noted is None:  # nothing has left the store so far
            return
        if noted != found:
            raise make_foreign(self._name, found, noted)
        self._agreed = found, self._monotonic() + AGREED_S


def make_foreign(name: str, found: str | None, noted: str) -> ForeignArchive:
    """Return the error for a database that is not the archive of the store; `found` is its id."""
    return _refuse(name, f"its identity is {found[:8]}" if found else "it has no identity", noted)


def make_empty(name: str, noted: str) -> ForeignArchive:
    """Return the error for a database without tables where the store has an archive."""
    return _refuse(name, "it is empty", noted)


def _refuse(name: str, why: str, noted: str) -> ForeignArchive:
    return ForeignArchive(
        f"{name} is not the archive of this store: {why}, and the games of this store are in the"
        f" archive {noted[:8]}: correct CARTULARY_ARCHIVE_URL"
    )
