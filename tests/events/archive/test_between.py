"""What lies between two steps of the archive: processes that die there, and others that come."""

from __future__ import annotations

from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from cartulary.events.archive.archive import Archive
from cartulary.events.archive.errors import ArchiveUnavailable
from cartulary.events.archive.identity import Noted
from cartulary.events.archive.reading import ArchiveReader
from cartulary.events.archiving import bringing_back
from cartulary.events.chat.talk import Wording
from cartulary.events.lists.projections import Projections
from cartulary.events.live.live import Hub
from cartulary.events.live.watches import Watch, Watches
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.events.upkeep.rebuild import rebuild
from cartulary.events.upkeep.stale_lists import Mender
from tests.events.support.opened_tables import open_table
from tests.support.store_with_archive import (
    NEVER,
    Killed,
    add_game,
    archive_all,
    open_with_archive,
    tell_all,
)


def refuse(_noted: Noted) -> Archive:
    raise ArchiveUnavailable("the database does not answer")


@pytest.fixture
def game(store: Store) -> str:
    """A game that is archived."""
    game_id = add_game(store)
    assert archive_all(store).archived == 1
    return game_id


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


def freeze_after_pin(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a minute pass after the first pin: the pin is over, and the game has been archived."""
    pins = count()
    pin = store.bringing_back.pin

    def pin_and_freeze(game_id: str) -> bool:
        found = pin(game_id)
        if next(pins) == 0:
            assert archive_all(store).archived == 1
        return found

    monkeypatch.setattr(store.bringing_back, "pin", pin_and_freeze)


def test_who_stands_still_after_the_pin_brings_the_game_back_before_the_message(
    store: Store, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = find_player(store, game)
    freeze_after_pin(store, monkeypatch)
    store.talk.say(ada, game, Wording("players", phrase="hello"))
    assert store.ledger.stored_version(game)
    assert archive_all(store).archived == 1
    assert [one.phrase for one in store.talk.written_by(ada.id, game)] == ["hello"]


def test_who_stands_still_after_the_pin_brings_the_game_back_before_the_note(
    store: Store, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = find_player(store, game)
    freeze_after_pin(store, monkeypatch)
    store.notes.write(ada, game, "a good game", "key")
    assert archive_all(store).archived == 1
    assert store.notes.read(ada, game) == "a good game"
    with monkeypatch.context() as other:
        freeze_after_pin(store, other)
        store.notes.forget(ada.id, game)
    assert archive_all(store).archived == 1
    assert store.notes.find(ada.id, game) is None


def find_player(store: Store, game: str) -> Player:
    """Return the player of the first seat."""
    owner = store.projector.table(game).seats[0].player or {}
    return Player(owner["id"], owner["name"])


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


def test_a_room_without_news_is_followed_while_the_archive_is_away(
    store: Store, real_redis: Redis, tmp_path: Path
) -> None:
    running = open_table(store, ["random", "random"]).id
    with open_with_archive(real_redis, tmp_path, refuse) as other:
        hub = Hub(other.ledger)
        with closing(hub), hub.follow_feed(other.talk.follow(running), "0-0") as followed:
            assert not followed.closed


def test_a_game_that_is_watched_is_not_lost_when_it_goes_into_the_archive(
    store: Store, game: str
) -> None:
    watch = Watch(game, *store.ledger.last([game])[0])
    assert not store.ledger.stored_version(game)
    assert Watches(store.ledger).compare([watch]) == ([], [])


def test_a_dispatcher_goes_on_when_a_game_with_an_old_summary_is_in_an_archive_that_is_away(
    store: Store, real_redis: Redis, tmp_path: Path
) -> None:
    game = add_game(store)
    real_redis.hset(keys.summary(game), "form", 1)
    with open_with_archive(real_redis, tmp_path, refuse) as other:
        mender = Mender(other, count().__next__)  # each step is over after one look
        while not mender.is_looking:
            mender.step()
        assert archive_all(store).archived == 1
        while mender.is_looking:
            mender.step()


def test_who_watches_an_archived_game_costs_no_heartbeat_while_the_archive_is_away(
    store: Store, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Archive, "summaries", lambda *_args, **_more: refuse(lambda: None))
    close = store.presence.open(game, "01ADA")
    store.presence.flush({game: 1})
    close()
    store.presence.flush({})


def test_a_game_that_leaves_the_archive_while_a_list_is_read_is_listed(
    store: Store, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = ArchiveReader.page

    def come_late(reader: ArchiveReader, owner: str, **conditions: Any) -> list[tuple[str, bytes]]:
        store.bringing_back.unarchive(game)
        return page(reader, owner, **conditions)

    monkeypatch.setattr(ArchiveReader, "page", come_late)
    assert [one["id"] for one in store.projections.lobby().games] == [game]


def test_a_rebuild_deletes_nothing_while_the_archive_is_away(
    store: Store, game: str, real_redis: Redis, tmp_path: Path
) -> None:
    running = open_table(store, ["random", "random"]).id
    tell_all(store)
    with open_with_archive(real_redis, tmp_path, refuse) as other:
        with pytest.raises(ArchiveUnavailable):
            rebuild(other)
        assert real_redis.exists(keys.summary(running))
