"""The tournaments of an archive: rows of a table of their own, in the database of the games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeVar

import orjson
from sqlalchemy import select

from cartulary.events.archive.database import Database
from cartulary.events.archive.errors import ArchiveDamaged
from cartulary.events.archive.kept import KeptRows
from cartulary.events.archive.rows import Columns, Seals
from cartulary.events.archive.statements import put_kept, read_lost
from cartulary.events.archive.tables import TOURNAMENTS
from cartulary.events.archive.tournament_rows import (
    ArchivedTournament,
    pack_tournament,
    unpack_tournament,
    unpack_tournament_texts,
)

PRIVATE: Final = "private"

ROWS_AT_ONCE: Final = 20
"""Packed tournaments that `rows` reads at once: a large one has some 100 KB."""

T = TypeVar("T")


class TournamentShelf(KeptRows):
    """The tournaments of the archive behind a database. Thread-safe; costs nothing to make.

    All methods raise `ArchiveUnavailable`, those that write `ArchiveReadOnly` and `ArchiveFull` as
    well; nothing is written then.
    """

    def __init__(self, database: Database) -> None:
        super().__init__(database, TOURNAMENTS)

    def write(
        self, tournaments: Sequence[ArchivedTournament], seen: Seals | None = None
    ) -> set[str]:
        """Write tournaments in one transaction; one that is here already is replaced.

        With `seen`, which `seals` returned, rows that were written since then stay as they are.
        Returns the ids of those that were written. Raises `NotArchivable`.
        """
        packed = [pack_tournament(one) for one in tournaments]
        with self.database.writing() as connection:
            return put_kept(connection, self._kept, packed, seen)

    def read(self, tournament_id: str) -> ArchivedTournament | None:
        """Return a tournament as it was written, None where it is not here.

        Raises `ArchiveDamaged`.
        """
        return self._read(tournament_id, unpack_tournament)

    def texts(self, tournament_id: str) -> tuple[bytes, ...] | None:
        """Return the events of a tournament as `read` does, without what lies next to them."""
        return self._read(tournament_id, unpack_tournament_texts)

    def _read(self, tournament_id: str, unpack: Callable[[Columns], T]) -> T | None:
        query = select(self._rows).where(self._rows.c.id == tournament_id)
        with self.database.reading() as connection:
            row = connection.execute(query).mappings().first()
            if row is None and read_lost(connection, self._kept, [tournament_id]):
                raise ArchiveDamaged(tournament_id, "its row is missing")
        return None if row is None else unpack(dict(row))

    def may_show(self, tournament_id: str, player_id: str | None) -> bool:
        """Return whether a tournament is not private, or concerns a player.

        For a row that is damaged otherwise.
        """
        wanted = self._rows.c.id == tournament_id
        query = select(self._rows.c.visibility, self._rows.c.people).where(wanted)
        with self.database.reading() as connection:
            row = connection.execute(query).first()
        if row is None or row.visibility != PRIVATE:
            return True
        try:
            return player_id is not None and player_id in orjson.loads(row.people)
        except (ValueError, TypeError):
            return False

    # -- backups ----------------------------------------------------------------------------------

    def rows(self, after: str = "") -> Iterator[Columns]:
        """Yield the rows after an id in order, packed as they are, for a backup."""
        while True:
            query = select(self._rows).where(self._rows.c.id > after).order_by(self._rows.c.id)
            with self.database.reading() as connection:
                found = list(map(dict, connection.execute(query.limit(ROWS_AT_ONCE)).mappings()))
            yield from found
            if len(found) < ROWS_AT_ONCE:
                return
            after = found[-1]["id"]

    def rows_of(self, ids: Iterable[str]) -> list[Columns]:
        """Return the rows of tournaments, packed as they are, for a backup."""
        return self.find(select(self._rows), ids)

    def put_rows(self, rows: Sequence[Columns]) -> None:
        """Write the rows of a backup in one transaction, checked before.

        One that is here already is replaced. Raises `ArchiveDamaged` for a row that cannot be read.
        """
        for row in rows:
            unpack_tournament(row)
        with self.database.writing() as connection:
            put_kept(connection, self._kept, rows)
