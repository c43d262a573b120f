"""What can be wrong with a backup."""

from __future__ import annotations

from cartulary.events.model.errors import LedgerError


class BackupError(LedgerError):
    """A backup that cannot be written, or a file or store that `restore` refuses."""


class DamagedBackup(BackupError):
    """A file that is not what `backup` has written: damaged, cut, changed, or of another program.

    `line` counts from 1 and is None where the file as a whole does not hold.
    """

    def __init__(self, problem: str, line: int | None = None) -> None:
        super().__init__(problem if line is None else f"line {line}: {problem}")
        self.line = line


class NewerBackup(BackupError):
    """A file that a newer release has written."""


class NotFresh(BackupError):
    """The store that a backup should be restored into holds keys already."""
