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

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from importlib.metadata import version
from itertools import chain, groupby, islice
from typing import Any, BinaryIO, NamedTuple

from redis import Redis
from redis.exceptions import ResponseError

from cartulary.events.backup.container import FORMAT, BackupWriter
from cartulary.events.backup.errors import BackupError
from cartulary.events.backup.records import (
    ARCHIVED_GAME,
    PART,
    BackupRecord,
    section,
    split,
    write_record,
)
from cartulary.events.model.types import now
from cartulary.events.server import keys
from cartulary.events.server.connection import dedicated
from cartulary.events.server.disk_set import DiskSet
from cartulary.events.server.key_catalogue import OF_GAMES, find_family, is_carried
from cartulary.events.server.servers import find_server, list_servers, read_slots

Progress = Callable[[int, int], None]
"""Called as (keys of games done, keys of games in all)."""

AT_ONCE = 200
"""Small keys that are read in one round trip."""

SCANNED = 1000


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
) -> Counts:
    """Write a backup of the store to a file that can be read and sought, and return its counts.

    `archived` is what the archive has, read after all keys. Holds one game in memory, however
    many there are. `registry` is the server of what belongs to no game, by default the same server.
    Raises `BackupError` for a key whose value does not fit into a backup, `RedisError`.
    """
    writer, counts = BackupWriter(file), Counts()
    writer.write(
        {
            "backup": "cartulary",
            "format": FORMAT,
            "software": version("cartulary-games"),
            "at": now(),
        }
    )
    with _open_source(redis, redis if registry is None else registry) as source:
        store = _read_store(source, progress or (lambda _done, _total: None))
        for record in chain(store, archived):
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


@contextmanager
def _open_raw(redis: Redis) -> Iterator[Any]:
    """Yield a client on one connection that gives answers as the server sends them.

    A lost connection ends the backup: a server that was restarted lists its keys in another order,
    and the rest of the list would leave keys out.
    """
    client = dedicated(redis, protocol=2)
    client.response_callbacks.clear()
    try:
        yield client
    finally:
        client.close()


class _Source:
    """Where a backup is read from: raw clients of all servers."""

    def __init__(self, redis: Redis, games: Mapping[Redis, Any], registry: Any) -> None:
        self._redis, self._games = redis, games
        self.registry = registry

    @property
    def games(self) -> Iterable[Any]:
        """Return a client of each server that has games."""
        return self._games.values()

    @contextmanager
    def check_slots(self) -> Iterator[None]:
        """Raise `BackupError` at the end when slots of the cluster moved meanwhile.

        A key that moves to a node that has listed its keys already would be listed by no node.
        """
        before = read_slots(self._redis, self.games)
        yield
        if before != read_slots(self._redis, self.games) or any(b"[" in words for words in before):
            raise BackupError("slots of the cluster are being moved: repeat the backup afterwards")

    def find(self, name: bytes) -> Any:
        """Return a client of the server that has a key of a game."""
        server = find_server(self._redis, name.decode(errors="surrogateescape"))
        if server not in self._games:
            raise BackupError("a node of the cluster has become master during the backup")
        return self._games[server]


@contextmanager
def _open_source(redis: Redis, registry: Redis) -> Iterator[_Source]:
    """Yield the source of a backup."""
    with ExitStack() as opened:
        raw = opened.enter_context(_open_raw(registry))
        games = {
            server: raw if server is registry else opened.enter_context(_open_raw(server))
            for server in list_servers(redis, fresh=True)
        }
        yield _Source(redis, games, raw)


def _read_store(source: _Source, progress: Progress) -> Iterator[BackupRecord]:
    """Yield all keys that a backup carries, in the order of the file."""
    with DiskSet() as names:
        with source.check_slots():
            for raw in source.games:
                _collect(raw, names, 0)
        done, total = 0, len(names)
        for _tag, found in groupby(names, _tag_of):
            group = list(found)
            yield from _read_game(source.find(group[0]), group)
            done += len(group)
            progress(done, total)
    for number in (1, 2):
        with DiskSet() as names:
            _collect(source.registry, names, number)
            waiting = iter(names)
            while some := list(islice(waiting, AT_ONCE)):
                yield from _read_keys(source.registry, some)


