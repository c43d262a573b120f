"""A row that was changed past the archive is refused, with a reason; other games stay readable."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from cartulary.events.archive import learning, schema
from cartulary.events.archive.archive import Archive
from cartulary.events.archive.dictionaries import Codec
from cartulary.events.archive.errors import ArchiveDamaged
from cartulary.events.archive.packing import take_apart
from cartulary.events.archive.rows import Columns, GameRow, compute_seal
from cartulary.events.model.errors import LedgerError
from cartulary.events.model.failures import BrokenHistory
from tests.events.archive.database import run
from tests.events.archive.material import ADA, make_game


@pytest.fixture
def trained(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> Archive:
    """An archive whose games `01` and `02` were packed with dictionaries."""
    monkeypatch.setattr(learning, "SAMPLES", 20)
    archive.write([make_game(f"sample{number}", moves=9) for number in range(20)])
    archive.write([make_game("01"), make_game("02")])
    return archive


OF_EARLIER = """
INSERT INTO games
  (id, game, status, visibility, created_by, created_at, ended_at, version, schema, form,
   head, seal, summary, beside, hashes, events)
VALUES ('01', 'beans', 'over', 'public', '01ADA', 1, 2, 3, 4, 5, '', '', '', '', '', '')
"""


def reopen(url: str) -> Archive:
    """Return an archive that knows no dictionary yet."""
    return Archive.open(url, migrate=False)


def flip(value: bytes) -> bytes:
    """Return bytes of which the one in the middle is changed."""
    middle = len(value) // 2
    return value[:middle] + bytes((value[middle] ^ 1,)) + value[middle + 1 :]


def change(url: str, column: str, value: Any) -> None:
    run(url, f"UPDATE games SET {column} = :value WHERE id = '01'", value=value)


def read_column(url: str, column: str) -> Any:
    return run(url, f"SELECT {column} FROM games WHERE id = '01'")[0]


@pytest.mark.parametrize("column", ["events", "hashes", "beside", "head", "seal"])
@pytest.mark.slow
def test_changed_bytes_are_found(trained: Archive, url: str, column: str) -> None:
    change(url, column, flip(bytes(read_column(url, column))))
    with pytest.raises(ArchiveDamaged, match=r"game 01 is damaged.*its row was changed"):
        trained.read("01")
    assert trained.read("02") == make_game("02")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("version", 6),
        ("game", "caylus"),
        ("created_by", "01EVE"),
        ("ended_at", 1),
        ("pace", "live"),
    ],
)
@pytest.mark.slow
def test_changed_columns_are_found(trained: Archive, url: str, column: str, value: Any) -> None:
    change(url, column, value)
    with pytest.raises(ArchiveDamaged, match=r"game 01 is damaged.*its row was changed"):
        trained.read("01")


@pytest.mark.slow
def test_changed_people_are_found(trained: Archive, url: str) -> None:
    run(url, "UPDATE people SET rank = 1, score = 99 WHERE game_id = '01'")
    with pytest.raises(ArchiveDamaged, match="its row was changed"):
        trained.read("01")


def test_the_content_of_another_game_is_found(trained: Archive, url: str) -> None:
    other = next(trained.rows("01"))
    assert other.columns["id"] == "02"
    for name in ("events", "hashes", "head", "version", "seal"):
        change(url, name, other.columns[name])
    with pytest.raises(ArchiveDamaged, match=r"game 01 is damaged.*its row was changed"):
        trained.read("01")


def reseal(row: GameRow, **columns: Any) -> Columns:
    """Return the columns of a row that a person who knows the seal has changed."""
    changed = {**row.columns, **columns}
    return {**columns, "seal": compute_seal(changed, row.people)}


@pytest.mark.slow
@pytest.mark.parametrize("column", ["hashes", "head"])
def test_the_chain_is_checked_beside_the_seal(trained: Archive, url: str, column: str) -> None:
    row = next(trained.rows())
    for name, value in reseal(row, **{column: flip(row.columns[column])}).items():
        change(url, name, value)
    with pytest.raises(ArchiveDamaged, match=r"its last event has the hash [0-9a-f]{64}, its head"):
        trained.read("01")


def test_a_changed_event_in_a_row_whose_checksums_are_right_breaks_the_chain(
    trained: Archive, url: str
) -> None:
    row = next(trained.rows())
    lines = take_apart(make_game("01").texts).lines.replace(b'"beans":0', b'"beans":2', 1)
    forged = {"events": Codec().pack(lines), "events_dictionary": None}
    for name, value in reseal(row, **forged).items():
        change(url, name, value)
    with pytest.raises(ArchiveDamaged, match=r"its last event has the hash [0-9a-f]{64}, its head"):
        trained.read("01")


def test_a_changed_summary_is_found_where_it_is_listed(trained: Archive, url: str) -> None:
    change(url, "summary", flip(bytes(read_column(url, "summary"))))
    for look in (
        lambda: trained.summaries(["01"]),
        lambda: trained.page(f"player:{ADA}", limit=50),
        lambda: trained.read("01"),
    ):
        with pytest.raises(ArchiveDamaged, match=r"game 01 is damaged.*its summary"):
            look()


def test_a_changed_dictionary_is_found(trained: Archive, url: str) -> None:
    data = bytes(run(url, "SELECT data FROM dictionaries WHERE part = 'events'")[0])
    run(url, "UPDATE dictionaries SET data = :data WHERE part = 'events'", data=flip(data))
    fresh = reopen(url)
    with pytest.raises(ArchiveDamaged, match=r"the dictionary [0-9a-f]{16} was changed"):
        fresh.read("01")
    assert fresh.read("sample1") == make_game("sample1", moves=9)
    fresh.close()


def test_a_missing_dictionary_is_found(trained: Archive, url: str) -> None:
    row = next(trained.rows())
    changed = reseal(row, events_dictionary="0123456789abcdef")
    with pytest.raises(ArchiveDamaged, match="the dictionary 0123456789abcdef is missing"):
        trained.put_rows([GameRow({**row.columns, **changed}, row.people)])
    assert trained.read("01") == make_game("01")


def test_a_damaged_game_keeps_no_other_from_being_archived(
    archive: Archive, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning, "SAMPLES", 20)
    archive.write([make_game(f"{number:02}", moves=9) for number in range(20)])
    change(url, "seal", flip(bytes(read_column(url, "seal"))))
    archive.write([make_game("20")])
    assert archive.read("20") == make_game("20")
    assert archive.dictionaries(), "the other games are samples enough"


def test_a_changed_dictionary_packs_nothing_and_keeps_no_game_from_being_archived(
    trained: Archive, url: str
) -> None:
    run(url, "UPDATE dictionaries SET data = :value", value=b"changed")
    archive = reopen(url)
    archive.write([make_game("03")])
    assert archive.read("03") == make_game("03")
    archive.close()


def test_a_row_that_is_lost_is_missed_and_one_that_was_removed_is_not(
    archive: Archive, url: str
) -> None:
    archive.write([make_game("01"), make_game("02")])
    assert archive.remove("02", make_game("02").head)
    assert archive.read("02") is None
    assert archive.ids() == ["01"]
    run(url, "DELETE FROM games")
    assert archive.ids() == ["01"]
    with pytest.raises(
        ArchiveDamaged, match="game 01 is damaged in the archive: its row is missing"
    ):
        archive.read("01")
    assert archive.heads(["01", "02", "03"]) == {"01": (0, "")}
    archive.write([make_game("01")])
    assert archive.read("01") == make_game("01")


def test_an_archive_of_an_earlier_release_misses_what_is_lost_after_its_migration(url: str) -> None:
    with pytest.MonkeyPatch.context() as earlier:
        earlier.setattr(schema, "NEWEST", "0003")
        Archive.open(url).close()
    run(url, OF_EARLIER)
    archive = Archive.open(url)
    run(url, "DELETE FROM games")
    assert archive.ids() == ["01"]
    archive.close()


@pytest.mark.parametrize("error", [ArchiveDamaged("01", "why"), BrokenHistory("01", 2, "a", "b")])
def test_an_error_is_the_same_in_another_process(error: LedgerError) -> None:
    found = pickle.loads(pickle.dumps(error))
    assert (type(found), str(found), vars(found)) == (type(error), str(error), vars(error))
