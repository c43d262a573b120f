"""The sockets of clients: a connection that stands still times out, and frees its thread.

gunicorn waits without limit for the rest of a request, and for a client to read its answer. A phone
that has lost its network would keep a thread in either case.
"""

from __future__ import annotations

import errno
import socket
import struct
from typing import Any, Self

from gunicorn.http.errors import ParseException

Unreadable = ParseException
"""What gunicorn raises where the bytes of a client are no HTTP: also while a body is read."""


class TooSlow(ParseException):  # type: ignore[misc]
    """The client stopped in the middle of its request."""

    def __str__(self) -> str:
        return "the request has stopped in the middle"


class ClientSocket(socket.socket):
    """A socket whose timeouts the kernel keeps: Python would poll before each transfer."""

    @classmethod
    def take_over(cls, sock: socket.socket, patience: int) -> Self:
        """Return a socket in place of `sock`, which is detached afterwards.

        It may stand still for `patience` seconds, in the middle of a request or of an answer. What
        the service sends, heartbeats too, must arrive within three times that.
        """
        taken = cls(sock.family, sock.type, sock.proto, sock.detach())
        limit = struct.pack("ll", patience, 0)
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)
        if taken.family != socket.AF_UNIX and hasattr(socket, "TCP_USER_TIMEOUT"):
            taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 3 * patience * 1000)
        return taken

    def recv(self, *asked: Any) -> bytes:
        """Receive; raises `TooSlow` after the timeout."""
        try:
            return super().recv(*asked)
        except BlockingIOError as error:
            raise TooSlow from error

    def sendall(self, *sent: Any) -> None:
        """Send; raises `BrokenPipeError` when the client reads nothing until the timeout."""
        try:
            super().sendall(*sent)
        except BlockingIOError as error:
            raise BrokenPipeError(errno.EPIPE, "the client has stopped reading") from error

    def setblocking(self, flag: bool) -> None:
        """Block, or not; does nothing on a closed socket, because gunicorn closes sockets twice."""
        if self.fileno() >= 0:
            super().setblocking(flag)
