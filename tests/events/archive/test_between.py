"""What lies between two steps of the archive: processes that die there, and others that come."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from cartulary.events import keys
from cartulary.events.archive import bringing_back
from cartulary.events.archive.errors import ArchiveUnavailable
from cartulary.events.projections import Projections
from cartulary.events.store import Store
from tests.archived import NEVER, archive_all, open_with_archive, tell_all
from tests.small import small


class Killed(BaseException):
    """Stands for the end of a process: nothing catches it."""


@pytest.fixture
def store(real_redis: Redis, tmp_path: Path) -> Iterator[Store]:
    with open_with_archive(real_redis, tmp_path) as store:
        yield store


@pytest.fixture
def game(store: Store) -> str:
    """A game that is archived."""
    ada = store.players.create("Ada")[0]
    table = store.commands.import_transcript(ada, small()).table
    tell_all(store)
    assert archive_all(store).archived == 1
    return table.id


def unpin(store: Store, game_id: str) -> None:
    store.redis.delete(keys.pin(game_id))


def test_a_game_whose_return_was_cut_short_is_archived_again(
    store: Store, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: Any) -> None:
        raise Killed

    monkeypatch.setattr(Projections, "restore", die)
    with pytest.raises(Killed):
        store.bringing_back.pin(game)
    monkeypatch.undo()
    assert store.ledger.stored_version(game)
    unpin(store, game)
    assert store.make_archiver().run(NEVER).archived == 1
    assert not store.ledger.stored_version(game)


def test_nobody_writes_beside_a_game_that_does_not_return_in_time(
    store: Store, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bringing_back, "STALE_S", -1.0)
    with pytest.raises(ArchiveUnavailable):
        store.bringing_back.pin(game)


def test_a_game_that_returns_while_its_removal_ends_is_archived_again(
    store: Store, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.bringing_back.pin(game)
    unpin(store, game)
    remove = Projections.remove

    def return_before(projections: Projections, game_id: str) -> None:
        store.bringing_back.pin(game_id)
        remove(projections, game_id)

    monkeypatch.setattr(Projections, "remove", return_before)
    store.make_archiver().run(NEVER)
    monkeypatch.undo()
    assert store.ledger.stored_version(game)
    assert store.redis.exists(keys.summary(game))
    unpin(store, game)
    assert store.make_archiver().run(NEVER).archived == 1
    assert not store.ledger.stored_version(game)
