"""Connections to the events server."""

from __future__ import annotations

import os
from typing import Any, cast

import hiredis
from redis import ConnectionPool, Redis, ResponseError
from redis.backoff import ExponentialBackoff, NoBackoff
from redis.exceptions import ConnectionError as Unreachable
from redis.exceptions import OutOfMemoryError, ReadOnlyError
from redis.exceptions import TimeoutError as TooSlow
from redis.retry import Retry

from cartulary.events.server.borrowed import choose_blocking
from cartulary.events.server.cluster import MOVING, ClusterClient, Moving, is_cluster_url
from cartulary.events.server.coverage import write_slots
from cartulary.events.server.slots import SLOTS

ANSWER_WITHIN = 10
"""Seconds; a server that is silent for longer is taken for lost."""

NODE_WITHIN = 3
"""Seconds; the same for a node of a cluster. Another node replaces a node that is silent, and a
process that waits for the silent node does nothing for the games on the other nodes."""

CONNECT_WITHIN = 5
"""Seconds that a connection to a server may take."""

TAKES_NO_WRITES = ("MISCONF", "OOM", "READONLY")
"""Codes of the store: its disk is full, its memory is full, it has become a replica."""

REPLICAS_WITHIN_MS = 1000
"""How long an append waits for a replica, in ms: less than `pipeline.SILENT`."""

ANSWER_SOON = 2
"""Seconds; the same where a caller only asks whether the server is there."""


def connect(url: str, patient: bool = False) -> Redis:
    """Return a thread-safe client for `redis://`, `rediss://` or `unix://` URLs; bytes in, out.

    For `redis+cluster://` and `rediss+cluster://` it is a `ClusterClient` with the same commands.

    A command whose connection was lost is sent again a few times, so a server that was restarted
    is back without anyone noticing. An append can be sent twice (see `append.lua`). One that was
    silent is asked again by the `patient` only, for whom no person waits.
    """
    if is_cluster_url(url):
        cluster: Any = ClusterClient(
            url, socket_timeout=NODE_WITHIN, socket_connect_timeout=NODE_WITHIN
        )
        return cast(Redis, cluster)
    tried_again = (Unreachable, TooSlow) if patient else (Unreachable,)
    again = Retry(ExponentialBackoff(cap=0.5, base=0.05), 3, supported_errors=tried_again)
    redis = Redis.from_url(
        url,
        socket_timeout=ANSWER_WITHIN,
        socket_connect_timeout=CONNECT_WITHIN,
        retry=again,
    )
    pool = redis.connection_pool
    pool.connection_class = choose_blocking(pool.connection_class)
    return redis


def takes_no_writes(error: ResponseError) -> bool:
    """Return whether a refusal of the store means that it takes no writes for now."""
    # The client turns some codes into exceptions of their own, whose text has no code.
    known = isinstance(error, OutOfMemoryError | ReadOnlyError)
    return known or any(code in str(error) for code in TAKES_NO_WRITES)


def check(redis: Redis) -> None:
    """Raise `redis.RedisError` unless the server answers, soon, on a connection made for that.

    A cluster must take commands: whether it does without a master for each slot is a setting of its
    nodes (`cluster-require-full-coverage`).
    """
    if isinstance(redis, ClusterClient):
        _check_cluster(redis)
        return
    with dedicated(redis, socket_timeout=ANSWER_SOON, socket_connect_timeout=ANSWER_SOON) as asked:
        asked.ping()


def _check_cluster(cluster: ClusterClient) -> None:
    """Raise `redis.RedisError` unless a node says that the cluster takes commands."""
    works, missing = cluster.coverage.ask()
    if not works:
        if not missing:  # for some seconds after its nodes have found each other again
            raise Unreachable("the cluster takes no commands yet")
        raise Unreachable(
            f"{len(missing)} of the {SLOTS} slots of the cluster have no master: "
            f"{write_slots(missing)}"
        )


def dedicated(redis: Redis, **changed: Any) -> Redis:
    """Return a client with one connection of its own to the same server, which gives up at once.

    For a caller that blocks and must learn at once that its connection is lost.
    """
    pool = redis.connection_pool
    kwargs = {**pool.connection_kwargs, "retry": Retry(NoBackoff(), 0), **changed}
    return Redis(
        connection_pool=ConnectionPool(connection_class=pool.connection_class, **kwargs),
        single_connection_client=True,
    )


class Unconfirmed(Unreachable):
    """No replica has confirmed in time what the master has stored."""

    def __init__(self) -> None:
        super().__init__(
            "no replica has confirmed in time: the change may be stored, and may still be lost; "
            "send the request again with the same Idempotency-Key"
        )


def pack_wait(within_ms: int) -> tuple[Any, ...]:
    """Return the words of the command that waits for a replica; 0 in the answer: too late."""
    return "WAIT", 1, within_ms


