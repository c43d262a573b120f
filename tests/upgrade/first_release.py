"""The first release as it was: its sources, and a backup that it has written.

`first-release.tar.xz` has the rooms that a service needs of the last commit before the changelog
begins a new section after 0.1.0; without the client, which no test of an upgrade needs.
`first-release.backup` is of games that this code has played. `tests.upgrade.making` makes both
where the history is; a test cannot do that, because a clone may be shallow.
"""

from __future__ import annotations

import tarfile
from pathlib import Path
from typing import Final

from cartulary.events.archive.tables import NEWEST, VERSION_TABLE, VERSIONS
from tests.events.archive.database import list_tables, run

COMMIT: Final = "7d04f1d0"
"""The commit whose sources are in the file: `CHANGELOG.md` calls it the first release, 0.1.0."""

FORMAT: Final = 5
"""The format level of that release."""

ARCHIVE: Final = "0003"
"""The version of the tables in its archive."""

MIGRATIONS: Final = [one for one in VERSIONS if ARCHIVE < one <= NEWEST]
"""What is to be done to those tables in SQLite: each so far adds tables and changes no other."""

TABLES: Final = {"games", "people", "dictionaries", "identity", VERSION_TABLE}

SOURCES: Final = Path(__file__).with_name("first-release.tar.xz")
BACKUP: Final = Path(__file__).with_name("first-release.backup")

TODAY: Final = Path(__file__).parents[2]
"""The folder with the package of today."""


def unpack_sources(folder: Path) -> Path:
    """Unpack the sources of the first release, and return the folder with its package."""
    with tarfile.open(SOURCES) as packed:
        packed.extractall(folder, filter="data")
    return folder


def take_tables_back(url: str) -> None:
    """Give an archive of SQLite, in which are games alone, the tables of the first release."""
    for table in list_tables(url) - TABLES:
        run(url, f"DROP TABLE {table}")
    run(url, f"UPDATE {VERSION_TABLE} SET version_num = '{ARCHIVE}'")
