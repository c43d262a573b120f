"""What the archive cannot do, and why.

    ArchiveError
    ├── InvalidArchiveUrl        CARTULARY_ARCHIVE_URL names no archive that this release knows
    ├── ArchiveUnavailable       archive_unavailable   the database does not answer; retry later
    │   ├── ArchiveReadOnly      the database refuses writes
    │   └── ArchiveFull          the disk or the quota of the database is full
    ├── ArchiveTooNew            archive_unavailable   a newer release has migrated the database
    ├── ArchiveTooOld            the database has to be migrated first
    ├── NotArchivable            a game that the archive could not give back as it is
    └── ArchiveDamaged           an archived game was changed, or its row is damaged

No error leaves a half-written game: each write is one transaction.
"""

from __future__ import annotations

from typing import ClassVar

from cartulary.events.errors import LedgerError, NewerRelease


class ArchiveError(LedgerError):
    """The root of everything that the archive refuses or cannot do."""


class InvalidArchiveUrl(ArchiveError):
    """The URL names no database that the archive can use; the message shows no password."""


class ArchiveUnavailable(ArchiveError):
    """The database of the archive does not answer, or it answers with an error.

    Nothing is wrong with the games: reads and writes work again once the database does.
    """

    code: ClassVar[str] = "archive_unavailable"


class ArchiveReadOnly(ArchiveUnavailable):
    """The database refuses writes: a read-only file, or a user without the right to write."""


class ArchiveFull(ArchiveUnavailable):
    """The disk of the database is full, so nothing was written."""


class ArchiveTooNew(ArchiveError, NewerRelease):
    """A newer release has migrated the database: upgrade this process."""

    code: ClassVar[str] = "archive_unavailable"

    def __init__(self, stored: str, known: str) -> None:
        super().__init__(
            f"a newer release has written to this archive (its schema is {stored}, this release"
            f" knows {known}): upgrade this process"
        )
        self.stored, self.known = stored, known


class ArchiveTooOld(ArchiveError):
    """An earlier release has written the database, and the caller does not migrate it."""

    def __init__(self, stored: str | None, known: str) -> None:
        found = "has no schema yet" if stored is None else f"has the schema {stored}"
        super().__init__(
            f"this archive {found}, this release needs {known}: `cartulary serve` and"
            " `cartulary archive` migrate the archive at their start"
        )
        self.stored, self.known = stored, known


class NotArchivable(ArchiveError):
    """A game that the archive could not give back as it is: the game stays in the store."""

    def __init__(self, game_id: str, reason: str) -> None:
        super().__init__(f"game {game_id} cannot be archived: {reason}")
        self.game_id, self.reason = game_id, reason


class ArchiveDamaged(ArchiveError):
    """An archived game cannot be read as it was written; `reason` is a sentence."""

    def __init__(self, game_id: str, reason: str) -> None:
        super().__init__(f"game {game_id} is damaged in the archive: {reason}")
        self.game_id, self.reason = game_id, reason
