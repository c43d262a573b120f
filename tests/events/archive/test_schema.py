"""The version of the tables: migrations at the start, under a lock; older and newer releases."""

from __future__ import annotations

import subprocess
import sys
from typing import Any
from urllib.parse import quote

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, event, text

from cartulary.events.archive import schema
from cartulary.events.archive.archive import Archive
from cartulary.events.archive.errors import ArchiveTooNew, ArchiveTooOld, ArchiveUnavailable
from cartulary.events.archive.tables import NEWEST, VERSION_TABLE, VERSIONS, metadata
from tests.events.archive.database import list_tables, run
from tests.events.archive.material import make_game

OPENS = """\
import sys
from typing import Any
from urllib.parse import quote
from alembic import command
from cartulary.events.archive.archive import Archive
print("ready", flush=True)
sys.stdin.readline()
for url in sys.argv[1:]:
    Archive.open(url).close()
"""


def is_no_partition(one: Any, name: str | None, kind: str, *_: object) -> bool:
    """Return whether something is neither a partition nor a reference to one."""
    if kind == "foreign_key_constraint":
        return not one.elements[0].target_fullname.startswith("games_")
    return kind != "table" or not str(name).startswith("games_")


def test_the_migrations_make_the_tables_of_this_release(archive: Archive, url: str) -> None:
    engine = create_engine(url)
    with engine.connect() as connection:
        opts = {"version_table": VERSION_TABLE, "include_object": is_no_partition}
        context = MigrationContext.configure(connection, opts=opts)
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def test_every_migration_has_its_version_in_the_list() -> None:
    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    found = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    assert found[::-1] == list(VERSIONS)


def test_an_archive_without_tables_is_refused_where_nobody_migrates(url: str) -> None:
    with pytest.raises(ArchiveTooOld, match=f"no schema yet, this release needs {NEWEST}"):
        Archive.open(url, migrate=False)
    assert list_tables(url) == set()
    Archive.open(url).close()
    Archive.open(url, migrate=False).close()


def test_an_archive_of_an_earlier_release_is_refused_where_nobody_migrates(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = Archive.open(url)
    monkeypatch.setattr(schema, "VERSIONS", (*VERSIONS, "9999"))
    monkeypatch.setattr(schema, "NEWEST", "9999")
    with pytest.raises(ArchiveTooOld, match=f"has the schema {NEWEST}, this release needs 9999"):
        archive.check()
    archive.close()


def test_an_archive_of_a_newer_release_is_refused(archive: Archive, url: str) -> None:
    archive.write([make_game()])
    run(url, f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
    for refused in (lambda: Archive.open(url), archive.check):
        with pytest.raises(ArchiveTooNew, match="its schema is 9999"):
            refused()
    run(url, f"UPDATE {VERSION_TABLE} SET version_num = '{NEWEST}'")
    assert archive.count() == 1


def test_a_migration_that_fails_leaves_nothing_behind(url: str) -> None:
    run(url, "CREATE TABLE people (name TEXT)")
    with pytest.raises(ArchiveUnavailable, match="people"):
        Archive.open(url)
    assert list_tables(url) == {"people"}


@pytest.mark.real
def test_processes_that_migrate_at_once_wait_for_each_other(
    sqlite_url: str, postgresql_url: str
) -> None:
    command = [sys.executable, "-c", OPENS, sqlite_url, postgresql_url]
    pipe = subprocess.PIPE
    processes = [
        subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) for _ in range(2)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    said = [process.communicate("\n")[1] for process in processes[::-1]]
    assert said == ["", ""]
    for url in (sqlite_url, postgresql_url):
        Archive.open(url, migrate=False).close()
        assert len(run(url, "SELECT id FROM identity")) == 1


@pytest.mark.real
def test_others_read_on_postgresql_until_the_last_step_of_a_migration(postgresql_url: str) -> None:
    with pytest.MonkeyPatch.context() as earlier:
        earlier.setattr(schema, "NEWEST", "0002")
        Archive.open(postgresql_url).close()
    engine = create_engine(postgresql_url + quote(" -clock_timeout=100"))
    seen = []

    def read(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith("CREATE INDEX games_listed"):
            with engine.connect() as other:
                seen.append(other.execute(text("SELECT count(*) FROM games")).scalar())

    event.listen(Engine, "after_cursor_execute", read)
    try:
        Archive.open(postgresql_url).close()
    finally:
        event.remove(Engine, "after_cursor_execute", read)
        engine.dispose()
    assert seen == [0] * 8