def _collect(redis: Any, names: DiskSet, number: int) -> None:
    """Add the names of the keys of a section to a set on the disk."""
    cursor = 0
    while True:
        cursor, found = redis.execute_command("SCAN", cursor, "COUNT", SCANNED)
        names.add(name for name in found if _belongs(name, number))
        if not (cursor := int(cursor)):
            return


def _belongs(name: bytes, number: int) -> bool:
    text = name.decode(errors="surrogateescape")
    return section(text) == number and is_carried(text)


def _tag_of(name: bytes) -> bytes:
    return name.partition(b"}")[0]


def _read_game(redis: Any, found: list[bytes]) -> list[BackupRecord]:
    """Return the keys of a game, as they are at one moment.

    A key of a carried family is read also where it was missing when the keys were listed: the first
    move with a key makes the hash of the idempotency records, and must not come without the record.
    """
    game_id = found[0][1:].partition(b"}")[0].decode(errors="surrogateescape")
    known = {row.form.replace("<game>", game_id): row.type for row in OF_GAMES}
    names = {name.encode(errors="surrogateescape") for name in known}
    return _read_keys(redis, sorted(names.union(found)))


def _read_keys(redis: Any, names: list[bytes]) -> list[BackupRecord]:
    """Return keys as they are at one moment; keys that are missing are left out."""
    types = _find_types(redis, names)
    pipe = redis.pipeline(transaction=True)
    for name, type_ in types.items():
        pipe.execute_command(_READ[type_][0], name, *_READ[type_][1:])
        pipe.execute_command("PEXPIRETIME", name)
        if type_ == "stream":
            pipe.execute_command("XINFO", "STREAM", name)
    answers = iter(pipe.execute(raise_on_error=False))
    found = (_take_answer(name, type_, answers) for name, type_ in types.items())
    return [record for record in found if record is not None]


def _find_types(redis: Any, names: list[bytes]) -> dict[bytes, str]:
    """Return the types of keys by the table of families, else as the server says."""
    families = ((name, find_family(name.decode(errors="surrogateescape"))) for name in names)
    known = {name: "" if family is None else family.type for name, family in families}
    pipe = redis.pipeline(transaction=False)
    untyped = [name for name, type_ in known.items() if not type_]
    for name in untyped:
        pipe.execute_command("TYPE", name)
    for name, answer in zip(untyped, pipe.execute() if untyped else (), strict=True):
        known[name] = answer.decode()
    return {name: type_ for name, type_ in known.items() if type_ != "none"}


def _take_answer(name: bytes, type_: str, answers: Iterator[Any]) -> BackupRecord | None:
    """Return the record of the next key, None when the key is missing."""
    value, expires_at = next(answers), next(answers)
    info = next(answers) if type_ == "stream" else None
    if isinstance(value, ResponseError):
        raise BackupError(f"the key {name!r} cannot be read as a {type_}: {value}")
    if value is None or isinstance(info, ResponseError) or (value == [] and type_ != "stream"):
        return None
    last = None if info is None else _pairs(info)[b"last-generated-id"].decode()
    until = int(expires_at) if int(expires_at) > 0 else None
    return BackupRecord(name, type_, _items(type_, value), last=last, expires_at=until)


def _items(type_: str, value: Any) -> list[Any]:
    if type_ == "string":
        return [value[at : at + PART] for at in range(0, len(value), PART)] or [b""]
    if type_ in ("hash", "zset"):
        return sorted(zip(value[::2], value[1::2], strict=True))
    if type_ == "stream":
        return [(entry_id, *fields) for entry_id, fields in value]
    return sorted(value) if type_ == "set" else list(value)


def _pairs(flat: list[Any]) -> dict[Any, Any]:
    return dict(zip(flat[::2], flat[1::2], strict=True))


_READ: dict[str, tuple[Any, ...]] = {
    "string": ("GET",),
    "hash": ("HGETALL",),
    "set": ("SMEMBERS",),
    "zset": ("ZRANGE", 0, -1, "WITHSCORES"),
    "list": ("LRANGE", 0, -1),
    "stream": ("XRANGE", "-", "+"),
}
"""The command that reads a whole value of each type, and its arguments after the key."""
