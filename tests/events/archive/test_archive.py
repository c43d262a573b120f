"""The archive: what is written comes back, and is found by what one searches by."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import orjson
import psycopg
import pytest
from sqlalchemy import Engine, event, make_url

from cartulary.events.archive import learning
from cartulary.events.archive.archive import Archive
from cartulary.events.archive.archive_backup import ArchivedRecord, Carrier, read_rows
from cartulary.events.archive.errors import ArchiveDamaged, NotArchivable
from cartulary.events.archive.reading import ArchiveReader
from cartulary.events.archive.rows import ListedPerson
from cartulary.events.archive.tables import games
from tests.events.archive.database import run
from tests.events.archive.material import ADA, BOB, STREAMS, make_game


@pytest.mark.parametrize("stream", STREAMS, ids=lambda path: path.stem)
@pytest.mark.slow
def test_each_stored_stream_comes_back_byte_for_byte(archive: Archive, stream: Path) -> None:
    game = make_game(texts=tuple(stream.read_bytes().splitlines()))
    archive.write([game])
    assert archive.read(game.id) == game


def test_a_game_comes_back_with_all_that_lies_next_to_it(archive: Archive) -> None:
    game = make_game(side_keys={"b": b"", "a": b"\n\x00", "chat:players": "später".encode()})
    archive.write([game])
    assert archive.read(game.id) == game
    assert archive.read("01OTHER") is None


def test_a_game_that_is_written_again_is_replaced(archive: Archive) -> None:
    archive.write([make_game(), make_game("01X")])
    again = make_game(moves=9, people=(ListedPerson(ADA, None, None, None),), side_keys={})
    archive.write([again, again])
    assert archive.read(again.id) == again
    assert archive.count() == 2
    assert archive.page(f"player:{BOB}") == [("01X", make_game("01X").summary)]


def test_a_row_that_was_written_since_its_seal_was_read_stays(archive: Archive) -> None:
    names = ["01A", "01B", "01C"]
    archive.write([make_game("01A"), make_game("01B")])
    seen = archive.seals(names)
    assert seen["01C"] is None
    archive.write([make_game(name, moves=9) for name in ("01A", "01C")])
    late = [make_game(name, moves=5, people=()) for name in names]
    assert archive.write(late, seen) == {"01B"}
    assert [archive.read(name) for name in names] == [
        make_game("01A", moves=9),
        late[1],
        make_game("01C", moves=9),
    ]


def test_version_and_head_are_read_without_the_game(archive: Archive) -> None:
    games = [make_game("01A"), make_game("01B", moves=7, head="")]
    archive.write(games)
    found = archive.heads(["01A", "01B", "01C"])
    assert found == {game.id: (game.version, game.head) for game in games}
    assert archive.heads(f"{number}" for number in range(1200)) == {}


def test_ids_come_in_order_after_an_id(archive: Archive) -> None:
    archive.write([make_game(name, moves=1) for name in ("b", "B", "a", "01", "C")])
    assert archive.ids() == ["01", "B", "C", "a", "b"]
    assert archive.ids("B", 2) == ["C", "a"]


def test_a_game_is_removed_in_the_version_that_was_read_only(archive: Archive) -> None:
    game = make_game()
    archive.write([game])
    assert not archive.remove(game.id, "0" * 64)
    assert archive.remove(game.id, game.head)
    assert not archive.remove(game.id, game.head)
    assert (archive.count(), archive.page(f"player:{ADA}")) == (0, [])


def test_lists_have_the_newest_game_first_and_go_on_after_a_game(archive: Archive) -> None:
    archive.write([make_game(f"{number:02}", moves=1) for number in range(30)])
    first = archive.page("public", limit=20)
    rest = archive.page("public", before=first[-1][0], limit=20)
    assert [game_id for game_id, _ in first + rest] == [f"{n:02}" for n in range(29, -1, -1)]
    assert orjson.loads(rest[-1][1])["id"] == "00"


def test_a_list_has_the_games_of_its_owner_only(archive: Archive) -> None:
    hers = make_game(
        "01", visibility="private", people=(ListedPerson(ADA, 0, 1, 3), ListedPerson(ADA, 1, 2, 1))
    )
    archive.write([hers, make_game("02"), make_game("03", people=())])
    assert ids(archive, "public") == ["03", "02"]
    assert ids(archive, f"player:{ADA}") == ["02", "01"]
    assert ids(archive, f"player:{BOB}") == ["02"]
    assert ids(archive, "player:nobody") == []


def ids(archive: Archive, owner: str, **chosen: Any) -> list[str]:
    return [game_id for game_id, _ in archive.page(owner, limit=20, **chosen)]


def test_a_list_is_searched_by_status_game_and_pace(archive: Archive) -> None:
    archive.write(
        [
            make_game("1", status="aborted"),
            make_game("2", game="caylus", pace="live"),
            make_game("3", pace="correspondence"),
        ]
    )
    for owner in ("public", f"player:{BOB}"):
        assert ids(archive, owner, status="aborted") == ["1"]
        assert ids(archive, owner, game="beans") == ["3", "1"]
        assert ids(archive, owner, pace="live") == ["2"]
        assert ids(archive, owner, pace="none") == ["1"]
        assert ids(archive, owner, pace="none", status="over") == []


def test_a_summary_is_replaced_by_a_newer_form_only(archive: Archive) -> None:
    game = make_game(form=4)
    archive.write([game])
    archive.refresh(game.id, b'{"old":1}', 4)
    assert archive.summaries([game.id, "01OTHER"]) == {game.id: game.summary}
    archive.refresh(game.id, b'{"new":1}', 5)
    assert archive.summaries([game.id]) == {game.id: b'{"new":1}'}
    assert archive.read(game.id) == game._replace(summary=b'{"new":1}', form=5)


def test_a_game_that_would_not_come_back_is_not_written(archive: Archive) -> None:
    good = make_game("01GOOD")
    bad = {
        "its last event has the hash": make_game(head="0" * 64),
        "is no hash": make_game(head="what"),
        "is at version 3 and has 7 events": make_game(version=3),
    }
    for reason, game in bad.items():
        with pytest.raises(NotArchivable, match=reason):
            archive.write([good, game])
    assert archive.count() == 0


@pytest.mark.slow
def test_rows_of_a_backup_are_checked_and_written_as_they_are(
    archive: Archive, tmp_path: Path
) -> None:
    games = [make_game(f"{number:03}", moves=3) for number in range(120)]
    archive.write(games)
    rows, needed = list(archive.rows()), archive.dictionaries()
    assert [row.columns["id"] for row in archive.rows("117")] == ["118", "119"]
    restored = Archive.open(f"sqlite:///{tmp_path}/restored.sqlite")
    restored.put_rows(rows, needed)
    assert [restored.read(game.id) for game in games] == games
    rows[7].columns["hashes"] = rows[8].columns["hashes"]
    with pytest.raises(ArchiveDamaged, match="007"):
        restored.put_rows(rows, needed)
    restored.close()


@pytest.mark.slow
def test_a_backup_has_the_dictionaries_of_every_kind_of_game(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning, "SAMPLES", 20)
    games = [
        make_game(f"{number:03}", game=("beans", "peas")[number % 2], moves=3)
        for number in range(60)
    ]
    for some in (games[:50], games[50:]):
        archive.write(some)
    assert {one.game for one in archive.dictionaries()} == {"beans", "peas"}
    records = list(read_rows(ArchiveReader(lambda: None, lambda _noted: archive)))
    restored = Archive.open(f"sqlite:///{tmp_path}/restored.sqlite")
    carrier = Carrier(ArchiveReader(lambda: None, lambda _noted: restored))
    for record in records:
        carrier.add(record)
    carrier.finish()
    assert [restored.read(game.id) for game in games] == games
    carried = [name for one in records for name in ArchivedRecord(one).dictionaries]
    assert sorted(carried) == sorted(one.id for one in archive.dictionaries()), "each once"
    restored.close()


def test_games_that_give_no_dictionary_are_packed_without(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(learning, "SAMPLES", 2)
    games = [make_game(f"{number}") for number in range(6)]
    for at in range(0, 6, 2):
        archive.write(games[at : at + 2])
    assert caplog.text.count("no dictionary for beans of schema 2") == 1
    assert [archive.read(game.id) for game in games] == games
    assert archive.dictionaries() == []


def find_query(archive: Archive, **asked_for: Any) -> tuple[str, Any]:
    """Return the statement that reads a page of a list of public games, and its values."""
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, text: str, values: Any, *_: Any) -> None:
        asked.append((text, values))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        archive.page("public", before="01X", **asked_for)
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    (query,) = (one for one in asked if one[0].startswith("SELECT games"))
    return query


@pytest.mark.parametrize("status", [None, "over"])
@pytest.mark.parametrize("game", [None, "beans"])
@pytest.mark.parametrize("pace", [None, "live", "none"])
@pytest.mark.slow
def test_each_list_of_public_games_has_an_index_in_its_order(
    sqlite_url: str, status: str | None, game: str | None, pace: str | None
) -> None:
    archive = Archive.open(sqlite_url)
    query = find_query(archive, status=status, game=game, pace=pace)
    archive.close()
    with closing(sqlite3.connect(make_url(sqlite_url).database or "")) as database:
        (step,) = database.execute(f"EXPLAIN QUERY PLAN {query[0]}", query[1]).fetchall()
    wanted = sum(one is not None for one in (status, game, pace))
    assert step[3].count("=?") == 1 + wanted, step
    assert step[3].endswith("id<?)")


FILL = """\
INSERT INTO games ({names})
SELECT {values} FROM games CROSS JOIN generate_series(1, 3000) AS n
"""


@pytest.mark.real
def test_postgresql_reads_few_untimed_games_among_many_in_the_order_of_the_list(
    postgresql_url: str,
) -> None:
    archive = Archive.open(postgresql_url)
    archive.write([make_game("01")])
    pace = "CASE WHEN n % 60 > 0 THEN 'live' END"
    changed = {"id": "to_char(n, 'FM000000')", "pace": pace}
    names = [column.name for column in games.c]
    values = [changed.get(name, name) for name in names]
    run(postgresql_url, FILL.format(names=", ".join(names), values=", ".join(values)))
    run(postgresql_url, "ANALYZE games")
    with psycopg.connect(postgresql_url.replace("+psycopg", "")) as connection:
        for asked in (
            {},
            {"status": "over"},
            {"game": "beans"},
            {"status": "over", "game": "beans"},
        ):
            query = find_query(archive, pace="none", **asked)
            steps = "".join(one for (one,) in connection.execute(f"EXPLAIN {query[0]}", query[1]))
            assert "Sort" not in steps, steps
            assert "pace IS NULL" in steps.partition("Index Cond")[2], steps
    archive.close()