def _read(connection: Any) -> Any:
    """Read an answer; an error of the store is returned, because another answer follows."""
    try:
        return connection.read_response(disconnect_on_error=False)
    except ResponseError as error:
        return error


def find_key(command: tuple[Any, ...]) -> str:
    """Return the first key of a command: a script, or a command whose first word is a key."""
    return str(command[3] if command[0] in ("EVALSHA", "EVAL") else command[1])


class ClusterExpress:
    """Does what `DirectConnection` does, with its own connections to each master. Thread-safe."""

    def __init__(self, cluster: ClusterClient, replicas_within_ms: int = 0) -> None:
        self._cluster, self._wait = cluster, replicas_within_ms
        self._nodes: dict[Redis, DirectConnection] = {}

    def run(self, *command: Any) -> Any:
        """Return the answer to one command: as `DirectConnection.run`; raises the same."""
        try:
            return self._find(command).run(*command)
        except MOVING as error:
            raise Moving(f"the cluster: {error}") from error

    def ask(self, *command: Any) -> Any:
        """Do what `run` does, and wait for no replica; raises the same."""
        try:
            return self._find(command).ask(*command)
        except MOVING as error:
            raise Moving(f"the cluster: {error}") from error

    def _find(self, command: tuple[Any, ...]) -> DirectConnection:
        """Return the connections to the master that has the key of a command."""
        node = self._cluster.find_node(find_key(command))
        express = self._nodes.get(node)
        if express is None:
            self._forget_others()
            express = self._nodes.setdefault(node, DirectConnection(node, self._wait))
        return express

    def _forget_others(self) -> None:
        """End the connections to nodes that are no masters: each failover leaves such a node."""
        masters = self._cluster.list_masters().values()
        for node in [one for one in list(self._nodes) if one not in masters]:
            express = self._nodes.pop(node, None)
            if express is not None:
                express.close()

    def close(self) -> None:
        """End the connections that are not in use."""
        for express in list(self._nodes.values()):
            express.close()


def make_express(redis: Redis, replicas_within_ms: int = 0) -> DirectConnection | ClusterExpress:
    """Return the fast connections to the server, or the cluster, of a client."""
    if isinstance(redis, ClusterClient):
        return ClusterExpress(redis, replicas_within_ms)
    return DirectConnection(redis, replicas_within_ms)


class DirectConnection:
    """Connections of its own to the server of a client, for what is done all the time. Thread-safe.

    The client asks each connection whether it is still alive before it uses it, waits for its turn,
    and notes down what it does; here a command is sent and its answer read, nothing else. There are
    as many connections as threads that were here at the same time.
    """

    def __init__(self, redis: Redis, replicas_within_ms: int = 0) -> None:
        """Run commands on the server of a client.

        With `replicas_within_ms` a command counts when a replica has confirmed it within that time.
        """
        self._pool = redis.connection_pool
        self._idle: list[Any] = []
        self._process = os.getpid()
        self._wait = replicas_within_ms

    def run(self, *command: Any) -> Any:
        """Return the answer to one command, which is not sent again whatever happens.

        Raises `redis.RedisError`; unless that is a `ResponseError`, the command may have been done.
        """
        return self._run_and_wait(command) if self._wait else self.ask(*command)

    def ask(self, *command: Any) -> Any:
        """Do what `run` does, and wait for no replica: for a command that changes nothing."""
        connection = self._take()
        try:
            connection.send_packed_command([hiredis.pack_command(command)], check_health=False)
            answer = connection.read_response(disconnect_on_error=False)
        except ResponseError:
            self._idle.append(connection)
            raise
        except BaseException:
            connection.disconnect()
            raise
        self._idle.append(connection)
        return answer

    def _run_and_wait(self, command: tuple[Any, ...]) -> Any:
        """Run a command and wait for a replica on the same connection: so no other node answers.

        Raises `Unconfirmed`, and what `run` raises.
        """
        connection = self._take()
        words = [hiredis.pack_command(command), hiredis.pack_command(pack_wait(self._wait))]
        try:
            connection.send_packed_command(words, check_health=False)
            answer = _read(connection)
            confirmed = _read(connection)
        except BaseException:
            connection.disconnect()
            raise
        self._idle.append(connection)
        for found in (answer, confirmed):
            if isinstance(found, ResponseError):
                raise found
        if not confirmed:
            raise Unconfirmed
        return answer

    def _take(self) -> Any:
        if self._process != os.getpid():  # forked: these connections belong to the parent
            self._idle, self._process = [], os.getpid()
        try:
            return self._idle.pop()
        except IndexError:
            return self._pool.connection_class(**self._pool.connection_kwargs)

    def close(self) -> None:
        """End the connections that are not in use."""
        idle, self._idle = self._idle, []
        for connection in idle:
            connection.disconnect()
