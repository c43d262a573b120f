"""A database that is not the archive of the store is recognised, and nothing untrue is said."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from redis import Redis

from cartulary.events.archive import schema
from cartulary.events.archive.archive import Archive
from cartulary.events.archive.errors import ArchiveTooOld, ArchiveUnavailable, ForeignArchive
from cartulary.events.archive.tables import NEWEST, VERSION_TABLE
from cartulary.events.model.errors import NotFound
from cartulary.events.store import Store
from tests.events.archive.database import list_tables, run
from tests.events.archive.material import make_game
from tests.events.archive.postgresql import find_program, make_schema
from tests.events.archive.test_trouble import make_read_only
from tests.support.games import ALL_OFFERS
from tests.support.store_with_archive import NEVER, add_game, archive_all, open_with_archive

UNKNOWN = "01J0000000000000000000000A"

Meet = Callable[[str], Store]


@pytest.fixture
def other_url(url: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of a second empty database of the same kind."""
    if url.startswith("sqlite"):
        yield f"sqlite:///{tmp_path}/other.sqlite"
        return
    with make_schema(request.getfixturevalue("cluster"), "other") as found:
        yield found


@pytest.fixture
def meet(real_redis: Redis, tmp_path: Path) -> Iterator[Meet]:
    """Return what opens the store with the archive at a URL, as another process does."""
    opened = []

    def open_(url: str) -> Store:
        held = open_with_archive(real_redis, tmp_path, lambda noted: Archive.open(url, noted=noted))
        opened.append(held)
        return held.__enter__()

    yield open_
    for held in opened:
        held.__exit__(None, None, None)


def make_older(url: str) -> None:
    """Make an archive with a game as an earlier release has left it."""
    with pytest.MonkeyPatch.context() as earlier:
        earlier.setattr(schema, "NEWEST", "0002")
        archive = Archive.open(url)
        run(url, "CREATE TABLE inventory (id TEXT PRIMARY KEY)")  # this release writes there
        archive.write([make_game()])
        archive.close()
    run(url, "DROP TABLE inventory")
    run(url, "DROP TABLE identity")
    run(url, f"UPDATE {VERSION_TABLE} SET version_num = '0001'")


def test_each_database_has_an_id_and_a_copy_has_the_same(tmp_path: Path) -> None:
    urls = [f"sqlite:///{tmp_path}/{name}.sqlite" for name in ("one", "two", "copy")]
    first, second = (Archive.open(url) for url in urls[:2])
    assert first.identify() != second.identify()
    first.close()
    shutil.copy(tmp_path / "one.sqlite", tmp_path / "copy.sqlite")
    copy = Archive.open(urls[2])
    assert copy.identify() == first.identify()
    for one in (first, second, copy):
        one.close()


def test_an_archive_of_an_earlier_release_keeps_its_games_and_gets_an_id(url: str) -> None:
    make_older(url)
    again = Archive.open(url)
    assert len(again.identify()) == 32
    assert again.read(make_game().id) == make_game()
    assert again.identify() == Archive.open(url).identify()
    again.close()


def test_an_earlier_archive_that_is_read_only_is_refused_and_its_games_stay(url: str) -> None:
    make_older(url)
    with pytest.raises(ArchiveTooOld, match=f"the schema 0001, .* needs {NEWEST}: it is read-only"):
        Archive.open(make_read_only(url))
    assert Archive.open(url).count() == 1


@pytest.mark.real
@pytest.mark.parametrize("is_empty", [True, False])
def test_another_database_has_no_missing_games_and_gets_none(
    meet: Meet, url: str, other_url: str, is_empty: bool
) -> None:
    store = meet(url)
    game = add_game(store)
    assert archive_all(store).archived == 1
    if not is_empty:
        Archive.open(other_url).close()
    tables = list_tables(other_url)
    wrong = meet(other_url)
    stays = add_game(wrong)
    for read in (
        wrong.projector.table,
        wrong.ledger.version,
        wrong.bringing_back.pin,
        wrong.ledger.whole,
    ):
        for unknown in (game, UNKNOWN):
            with pytest.raises(ForeignArchive, match="is not the archive of this store"):
                read(unknown)
    assert wrong.projector.table(stays).status.finished
    archiver = wrong.make_archiver()
    for refused in (lambda: archiver.run(NEVER), archiver.check):
        with pytest.raises(ForeignArchive):
            refused()
    assert wrong.archive_state.read().problem == "foreign"
    assert list_tables(other_url) == tables, "nothing was made there"
    assert wrong.ledger.stored_version(stays)
    assert store.projector.table(game).status.finished
    with pytest.raises(NotFound):
        store.projector.table(UNKNOWN)
    assert archive_all(store).archived == 1
    assert store.archive_state.read().works


