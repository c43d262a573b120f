"""Several archivers at once, and an operator who brings games back meanwhile: no game is lost."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from cartulary.events.archive.archive import Archive
from cartulary.events.archiving.taking import RELEASE_WITHIN_MS, Release, Taker
from cartulary.events.commands.commands import Intent
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.events.archive.material import open_by_months
from tests.support.small_transcript import small
from tests.support.store_with_archive import NEVER, add_game, open_with_archive, tell_all

pytestmark = pytest.mark.real

GAMES, TURNS = 12, 6


@pytest.fixture
def stores(real_redis: Redis, tmp_path: Path, url: str) -> Iterator[list[Store]]:
    """The same store and archive as four processes see them."""
    open_by_months(url).close()
    with ExitStack() as opened:
        yield [
            opened.enter_context(
                open_with_archive(
                    real_redis, tmp_path, lambda noted: Archive.open(url, noted=noted)
                )
            )
            for _ in range(4)
        ]


def test_archivers_at_once_and_an_operator_who_brings_games_back_lose_no_game(
    stores: list[Store],
) -> None:
    first, second, operator, reader = stores
    ada = first.players.create("Ada")[0]
    games = [first.commands.import_transcript(Intent(ada), small()).table.id for _ in range(GAMES)]
    known = {one: first.ledger.deliver(one) for one in games}
    tell_all(first)

    def archive(store: Store) -> None:
        for _ in range(TURNS):
            store.make_archiver().run(NEVER, 5)

    def bring_back() -> None:
        for game_id in games:
            operator.bringing_back.unarchive(game_id)

    def read() -> None:
        for game_id in games * 4:
            reader.projector.forget()
            reader.archive.forget(game_id)
            assert reader.ledger.deliver(game_id) == known[game_id]

    with ThreadPoolExecutor(4) as pool:
        tasks = [pool.submit(archive, one) for one in (first, second)]
        tasks += [pool.submit(bring_back), pool.submit(read)]
        for task in tasks:
            task.result()
    for game_id in games:
        first.redis.delete(keys.pin(game_id))
    while first.projections.finished.count_before(NEVER):
        first.make_archiver().run(NEVER)
    assert first.archive.archive.count() == GAMES
    for game_id, events in known.items():
        first.archive.forget(game_id)
        assert first.ledger.deliver(game_id) == events
    listed = [one["id"] for one in first.projections.games_of(ada.id, limit=100).games]
    assert sorted(listed) == sorted(games)


def test_an_archiver_that_was_frozen_removes_no_game_from_the_store(stores: list[Store]) -> None:
    first, operator, *_ = stores
    game = add_game(first)
    taker = Taker(first.redis)

    def go_and_return() -> None:
        assert first.make_archiver().run(NEVER).archived == 1
        operator.bringing_back.unarchive(game)
        operator.redis.delete(keys.pin(game))  # as if a minute had passed

    go_and_return()
    taken = taker.take(game)
    go_and_return()
    assert taker.release(taken._replace(at=taken.at - RELEASE_WITHIN_MS)) is Release.STAYS
    assert first.projector.table(game).status.finished
    assert taker.release(taken) is Release.DONE, "nothing else has kept the game"


def test_an_archiver_that_was_frozen_replaces_no_newer_row(
    stores: list[Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    frozen, other, *_ = stores
    game = add_game(frozen)
    write = Archive.write

    def write_late(*args: Any) -> set[str]:
        monkeypatch.setattr(Archive, "write", write)
        assert other.make_archiver().run(NEVER).archived == 1
        other.bringing_back.pin(game)
        other.redis.hset(keys.notes(game), "somebody", "a note")
        other.redis.delete(keys.pin(game))  # as if a minute had passed
        assert other.make_archiver().run(NEVER).archived == 1
        return write(*args)

    monkeypatch.setattr(Archive, "write", write_late)
    assert frozen.make_archiver().run(NEVER).archived == 0
    row = other.archive.archive.read(game)
    assert row is not None
    assert "notes" in row.side_keys
    assert frozen.make_archiver().run(NEVER).archived == 1, "it finds the game archived"
    assert not frozen.projections.finished.count_before(NEVER)
