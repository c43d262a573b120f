"""`cartulary restore`: read the file of a backup, and write it into an empty store.

The whole file is checked before anything is written. While keys are written the store is marked
(`keys.restoring`), and no process works on a store with that mark (`events.server.format`): so a
restore that is interrupted is noticed, and the same command completes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Final, NamedTuple

import orjson
from redis import Redis

from cartulary.events.backup.container import check_whole, read_digest, read_records
from cartulary.events.backup.dump import Counts
from cartulary.events.backup.errors import DamagedBackup, NotFresh
from cartulary.events.backup.records import ARCHIVED, BackupRecord, Flaw, read_record, stream_id
from cartulary.events.model.clock import now
from cartulary.events.model.types import Json
from cartulary.events.server import keys
from cartulary.events.server.format import refuse_newer
from cartulary.events.server.servers import find_odd_outbox, find_server, list_servers

Progress = Callable[[int, int], None]
"""Called as (done, in all)."""

AT_ONCE = 256 * 1024
"""Bytes of commands in one round trip."""

_HEAD_MEMBERS = {"backup", "format", "software", "at"}

_BEGIN: Final = """
local mark = redis.call('HGET', KEYS[1], 'digest')
if mark then
  return mark
end
local size = redis.call('DBSIZE')
if size == 0 then
  redis.call('HSET', KEYS[1], 'digest', ARGV[1], 'file', ARGV[2], 'at', ARGV[3])
end
return size
"""


class Contents(NamedTuple):
    """What a file contains: `software` and `at` are those of the backup.

    `secrets` is the number of games with a secret: the unfinished games with fair draws.
    `key_check` is the check value of the key that encrypts the secrets, empty where there is no
    key.
    """

    digest: str
    software: str
    at: str
    counts: Counts
    secrets: int = 0
    key_check: bytes = b""
    archived: int = 0
    """The number of archived games and tournaments."""


def check_file(file: BinaryIO, progress: Progress | None = None) -> Contents:
    """Read a whole file and return what it contains; the progress is in bytes.

    Raises `DamagedBackup` for any file that `dump` has not written, and for one that was changed;
    `NewerBackup` and `NewerStore` for what a newer release has written. Holds one record in memory.
    """
    check_whole(file)
    size = file.tell()
    reading = CheckedRecords(file)
    secrets, archived, key_check = 0, 0, b""
    for record in reading:
        archived += record.name.startswith(ARCHIVED) and not record.more
        secrets += record.name.endswith("}:secret")
        if record.name == keys.key_check():
            key_check = b"".join(record.items)
        if progress is not None:
            progress(file.tell(), size)
    head = reading.head
    return Contents(
        read_digest(file),
        head["software"],
        head["at"],
        reading.counts,
        secrets,
        key_check,
        archived,
    )


class CheckedRecords:
    """The records of a file, checked: form, order, completeness."""

    def __init__(self, file: BinaryIO) -> None:
        self._lines = read_records(file)
        self.head: Json = {}
        self.counts = Counts()

    def __iter__(self) -> Iterator[BackupRecord]:
        number, self.head = next(self._lines, (1, {}))
        if not _is_head(self.head):
            raise DamagedBackup("the head of the backup is missing or wrong", number)
        before: BackupRecord | None = None
        for number, written in self._lines:
            if "end" in written:
                self._check_end(number, written, before)
                return
            try:
                record = read_record(written)
                _check_order(before, record)
            except Flaw as flaw:
                raise DamagedBackup(str(flaw), number) from flaw
            _check_format(record, number)
            self.counts, before = self.counts.add(record), record
            yield record
        raise DamagedBackup("the end of the backup is missing")

    def _check_end(self, number: int, written: Json, before: BackupRecord | None) -> None:
        if before is not None and before.more:
            raise DamagedBackup("the rest of a value is missing", number)
        # Compared as text, because 0 equals 0.0 and false.
        if orjson.dumps(written) != orjson.dumps({"end": self.counts._asdict()}):
            raise DamagedBackup("the file does not contain what its end says", number)
        if next(self._lines, None) is not None:
            raise DamagedBackup("something follows the end of the backup", number + 1)


def _is_head(head: Json) -> bool:
    texts = all(isinstance(head.get(name), str) for name in ("software", "at"))
    return texts and head.keys() == _HEAD_MEMBERS and head["backup"] == "cartulary"


def _check_order(before: BackupRecord | None, record: BackupRecord) -> None:
    """Raise `Flaw` when a record cannot follow the record before it."""
    if before is None:
        return
    if not before.more:
        if record.place <= before.place:
            raise Flaw("the key is not in order, or comes twice")
        return
    if (record.key, record.type) != (before.key, before.type):
        raise Flaw("the rest of a value is missing")
    if record.type == "stream" and record.items and before.items:
        ids = [stream_id(one.items[at][0].decode()) for one, at in ((before, -1), (record, 0))]
        if ids[1] <= ids[0]:
            raise Flaw("the entries of a stream are not in order")


def _check_format(record: BackupRecord, number: int) -> None:
    """Raise `NewerStore` when a newer release has written to the store of the backup."""
    if record.name == keys.store_format():
        stated = b"".join(record.items)
        if not stated.isdigit() or len(stated) > 9:
            raise DamagedBackup("the format of the store is no number", number)
        refuse_newer(int(stated))


def begin(redis: Redis, contents: Contents, name: str, registry: Redis | None = None) -> None:
    """Mark an empty store as one that a restore of this file fills.

    A store that an interrupted restore of the same file has marked will do as well. Raises
    `NotFresh` for any other store, and changes nothing then. `registry` gets the mark, by default
    the same server.
    """
    registry = redis if registry is None else registry
    games = _count_keys(redis)
    if games and registry is not redis and not registry.exists(keys.restoring()):
        raise NotFresh(f"the store is not empty: it holds {games} keys")
    answer: Any = registry.eval(_BEGIN, 1, keys.restoring(), contents.digest, name, now())
    if isinstance(answer, bytes) and answer.decode() != contents.digest:
        raise NotFresh("an interrupted restore of another file has written to the store")
    if isinstance(answer, int) and answer:
        raise NotFresh(f"the store is not empty: it holds {answer} keys")


def _count_keys(redis: Redis) -> int:
    return sum(int(server.dbsize()) for server in list_servers(redis))


class _Target:
    """The servers that a restore fills: each gets the commands for its keys, many at once."""

    def __init__(self, redis: Redis, registry: Redis) -> None:
        self._redis, self._registry = redis, registry
        self._pipes: dict[Redis, Any] = {}
        self._waiting = 0
        self._slots: set[int] = set()

    def find_server(self, name: str) -> Redis:
        """Return the server of a key."""
        if not keys.is_of_game(name):
            return self._registry
        slot = find_odd_outbox(self._redis, name)
        if slot is not None:
            self._slots.add(slot)
        return find_server(self._redis, name)

    def send(self, server: Redis, command: tuple[Any, ...]) -> None:
        """Send a command to a server, soon."""
        pipe = self._pipes.get(server)
        if pipe is None:
            pipe = self._pipes[server] = server.pipeline(transaction=False)
        pipe.execute_command(*command)
        self._waiting += sum(map(_size, command))
        if self._waiting > AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Send everything that waits, and note the slots that have no outbox so far."""
        for pipe in self._pipes.values():
            pipe.execute()
        self._waiting = 0
        if self._slots:
            self._registry.sadd(keys.outboxes_in_use(), *self._slots)
            self._slots.clear()


