"""The version of the tables in a database, and the migrations that bring it to another."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

from sqlalchemy import Connection, inspect, text

from cartulary.events.archive.database import Database
from cartulary.events.archive.errors import ArchiveReadOnly, ArchiveTooNew, ArchiveTooOld
from cartulary.events.archive.identity import make_empty, make_foreign, read_identity
from cartulary.events.archive.tables import NEWEST, VERSION_TABLE, VERSIONS, identity

MIGRATIONS = Path(__file__).parent / "migrations"

_alembic = Lock()
"""Alembic has one environment in a process, so threads take turns."""


def check_schema(database: Database, migrate: bool, noted: str | None = None) -> None:
    """Check that a database has tables for this release; make them if `migrate`.

    Where the store has noted the id of an archive, no other database is changed. Raises
    `ArchiveTooNew`, `ForeignArchive`, `ArchiveUnavailable`; `ArchiveTooOld` without `migrate` and
    for older tables in a database that is read-only.
    """
    with database.reading() as connection:
        stored = read_version(connection)
        if noted is not None:
            _refuse_foreign(connection, database.name, stored, noted)
    if _is_enough(stored):
        return
    if not migrate:
        raise ArchiveTooOld(stored, NEWEST)
    try:
        with database.migrating() as connection:
            if not _is_enough(read_version(connection)):
                upgrade(connection, NEWEST)
    except ArchiveReadOnly as error:
        if stored is None:
            raise
        raise ArchiveTooOld(stored, NEWEST, is_read_only=True) from error


def _is_enough(stored: str | None) -> bool:
    return stored is not None and stored >= NEWEST


def _refuse_foreign(connection: Connection, name: str, stored: str | None, noted: str) -> None:
    """Raise `ForeignArchive` unless a database has the id that the store has noted.

    A migration would take the archive of another store away from processes of an earlier release.
    """
    if stored is None:
        raise make_empty(name, noted)
    has_id = inspect(connection).has_table(identity.name)
    found = read_identity(connection, name) if has_id else None
    if found != noted:
        raise make_foreign(name, found, noted)


def read_version(connection: Connection) -> str | None:
    """Return the version of the tables, None for a database without. Raises `ArchiveTooNew`."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    found = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()
    if found is not None and found not in VERSIONS:
        raise ArchiveTooNew(str(found), VERSIONS[-1])
    return found


def upgrade(connection: Connection, version: str) -> None:
    """Bring the tables to a version, in the transaction that is open; a newer one stays."""
    # Alembic takes a while to import, and most starts find the newest tables.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    with _alembic:
        command.upgrade(config, version)
