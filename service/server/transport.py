"""The sending half of a connection: what the socket does not take is kept and written later."""

from __future__ import annotations

import abc
import errno
import logging
import socket
import ssl

from cartulary.service.server.connection_host import Host
from cartulary.service.server.connection_states import ConnectionState
from cartulary.service.server.loop import NEVER, READ, WRITE

log = logging.getLogger("cartulary.service")

LATER = (BlockingIOError, InterruptedError, ssl.SSLWantReadError, ssl.SSLWantWriteError)
"""What a socket raises when it is not ready."""
SLOWEST = 1024
"""Bytes a second that are sent or taken, besides the time for which a client may stand still."""
LINGERS = 2.0
"""Seconds for which a client that was sent its last answer is listened to."""


class Transport(abc.ABC):
    """A socket that the loop watches, and the bytes that wait for it."""

    __slots__ = (
        *("closing", "deadline", "eof", "interest", "out", "secure", "server", "sock"),
        *("state", "tick", "waiting"),
    )

    def __init__(self, server: Host, sock: socket.socket) -> None:
        self.server, self.sock = server, sock
        self.secure = isinstance(sock, ssl.SSLSocket)
        self.state = ConnectionState.HANDSHAKE if self.secure else ConnectionState.HEAD
        self.out: list[memoryview] = []
        self.waiting = 0
        self.deadline, self.tick = NEVER, 0
        self.interest = 0
        self.closing = self.eof = False

    # -- what a connection does on top ------------------------------------------------------------

    @abc.abstractmethod
    def ready(self, mask: int) -> None:
        """Read and write what is possible."""

    @abc.abstractmethod
    def expire(self) -> None:
        """Do what is due at the deadline."""

    @abc.abstractmethod
    def after_writing(self) -> None:
        """Go on after the last byte that waited."""

    @abc.abstractmethod
    def close(self) -> None:
        """End the connection."""

    # -- sending ----------------------------------------------------------------------------------

    def watch(self, events: int) -> None:
        """Have the loop watch for these events; 0: for none."""
        if events == self.interest:
            return
        loop = self.server.loop
        if not events:
            loop.forget(self.sock)
        elif self.interest:
            loop.change(self.sock, events, self)
        else:
            loop.watch(self.sock, events, self)
        self.interest = events

    def push(self, data: bytes | memoryview) -> None:
        """Send bytes; keep what the socket does not take."""
        if not self.out:
            try:
                data = memoryview(data)[self.sock.send(data) :]
            except LATER:
                data = memoryview(data)
            except OSError:
                self.close()
                return
            if not data:
                return
        self.out.append(memoryview(data))
        self.waiting += len(data)
        self.server.waiting += len(data)
        self.watch(self.interest | WRITE)

    def flush(self) -> None:
        """Send what is kept, as far as the socket takes it."""
        sent = 0
        try:
            while self.out:
                count = self.sock.send(self.out[0])
                sent += count
                if count == len(self.out[0]):
                    del self.out[0]
                else:
                    self.out[0] = self.out[0][count:]
        except LATER:
            log.debug("the client takes nothing more at the moment")
        except OSError:
            self.close()
            return
        self.waiting -= sent
        self.server.waiting -= sent
        if not self.out:
            self.watch(self.interest & ~WRITE)
            self.after_writing()
        elif sent and self.state == ConnectionState.WRITING:
            # A reader of one byte a second would otherwise hold a long answer for days.
            latest = self.server.loop.now + self.server.patience
            self.deadline = min(latest, self.deadline + sent / SLOWEST)

    def linger(self) -> None:
        """Close after the client has had a chance to read: a reset would take the answer away."""
        if self.eof:
            self.close()
            return
        self.state = ConnectionState.LINGER
        try:
            if isinstance(self.sock, ssl.SSLSocket):
                self.sock.unwrap()
            self.sock.shutdown(socket.SHUT_WR)
        except LATER:
            log.debug("the client has yet to confirm the end of TLS")
        except OSError as error:
            if error.errno != errno.ENOTCONN:
                log.debug("the client does not wait for the end: %s", error)
            self.close()
            return
        self.server.loop.wheel.set(self, self.server.loop.now + LINGERS)
        self.watch(READ)
