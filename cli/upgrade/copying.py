"""Copies what is to be rehearsed into a store of its own: a backup, or the live store as it is.

Of the live store it only reads: the same reading as that of a backup, into a file of its own.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from functools import partial
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import BinaryIO, NamedTuple

from sqlalchemy import make_url

from cartulary.cli.backups.restore import open_backup
from cartulary.cli.backups.sources import NEWEST, SourceChoice
from cartulary.cli.operators.store import refuse_unusable
from cartulary.cli.shared.environment import ARCHIVE_URL
from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.cli.shared.progress import progress
from cartulary.cli.upgrade.scratch import Scratch, open_copy
from cartulary.events.archive.archive import Archive
from cartulary.events.archive.archive_backup import Carrier, read_rows
from cartulary.events.archive.errors import ArchiveError
from cartulary.events.archive.identity import Noted
from cartulary.events.archive.reading import ArchiveReader
from cartulary.events.backup import load as loading
from cartulary.events.backup.dump import dump
from cartulary.events.backup.errors import BackupError
from cartulary.events.backup.records import BackupRecord
from cartulary.events.store import Store

LIVE = "live"
"""What names the live store, where anything else names a backup."""


class Copied(NamedTuple):
    """What was copied: the release that has written it, when, its format level, name and size.

    `tables` is the version of the tables of a live archive, None without one and of a backup, which
    does not have them. An archive that `is_file` was copied as such, and `migration_s` is how long
    it took to bring that copy to the tables of this release.
    """

    software: str
    at: str
    level: int
    label: str = ""
    bytes: int = 0
    tables: str | None = None
    is_file: bool = True
    migration_s: float = 0.0


def copy_backup(
    source: str,
    scratch: Scratch,
    choice: SourceChoice = NEWEST,
    identity: Path | None = None,
) -> Copied:
    """Check a backup and write it into the copy; `source` and `choice` are what `restore` takes.

    Raises `Unusable` for what `restore` refuses too: damaged, cut, of a newer release, encrypted
    for other keys than the one in the file `identity`.
    """
    work = scratch.folder / "fetched"
    work.mkdir()
    with open_backup(source, choice, identity, work) as (file, label):
        with refuse_unusable(), progress("checking") as show:
            contents = loading.check_file(file, show)
        size = os.fstat(file.fileno()).st_size
        return _fill(scratch, file, contents)._replace(label=label, bytes=size)


def copy_live(store: Store, archive_url: str, scratch: Scratch) -> Copied:
    """Copy a store that may be in use, and its archive; nothing is written there.

    Raises `Unusable`, and `Failed` for an archive that cannot be read as it is.
    """
    if not archive_url and store.archive_state.find_identity() is not None:
        raise Unusable(f"finished games of this store are in an archive: set {ARCHIVE_URL}")
    copy = scratch.folder / "live.backup"
    try:
        with copy.open("w+b") as target, progress("copying") as show:
            dump(store.redis, target, show, _read_archive(store, archive_url), store.registry)
    except (BackupError, ArchiveError, OSError) as error:
        raise Failed(f"the live store cannot be copied: {error}") from error
    # After the store: a game that leaves it meanwhile is in the archive then.
    is_file = not archive_url or archive_url.startswith("sqlite")
    tables = _copy_archive(archive_url, scratch) if is_file else _read_tables(store, archive_url)
    took = _migrate(scratch) if tables and is_file else 0.0
    found = copy_backup(str(copy), scratch)
    copy.unlink()
    return found._replace(label=LIVE, tables=tables, is_file=is_file, migration_s=took)


def _copy_archive(url: str, scratch: Scratch) -> str | None:
    """Copy an archive of SQLite as it is, and return the version of its tables; None without."""
    file = make_url(url).database if url.startswith("sqlite") else None
    if file is None or not Path(file).exists():
        return None
    try:
        with (
            closing(sqlite3.connect(f"{Path(file).absolute().as_uri()}?mode=ro", uri=True)) as live,
            closing(sqlite3.connect(scratch.archive)) as copied,
        ):
            live.backup(copied)
            (version,) = copied.execute("SELECT version_num FROM archive_version").fetchone()
    except (sqlite3.Error, TypeError) as error:
        raise Failed(f"the archive {file} cannot be copied: {error}") from error
    return str(version)


def _migrate(scratch: Scratch) -> float:
    """Bring the copied archive to the tables of this release; return the seconds that it took."""
    import_module("alembic.command")  # which takes longer than the tables of a small archive
    began = monotonic()
    Archive.open(scratch.archive_url).close()
    return monotonic() - began


def _read_archive(store: Store, url: str) -> Iterable[BackupRecord]:
    """Return the games of an archive that is no file; its tables are not migrated."""
    if not url or url.startswith("sqlite"):
        return []
    noted = store.archive_state.find_identity
    return read_rows(ArchiveReader(noted, partial(_open_as_it_is, url)))


def _read_tables(store: Store, url: str) -> str:
    """Return the version of the tables of an archive that is no file."""
    try:
        with closing(_open_as_it_is(url, store.archive_state.find_identity)) as archive:
            return archive.read_version()
    except ArchiveError as error:
        raise Failed(f"the archive cannot be read: {error}") from error


def _open_as_it_is(url: str, noted: Noted) -> Archive:
    return Archive.open(url, migrate=False, noted=noted)


def _fill(scratch: Scratch, source: BinaryIO, contents: loading.Contents) -> Copied:
    if contents.archived:
        scratch.archive.touch()  # an empty file gets the tables of this release
    store = open_copy(scratch)
    try:
        with refuse_unusable(), progress("loading") as show:
            loading.begin(store.redis, contents, "the rehearsal")
            carrier = Carrier(store.archive)
            loading.load(store.redis, source, contents, show, carrier.add)
            carrier.finish()
            loading.end(store.registry)
        if scratch.archive.exists():
            store.archive_state.claim(store.archive.archive.identify())
        return Copied(contents.software, contents.at, store.commands.writer.level.read())
    except BackupError as error:
        raise Unusable(f"the copy cannot be loaded: {error}") from error
    finally:
        store.close()
