"""The outbox: what has been appended and is still to be acted upon."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import groupby
from typing import Any, Final, NamedTuple

from redis import Redis
from redis.exceptions import ResponseError

from cartulary.events.server import keys

GAME: Final = "game"
TOURNAMENT: Final = "tournament"
"""What an append was made to."""


class OutboxEntry(NamedTuple):
    """One append: `version` and `type` are those of its last event; `shard`, `id` are for `ack`.

    `game` is the id of what was appended to: of a game, or of a tournament where `kind` says so.
    `trace` is what `events.tracing` carries, '' without traces.
    """

    shard: str
    id: str
    game: str
    version: int
    type: str
    kind: str = GAME
    trace: str = ""


class Outbox:
    """The entries of all shards, read by the dispatchers as one consumer group.

    Each entry is given to one dispatcher, and comes back (`reclaim`) when that one dies before
    `ack`.
    """

    def __init__(
        self, redis: Redis, group: str = "dispatcher", registry: Redis | None = None
    ) -> None:
        self._redis = redis
        self._registry = redis if registry is None else registry
        self._group = group
        self._known = False

    def list_shards(self) -> list[str]:
        """Return the names of all shards."""
        return keys.outboxes()

    def name_shard(self, game_id: str) -> str:
        """Return the shard of a game."""
        return keys.outbox(game_id)

    def read(
        self, consumer: str, count: int = 100, block_ms: int | None = None
    ) -> list[OutboxEntry]:
        """Return new entries for this consumer; waits up to `block_ms` for one (None: does not).

        At most `count` per shard. `block_ms` is to stay below the client's socket timeout (10 s).
        """
        streams: dict[Any, Any] = dict.fromkeys(self.list_shards(), ">")
        answer = self.in_group(
            lambda: self._redis.xreadgroup(
                self._group, consumer, streams, count=count, block=block_ms
            )
        )
        return [
            read_entry(shard.decode(), *entry)
            for shard, entries in answer or ()
            for entry in entries
        ]

    def reclaim(self, consumer: str, idle_ms: int, count: int = 100) -> list[OutboxEntry]:
        """Take over entries that were given out `idle_ms` ago or longer and never acknowledged.

        Own ones as well: 0 takes all. The oldest `count` per shard; acknowledge before asking for
        more.
        """
        found: list[OutboxEntry] = []
        for shard in self.list_shards():
            claim = partial(self.claim, self._redis, shard, consumer, idle_ms, count)
            found += self.in_group(claim)
        return found

    def claim(
        self, server: Redis, shard: str, consumer: str, idle_ms: int, count: int
    ) -> list[OutboxEntry]:
        """Take over entries of one shard, which is on a server; the group must be there."""
        answer: Any = server.xautoclaim(
            shard, self._group, consumer, min_idle_time=idle_ms, count=count
        )
        return [read_entry(shard, *entry) for entry in answer[1] if entry[1]]

    def deliveries(self, entry: OutboxEntry) -> int:
        """Return how often an entry has been given out, 0 when it is acknowledged."""
        found: Any = self._redis.xpending_range(
            entry.shard, self._group, min=entry.id, max=entry.id, count=1
        )
        return int(found[0]["times_delivered"]) if found else 0

    def ack(self, entries: Iterable[OutboxEntry]) -> None:
        """Remove entries for good."""
        pipe = self._redis.pipeline(transaction=False)
        for shard, group in groupby(sorted(entries), key=lambda entry: entry.shard):
            ids = [entry.id for entry in group]
            pipe.xack(shard, self._group, *ids)
            pipe.xdel(shard, *ids)
        pipe.execute()

    def put(self, game_id: str, version: int, type_: str) -> None:
        """Add an entry by hand (the sweep does)."""
        fields: Any = {"game": game_id, "version": version, "type": type_}
        self._redis.xadd(self.name_shard(game_id), fields)

    def depth(self) -> int:
        """Return the number of entries not yet acknowledged, in all shards."""
        pipe = self._redis.pipeline(transaction=False)
        for shard in self.list_shards():
            pipe.xlen(shard)
        return sum(pipe.execute())

    def read_age(self) -> float:
        """Return the seconds since the oldest entry was added, 0 without any entry."""
        pipe = self._redis.pipeline(transaction=False)
        for shard in self.list_shards():
            pipe.xrange(shard, count=1)
        shards = pipe.execute()
        seconds, micros = self._registry.time()
        firsts = [int(entries[0][0].split(b"-")[0]) for entries in shards if entries]
        return max(0.0, seconds + micros / 1e6 - min(firsts) / 1000) if firsts else 0.0

    def in_group(self, call: Callable[[], Any]) -> Any:
        """Do what needs the groups; make them first where they are missing.

        They are missing at first, and after a loss of the data.
        """
        if not self._known:
            self._make_groups()
        try:
            return call()
        except ResponseError as error:
            if "NOGROUP" not in str(error):
                raise
        self._make_groups()
        return call()

    def _make_groups(self) -> None:
        for shard in self.list_shards():
            self.make_group(self._redis, shard)
        self._known = True

    def make_group(self, server: Redis, shard: str) -> None:
        """Make the group of a shard, which is on a server, where the group is missing."""
        try:
            server.xgroup_create(shard, self._group, id="0", mkstream=True)
        except ResponseError as error:
            if "BUSYGROUP" not in str(error):
                raise


def read_entry(shard: str, id_: bytes, fields: dict[bytes, bytes]) -> OutboxEntry:
    """Return an entry of a shard."""
    return OutboxEntry(
        shard,
        id_.decode(),
        fields[b"game"].decode(),
        int(fields[b"version"]),
        fields[b"type"].decode(),
        fields.get(b"kind", b"game").decode(),
        fields.get(b"trace", b"").decode(),
    )
