"""The tournaments of an archive: what is written comes back; damage and older archives."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from cartulary.events.archive import schema
from cartulary.events.archive.archive import Archive
from cartulary.events.archive.archive_backup import Carrier, read_rows
from cartulary.events.archive.errors import ArchiveDamaged, NotArchivable
from cartulary.events.archive.reading import ArchiveReader, open_by_url
from cartulary.events.archive.tables import NEWEST, VERSION_TABLE
from cartulary.events.archive.tournament_rows import ArchivedTournament
from cartulary.events.archive.tournament_shelf import ROWS_AT_ONCE, TournamentShelf
from cartulary.events.backup.errors import DamagedBackup
from cartulary.events.model.chain import hash_or_none
from tests.events.archive.database import list_tables, run
from tests.events.archive.material import ADA, AT, BOB, make_game, make_texts
from tests.events.support.tournaments import Cup
from tests.support.store_with_archive import NEVER

OLD = Path(__file__).parent / "stored" / "schema_0004.sql"
"""An archive of SQLite as the release before tournaments has written it, with three games."""


def make_tournament(row_id: str = "01CUP", length: int = 5, **more: Any) -> ArchivedTournament:
    """Return a tournament whose events no test folds."""
    texts = make_texts(length, sum(row_id.encode()))
    fields: dict[str, Any] = {
        "id": row_id,
        "status": "over",
        "visibility": "private",
        "people": (ADA, BOB),
        "created_at": AT,
        "ended_at": AT + 60_000,
        "version": len(texts),
        "head": hash_or_none(texts[-1]) or "",
        "texts": texts,
        "side_keys": {"idempotency": b"\x00\x01\xff" * 9},
    }
    return ArchivedTournament(**{**fields, **more})


@pytest.fixture
def shelf(archive: Archive) -> TournamentShelf:
    return TournamentShelf(archive.database)


def test_a_tournament_comes_back_byte_for_byte_beside_the_games(
    archive: Archive, shelf: TournamentShelf
) -> None:
    cup, game = make_tournament(), make_game("01CUP")
    archive.write([game])
    assert shelf.write([cup]) == {"01CUP"}
    assert (shelf.read("01CUP"), archive.read("01CUP")) == (cup, game)
    assert shelf.texts("01CUP") == cup.texts
    assert (shelf.read("01OTHER"), shelf.texts("01OTHER")) == (None, None)
    assert shelf.heads(["01CUP", "01OTHER"]) == {"01CUP": (cup.version, cup.head)}
    assert (shelf.ids(), shelf.count(), archive.count()) == (["01CUP"], 1, 1)
    assert not shelf.remove("01CUP", "00" * 32), "another head"
    assert shelf.remove("01CUP", cup.head)
    assert (shelf.ids(), archive.ids()) == ([], ["01CUP"])


def test_a_row_that_was_written_since_its_seal_was_read_stays(shelf: TournamentShelf) -> None:
    shelf.write([make_tournament("01A"), make_tournament("01B")])
    seen = shelf.seals(["01A", "01B", "01C"])
    assert seen["01C"] is None
    newer = make_tournament("01A", 9)
    shelf.write([newer])
    late = [make_tournament(name, 7) for name in ("01A", "01B", "01C")]
    assert shelf.write(late, seen) == {"01B", "01C"}
    assert [shelf.read(one.id) for one in late] == [newer, *late[1:]]


def test_what_would_not_come_back_is_refused_before_anything_is_written(
    shelf: TournamentShelf,
) -> None:
    for odd in ({"version": 3}, {"head": "ab" * 32}, {"head": "?"}, {"people": [ADA]}):
        with pytest.raises(NotArchivable):
            shelf.write([make_tournament("01A"), make_tournament(**odd)])
    assert shelf.count() == 0


CHANGES = ("status = 'cancelled'", "people = '[]'", "head = hashes", "events = hashes")


def test_a_changed_row_is_noticed(shelf: TournamentShelf, url: str) -> None:
    for change in (*CHANGES, "seal = hashes"):
        shelf.write([make_tournament()])
        run(url, f"UPDATE tournaments SET {change}")
        for read in (shelf.read, shelf.texts):
            with pytest.raises(ArchiveDamaged, match="the seal of the row does not match"):
                read("01CUP")


def test_a_row_that_was_lost_is_missed(shelf: TournamentShelf, url: str) -> None:
    shelf.write([make_tournament()])
    run(url, "DELETE FROM tournaments")
    with pytest.raises(ArchiveDamaged, match="its row is missing"):
        shelf.read("01CUP")
    assert shelf.heads(["01CUP"]) == {"01CUP": (0, "")}
    assert shelf.ids() == ["01CUP"]


def test_a_private_tournament_is_for_its_people_also_when_its_row_is_damaged(
    shelf: TournamentShelf, url: str
) -> None:
    shelf.write([make_tournament(), make_tournament("01OPEN", visibility="public")])
    run(url, "UPDATE tournaments SET events = hashes")
    shown = {one: shelf.may_show("01CUP", one) for one in (ADA, BOB, "01EVE", None)}
    assert shown == {ADA: True, BOB: True, "01EVE": False, None: False}
    assert shelf.may_show("01OPEN", None)
    run(url, "UPDATE tournaments SET people = '?'")
    assert not shelf.may_show("01CUP", ADA)


def test_a_backup_carries_the_rows_of_games_and_tournaments(
    archive: Archive, shelf: TournamentShelf, url: str, tmp_path: Path
) -> None:
    cups = [make_tournament(f"01{n:03}") for n in range(ROWS_AT_ONCE + 3)]
    shelf.write(cups)
    archive.write([make_game()])
    records = list(read_rows(ArchiveReader(lambda: None, lambda _noted: archive)))
    assert len(records) == len(cups) + 1
    assert [one.place for one in records] == sorted(one.place for one in records)
    other = ArchiveReader(lambda: None, lambda _n: Archive.open(f"sqlite:///{tmp_path}/b.sqlite"))
    carrier = Carrier(other)
    for record in records:
        carrier.add(record)
    carrier.finish()
    filled = TournamentShelf(other.archive.database)
    assert [filled.read(one.id) for one in cups] == cups
    assert other.archive.read("01GAME") == make_game()
    last = records[-1]
    with pytest.raises(DamagedBackup, match="no archived tournament"):
        carrier.add(last._replace(items=[b'{"id":"01CUP"}']))
    spoiled = b"".join(last.items).replace(b'"over"', b'"cancelled"')
    carrier.add(last._replace(items=[spoiled]))
    with pytest.raises(ArchiveDamaged):
        carrier.finish()
    other.close()


def test_a_tournament_goes_into_each_database_and_back(real_redis: Redis, url: str) -> None:
    cup = Cup(real_redis, url)
    cup.begin("Ada", "Bob", rounds=1)
    cup.play_all()
    known, tournaments = cup.store.tournaments.streams.deliver(cup.id), cup.store.tournaments
    assert tournaments.make_archiver().run(NEVER).archived == 1
    assert not tournaments.streams.is_stored(cup.id)
    assert cup.open().tournaments.streams.deliver(cup.id) == known
    assert cup.store.tournaments.bringing_back.unarchive(cup.id)
    assert cup.store.tournaments.streams.is_stored(cup.id)
    assert cup.store.tournaments.streams.archived.count() == 0
    assert cup.open().tournaments.streams.deliver(cup.id) == known
    cup.store.archive.close()


# -- archives of an earlier release ---------------------------------------------------------------


def load_old(folder: Path) -> str:
    """Return the URL of the stored archive, loaded into a file."""
    file = folder / "old.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(OLD.read_text(encoding="utf-8"))
    return f"sqlite:///{file}"


def make_old(url: str) -> None:
    """Make the same archive as it was before tournaments, on any database."""
    with pytest.MonkeyPatch.context() as earlier:
        earlier.setattr(schema, "NEWEST", "0004")
        old = Archive.open(url)
    old.write([make_game(f"01OLD{n}", moves=2 + n) for n in range(3)])
    old.close()


def check_upgraded(url: str) -> None:
    assert run(url, f"SELECT version_num FROM {VERSION_TABLE}") == ["0004"]
    assert not {"tournaments", "tournament_inventory"} & list_tables(url)
    identity = run(url, "SELECT id FROM identity")
    archive = Archive.open(url)
    assert run(url, f"SELECT version_num FROM {VERSION_TABLE}") == [NEWEST]
    assert run(url, "SELECT id FROM identity") == identity, "it is the archive of the same store"
    for number in range(3):
        assert archive.read(f"01OLD{number}") == make_game(f"01OLD{number}", moves=2 + number)
    shelf = TournamentShelf(archive.database)
    assert (shelf.count(), shelf.ids()) == (0, [])
    shelf.write([make_tournament()])
    archive.close()
    again = open_by_url(url, lambda: identity[0])
    assert TournamentShelf(again.database).read("01CUP") == make_tournament()
    again.close()


def test_a_stored_archive_of_an_earlier_release_is_migrated_with_its_games(tmp_path: Path) -> None:
    check_upgraded(load_old(tmp_path))


def test_an_earlier_archive_on_each_database_is_migrated_with_its_games(url: str) -> None:
    make_old(url)
    check_upgraded(url)


def test_a_migration_that_dies_leaves_the_earlier_archive_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = load_old(tmp_path)
    upgrade = schema.upgrade

    class Killed(BaseException):
        pass

    def die(*words: Any) -> None:
        upgrade(*words)
        raise Killed

    monkeypatch.setattr(schema, "upgrade", die)
    with pytest.raises(Killed):
        Archive.open(url)
    monkeypatch.undo()
    check_upgraded(url)