def load(
    redis: Redis,
    file: BinaryIO,
    contents: Contents,
    progress: Progress | None = None,
    put_archived: Callable[[BackupRecord], object] = lambda _record: None,
    registry: Redis | None = None,
) -> None:
    """Write all keys of a checked file into the store that `begin` has marked.

    `put_archived` gets what was archived. The progress is in keys. A key that an interrupted
    restore has written is replaced. Raises `DamagedBackup` when the file has changed since it was
    checked; the mark stays then.
    """
    target = _Target(redis, redis if registry is None else registry)
    done, fresh = 0, True
    for record in CheckedRecords(file):
        if record.name.startswith(ARCHIVED):
            put_archived(record)
        else:
            server = target.find_server(record.name)
            for command in make_commands(record, fresh):
                target.send(server, command)
        fresh = not record.more
        done += fresh
        if progress is not None:
            progress(done, contents.counts.keys)
    target.flush()


def end(redis: Redis) -> None:
    """Remove the mark: the store is complete, and processes may work on it."""
    redis.delete(keys.restoring())


def make_commands(record: BackupRecord, fresh: bool) -> Iterator[tuple[Any, ...]]:
    """Yield the commands that write a record; `fresh` for the first record of a key."""
    key = record.key
    if fresh:
        yield "DEL", key
    if record.type == "stream":
        for entry_id, *fields in record.items:
            yield "XADD", key, entry_id, *fields
    else:
        command = _WRITE[record.type]
        for item in record.items:
            yield (command, key, *_order(record.type, item))
    if record.last is not None:
        yield from _set_last(record, fresh)
    if record.expires_at is not None:
        yield "PEXPIREAT", key, record.expires_at


def _order(type_: str, item: Any) -> tuple[Any, ...]:
    """Return an item in the order of the arguments of its command."""
    if isinstance(item, bytes):
        return (item,)
    return (item[1], item[0]) if type_ == "zset" else tuple(item)


def _set_last(record: BackupRecord, fresh: bool) -> Iterator[tuple[Any, ...]]:
    """Yield the commands that make a stream remember how far it once was."""
    if not record.items and fresh:
        yield "XGROUP", "CREATE", record.key, "restoring", "0", "MKSTREAM"
        yield "XGROUP", "DESTROY", record.key, "restoring"
    if not record.items or record.items[-1][0].decode() != record.last:
        yield "XSETID", record.key, record.last


def _size(word: Any) -> int:
    return len(word) if isinstance(word, bytes) else 20


_WRITE = {"string": "APPEND", "hash": "HSET", "set": "SADD", "zset": "ZADD", "list": "RPUSH"}
"""The command that adds one item to a value of each type."""
