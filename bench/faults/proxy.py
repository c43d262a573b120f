"""A proxy for TCP between the clients and the service that can cut the connections."""

from __future__ import annotations

import selectors
import socket
import struct
import threading
from contextlib import suppress
from typing import Self

PIECE = 65536
RESET = struct.pack("ii", 1, 0)
"""`SO_LINGER` with which closing sends a reset: what was not delivered is lost."""


class Proxy:
    """Passes connections on to a port of this machine; a context manager.

    `cut` resets all connections, whatever is on its way: a request that the service has not got, or
    an answer that the client has not got.
    """

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self._listener.setblocking(False)
        self.port: int = self._listener.getsockname()[1]
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._peers: dict[socket.socket, socket.socket] = {}
        self._cutting = threading.Event()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.resets = 0

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping = True
        self._thread.join()
        self._reset_all()
        self._listener.close()
        self._selector.close()

    def cut(self) -> None:
        """Reset all connections; new ones are accepted at once."""
        self._cutting.set()

    def _run(self) -> None:
        while not self._stopping:
            for key, _ in self._selector.select(0.02):
                found = key.fileobj
                if found is self._listener:
                    self._accept()
                elif isinstance(found, socket.socket):
                    self._pass_on(found)
            if self._cutting.is_set():
                self._cutting.clear()
                self._reset_all()

    def _accept(self) -> None:
        try:
            client, _ = self._listener.accept()
        except OSError:
            return
        try:
            server = socket.create_connection(("127.0.0.1", self._target), timeout=5)
        except OSError:  # no process listens: the client sees its connection end
            client.close()
            return
        for one, other in ((client, server), (server, client)):
            one.settimeout(5)
            self._peers[one] = other
            self._selector.register(one, selectors.EVENT_READ)

    def _pass_on(self, source: socket.socket) -> None:
        if source not in self._peers:  # closed by its peer in this round
            return
        try:
            data = source.recv(PIECE)
            if data:
                self._peers[source].sendall(data)
                return
        except OSError:
            pass
        self._close(source, reset=False)

    def _close(self, one: socket.socket, reset: bool) -> None:
        for found in (one, self._peers[one]):
            self._selector.unregister(found)
            del self._peers[found]
            if reset:
                with suppress(OSError):
                    found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            found.close()

    def _reset_all(self) -> None:
        while self._peers:
            self.resets += 1
            self._close(next(iter(self._peers)), reset=True)
