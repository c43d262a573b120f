"""Restarts of the server: a server that starts again may have lost its last events.

A process learns of a restart from a connection that it keeps and never uses: the system reports the
end of that connection at once, so asking costs no round trip. The run id of the server then says
whether the server was restarted, or only the connection was cut.
"""

from __future__ import annotations

import os
from threading import Lock
from time import monotonic
from typing import Any

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError, ResponseError
from redis.retry import Retry

from cartulary.events.server.cluster import ClusterClient

CONNECT_WITHIN = 0.5
"""Seconds for an attempt to connect: readers wait for it."""
AGAIN_AFTER = 1.0
"""Seconds between two attempts while the server does not answer."""


class Restarts:
    """Notices that the server of a client is another run than before. Thread-safe."""

    def __init__(self, redis: Redis) -> None:
        self._pool = redis.connection_pool
        self._connection: Any = None
        self._run_id: bytes | None = None
        self._process = os.getpid()
        self._again = 0.0
        self._lock = Lock()

    @property
    def is_watched(self) -> bool:
        """Return whether this process has a connection that would end with the server."""
        return self._connection is not None and self._process == os.getpid()

    def notice(self) -> bool:
        """Return whether the server is another run than when it was last asked.

        True as well at the first call: what was read before may be of an earlier run. A server that
        does not answer counts as unchanged until it answers.
        """
        with self._lock:
            if self.is_watched:
                if not self._is_lost():
                    return False
                self._connection.disconnect()
            self._connection, self._process = None, os.getpid()
            if monotonic() < self._again:
                return False
            return self._connect()

    def _is_lost(self) -> bool:
        """Return whether the connection has ended: nothing else ever comes on it."""
        try:
            return bool(self._connection.can_read(0))
        except (RedisError, OSError):
            return True

    def _connect(self) -> bool:
        limits = {"socket_connect_timeout": CONNECT_WITHIN, "socket_timeout": CONNECT_WITHIN}
        settings = {**self._pool.connection_kwargs, "retry": Retry(NoBackoff(), 0), **limits}
        connection = self._pool.connection_class(**settings)
        try:
            connection.connect()
            run_id = _read_run_id(connection)
        except RedisError:
            connection.disconnect()
            self._again = monotonic() + AGAIN_AFTER
            return False
        self._connection = connection
        before, self._run_id = self._run_id, run_id
        return before != run_id

    def close(self) -> None:
        """End the connection."""
        with self._lock:
            if self._connection is not None:
                self._connection.disconnect()
            self._connection = None


class ClusterRestarts:
    """Notices that a master of a cluster is another run, or another node, than before.

    A node that becomes master may lack the last events of the master before it. Thread-safe.
    """

    def __init__(self, cluster: ClusterClient) -> None:
        self._cluster = cluster
        self._masters: dict[str, Restarts] = {}
        self._lock = Lock()
        self._again = 0.0

    def notice(self) -> bool:
        """Return whether a master is another one than when it was last asked.

        True as well at the first call. Masters that do not answer count as unchanged.
        """
        with self._lock:
            changed = self._follow_masters()
            # All of them are asked: each notes what it has learnt.
            noticed = [one.notice() for one in self._masters.values()]
            return changed or any(noticed)

    def _follow_masters(self) -> bool:
        """Watch the masters that are known now; return whether they are others than before."""
        if not self._cluster.is_known and monotonic() < self._again:
            return False
        try:
            masters = self._cluster.list_masters()
        except RedisError:
            self._again = monotonic() + AGAIN_AFTER
            return False
        if masters.keys() == self._masters.keys():
            return False
        for name in self._masters.keys() - masters.keys():
            self._masters.pop(name).close()
        for name in masters.keys() - self._masters.keys():
            self._masters[name] = Restarts(masters[name])
        return True

    @property
    def is_watched(self) -> bool:
        """Return whether this process has a connection that would end with each master."""
        return bool(self._masters) and all(one.is_watched for one in self._masters.values())

    def close(self) -> None:
        """End the connections."""
        with self._lock:
            for one in self._masters.values():
                one.close()


def watch_restarts(redis: Redis) -> Restarts | ClusterRestarts:
    """Return what notices the restarts of the server, or of the masters, of a client."""
    return ClusterRestarts(redis) if isinstance(redis, ClusterClient) else Restarts(redis)


def _read_run_id(connection: Any) -> bytes:
    """Ask for the run id; empty where the server has none (`fakeredis`)."""
    connection.send_command("INFO", "server", check_health=False)
    try:
        answer = connection.read_response(disconnect_on_error=False)
    except ResponseError as error:
        if str(error).startswith("LOADING"):
            raise
        return b""
    for line in bytes(answer).splitlines():
        if line.startswith(b"run_id:"):
            return line.removeprefix(b"run_id:")
    return b""
