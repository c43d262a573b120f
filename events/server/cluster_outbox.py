"""The outbox in a cluster: a stream in each slot that games have.

No command reads streams of several slots, so nothing can wait for all of them at once. The streams
of a node are asked together, in one round trip, and again after `POLL_S`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import monotonic, sleep
from typing import Any, Final, TypeVar

import hiredis
from redis import Redis
from redis.exceptions import ConnectionError as Unreachable
from redis.exceptions import RedisError, ResponseError

from cartulary.events.server import keys
from cartulary.events.server.cluster import MOVING, ClusterClient
from cartulary.events.server.outbox import Outbox, OutboxEntry, read_entry
from cartulary.events.server.slots import FIXED, find_slot, find_tag

T = TypeVar("T")

POLL_S: Final = 0.02
"""Seconds between two looks at streams without new entries: a look costs 24 commands."""

LISTED_S: Final = 5.0
"""Seconds for which a process goes by the slots that it knows."""


class ClusterOutbox(Outbox):
    """The entries of all slots, read by the dispatchers as one consumer group."""

    def __init__(self, cluster: ClusterClient, registry: Redis, group: str = "dispatcher") -> None:
        client: Any = cluster
        super().__init__(client, group, registry)
        self._cluster = cluster
        self._shards: dict[int, str] = {}
        self._due = 0.0

    def list_shards(self) -> list[str]:
        """Return the outboxes of the fixed slots, and of those that restored games have.

        Those of missing slots are left out, so that the other games go on.
        """
        if monotonic() >= self._due:
            more: Any = self._registry.smembers(keys.outboxes_in_use())
            slots = sorted({*FIXED, *map(int, more)})
            self._shards = {slot: keys.outbox_of_tag(find_tag(slot)) for slot in slots}
            self._due = monotonic() + LISTED_S
        missing = self._cluster.coverage.read_missing()
        return [shard for slot, shard in self._shards.items() if slot not in missing]

    def name_shard(self, game_id: str) -> str:
        """Return the outbox of the slot of a game."""
        return keys.outbox_of_tag(find_tag(find_slot(game_id)))

    def read(
        self, consumer: str, count: int = 100, block_ms: int | None = None
    ) -> list[OutboxEntry]:
        """Return new entries for this consumer; waits up to `block_ms` for one (None: does not).

        At most `count` per slot. Raises `RedisError` while a node is missing.
        """
        until = monotonic() + (block_ms or 0) / 1000
        while True:
            found: list[OutboxEntry] = self.in_group(lambda: self._poll(consumer, count))
            left = until - monotonic()
            if found or left <= 0:
                return found
            sleep(min(POLL_S, left))

    def reclaim(self, consumer: str, idle_ms: int, count: int = 100) -> list[OutboxEntry]:
        """Take over entries as `Outbox.reclaim` does; those of a missing node come later."""

        def claim(node: Redis, shards: list[str]) -> list[OutboxEntry]:
            return [entry for shard in shards for entry in self._follow(node, partial(take, shard))]

        def take(shard: str, server: Redis) -> list[OutboxEntry]:
            return self.claim(server, shard, consumer, idle_ms, count)

        found: list[OutboxEntry] = self.in_group(lambda: self._ask_all(claim))
        return found

    def _poll(self, consumer: str, count: int) -> list[OutboxEntry]:
        return self._ask_all(lambda node, shards: self._ask(node, shards, consumer, count))

    def _ask_all(self, ask: Callable[[Redis, list[str]], list[OutboxEntry]]) -> list[OutboxEntry]:
        """Ask each node about its outboxes; return what those nodes have that answer.

        Raises the error of a node when the others have nothing: games of the others go on while a
        node is replaced.
        """
        found: list[OutboxEntry] = []
        trouble: RedisError | None = None
        for node, shards in self._sort_by_node().items():
            try:
                found += ask(node, shards)
            except RedisError as error:
                trouble = self._look_around(error, node)
        if trouble is not None and not found:
            raise trouble
        return found

    def _make_groups(self) -> None:
        """Make the groups; those of a missing node are made before a later look."""
        self._known = True
        for node, shards in self._sort_by_node().items():
            try:
                for shard in shards:
                    self._follow(node, partial(self.make_group, shard=shard))
            except RedisError as error:
                self._look_around(error, node)
                self._known = False

    def _follow(self, node: Redis, ask: Callable[[Redis], T]) -> T:
        """Ask the node of an outbox; where its slot is being moved, the client finds the other."""
        try:
            return ask(node)
        except MOVING:
            return ask(self._redis)

    def _sort_by_node(self) -> dict[Redis, list[str]]:
        by_node: dict[Redis, list[str]] = {}
        for shard in self.list_shards():
            by_node.setdefault(self._cluster.find_node(shard), []).append(shard)
        return by_node

    def _look_around(self, error: RedisError, node: Redis) -> RedisError:
        """Ask which nodes have the outboxes by now; return what to raise for an error of a node."""
        if isinstance(error, ResponseError) and "NOGROUP" in str(error):
            self._known = False  # the groups are made before the next look
            return error
        self._cluster.refresh(node)
        if isinstance(error, ResponseError):
            return Unreachable(f"the outboxes have moved: {error}")
        return error

    def _ask(self, node: Redis, shards: list[str], consumer: str, count: int) -> list[OutboxEntry]:
        """Return the new entries of the outboxes of one node.

        Raises the first error of the node. Entries that came with it are reclaimed later.
        """
        answers = self._ask_at_once(node, shards, consumer, count)
        for number, answer in enumerate(answers):
            if isinstance(answer, MOVING):
                # The client finds the node that has the outbox of a slot that is being moved.
                streams: Any = {shards[number]: ">"}
                answers[number] = self._redis.xreadgroup(
                    self._group, consumer, streams, count=count
                )
            elif isinstance(answer, ResponseError):
                raise answer
        return [
            read_entry(shard.decode(), *entry)
            for answer in answers
            for shard, entries in answer or ()
            for entry in entries
        ]

    def _ask_at_once(self, node: Redis, shards: list[str], consumer: str, count: int) -> list[Any]:
        """Return the answer of a node for each outbox, an error included, in one round trip."""
        begin: tuple[Any, ...] = (
            "XREADGROUP",
            "GROUP",
            self._group,
            consumer,
            "COUNT",
            count,
            "STREAMS",
        )
        packed = [hiredis.pack_command((*begin, shard, ">")) for shard in shards]
        connection: Any = node.connection_pool.get_connection()
        try:
            connection.send_packed_command(packed)
            return [_read(node, connection) for _ in shards]
        except BaseException:
            connection.disconnect()
            raise
        finally:
            node.connection_pool.release(connection)


def _read(node: Any, connection: Any) -> Any:
    """Read an answer; an error of the store is returned, because other answers follow."""
    try:
        return node.parse_response(connection, "XREADGROUP")
    except ResponseError as error:
        return error


def make_outbox(redis: Redis, registry: Redis) -> Outbox:
    """Return the outbox of a server, or of a cluster."""
    return ClusterOutbox(redis, registry) if isinstance(redis, ClusterClient) else Outbox(redis)
