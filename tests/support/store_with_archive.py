"""A store with an archive for tests, and the way of its games into the archive."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from redis import Redis

from cartulary.events.archive.archive import Archive
from cartulary.events.archive.identity import Noted
from cartulary.events.archive.reading import ArchiveReader
from cartulary.events.archiving.batches import Done
from cartulary.events.commands.commands import Intent
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.support.games import ALL_OFFERS
from tests.support.small_transcript import small

NEVER = 2**53


class Killed(BaseException):
    """Stands for the end of a process: nothing catches it."""


@contextmanager
def open_with_archive(
    redis: Redis,
    folder: Path,
    open_: Callable[[Noted], Archive] | None = None,
    registry: Redis | None = None,
) -> Iterator[Store]:
    """Yield a store whose archive is in a folder, unless `open_` opens another archive."""
    open_ = open_ or (lambda noted: Archive.open(find_url(folder), noted=noted))
    reader = partial(ArchiveReader, open_=open_)
    store = Store(redis, ALL_OFFERS, rng=random.Random(11), archive=reader, registry=registry)
    yield store
    store.leases.close()
    store.archive.close()


def find_url(folder: Path) -> str:
    return f"sqlite:///{folder}/archive.sqlite"


def add_game(store: Store) -> str:
    """Store a game that is over, as the inboxes know, and may be archived; return its id."""
    ada = store.players.create("Ada")[0]
    game = store.commands.import_transcript(Intent(ada), small()).table.id
    tell_all(store)
    return game


def tell_all(store: Store) -> None:
    """Do what a dispatcher does for every game."""
    for game_id in list(store.ledger.game_ids()):
        store.list_updater.follow(store.projector.table(game_id))


def archive_all(store: Store) -> Done:
    """Archive every game that is over, however long ago it ended or was written to."""
    tell_all(store)
    for game_id in list(store.ledger.game_ids()):
        store.redis.delete(keys.pin(game_id))
    return store.make_archiver().run(NEVER, 1000)
