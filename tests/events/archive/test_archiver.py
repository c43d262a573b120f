"""The way into the archive and back: no step may lose a game, wherever a process dies."""

from __future__ import annotations

import io
import sqlite3
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from redis import ConnectionPool, Redis

from cartulary.events.archive.archive import Archive
from cartulary.events.archive.archive_backup import Carrier, read_rows
from cartulary.events.archive.errors import ArchiveUnavailable
from cartulary.events.archive.identity import Noted
from cartulary.events.archive.reading import ArchiveReader
from cartulary.events.archive.rows import ListedPerson
from cartulary.events.archiving.taking import Taker, Unfit
from cartulary.events.backup.dump import dump
from cartulary.events.backup.load import begin, check_file, end, load
from cartulary.events.lists.projections import Projections
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.events.upkeep.auditing import audit_all
from tests.events.support.bean_games import shown
from tests.events.support.opened_tables import open_table
from tests.events.support.rematches import play_out
from tests.support.games import ALL_OFFERS
from tests.support.polling import until
from tests.support.store_with_archive import (
    NEVER,
    Killed,
    add_game,
    archive_all,
    find_url,
    open_with_archive,
)


@pytest.fixture
def game(store: Store) -> str:
    return add_game(store)


def read(store: Store, game_id: str) -> list[Any]:
    store.projector.forget()
    return [*store.ledger.deliver(game_id), store.projections.summary(game_id)]


STEPS = (
    (Archive, "write"),
    (Archive, "read"),
    (Taker, "release"),
    (Projections, "remove"),
)


@pytest.mark.parametrize(("owner", "name"), STEPS, ids=[name for _, name in STEPS])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_process_that_dies_at_a_step_loses_nothing_and_another_one_goes_on(
    store: Store, game: str, monkeypatch: Any, owner: type, name: str, after: bool
) -> None:
    known = read(store, game)
    step = getattr(owner, name)

    def die(*args: Any) -> None:
        if after:
            step(*args)
        raise Killed

    monkeypatch.setattr(owner, name, die)
    with pytest.raises(Killed):
        store.make_archiver().run(NEVER)
    monkeypatch.undo()
    assert read(store, game) == known
    store.make_archiver().run(NEVER)
    assert not store.ledger.stored_version(game)
    assert store.redis.exists(keys.summary(game)) == 0
    assert read(store, game) == known


def test_the_archive_says_where_each_player_sat_and_what_came_of_the_seat(store: Store) -> None:
    ada, bob = (store.players.create(name)[0] for name in ("Ada", "Bob"))
    table = play_out(store, open_table(store, [bob, ada]), bob, ada)
    result = shown(table)["result"]
    archive_all(store)
    archived = store.archive.read(table.id)
    assert archived is not None
    assert set(archived.people) == {
        ListedPerson(player.id, seat, result["ranks"][seat], result["scores"][seat])
        for seat, player in enumerate((bob, ada))
    }


def test_a_game_that_changes_while_it_is_archived_stays(store: Store, game: str) -> None:
    taker = Taker(store.redis)
    taken = taker.take(game)
    store.redis.hset(keys.notes(game), "somebody", "a note")
    assert taker.release(taken).name == "STAYS"
    assert store.ledger.stored_version(game)


def test_a_pinned_game_stays(store: Store, game: str) -> None:
    taken = Taker(store.redis).take(game)
    store.bringing_back.pin(game)
    assert Taker(store.redis).release(taken).name == "STAYS"


def test_a_stream_that_is_not_whole_or_has_more_than_events_stays(store: Store, game: str) -> None:
    stream, version = keys.events(game), store.ledger.version(game)
    text = store.ledger.entries(game)[-1][1][b"event"]
    more = store.redis.xadd(stream, {"event": text, "more": "?"}, id=f"{version + 1}-0")
    with pytest.raises(Unfit, match=f"the entry {version + 1}-0 does not belong there"):
        Taker(store.redis).take(game)
    store.redis.xdel(stream, more)
    with pytest.raises(Unfit, match="lost its end"):
        Taker(store.redis).take(game)
    store.redis.xdel(stream, "2-0")
    with pytest.raises(Unfit, match="the entry 3-0 does not belong there"):
        Taker(store.redis).take(game)


def test_of_two_archivers_one_removes_the_game(store: Store, game: str) -> None:
    first, second = Taker(store.redis), Taker(store.redis)
    one, other = first.take(game), second.take(game)
    assert [first.release(one).name, second.release(other).name] == ["DONE", "ABSENT"]


