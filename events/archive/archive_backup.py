"""Archived games and tournaments in a backup: each row, packed as it is, is a record of the file.

Their names look like keys, `archive:game:<id>` and `archive:tournament:<id>`, and come after all
keys. The first game that needs a dictionary has it in its record.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import orjson

from cartulary.events.archive.reading import ArchiveReader
from cartulary.events.backup.errors import DamagedBackup
from cartulary.events.backup.records import ARCHIVED_GAME, ARCHIVED_TOURNAMENT, BackupRecord
from cartulary.events.model.clock import SYSTEM

if TYPE_CHECKING:
    from cartulary.events.archive.dictionaries import Dictionary
    from cartulary.events.archive.rows import Columns, GameRow
    from cartulary.events.archive.tournament_shelf import TournamentShelf

AT_ONCE: Final = 50
"""Games, and tournaments, that are written in one transaction."""

_BYTES: Final = "base64"


def read_rows(reader: ArchiveReader) -> Iterator[BackupRecord]:
    """Yield everything in an archive as records of a backup. Raises `ArchiveError`."""
    if not reader.is_set:
        return
    yield from write_rows(reader, reader.archive.rows())
    yield from write_tournaments(open_shelf(reader).rows())


def write_rows(reader: ArchiveReader, rows: Iterable[GameRow]) -> Iterator[BackupRecord]:
    """Yield archived games as records. Raises `ArchiveError`."""
    known: dict[str, Dictionary] = {}
    written = set[str]()
    for row in rows:
        needed = {row.columns["events_dictionary"], row.columns["summary_dictionary"]} - {None}
        fresh = sorted(needed - written)
        if not known.keys() >= set(fresh):
            known |= {one.id: one for one in reader.archive.dictionaries()}
        written |= needed
        content = {
            **row._asdict(),
            # The proof names the games of one that is missing.
            "dictionaries": [known[one]._asdict() for one in fresh if one in known],
        }
        yield _make_record(ARCHIVED_GAME, row.columns["id"], content)


def open_shelf(reader: ArchiveReader) -> TournamentShelf:
    """Return the archived tournaments of an archive. Raises `ArchiveError`."""
    # Imported here: the libraries of the archive are needed for what is archived only.
    from cartulary.events.archive.tournament_shelf import TournamentShelf

    return TournamentShelf(reader.archive.database)


def write_tournaments(rows: Iterable[Columns]) -> Iterator[BackupRecord]:
    """Yield archived tournaments as records. Raises `ArchiveError`."""
    for columns in rows:
        yield _make_record(ARCHIVED_TOURNAMENT, columns["id"], columns)


def _make_record(kind: str, row_id: str, content: Mapping[str, Any]) -> BackupRecord:
    return BackupRecord(f"{kind}{row_id}".encode(), "string", [orjson.dumps(_encode(content))])


class ArchivedRecord:
    """An archived game or tournament in a backup, as far as those need it who only pass it on.

    `dictionaries` are those that come with its record, by id, in a form of their own; a tournament
    needs no dictionary.
    """

    def __init__(self, record: BackupRecord) -> None:
        """Take a whole record. Raises `DamagedBackup`."""
        self._name = record.name
        try:
            self._content: Any = orjson.loads(b"".join(record.items))
            self._is_game = self._name.startswith(ARCHIVED_GAME)
            columns = self._content["columns"] if self._is_game else self._content
            self.ended_at = int(columns["ended_at"])
            self.seal = b64decode(columns["seal"][_BYTES])
            used = {columns.get("events_dictionary"), columns.get("summary_dictionary")}
            self.needed: set[str] = used - {None}
            listed = self._content["dictionaries"] if self._is_game else ()
            self.dictionaries: dict[str, Any] = {one["id"]: one for one in listed}
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise DamagedBackup(f"{record.name} is nothing archived: {error}") from error

    def write(self, dictionaries: Iterable[Any]) -> BackupRecord:
        """Return the record with other dictionaries."""
        content = dict(self._content)
        if self._is_game:
            content["dictionaries"] = list(dictionaries)
        return BackupRecord(self._name.encode(), "string", [orjson.dumps(content)])


class Carrier:
    """Writes what a backup has of an archive into an archive, some rows in one transaction."""

    def __init__(self, reader: ArchiveReader) -> None:
        self._reader = reader
        self._parts: list[bytes] = []
        self._rows: list[GameRow] = []
        self._dictionaries: list[Dictionary] = []
        self._tournaments: list[Columns] = []

    def add(self, record: BackupRecord) -> None:
        """Take a record, or a part of it. Raises `ArchiveError`, `DamagedBackup`."""
        self._parts += record.items
        if record.more:
            return
        text, self._parts = b"".join(self._parts), []
        is_game = record.name.startswith(ARCHIVED_GAME)
        try:
            (self._add_game if is_game else self._add_tournament)(_decode(orjson.loads(text)))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            what = "game" if is_game else "tournament"
            raise DamagedBackup(f"{record.name} is no archived {what}: {error}") from error
        if len(self._rows) + len(self._tournaments) >= AT_ONCE:
            self.finish()

    def _add_game(self, found: Any) -> None:
        # Imported here: the libraries of the archive are needed for what is archived only.
        from cartulary.events.archive.dictionaries import Dictionary
        from cartulary.events.archive.rows import GameRow

        dictionaries = [Dictionary(**one) for one in found.pop("dictionaries")]
        self._rows.append(GameRow(**found))
        self._dictionaries += dictionaries

    def _add_tournament(self, found: Any) -> None:
        from cartulary.events.archive.tables import tournaments

        if found.keys() != set(tournaments.c.keys()):
            raise ValueError("its columns are others")
        self._tournaments.append(found)

    def finish(self) -> None:
        """Write what is left. Raises `ArchiveError`."""
        if self._rows:
            # An archive that is empty gets a partition for each month of these games.
            self._reader.archive.tend(SYSTEM.now_ms(), 0)
            self._reader.archive.put_rows(self._rows, self._dictionaries)
            self._rows, self._dictionaries = [], []
        if self._tournaments:
            open_shelf(self._reader).put_rows(self._tournaments)
            self._tournaments = []


def _encode(value: Any) -> Any:
    if isinstance(value, bytes):
        return {_BYTES: b64encode(value).decode()}
    if isinstance(value, Mapping):
        # The names of columns are of a class of SQLAlchemy.
        return {str(name): _encode(one) for name, one in value.items()}
    return [_encode(one) for one in value] if isinstance(value, list) else value


def _decode(value: Any) -> Any:
    if isinstance(value, dict):
        if value.keys() == {_BYTES}:
            return b64decode(value[_BYTES])
        return {name: _decode(one) for name, one in value.items()}
    return [_decode(one) for one in value] if isinstance(value, list) else value
