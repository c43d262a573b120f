"""`cartulary backup`: write everything that cannot be made again to a file, while moves are made.

What is read, and when, decides what holds between keys:

* All keys of a game are read in one step (MULTI), so its stream, its idempotency records and its
  secret agree: together they are what was stored at one moment.
* The games are listed before the first game is read. So a game that another game in the file names
  as older is in the file as well.
* A key is read after the keys that refer to it: the games, then tokens and reservations, then the
  players. So the player of each seat and of each token is in the file, and so is the reservation of
  each game that was created with a key.

Games that are created while the backup runs may be missing, as if the backup had been made before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from itertools import chain, groupby, islice
from typing import Any, BinaryIO, NamedTuple

from redis import Redis

from cartulary.events.backup.container import FORMAT, BackupWriter
from cartulary.events.backup.reading import (
    Reading,
    StoreSource,
    collect,
    open_source,
    read_game,
    read_keys,
    tag_of,
)
from cartulary.events.backup.records import (
    ARCHIVED_GAME,
    BackupRecord,
    split,
    write_record,
)
from cartulary.events.model.clock import now
from cartulary.events.server import keys
from cartulary.events.server.disk_set import DiskSet
from cartulary.events.server.key_catalogue import find_family

Progress = Callable[[int, int], None]
"""Called as (keys of games done, keys of games in all)."""

AT_ONCE = 200
"""Small keys that are read in one round trip."""


class Counts(NamedTuple):
    """What a backup contains. `unknown` are the keys without a row in `key_catalogue`."""

    keys: int = 0
    games: int = 0
    events: int = 0
    players: int = 0
    unknown: int = 0

    def add(self, record: BackupRecord) -> Counts:
        """Return the counts with a record more."""
        is_events = record.type == "stream" and record.name.endswith("}:events")
        first = not record.more  # a key with several records counts with its last one
        is_game = is_events or record.name.startswith(ARCHIVED_GAME)
        return Counts(
            self.keys + first,
            self.games + (first and is_game),
            self.events + (len(record.items) if is_events else 0),
            self.players + (first and record.name.startswith("player:")),
            self.unknown + (first and find_family(record.name) is None),
        )


def dump(
    redis: Redis,
    file: BinaryIO,
    progress: Progress | None = None,
    archived: Iterable[BackupRecord] = (),
    registry: Redis | None = None,
    note: Callable[[Reading], object] = lambda _reading: None,
) -> Counts:
    """Write a backup of the store to a file that can be read and sought, and return its counts.

    `archived` is what the archive has, read after all keys. Holds one game in memory, however
    many there are. `registry` is the server of what belongs to no game, by default the same server.
    `note` gets all that is read. Raises `BackupError` for a key whose value does not fit into a
    backup, `RedisError`.
    """
    with open_source(redis, redis if registry is None else registry) as source:
        store = read_store(source, progress or (lambda _done, _total: None))
        readings = chain(store, map(Reading, archived))
        return write_backup(file, (_pass(reading, note) for reading in readings), now())


def _pass(reading: Reading, note: Callable[[Reading], object]) -> BackupRecord:
    note(reading)
    return reading.record


def write_backup(file: BinaryIO, records: Iterable[BackupRecord], at: str) -> Counts:
    """Write records, which come in order, as a backup of a time (RFC 3339); return its counts."""
    writer, counts = BackupWriter(file), Counts()
    software = version("cartulary-games")
    writer.write({"backup": "cartulary", "format": FORMAT, "software": software, "at": at})
    for record in records:
        for part in split(record):
            writer.write(write_record(part))
            counts = counts.add(part)
    writer.write({"end": counts._asdict()})
    writer.finish()
    return counts


def note_backup(redis: Redis, file: str, size: int, counts: Counts) -> None:
    """Note in the store when the last backup was made, for `cartulary status`."""
    fields: dict[Any, Any] = {"at": now(), "file": file, "bytes": size, "games": counts.games}
    redis.hset(keys.backup(), mapping=fields)


def note_new_name(redis: Redis, before: str, after: str) -> None:
    """Note that the last backup has another name now: it was proven, or its proof has failed."""
    noted: Any = redis.hget(keys.backup(), "file")
    if noted == before.encode():
        redis.hset(keys.backup(), "file", after)


def read_store(source: StoreSource, progress: Progress) -> Iterator[Reading]:
    """Yield all keys that a backup carries, in the order of the file."""
    with DiskSet() as names:
        with source.check_slots():
            for raw in source.games:
                collect(raw, names, 0)
        done, total = 0, len(names)
        for _tag, found in groupby(names, tag_of):
            group = list(found)
            yield from read_game(source.find(group[0]), group)
            done += len(group)
            progress(done, total)
    for number in (1, 2):
        with DiskSet() as names:
            collect(source.registry, names, number)
            waiting = iter(names)
            while some := list(islice(waiting, AT_ONCE)):
                yield from read_keys(source.registry, some)
