"""The partitions of the archive in PostgreSQL: from one table to months, and month after month."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis import Redis
from sqlalchemy import Engine, event
from sqlalchemy.exc import IntegrityError
from ulid import ULID

from cartulary.events.archive import partitions, schema
from cartulary.events.archive.archive import Archive
from cartulary.events.archive.errors import ArchiveTooNew, ArchiveUnavailable
from cartulary.events.archive.tables import BY_MONTHS, NEWEST, VERSION_TABLE, VERSIONS
from cartulary.events.archiving.tending import tend_archive
from cartulary.events.model.time.months import (
    END,
    FIRST_BOUND,
    choose_first_bound,
    find_month,
    find_month_of,
    make_bound,
    name_partition,
)
from cartulary.events.server.format import WITH_PARTITIONS
from tests.events.archive.database import run
from tests.events.archive.dying import die_at
from tests.events.archive.material import ADA, AT, make_game
from tests.support.night import short_or_long
from tests.support.store_with_archive import add_game, archive_all, open_with_archive

pytestmark = pytest.mark.real

STORED = Path(__file__).parent / "stored" / "schema_0005_postgresql.sql"
OLD = ["00OLD", "01J0000000000000000000000A", "01KZ000000000000000000000A"]
"""The games that are stored there."""

THIS = find_month_of(AT)
MONTH_MS = 31 * 24 * 3_600_000
FIRST = make_bound(THIS + 1)
"""Where the months begin in the stored archive, once it has partitions."""

NEXT = f"{FIRST}000000000000000A"
FILES = (
    "SELECT pg_relation_filenode(oid) FROM pg_class WHERE relnamespace ="
    " current_schema()::regnamespace AND relkind IN ('r', 'i') AND relname ~ :name ORDER BY 1"
)


CHECKED = (
    "SELECT convalidated FROM pg_constraint WHERE conname = 'fk_people_game_id'"
    " AND conrelid = 'people'::regclass"
)


@pytest.fixture
def url(postgresql_url: str) -> str:
    """An archive with one table, as the release before has left it."""
    with connect(postgresql_url) as connection:
        connection.execute(STORED.read_bytes())
    return postgresql_url


@pytest.fixture
def opened(url: str) -> Iterator[Archive]:
    with closing(Archive.open(url)) as archive:
        yield archive


def connect(url: str) -> psycopg.Connection[Any]:
    return psycopg.connect(url.replace("+psycopg", ""))


def find_version(url: str) -> str:
    (version,) = run(url, f"SELECT version_num FROM {VERSION_TABLE}")
    return str(version)


def list_tables(url: str) -> set[str]:
    found = run(
        url,
        "SELECT inhrelid::regclass::text FROM pg_inherits JOIN pg_class c"
        " ON c.oid = inhparent WHERE c.oid = 'games'::regclass",
    )
    return set(found)


def find_table(url: str, game_id: str) -> str:
    (found,) = run(url, "SELECT tableoid::regclass::text FROM games WHERE id = :id", id=game_id)
    return str(found)


def check_whole(archive: Archive, *more: str) -> None:
    wanted = sorted([*OLD, *more])
    assert archive.ids() == wanted
    assert [archive.read(one) for one in wanted] == [make_game(one) for one in wanted]
    assert [one for one, _ in archive.page(f"player:{ADA}", limit=1000)] == wanted[::-1]


def test_an_archive_of_the_release_before_is_opened_as_it_is(url: str, opened: Archive) -> None:
    check_whole(opened)
    opened.write([make_game(NEXT)])
    check_whole(opened, NEXT)
    assert (find_version(url), list_tables(url)) == (NEWEST, set())


def test_one_table_becomes_the_first_partition_and_no_row_is_copied(
    url: str, opened: Archive
) -> None:
    identity, files = opened.identify(), run(url, FILES, name="games")
    opened.tend(AT)
    check_whole(opened)
    assert run(url, FILES, name="games_before") == files
    assert (find_version(url), opened.identify()) == (BY_MONTHS, identity)
    assert list_tables(url) == {
        *("games_before", "games_beyond"),
        *(name_partition(THIS + 1), name_partition(THIS + 2)),
    }
    opened.write([make_game(NEXT)])
    check_whole(opened, NEXT)
    assert find_table(url, NEXT) == name_partition(THIS + 1)


def test_no_id_is_looked_at_and_no_index_made_while_readers_wait(url: str) -> None:
    said: list[str] = []

    def listen(connection: psycopg.Connection[Any], _record: object) -> None:
        connection.add_notice_handler(lambda notice: said.append(notice.message_primary or ""))

    event.listen(Engine, "connect", listen)
    try:
        with closing(Archive.open(url + quote(" -cclient_min_messages=debug1"))) as archive:
            archive.tend(AT)
    finally:
        event.remove(Engine, "connect", listen)
    of_first = [one for one in said if '"games_before"' in one]
    implied = 'partition constraint for table "games_before" is implied by existing constraints'
    assert implied in of_first
    assert [one for one in of_first if "building" in one or "verifying" in one] == []
    assert 'verifying table "games"' in said, "that was before"
    assert run(url, CHECKED) == [True], "the reference of the people was looked at, too"


def test_partitions_of_the_coming_months_are_there_before_a_game_needs_them(
    url: str, opened: Archive
) -> None:
    for month in range(THIS, THIS + 30):
        opened.tend(AT + (month - THIS) * MONTH_MS)
        assert {name_partition(month + 1), name_partition(month + 2)} <= list_tables(url)


def test_each_id_has_a_partition(url: str, opened: Archive) -> None:
    opened.tend(AT)
    homes = {
        " ": "games_before",
        "00OLDER": "games_before",
        "01M1": "games_before",
        f"{make_bound(THIS + 40)}ZZ": name_partition(THIS + 40),
        "1": "games_3084_12",
        "80": "games_beyond",
        "game": "games_beyond",
        "ĝ": "games_beyond",
    }
    opened.write([make_game(one) for one in homes])
    assert {one: find_table(url, one) for one in homes} == homes
    check_whole(opened, *homes)


def test_an_id_from_a_clock_that_was_wrong_moves_the_first_month(url: str, opened: Archive) -> None:
    late = make_bound(THIS + 100) + "0000000000000000"
    opened.write([make_game(late)])
    opened.tend(AT)
    check_whole(opened, late)
    opened.write([make_game(NEXT), make_game(make_bound(THIS + 101))])
    assert find_table(url, NEXT) == "games_before"
    assert find_table(url, make_bound(THIS + 101)) == name_partition(THIS + 101)


def tend_until(step: int, url: str) -> int:
    """Tend an archive in a process that kills itself at a step; return what has ended it."""
    child = os.fork()
    if not child:
        die_at(step)
        Archive.open(url).tend(AT)
        os._exit(0)
    return os.WTERMSIG(os.waitpid(child, 0)[1])


@pytest.mark.process
@pytest.mark.slow
def test_a_process_that_is_killed_at_any_step_leaves_an_archive_that_works(url: str) -> None:
    seen, games = set(), list[str]()
    for step in count(1, short_or_long(6, 1)):
        ended = tend_until(step, url)
        assert ended in (0, signal.SIGKILL)
        seen.add(find_version(url))
        with closing(Archive.open(url)) as archive:
            games.append(f"{make_bound(THIS)}{step:04}")
            archive.write([make_game(games[-1])])
            assert archive.count() == len(OLD) + len(games)
            assert archive.read(OLD[0]) == make_game(OLD[0])
        if not ended:
            break
    assert step > 30
    assert seen == {NEWEST, BY_MONTHS}
    with closing(Archive.open(url)) as archive:
        archive.tend(AT)
        check_whole(archive, *games)


def test_a_process_that_was_killed_long_ago_keeps_no_game_out(
    url: str, opened: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(partitions, "_check_bound", die)
    with pytest.raises(KeyboardInterrupt):
        opened.tend(AT)
    monkeypatch.undo()
    later = AT + 3 * MONTH_MS
    game = make_game(make_bound(find_month_of(later)))
    with pytest.raises(ArchiveUnavailable, match="games_before_bound"):
        opened.write([game])
    opened.tend(later)
    opened.write([game])
    check_whole(opened, game.id)


def test_two_that_tend_at_once_do_it_once(url: str) -> None:
    def tend(_number: int) -> None:
        with closing(Archive.open(url)) as archive:
            archive.tend(AT)
            archive.write([make_game(NEXT)])

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(tend, range(3)))
    with closing(Archive.open(url)) as archive:
        check_whole(archive, NEXT)
    assert len(list_tables(url)) == 4


def test_a_dump_that_takes_hours_holds_up_the_change_and_no_reader(
    url: str, opened: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(partitions, "LOCK_MS", 50)
    with connect(url) as dump:
        dump.execute("LOCK TABLE games, people IN ACCESS SHARE MODE")
        with pytest.raises(ArchiveUnavailable, match="lock timeout"):
            opened.tend(AT)
        check_whole(opened)
        opened.write([make_game(NEXT)])
    opened.tend(AT)
    check_whole(opened, NEXT)
    with connect(url) as dump:
        dump.execute("LOCK TABLE games, people IN ACCESS SHARE MODE")
        opened.tend(AT + 5 * MONTH_MS)  # a month needs no lock that readers hold
    assert name_partition(THIS + 6) in list_tables(url)


def test_a_release_that_knows_no_partitions_says_so_and_loses_nothing(
    url: str, opened: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened.tend(AT)
    with closing(Archive.open(url)) as running:
        monkeypatch.setattr(schema, "VERSIONS", VERSIONS[: VERSIONS.index(BY_MONTHS)])
        for refused in (lambda: Archive.open(url), running.check):
            with pytest.raises(ArchiveTooNew, match="its schema is 0006, this release knows 0005"):
                refused()
        running.write([make_game(NEXT)])  # one that has it open works on
        check_whole(running, NEXT)
    assert find_version(url) == BY_MONTHS


def test_an_archive_gets_partitions_once_no_earlier_release_runs(
    url: str, real_redis: Redis, tmp_path: Path
) -> None:
    with open_with_archive(
        real_redis, tmp_path, lambda noted: Archive.open(url, noted=noted)
    ) as store:
        game = add_game(store)
        tend_archive(store.archive, WITH_PARTITIONS - 1, AT)
        assert archive_all(store).archived == 1
        assert find_version(url) == NEWEST
        tend_archive(store.archive, WITH_PARTITIONS, AT, 0)
        assert find_version(url) == NEWEST, "the table is larger"
        tend_archive(store.archive, WITH_PARTITIONS, AT)
        assert find_version(url) == BY_MONTHS
        assert store.archive.read(game) is not None


def test_what_the_tables_refer_to_must_be_there(url: str, opened: Archive) -> None:
    opened.tend(AT)
    opened.write([make_game(NEXT)])
    names = "id, game, status, visibility, created_by, created_at, ended_at, version, schema, form"
    rest = "head, seal, summary, beside, hashes, events"
    copied = f"INSERT INTO games ({names}, {rest}, events_dictionary) SELECT {names}, {rest}, "
    for refused in (
        "INSERT INTO people (player, game_id, number) VALUES ('01ADA', '01MISSING', 0)",
        f"{copied} NULL FROM games WHERE id = '{NEXT}'",
        f"{copied} 'missing' FROM games WHERE id = '{NEXT}'".replace("SELECT id", "SELECT '01NEW'"),
    ):
        with pytest.raises(IntegrityError):
            run(url, refused)
    for one in (OLD[0], NEXT):
        run(url, f"DELETE FROM games WHERE id = '{one}'")
        assert run(url, f"SELECT player FROM people WHERE game_id = '{one}'") == []


def test_a_read_looks_into_one_partition(url: str, opened: Archive) -> None:
    opened.tend(AT)
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        asked.append((statement, values))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        opened.read(OLD[1])
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    (query,) = (one for one in asked if "LEFT OUTER JOIN people" in one[0])
    with connect(url) as connection:
        steps = [one for (one,) in connection.execute(f"EXPLAIN {query[0]}".encode(), query[1])]
    assert [one for one in steps if " on games" in one and "games_before" not in one] == []


def test_a_partition_stores_packed_bytes_as_they_are(url: str, opened: Archive) -> None:
    opened.tend(AT)
    stored = "SELECT attname::text FROM pg_attribute WHERE attstorage = 'e' AND attrelid = "
    wanted = ["beside", "events", "hashes", "summary"]
    for table in list_tables(url):
        assert sorted(run(url, f"{stored}'{table}'::regclass")) == wanted


# -- which partition an id belongs to ------------------------------------------------------------

LAST_MS = int(datetime(9999, 1, 1, tzinfo=UTC).timestamp()) * 1000 - 1


@given(st.text(max_size=12))
def test_every_text_lies_between_the_bounds_of_its_month(game_id: str) -> None:
    month = find_month(game_id)
    assert month == -1 or make_bound(month) <= game_id
    assert month == END or game_id < make_bound(month + 1)


@given(st.integers(0, LAST_MS), st.binary(min_size=10, max_size=10))
def test_a_ulid_belongs_to_the_month_in_which_it_was_made(ms: int, rest: bytes) -> None:
    game_id = str(ULID.from_bytes(ms.to_bytes(6, "big") + rest))
    assert find_month(game_id) == find_month_of(ms)


def test_a_partition_is_named_after_its_month() -> None:
    assert name_partition(find_month_of(AT)) == "games_2026_09"
    assert name_partition(find_month_of(0)) == "games_1970_01"


@pytest.mark.parametrize(
    ("newest", "first"),
    [
        (None, FIRST_BOUND),
        ("01GAME", make_bound(find_month_of(AT) + 1)),
        (make_bound(find_month_of(AT) + 9), make_bound(find_month_of(AT) + 10)),
        ("a name", "a name0"),
    ],
)
def test_the_months_begin_after_every_game_that_is_there(newest: str | None, first: str) -> None:
    assert choose_first_bound(newest, AT) == first
    assert (newest or "") < first


def test_the_months_begin_late_enough_for_games_that_come_meanwhile() -> None:
    eve = int(datetime(2026, 9, 30, tzinfo=UTC).timestamp()) * 1000
    assert choose_first_bound("01GAME", eve) == make_bound(find_month_of(AT) + 2)
