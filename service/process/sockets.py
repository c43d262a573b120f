"""The sockets of clients: one that stands still is given up, so that it holds no thread for ever.

gunicorn waits without limit for the rest of a request that has begun, and for a client to take its
answer; a phone that has lost its network would keep a thread in either.
"""

from __future__ import annotations

import errno
import socket
import struct
from typing import Any, Self

from gunicorn.http.errors import ParseException


class TooSlow(ParseException):  # type: ignore[misc]
    """The client stopped in the middle of its request."""

    def __str__(self) -> str:
        return "the request has stopped coming"


class ClientSocket(socket.socket):
    """A socket that the kernel watches: no system call more than before for each transfer."""

    @classmethod
    def taking_over(cls, sock: socket.socket, patience: int) -> Self:
        """Return a socket in place of `sock`, which is empty afterwards.

        It may stand still for `patience` seconds, in the middle of a request or of an answer. What
        was sent, heartbeats too, must have arrived within three times that.
        """
        taken = cls(sock.family, sock.type, sock.proto, sock.detach())
        limit = struct.pack("ll", patience, 0)
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)
        if taken.family != socket.AF_UNIX and hasattr(socket, "TCP_USER_TIMEOUT"):
            taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 3 * patience * 1000)
        return taken

    def recv(self, *asked: Any) -> bytes:
        """Receive; raises `TooSlow` where the kernel has given up."""
        try:
            return super().recv(*asked)
        except BlockingIOError as error:
            raise TooSlow from error

    def sendall(self, *sent: Any) -> None:
        """Send; a client that takes nothing any more counts as gone (`BrokenPipeError`)."""
        try:
            super().sendall(*sent)
        except BlockingIOError as error:
            raise BrokenPipeError(errno.EPIPE, "the client takes nothing any more") from error

    def setblocking(self, flag: bool) -> None:
        """Block, or not; what is closed does neither (gunicorn closes again what it has closed)."""
        if self.fileno() >= 0:
            super().setblocking(flag)
