"""A connection of redis-py that goes through the network of the world.

Product code makes its connections with `events.server.connection.connect`, which takes the class of
connections from a table of `events.server.borrowed`; `use` puts this class there. What redis-py
does with requests and answers is its own code; only the socket and its bytes are left out.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any, Final

import hiredis
from redis._parsers import BaseParser
from redis.cluster import NodesManager
from redis.connection import Connection, ConnectionPool
from redis.exceptions import ConnectionError as Unreachable
from redis.exceptions import RedisError, ResponseError
from redis.exceptions import TimeoutError as TooSlow

from simulation.store.replies import ErrorReply
from simulation.world.network import Link, Network

STORE: Final = "store", 6379

URL: Final = "redis://store:6379/0?protocol=2"
"""The address of the store: messages of RESP2, as the model of the store has them."""

_networks: dict[tuple[str, int], Network] = {}
"""By host and port of a server: the network over which it is reached."""


def use(network: Network, nodes: Mapping[tuple[str, int], Network] | None = None) -> None:
    """Let all connections of the product go through `network`; `nodes` are other servers."""
    from cartulary.events.server import borrowed

    _leave_out_warnings()
    _networks.clear()
    _networks.update({**(nodes or {}), STORE: network})
    borrowed._BLOCKING[Connection] = SimulatedConnection  # noqa: SLF001


def _leave_out_warnings() -> None:
    """Let what redis-py does for each command not look first whether its arguments are of old."""
    for kind, name in ((ConnectionPool, "get_connection"), (NodesManager, "get_node_from_slot")):
        setattr(kind, name, inspect.unwrap(getattr(kind, name)))


def reach(host: str, network: Any) -> str:
    """Let the product reach another server by a name; returns its address."""
    _networks[host, STORE[1]] = network
    return f"redis://{host}:{STORE[1]}/0?protocol=2"


class SimulatedConnection(Connection):
    """A connection to the store of the world."""

    _sock: Link | None  # type: ignore[assignment]

    def connect_check_health(
        self, check_health: bool = True, retry_socket_connect: bool = True
    ) -> None:
        """Connect; raises `redis.ConnectionError`, `redis.TimeoutError`."""
        if self._sock:
            return
        try:
            network = _networks[self.host, int(self.port)]
            self._sock = network.open(self.socket_connect_timeout or 10.0)
        except TimeoutError as error:
            raise TooSlow("Timeout connecting to server") from error
        except OSError as error:
            raise Unreachable(f"Error connecting to the store: {error}") from error
        for reference in list(self._connect_callbacks):
            callback = reference()
            if callback:
                callback(self)

    def disconnect(self, *_arguments: Any, **_options: Any) -> None:
        """End the connection."""
        link, self._sock = self._sock, None
        self.reset_should_reconnect()  # type: ignore[no-untyped-call]
        if link is not None:
            link.close()

    def pack_command(self, *args: Any) -> list[list[bytes]]:
        """Return the words of a command."""
        name = args[0]
        encode: Any = self.encoder.encode
        # Commands of two words may come as one.
        first = name.split() if isinstance(name, bytes) else str(name).encode().split()
        return [[*first, *[bytes(encode(word)) for word in args[1:]]]]

    def pack_commands(self, commands: Iterable[Any]) -> list[list[bytes]]:
        """Return the words of commands."""
        return [words for command in commands for words in self.pack_command(*command)]

    def send_command(self, *args: Any, **options: Any) -> None:
        """Send a command."""
        self.send_packed_command(
            self.pack_command(*args), check_health=options.get("check_health", True)
        )

    def send_packed_command(self, command: Any, check_health: bool = True) -> None:
        """Send commands; raises `redis.ConnectionError`."""
        if not self._sock:
            self.connect_check_health(check_health=False)
        assert self._sock is not None
        try:
            for words in command:
                self._sock.send(words if isinstance(words, list) else _unpack(words))
        except OSError as error:
            self.disconnect()
            raise Unreachable(f"Error while writing to the store: {error}") from error
        except BaseException:
            self.disconnect()
            raise

    def can_read(self, timeout: float = 0) -> bool:
        """Return whether something can be read, the end of the connection included."""
        link = self._sock
        if link is None:
            self.connect()  # type: ignore[no-untyped-call]
            link = self._sock
        assert link is not None
        if link.is_cut:
            raise Unreachable("Connection closed by server.")
        if not link.arrived and timeout:
            try:
                link.arrived.appendleft(link.receive(timeout))
            except TimeoutError:
                return False
            except OSError as error:
                self.disconnect()
                raise Unreachable(str(error)) from error
        return bool(link.arrived)

    def _find_link(self) -> Link:
        if self._sock is None:
            raise ConnectionResetError(104, "the connection is closed")
        return self._sock

    def read_response(
        self,
        disable_decoding: bool = False,
        *,
        timeout: Any = ...,
        disconnect_on_error: bool = True,
        push_request: bool = False,
    ) -> Any:
        """Read an answer; raises `redis.RedisError`."""
        within = timeout if isinstance(timeout, int | float) else self.socket_timeout
        try:
            reply = self._find_link().receive(within)
        except TimeoutError as error:
            if disconnect_on_error:
                self.disconnect()
            raise TooSlow("Timeout reading from the store") from error
        except OSError as error:
            if disconnect_on_error:
                self.disconnect()
            raise Unreachable(f"Error while reading from the store: {error}") from error
        except BaseException:
            if disconnect_on_error:
                self.disconnect()
            raise
        answer = read_reply(reply)
        if isinstance(answer, RedisError) and isinstance(answer, ResponseError | Unreachable):
            raise answer
        return answer


def _unpack(packed: bytes) -> list[bytes]:
    """Return the words of a command that was packed for a socket."""
    reader = hiredis.Reader()
    reader.feed(packed)
    words: list[bytes] = reader.gets()
    return words


def read_reply(reply: Any) -> Any:
    """Return a reply of the store as the parser of redis-py returns it."""
    kind = type(reply)
    if kind is bytes or kind is int or reply is None:
        return reply
    if kind is list:
        return [read_reply(one) for one in reply]
    if kind is ErrorReply:
        return BaseParser.parse_error(reply.write())  # type: ignore[no-untyped-call]
    return reply.encode()
