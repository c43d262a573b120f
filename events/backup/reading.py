"""Reading keys of a store as they are at one moment, for backups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

from redis import Redis
from redis.exceptions import ResponseError

from cartulary.events.backup.errors import BackupError
from cartulary.events.backup.records import PART, BackupRecord, section
from cartulary.events.server.connection import dedicated
from cartulary.events.server.disk_set import DiskSet
from cartulary.events.server.key_catalogue import OF_GAMES, find_family, is_carried
from cartulary.events.server.servers import find_server, list_servers, read_slots

SCANNED = 1000


class Reading(NamedTuple):
    """A key with its value. `length` is the number of entries of a stream, 0 for other types."""

    record: BackupRecord
    length: int = 0


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


class StoreSource:
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
def open_source(redis: Redis, registry: Redis) -> Iterator[StoreSource]:
    """Yield the source of a backup."""
    with ExitStack() as opened:
        raw = opened.enter_context(_open_raw(registry))
        games = {
            server: raw if server is registry else opened.enter_context(_open_raw(server))
            for server in list_servers(redis, fresh=True)
        }
        yield StoreSource(redis, games, raw)


def collect(redis: Any, names: DiskSet, number: int) -> None:
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


def tag_of(name: bytes) -> bytes:
    """Return what the keys of one game begin with."""
    return name.partition(b"}")[0]


def read_game(
    redis: Any, found: list[bytes], since: Mapping[bytes, str] | None = None
) -> list[Reading]:
    """Return the keys of a game, as they are at one moment.

    A key of a carried family is read also where it was missing when the keys were listed: the first
    move with a key makes the hash of the idempotency records, and must not come without the record.
    """
    game_id = found[0][1:].partition(b"}")[0].decode(errors="surrogateescape")
    known = {row.form.replace("<game>", game_id): row.type for row in OF_GAMES}
    names = {name.encode(errors="surrogateescape") for name in known}
    return read_keys(redis, sorted(names.union(found)), since)


def read_keys(
    redis: Any, names: list[bytes], since: Mapping[bytes, str] | None = None
) -> list[Reading]:
    """Return keys as they are at one moment; keys that are missing are left out.

    `since` are the ids of entries from which on streams are read, by default whole.
    """
    types = _find_types(redis, names)
    begins = since or {}
    pipe = redis.pipeline(transaction=True)
    for name, type_ in types.items():
        if type_ == "stream":
            pipe.execute_command("XRANGE", name, begins.get(name, "-"), "+")
            pipe.execute_command("XINFO", "STREAM", name)
        else:
            pipe.execute_command(_READ[type_][0], name, *_READ[type_][1:])
        pipe.execute_command("PEXPIRETIME", name)
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


def _take_answer(name: bytes, type_: str, answers: Iterator[Any]) -> Reading | None:
    """Return the next key, None when the key is missing."""
    value = next(answers)
    info = next(answers) if type_ == "stream" else None
    expires_at = next(answers)
    if isinstance(value, ResponseError):
        raise BackupError(f"the key {name!r} cannot be read as a {type_}: {value}")
    if value is None or isinstance(info, ResponseError) or (value == [] and type_ != "stream"):
        return None
    said = {} if info is None else _pairs(info)
    last = said[b"last-generated-id"].decode() if said else None
    until = int(expires_at) if int(expires_at) > 0 else None
    record = BackupRecord(name, type_, _items(type_, value), last=last, expires_at=until)
    return Reading(record, said.get(b"length", 0))


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
}
"""The command that reads a whole value of a type, and its arguments after the key."""
