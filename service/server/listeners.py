"""Listeners: sockets that connections come in through, within the bounds of the server."""

from __future__ import annotations

import logging
import socket
import ssl
from typing import Any

from cartulary.service.server.connection_host import Host
from cartulary.service.server.loop import READ

log = logging.getLogger("cartulary.service")

ACCEPTED = 16
"""Connections that are accepted in one turn of the loop."""
PAUSE = 0.1
"""Seconds without accepting, after descriptors have run out."""
HELD_BACK = 0.005
"""Seconds for which a process leaves a new connection to a process that has fewer."""


class SocketListener:
    """A socket that connections come in through."""

    def __init__(self, server: Host, listener: Any, tls: ssl.SSLContext | None) -> None:
        self._server, self.tls = server, tls
        self._sock = getattr(listener, "sock", listener)
        self._local = self._sock.getsockname()
        self._open = self._shut = self._held_back = False
        self._until = 0.0

    def open(self) -> None:
        """Accept connections."""
        self._server.paused.pop(self, None)
        if not self._open:
            self._sock.setblocking(False)
            self._server.loop.watch(self._sock, READ, self)
            self._open = True

    def pause(self, seconds: float) -> None:
        """Accept none for a while: the server calls `open_again` until it is over."""
        if self._shut:
            return
        self._until = self._server.loop.now + seconds
        self._server.paused[self] = None
        self._stop()

    def shut(self) -> None:
        """Accept none any more."""
        self._shut = True
        self._server.paused.pop(self, None)
        self._stop()

    def _stop(self) -> None:
        if self._open:
            self._server.loop.forget(self._sock)
            self._open = False

    def open_again(self) -> None:
        """Accept again when the pause is over."""
        if self._server.loop.now >= self._until:
            self.open()

    @property
    def opens_in(self) -> float:
        """Return the seconds until its pause is over."""
        return max(0.0, self._until - self._server.loop.now)

    def ready(self, mask: int) -> None:
        """Accept what has come; where another process has fewer connections, a little later."""
        self._held_back = not self._held_back and self._server.ahead
        if self._held_back:
            self.pause(HELD_BACK)
            return
        for _ in range(ACCEPTED):
            if self._server.crowded:
                self.pause(PAUSE)
                return
            try:
                sock, client = self._sock.accept()
            except BlockingIOError:
                return
            except ConnectionError:
                continue
            except OSError as error:
                self._server.pause_accepting(error)
                return
            try:
                self._admit(sock, client)
            except OSError as error:
                # The client has reset the connection already, which `wrap_socket` reports.
                log.debug("a client left before its connection was accepted: %s", error)
                sock.close()
            if self._server.ahead:
                return

    def _admit(self, sock: socket.socket, client: Any) -> None:
        sock.setblocking(False)
        if sock.family != socket.AF_UNIX:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if hasattr(socket, "TCP_USER_TIMEOUT") and self._server.limits.patience:
                lost = int(3000 * self._server.limits.patience)
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, lost)
        if self.tls is not None:
            sock = self.tls.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
        self._server.admit(sock, client, self._local)
