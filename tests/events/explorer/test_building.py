"""From the archive into the book: each game once, also when a build is stopped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from cartulary.events.explorer import building
from cartulary.events.explorer.building import BuildCounts
from cartulary.events.explorer.counting import list_bands
from cartulary.events.model.failures import UnknownEvent
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.explorer.looking import read
from tests.events.support.rematches import begin, play_out
from tests.support.store_with_archive import add_game, archive_all, open_with_archive

pytestmark = pytest.mark.real

KEY = "turn"


def show_nothing(_done: int, _total: int) -> None:
    """Take the progress of a build that no test looks at."""


@pytest.fixture
def store(real_redis: Redis, tmp_path: Path) -> Iterator[Store]:
    with open_with_archive(real_redis, tmp_path) as store:
        store.explorer.url = f"sqlite:///{tmp_path}/explorer.sqlite"
        yield store
        store.explorer.close()


@pytest.fixture
def people(store: Store) -> list[Player]:
    return [store.players.create(name)[0] for name in ("Ada", "Bob")]


def finish(store: Store, people: list[Player], **more: Any) -> str:
    game = play_out(store, begin(store, *people, **more), *people).id
    archive_all(store)
    return game


def build(store: Store) -> BuildCounts:
    return store.explorer.make_builder().build(store.explorer.book, show_nothing)


def follow(store: Store, steps: int = 99) -> BuildCounts:
    left = iter([False] * steps)
    builder = store.explorer.make_builder()
    return builder.follow(store.explorer.book, lambda: next(left, True))


def count_asked(store: Store) -> int:
    return read(store.explorer.book, "beans", KEY, None, list_bands(None)).asked


def test_public_games_count_once_and_others_never(store: Store, people: list[Player]) -> None:
    finish(store, people)
    finish(store, people[:1], bots=1, visibility="private")
    add_game(store)
    archive_all(store)
    assert build(store) == BuildCounts(added=1, skipped=2)
    assert count_asked(store) == 2
    finish(store, people)
    assert build(store) == BuildCounts(added=1)
    assert build(store) == BuildCounts()
    assert count_asked(store) == 4


def test_newly_archived_games_are_followed(store: Store, people: list[Player]) -> None:
    first = finish(store, people)
    assert follow(store) == BuildCounts(added=1)
    assert follow(store) == BuildCounts()
    second = finish(store, people)
    assert follow(store) == BuildCounts(added=1)
    assert store.explorer.book.find_missing([first, second]) == []
    assert build(store) == BuildCounts()


def test_a_build_that_was_stopped_goes_on_where_it_was(store: Store, people: list[Player]) -> None:
    for _ in range(12):
        finish(store, people)
    assert follow(store, steps=1) == BuildCounts(added=10)
    assert follow(store, steps=0) == BuildCounts()
    assert follow(store) == BuildCounts(added=2)
    assert count_asked(store) == 24


def test_the_progress_of_a_build_is_shown(store: Store, people: list[Player]) -> None:
    shown: list[tuple[int, int]] = []
    for _ in range(2):
        finish(store, people)
    builder = store.explorer.make_builder()
    builder.build(store.explorer.book, lambda done, total: shown.append((done, total)))
    assert shown == [(2, 2)]


def test_a_game_of_a_newer_release_is_counted_once_that_release_looks(
    store: Store, people: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = finish(store, people)

    def refuse(*_: Any) -> Any:
        raise UnknownEvent(game, 3, "no reader")

    with monkeypatch.context() as older:
        older.setattr(building, "explore", refuse)
        assert build(store) == BuildCounts(broken=1)
    assert build(store) == BuildCounts(added=1)


def test_a_game_that_cannot_be_read_is_named_and_the_others_count(
    store: Store, people: list[Player], caplog: pytest.LogCaptureFixture
) -> None:
    broken, _ = finish(store, people), finish(store, people)
    with store.archive.archive.database.writing() as connection:
        connection.exec_driver_sql("UPDATE games SET events = x'00' WHERE id = ?", (broken,))
    assert build(store) == BuildCounts(added=1, broken=1)
    assert broken in caplog.text
    assert build(store) == BuildCounts()


def test_a_book_that_is_cleared_is_built_again_as_it_was(
    store: Store, people: list[Player]
) -> None:
    for _ in range(3):
        finish(store, people)
    build(store)
    before = read(store.explorer.book, "beans", KEY, None, list_bands(None))
    store.explorer.book.clear()
    assert count_asked(store) == 0
    assert build(store) == BuildCounts(added=3)
    assert read(store.explorer.book, "beans", KEY, None, list_bands(None)) == before
