"""Archived games in a backup: each row, packed as it is, is a record of the file.

Their names look like keys, `archive:game:<id>`, and come after all keys. The first game that needs
a dictionary has it in its record.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import orjson

from cartulary.events.archive.reading import ArchiveReader
from cartulary.events.backup.errors import DamagedBackup
from cartulary.events.backup.records import ARCHIVED, BackupRecord

if TYPE_CHECKING:
    from cartulary.events.archive.dictionaries import Dictionary
    from cartulary.events.archive.rows import GameRow

GAME: Final = f"{ARCHIVED}game:"

AT_ONCE: Final = 50
"""Games that are written in one transaction."""

_BYTES: Final = "base64"


def read_rows(reader: ArchiveReader) -> Iterator[BackupRecord]:
    """Yield everything in an archive as records of a backup. Raises `ArchiveError`."""
    if not reader.is_set:
        return
    archive = reader.archive
    known: dict[str, Dictionary] = {}
    for row in archive.rows():
        needed = {row.columns["events_dictionary"], row.columns["summary_dictionary"]} - {None}
        fresh = needed - known.keys()
        if fresh:
            known |= {one.id: one for one in archive.dictionaries()}
        content = {
            **row._asdict(),
            "dictionaries": [known[one]._asdict() for one in sorted(fresh) if one in known],
        }
        name = f"{GAME}{row.columns['id']}"
        yield BackupRecord(name.encode(), "string", [orjson.dumps(_encode(content))])


class Carrier:
    """Writes the archived games of a backup into an archive, some in one transaction."""

    def __init__(self, reader: ArchiveReader) -> None:
        self._reader = reader
        self._parts: list[bytes] = []
        self._rows: list[GameRow] = []
        self._dictionaries: list[Dictionary] = []

    def add(self, record: BackupRecord) -> None:
        """Take a record, or a part of it. Raises `ArchiveError`, `DamagedBackup`."""
        self._parts += record.items
        if record.more:
            return
        text, self._parts = b"".join(self._parts), []
        # Imported here: the libraries of the archive are needed for archived games only.
        from cartulary.events.archive.dictionaries import Dictionary
        from cartulary.events.archive.rows import GameRow

        try:
            found = _decode(orjson.loads(text))
            dictionaries = [Dictionary(**one) for one in found.pop("dictionaries")]
            self._rows.append(GameRow(**found))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise DamagedBackup(f"{record.name} is no archived game: {error}") from error
        self._dictionaries += dictionaries
        if len(self._rows) >= AT_ONCE:
            self.finish()

    def finish(self) -> None:
        """Write what is left. Raises `ArchiveError`."""
        if self._rows:
            self._reader.archive.put_rows(self._rows, self._dictionaries)
            self._rows, self._dictionaries = [], []


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
