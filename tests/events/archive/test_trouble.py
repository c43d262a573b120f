"""An archive that does not answer, is read-only or full: clear errors, and nothing half written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from cartulary.events.archive import database
from cartulary.events.archive.archive import Archive
from cartulary.events.archive.errors import (
    ArchiveFull,
    ArchiveReadOnly,
    ArchiveTooOld,
    ArchiveUnavailable,
    InvalidArchiveUrl,
)
from tests.events.archive.database import run
from tests.events.archive.material import make_game

FILL_UP = """
CREATE FUNCTION fill_up() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM games) > 5 THEN
    RAISE EXCEPTION 'could not extend file: No space left' USING ERRCODE = '53100';
  END IF;
  RETURN NULL;
END $$"""


def make_read_only(url: str) -> str:
    """Return the URL of the same database, in which nothing can be written."""
    if url.startswith("sqlite:///"):
        return f"sqlite:///file:{url.removeprefix('sqlite:///')}?mode=ro&uri=true"
    return url + "%20-cdefault_transaction_read_only%3Don"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "archive.sqlite",
        "sqlite://",
        "sqlite:///:memory:",
        "mysql://a:secret@b/c",
        "postgresql+psycopg2://a/b",
    ],
)
def test_a_url_that_names_no_archive_is_refused_and_no_password_is_shown(url: str) -> None:
    with pytest.raises(InvalidArchiveUrl) as refused:
        Archive.open(url)
    assert "secret" not in str(refused.value)


def test_a_postgresql_without_a_driver_in_the_url_has_the_driver_that_is_installed() -> None:
    found = database.read_url("postgresql://ada:secret@db.example/archive")
    assert database.show(found) == "postgresql+psycopg://ada:***@db.example/archive"


@pytest.mark.parametrize(
    "url",
    [
        "sqlite:////nowhere/archive.sqlite",
        "postgresql+psycopg://ada:secret@127.0.0.1:1/archive",
        "postgresql+psycopg://ada:secret@/archive?host=/nowhere",
        "postgresql+psycopg://ada@/archive?host=/nowhere&password=secret&sslpassword=secret",
    ],
)
def test_an_archive_that_cannot_be_reached_is_unavailable(url: str) -> None:
    with pytest.raises(ArchiveUnavailable, match="does not work") as refused:
        Archive.open(url)
    assert "secret" not in str(refused.value)


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "archive.sqlite").write_bytes(b"no database" * 1000)
    with pytest.raises(ArchiveUnavailable, match="file is not a database"):
        Archive.open(f"sqlite:///{tmp_path}/archive.sqlite")


def test_a_read_only_archive_is_read_and_refuses_writes(archive: Archive, url: str) -> None:
    game = make_game()
    archive.write([game])
    reader = Archive.open(make_read_only(url))
    assert reader.read(game.id) == game
    for write in (
        lambda: reader.write([make_game("01OTHER")]),
        lambda: reader.remove(game.id, game.head),
        lambda: reader.refresh(game.id, b"{}", 99),
    ):
        with pytest.raises(ArchiveReadOnly, match=re.escape(reader.name)):
            write()
    reader.close()
    assert archive.read(game.id) == game
    assert archive.count() == 1


def test_an_empty_read_only_database_cannot_be_migrated(url: str) -> None:
    run(url, "CREATE TABLE something (name TEXT)")
    with pytest.raises(ArchiveReadOnly):
        Archive.open(make_read_only(url))
    with pytest.raises(ArchiveTooOld):
        Archive.open(make_read_only(url), migrate=False)


@pytest.fixture
def full(archive: Archive, url: str) -> Iterator[Archive]:
    """An archive whose disk has room for a few games."""
    if archive.name.startswith("sqlite"):
        pages = run(url, "PRAGMA page_count")[0]

        def limit(connection: Any, _record: object) -> None:
            connection.execute(f"PRAGMA max_page_count = {pages + 30}")

        event.listen(Engine, "connect", limit)
        limited = Archive.open(url)
        yield limited
        limited.close()
        event.remove(Engine, "connect", limit)
        return
    run(url, FILL_UP)
    run(url, "CREATE TRIGGER full_disk AFTER INSERT ON games EXECUTE FUNCTION fill_up()")
    yield archive


@pytest.mark.slow
def test_a_full_disk_keeps_what_was_written_and_writes_no_half(full: Archive) -> None:
    small = make_game("01SMALL")
    full.write([small])
    with pytest.raises(ArchiveFull, match=r"full|No space left"):
        full.write([make_game(f"{number:03}", moves=90) for number in range(40)])
    assert full.ids() == [small.id]
    assert full.read(small.id) == small
    full.write([make_game("01NEXT")])


@pytest.mark.real
def test_a_connection_that_the_server_has_closed_is_replaced(postgresql_url: str) -> None:
    archive = Archive.open(postgresql_url)
    archive.write([make_game()])
    mine = "application_name = 'cartulary' AND pid <> pg_backend_pid()"
    assert True in run(
        postgresql_url, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {mine}"
    )
    assert archive.count() == 1
    archive.close()


def test_after_a_failure_to_connect_requests_fail_at_once_for_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path}/later/archive.sqlite"
    now = [100.0]
    monkeypatch.setattr("cartulary.events.archive.database.monotonic", lambda: now[0])
    later = database.Database(url)
    for _ in range(2):
        with pytest.raises(ArchiveUnavailable, match="unable to open"), later.reading():
            pass
        (tmp_path / "later").mkdir(exist_ok=True)
    now[0] += database.PAUSE_S
    with later.reading() as connection:
        assert connection.exec_driver_sql("SELECT 1").scalar() == 1
    later.close()


def test_options_of_the_address_are_kept_for_postgresql() -> None:
    for query, given in (
        ("", ""),
        ("?options=-c%20a=1", " -c a=1"),
        ("?options=-x&options=-y", " -x -y"),
    ):
        made = database._list_options(database.read_url(f"postgresql://db.example/archive{query}"))  # noqa: SLF001
        assert made["options"] == f"-c statement_timeout={database.STATEMENT_MS}{given}"
