"""The version of the tables in a database, and the migrations that bring it to the newest."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

from sqlalchemy import Connection, inspect, text

from cartulary.events.archive.database import Database
from cartulary.events.archive.errors import ArchiveTooNew, ArchiveTooOld
from cartulary.events.archive.tables import NEWEST, VERSION_TABLE, VERSIONS

MIGRATIONS = Path(__file__).parent / "migrations"

_alembic = Lock()
"""Alembic has one environment in a process, so threads take turns."""


def check_schema(database: Database, migrate: bool) -> None:
    """Check that a database has the newest tables; bring it there if `migrate`.

    Raises `ArchiveTooNew`; without `migrate` `ArchiveTooOld`; `ArchiveUnavailable`.
    """
    with database.reading() as connection:
        stored = read_version(connection)
    if stored == NEWEST:
        return
    if not migrate:
        raise ArchiveTooOld(stored, NEWEST)
    with database.migrating() as connection:
        if read_version(connection) != NEWEST:
            _upgrade(connection)


def read_version(connection: Connection) -> str | None:
    """Return the version of the tables, None for a database without. Raises `ArchiveTooNew`."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    found = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()
    if found is not None and found not in VERSIONS:
        raise ArchiveTooNew(str(found), NEWEST)
    return found


def _upgrade(connection: Connection) -> None:
    # Alembic takes a while to import, and most starts find the newest tables.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    with _alembic:
        command.upgrade(config, NEWEST)
