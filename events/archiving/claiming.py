"""Which archive gets what leaves the store: checked and noted before anything leaves."""

from __future__ import annotations

from cartulary.events.archive.errors import ArchiveError, ForeignArchive
from cartulary.events.archive.identity import make_foreign
from cartulary.events.archive.reading import ArchiveReader
from cartulary.events.archive.state import ArchiveState


class ArchiveClaim:
    """The archive of a store, as archivers need it. Thread-safe.

    All methods raise `ArchiveError`, `RedisError`.
    """

    def __init__(self, reader: ArchiveReader, state: ArchiveState) -> None:
        self._reader, self._state = reader, state

    def check(self) -> None:
        """Check that the archive answers and is that of this store; note in the store what fails.

        Raises `ArchiveError`, `RedisError`.
        """
        try:
            if self._state.read().archived:
                self.claim()  # an earlier release archived without a note
            else:
                self._reader.archive.identify()
        except ArchiveError as error:
            self._state.note_failure(error)
            raise
        self._state.note_works()

    def claim(self) -> None:
        """Note which archive gets the games, before the first game leaves the store.

        Raises `ForeignArchive` when another archive has games of this store.
        """
        archive = self._reader.archive
        found, noted = archive.identify(), self._state.find_identity()
        if noted is None:
            gone = self._state.read().archived
            if gone and not archive.count():
                raise ForeignArchive(
                    f"{archive.name} is not the archive of this store: it is empty, and the store"
                    f" notes {gone} archived games: correct CARTULARY_ARCHIVE_URL"
                )
            noted = self._state.claim(found)
        if noted != found:
            raise make_foreign(archive.name, found, noted)