@pytest.mark.real
def test_a_process_without_a_url_says_nothing_untrue_of_archived_games(
    meet: Meet, sqlite_url: str, real_redis: Redis
) -> None:
    store = meet(sqlite_url)
    game = add_game(store)
    without = Store(real_redis, ALL_OFFERS)
    with pytest.raises(NotFound):
        without.projector.table(UNKNOWN)
    assert archive_all(store).archived == 1
    stays = add_game(store)
    without = Store(real_redis, ALL_OFFERS)
    for read in (
        lambda: without.projector.table(game),
        lambda: without.projections.games_of("01ADA"),
    ):
        with pytest.raises(ArchiveUnavailable, match="set CARTULARY_ARCHIVE_URL"):
            read()
    assert without.projector.table(stays).status.finished


@pytest.mark.real
def test_a_store_takes_any_archive_until_the_first_game_leaves(
    meet: Meet, url: str, other_url: str
) -> None:
    first, second = meet(url), meet(other_url)
    game = add_game(first)
    for one in (first, second):
        with pytest.raises(NotFound):
            one.projector.table(UNKNOWN)
        one.make_archiver().check()
    assert first.archive_state.find_identity() is None
    archive_all(second)
    with pytest.raises(ForeignArchive):
        first.projector.table(game)
    assert second.projector.table(game).status.finished


@pytest.mark.real
def test_a_store_that_was_emptied_reads_its_archive_and_claims_it_again(
    meet: Meet, sqlite_url: str
) -> None:
    store = meet(sqlite_url)
    game = add_game(store)
    archive_all(store)
    store.redis.flushall()
    assert store.projector.table(game).status.finished
    add_game(store)
    assert archive_all(store).archived == 1
    assert store.archive_state.find_identity() == store.archive.archive.identify()


@pytest.mark.real
def test_an_empty_archive_is_refused_where_an_earlier_release_archived_games(
    meet: Meet, sqlite_url: str, tmp_path: Path
) -> None:
    store = meet(sqlite_url)
    add_game(store)
    archive_all(store)
    store.archive_state.forget_identity()
    wrong = meet(f"sqlite:///{tmp_path}/other.sqlite")
    add_game(wrong)
    with pytest.raises(ForeignArchive, match="it is empty, and the store notes 1 archived games"):
        wrong.make_archiver().run(NEVER)
    store.make_archiver().check()
    assert store.archive_state.find_identity() == store.archive.archive.identify()


@pytest.mark.real
def test_a_file_that_is_removed_or_replaced_under_a_process_takes_no_game(
    meet: Meet, sqlite_url: str, tmp_path: Path
) -> None:
    store, file = meet(sqlite_url), tmp_path / "archive.sqlite"
    game = add_game(store)
    archive_all(store)
    stays = add_game(store)
    away = tmp_path / "away"
    away.mkdir()
    for one in tmp_path.glob("archive.sqlite*"):
        os.rename(one, away / one.name)
    store.archive.forget(game)
    store.projector.forget()
    for refused in (lambda: store.projector.table(game), lambda: archive_all(store)):
        with pytest.raises(ArchiveUnavailable, match="No such file"):
            refused()
    Archive.open(sqlite_url).close()
    for refused in (lambda: store.projector.table(game), lambda: archive_all(store)):
        with pytest.raises(ForeignArchive):
            refused()
    for one in tmp_path.glob("archive.sqlite*"):
        one.unlink()
    for one in away.iterdir():
        os.rename(one, tmp_path / one.name)
    assert file.exists()
    assert store.projector.table(game).status.finished
    assert archive_all(store).archived == 1
    assert not store.ledger.stored_version(stays)


@pytest.mark.real
def test_a_dump_of_postgresql_that_is_loaded_again_is_the_same_archive(
    meet: Meet, postgresql_url: str, cluster: Path
) -> None:
    store = meet(postgresql_url)
    game = add_game(store)
    archive_all(store)
    name = run(postgresql_url, "SELECT current_schema()")[0]
    place: list[str | Path] = ["-h", cluster, "-U", "postgres", "postgres"]
    dump: list[str | Path] = [find_program("pg_dump"), "-n", name, *place]
    made = subprocess.run(dump, check=True, capture_output=True).stdout
    run(postgresql_url, f"DROP SCHEMA {name} CASCADE")
    with pytest.raises(ForeignArchive, match="it is empty"):
        meet(postgresql_url).projector.table(game)
    load: list[str | Path] = [find_program("psql"), "-v", "ON_ERROR_STOP=1", *place]
    subprocess.run(load, check=True, input=made, capture_output=True)
    assert meet(postgresql_url).projector.table(game).status.finished


@pytest.mark.real
def test_an_earlier_archive_of_another_store_is_not_migrated(
    meet: Meet, url: str, other_url: str
) -> None:
    store = meet(url)
    game = add_game(store)
    archive_all(store)
    make_older(other_url)
    with pytest.raises(ForeignArchive, match="it has no identity"):
        meet(other_url).projector.table(game)
    assert run(other_url, f"SELECT version_num FROM {VERSION_TABLE}") == ["0001"]
