"""What connections and listeners need of their server: the loop, threads, bounds and counts."""

from __future__ import annotations

import abc
import socket
from collections import deque
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from cartulary.service.process import bounds
from cartulary.service.server.app_calls import AppCaller
from cartulary.service.server.app_interface import NO_MARKS, App, Marks, Wait
from cartulary.service.server.loop import EventLoop
from cartulary.service.server.thread_pool import Pool


@dataclass(frozen=True)
class ServerLimits:
    """The bounds of a server; times in seconds, sizes in bytes."""

    patience: float = 20.0
    keepalive: float = 30.0
    keep_body: int = 1024 * 1024 + 1
    connections: int = 10_000
    silent_of_address: int = bounds.SILENT_OF_ADDRESS
    silent_in_all: int = bounds.SILENT_IN_ALL
    line_most: int = 8190


class Host(abc.ABC):
    """What all connections of a process share; the connections are those of `connections`."""

    def __init__(
        self, app: App, config: Any, limits: ServerLimits, pool: Pool, loop: EventLoop
    ) -> None:
        self.app, self.config, self.limits, self.pool, self.loop = app, config, limits, pool, loop
        self.patience = limits.patience or float("inf")
        self.keep_body, self.line_most = limits.keep_body, limits.line_most
        self.caller = AppCaller(app, config.workers > 1)
        self.lives: dict[Any, None] = {}
        self.waits: dict[Any, None] = {}
        self.paused: dict[Any, None] = {}
        """Listeners that accept nothing for a moment."""
        self.returned: deque[Any] = deque()
        self.buffer = memoryview(bytearray(256 * 1024))
        self.waiting = self.bodies = self.dropped = self.refused = 0
        self.stopping = False

    @property
    @abc.abstractmethod
    def ahead(self) -> bool:
        """Return whether another process has clearly fewer connections."""

    @property
    @abc.abstractmethod
    def crowded(self) -> bool:
        """Return whether not even `/livez` has room."""

    @abc.abstractmethod
    def admit(self, sock: socket.socket, client: Any, local: Any) -> None:
        """Take a connection in."""

    @abc.abstractmethod
    def pause_accepting(self, error: OSError) -> None:
        """Accept nothing for a moment: there are no descriptors left."""

    @abc.abstractmethod
    def await_head(self, connection: Any) -> None:
        """Count a connection as silent until its head is complete."""

    @abc.abstractmethod
    def forget_silence(self, connection: Any) -> None:
        """Note that the head of a request is complete, or that none comes any more."""

    @abc.abstractmethod
    def keep_idle(self, connection: Any) -> None:
        """Keep a connection for its next request."""

    @abc.abstractmethod
    def forget(self, connection: Any) -> None:
        """Forget a connection."""

    @abc.abstractmethod
    def take(self, connection: Any, request: Any, body: BytesIO) -> None:
        """Have a whole request answered, in the loop or by a thread."""

    @abc.abstractmethod
    def run(
        self,
        connection: Any,
        request: Any,
        body: BytesIO,
        waited: Wait | None = None,
        marks: Marks = NO_MARKS,
    ) -> None:
        """Have a thread answer a request."""

    @abc.abstractmethod
    def dismiss(self, stream: Any) -> None:
        """End a stream, and tell its client when to come back."""