@pytest.mark.slow
def test_a_reader_always_finds_a_game_that_moves_back_and_forth(store: Store, game: str) -> None:
    """A game moves at most once during a look: one that is back stays for a minute (`pin`)."""
    known, wrong, over = read(store, game), list[Any](), Event()
    looks = [0, 0, 0]

    def look(number: int) -> None:
        while not over.is_set():
            try:
                found = store.ledger.deliver(game)
                listed = store.projections.lobby().games
            except Exception as error:
                wrong.append(error)
                return
            if found != known[:-1] or [one["id"] for one in listed] != [game]:
                wrong.append((len(found), listed))
            looks[number] += 1

    def wait_for_new_looks() -> None:
        """Wait until every look that was under way is over."""
        before = list(looks)
        until(lambda: wrong or all(now > then for now, then in zip(looks, before, strict=True)))

    readers = [Thread(target=look, args=(number,)) for number in range(len(looks))]
    for one in readers:
        one.start()
    try:
        for _ in range(8):
            assert archive_all(store).archived == 1
            wait_for_new_looks()
            store.bringing_back.unarchive(game)
            wait_for_new_looks()
    finally:
        over.set()
        for one in readers:
            one.join()
    assert wrong == []


def test_an_archive_that_does_not_answer_is_no_missing_game(
    store: Store, game: str, real_redis: Redis, tmp_path: Path
) -> None:
    archive_all(store)

    def refuse(_noted: Noted) -> Archive:
        raise ArchiveUnavailable("the database does not answer")

    with open_with_archive(real_redis, tmp_path, refuse) as other:
        with pytest.raises(ArchiveUnavailable):
            other.projector.table(game)
        open_ = open_table(other, ["random", "random"])
        assert other.projector.table(open_.id).version == open_.version


def test_a_backup_carries_archived_games(
    store: Store, game: str, real_redis: Redis, tmp_path: Path
) -> None:
    store.claim()
    known = read(store, game)
    archive_all(store)
    file = io.BytesIO()
    assert dump(real_redis, file, archived=read_rows(store.archive)).games == 1
    contents = check_file(file)
    assert contents.archived == 1
    real_redis.flushall()
    (tmp_path / "other").mkdir()
    with open_with_archive(real_redis, tmp_path / "other") as other:
        begin(real_redis, contents, "file")
        carrier = Carrier(other.archive)
        load(real_redis, file, contents, put_archived=carrier.add)
        carrier.finish()
        end(real_redis)
        assert not other.ledger.stored_version(game)
        assert read(other, game) == known


def test_the_audit_checks_archived_games_and_names_a_row_that_was_changed(
    store: Store, game: str, tmp_path: Path
) -> None:
    archive_all(store)

    def open_store() -> Store:
        reader = partial(
            ArchiveReader, open_=lambda noted: Archive.open(find_url(tmp_path), noted=noted)
        )
        return Store(connect_again(store.redis), ALL_OFFERS, archive=reader)

    assert [(one.game_id, one.problems) for one in audit_all(open_store, 1)] == [(game, [])]
    with sqlite3.connect(tmp_path / "archive.sqlite") as changed:
        changed.execute("UPDATE games SET version = version - 1")
    report = next(iter(audit_all(open_store, 1)))
    assert [one["problem"] for one in report.problems] == ["chain"]
    assert "archive" in report.problems[0]["detail"]


def connect_again(redis: Redis) -> Redis:
    """Return another client of the same server, which may be closed."""
    pool = redis.connection_pool
    kwargs = pool.connection_kwargs
    return Redis(connection_pool=ConnectionPool(pool.connection_class, **kwargs))


def test_a_failure_is_noted_and_the_games_stay(
    store: Store, game: str, real_redis: Redis, tmp_path: Path
) -> None:
    def refuse(_noted: Noted) -> Archive:
        raise ArchiveUnavailable("the database does not answer")

    with open_with_archive(real_redis, tmp_path, refuse) as other:
        for _ in range(2):
            with pytest.raises(ArchiveUnavailable):
                other.make_archiver().run(NEVER)
        noted = other.archive_state.read()
    assert (noted.failures, noted.works) == (2, False)
    assert noted.again_at > store.clock.now_ms()
    assert store.ledger.stored_version(game)
    archive_all(store)
    assert store.archive_state.read().works
