"""Which keys have changed: the server says it itself (`CLIENT TRACKING`, broadcasting).

The server sends the names of all keys that were changed since its last turn, on a connection that
only listens. That costs it some microseconds for a changed key, and nothing while nothing changes;
no setting of the server and no script takes part. What was changed while the connection was lost is
not sent later: then every key may have changed (`is_complete`), and the caller compares all.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from redis import Redis
from redis.exceptions import RedisError

from cartulary.events.server.connection import dedicated
from cartulary.events.server.servers import list_servers

CHANNEL = b"__redis__:invalidate"


class Touched(NamedTuple):
    """Keys that were changed. Unless `is_complete`, any other key may have been changed as well."""

    names: set[bytes]
    is_complete: bool


class Tracker:
    """Tells which keys of a store have changed. Not thread-safe."""

    def __init__(self, redis: Redis, registry: Redis) -> None:
        self._redis, self._registry = redis, registry
        self._listeners: dict[Redis, _Listener] = {}

    def take(self) -> Touched:
        """Return the keys that were changed since the last call, at least to the moment of this.

        The first call, and the first after a lost connection or another master, is not complete.
        Raises `RedisError`; the next call is not complete then.
        """
        try:
            is_complete = self._listen_to_all()
            names = set[bytes]()
            for listener in self._listeners.values():
                is_complete &= listener.drain(names)
        except (RedisError, OSError):
            self.close()
            raise
        return Touched(names, is_complete)

    def _listen_to_all(self) -> bool:
        """Listen to all servers that there are now; return whether they are those of before."""
        servers = {*list_servers(self._redis, fresh=True), self._registry}
        if servers == self._listeners.keys():
            return True
        self.close()
        self._listeners = {server: _Listener(server) for server in servers}
        return False

    def close(self) -> None:
        """End the connections."""
        for listener in self._listeners.values():
            listener.close()
        self._listeners = {}


class _Listener:
    """Two connections to one server: one that listens, one that has asked for it."""

    def __init__(self, server: Redis) -> None:
        self._asking, self._client = _open(server), _open(server)
        self._connection: Any = self._client.connection
        self._connection.send_command("CLIENT", "ID")
        listener = self._connection.read_response()
        self._connection.send_command("SUBSCRIBE", CHANNEL)
        self._connection.read_response()
        self._asking.execute_command("CLIENT", "TRACKING", "ON", "REDIRECT", listener, "BCAST")

    def drain(self, names: set[bytes]) -> bool:
        """Add the names of changed keys; return whether these are all.

        The server sends names at the end of a turn. The second answer is of a later turn than the
        first, so all that was changed before the call has been sent before it.
        """
        is_complete = self._is_on()
        for _ in range(2):
            self._connection.send_command("PING")
            while not _is_pong(answer := self._connection.read_response()):
                if answer[2] is None:  # the server was emptied
                    is_complete = False
                else:
                    names.update(answer[2])
        return is_complete

    def _is_on(self) -> bool:
        """Return whether the server still tracks: a client may have connected again unnoticed."""
        said = self._asking.execute_command("CLIENT", "TRACKINGINFO")
        flags = said[said.index(b"flags") + 1]
        return b"bcast" in flags and b"broken_redirect" not in flags

    def close(self) -> None:
        """End both connections."""
        for client in (self._asking, self._client):
            client.close()


def _open(server: Redis) -> Any:
    return dedicated(server, protocol=2)


def _is_pong(answer: Any) -> bool:
    return bool(answer[0] == b"pong")
