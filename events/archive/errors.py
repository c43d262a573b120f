"""What the archive cannot do, and why.

    ArchiveError
    ├── InvalidArchiveUrl        CARTULARY_ARCHIVE_URL names no archive that this release knows
    ├── ArchiveUnavailable       archive_unavailable   the database does not answer; retry later
    │   ├── ForeignArchive       the database is not the archive of this store
    │   ├── ArchiveReadOnly      the database refuses writes
    │   └── ArchiveFull          the disk or the quota of the database is full
    ├── ArchiveTooNew            archive_unavailable   a newer release has migrated the database
    ├── ArchiveTooOld            the database has to be migrated first
    ├── NotArchivable            a game that the archive could not give back as it is
    └── ArchiveDamaged           an archived game was changed, or its row is damaged

No error leaves a half-written game: each write is one transaction.
"""

from __future__ import annotations

from typing import ClassVar, Final

from cartulary.events.model.errors import LedgerError
from cartulary.events.model.failures import NewerRelease


class ArchiveError(LedgerError):
    """The root of everything that the archive refuses or cannot do.

    `problem` is the word for it in `/readyz`, `told` the sentence for a client.
    """

    problem: ClassVar[str] = "unreachable"
    told: ClassVar[str] = "the archive of finished games does not answer"


PROBLEMS: Final = ("unreachable", "foreign", "read_only", "full", "newer", "older")
"""All words for what fails."""


class InvalidArchiveUrl(ArchiveError):
    """The URL names no database that the archive can use; the message shows no password."""


class ArchiveUnavailable(ArchiveError):
    """The database of the archive does not answer, or it answers with an error.

    Nothing is wrong with the games: reads and writes work again once the database does.
    """

    code: ClassVar[str] = "archive_unavailable"


class ForeignArchive(ArchiveUnavailable):
    """The database is another one than the archive of this store: its URL is wrong."""

    problem: ClassVar[str] = "foreign"
    told: ClassVar[str] = "the database that is set up here is not the archive of finished games"


class ArchiveReadOnly(ArchiveUnavailable):
    """The database refuses writes: a read-only file, or a user without the right to write."""

    problem: ClassVar[str] = "read_only"
    told: ClassVar[str] = "the archive of finished games takes no writes"


class ArchiveFull(ArchiveUnavailable):
    """The disk of the database is full, so nothing was written."""

    problem: ClassVar[str] = "full"
    told: ClassVar[str] = "the archive of finished games is full"


class ArchiveTooNew(ArchiveError, NewerRelease):
    """A newer release has migrated the database: upgrade this process."""

    code: ClassVar[str] = "archive_unavailable"
    problem: ClassVar[str] = "newer"
    told: ClassVar[str] = "a newer release of the service has written the archive"

    def __init__(self, stored: str, known: str) -> None:
        super().__init__(
            f"a newer release has written to this archive (its schema is {stored}, this release"
            f" knows {known}): upgrade this process"
        )
        self.stored, self.known = stored, known


class ArchiveTooOld(ArchiveError):
    """An earlier release has written the database, and it is not migrated."""

    code: ClassVar[str] = "archive_unavailable"
    problem: ClassVar[str] = "older"
    told: ClassVar[str] = "an earlier release of the service has written the archive"

    def __init__(self, stored: str | None, known: str, is_read_only: bool = False) -> None:
        found = "has no schema yet" if stored is None else f"has the schema {stored}"
        advice = (
            "it is read-only: make it writable for one start, which migrates it"
            if is_read_only
            else "`cartulary serve` and `cartulary archive` migrate the archive at their start"
        )
        super().__init__(f"this archive {found}, this release needs {known}: {advice}")
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
