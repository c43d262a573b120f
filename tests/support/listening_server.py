"""A server for the tests that stands in front of a store, or in its place."""

from __future__ import annotations

import abc
import socket
from threading import Thread


class Listening(abc.ABC):
    """Accepts connections on a port of its own until it is closed."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"redis://127.0.0.1:{self._listener.getsockname()[1]}"
        Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self.take(client)

    @abc.abstractmethod
    def take(self, client: socket.socket) -> None:
        """Begin to serve a connection, and return; called in the thread that accepts."""

    def close(self) -> None:
        """Accept nothing more."""
        self._listener.close()
