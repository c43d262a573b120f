"""The server of a web process: has connections within bounds, and has their requests answered.

The event loop answers what the app claims for it, and threads answer the rest. A thread would cost
more than the work: the request is handed over, the interpreter lock changes hands at each system
call, and so it does around each command for the store. The app says what it can answer in the loop,
and sends one command to the store (`app_interface.Later`). What it cannot answer so goes to a
thread, whose answer is the same.

After `loop.TURN` seconds of one round of sockets the rest of such requests are jobs of the loop, so
that the other sockets have their turn.
"""

from __future__ import annotations

import logging
import random
import socket
import ssl
from collections.abc import Callable, Iterable
from functools import partial
from io import BytesIO
from typing import Any, Protocol

from cartulary.service.process import bounds
from cartulary.service.process.bounds import SilentConnections, find_network
from cartulary.service.process.connection_shares import Share
from cartulary.service.process.server_stats import ServerStats
from cartulary.service.server import loop as looping
from cartulary.service.server.app_calls import AnswerWriter
from cartulary.service.server.app_interface import (
    AT_ONCE,
    NO_MARKS,
    WAITED,
    App,
    Claims,
    Later,
    Live,
    Marks,
    NotAtOnce,
    Wait,
)
from cartulary.service.server.connection_host import Host, ServerLimits
from cartulary.service.server.connection_states import ConnectionState
from cartulary.service.server.connections import ClientConnection
from cartulary.service.server.listeners import PAUSE, SocketListener
from cartulary.service.server.loop import EventLoop
from cartulary.service.server.streaming import ConnectionSink, Streaming
from cartulary.service.server.thread_pool import Pool
from cartulary.service.server.unreadable import refuse

log = logging.getLogger("cartulary.service")

LONGEST = 16 * 1024
"""Bytes; the loop answers no request with a longer body."""
_IN_THE_LOOP: Marks = {AT_ONCE: True}

HEAD_WITHIN = 10.0
"""Seconds for the handshake of TLS and the head of a request."""
STOPPING = 1.0
"""Seconds in which a kept connection may still bring a request when the process stops."""
RETRY_MS = (500, 8000)


class Stoppable(Protocol):
    """The worker whose loop it is: the master stops it."""

    alive: bool
    """Whether it goes on; the handler of a signal may set it."""


class Server(Host):
    """All connections of a process."""

    def __init__(
        self,
        app: App,
        config: Any,
        listeners: list[Any],
        limits: ServerLimits,
        pool: Pool,
        loop: EventLoop,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        super().__init__(app, config, limits, pool, loop)
        self._claims: Claims = _claim_nothing
        self._silence: SilentConnections[ClientConnection] = SilentConnections(
            limits.silent_of_address, min(limits.silent_in_all, max(1, limits.connections // 2))
        )
        self._idle: dict[ClientConnection, None] = {}
        self.all: set[ClientConnection] = set()
        self._spread: Callable[[int, int], int] = random.randint
        self.share: Share | None = None
        self._listeners = [SocketListener(self, one, tls) for one in listeners]

    # -- accepting --------------------------------------------------------------------------------

    def open(self) -> None:
        """Begin to accept."""
        self._count()
        join = getattr(self.app, "join_loop", None)
        if join is not None:
            self._claims = join(self.loop, self.pool.put)
        for listener in self._listeners:
            listener.open()

    def secure(self, tls: ssl.SSLContext) -> None:
        """Shake hands with a new certificate; connections that are open keep theirs."""
        for listener in self._listeners:
            listener.tls = tls

    def admit(self, sock: socket.socket, client: Any, local: Any) -> None:
        """Take a connection in; above the bound a connection without a request gives way."""
        network = find_network(client[0]) if isinstance(client, tuple) else ""
        connection = ClientConnection(self, sock, client, local, network)
        if len(self.all) >= self.limits.connections:
            self._make_room()
            connection.spare = len(self.all) >= self.limits.connections
        self.all.add(connection)
        self._count()
        connection.listen()

    def _count(self) -> None:
        if self.share is not None and not self.stopping:
            self.share.set(len(self.all))

    @property
    def ahead(self) -> bool:
        """Return whether another process has clearly fewer connections."""
        return self.share is not None and self.share.ahead

    @property
    def crowded(self) -> bool:
        """Return whether not even `/livez` has room."""
        return len(self.all) >= self.limits.connections + bounds.SPARE

    def _make_room(self) -> None:
        victim = next(iter(self._idle), None) or self._silence.find_oldest()
        if victim is not None:
            self.refused += 1
            victim.close()

    def pause_accepting(self, error: OSError) -> None:
        """Accept nothing for a moment: there are no descriptors left."""
        log.error("no descriptors are left: %s", error)
        self._make_room()
        for listener in self._listeners:
            listener.pause(PAUSE)

    # -- for connections --------------------------------------------------------------------------

    def await_head(self, connection: ClientConnection) -> None:
        """Count a connection as silent until its head is complete."""
        self._idle.pop(connection, None)
        within = min(HEAD_WITHIN, self.patience)
        self.loop.wheel.set(connection, self.loop.now + within)
        victim = self._silence.add(connection, connection.network)
        if victim is not None:
            self.refused += 1
            victim.close()

    def forget_silence(self, connection: ClientConnection) -> None:
        """Note that the head of a request is complete, or that none comes any more."""
        if connection in self._idle:  # no connection is idle and silent
            del self._idle[connection]
        else:
            self._silence.remove(connection)

    def keep_idle(self, connection: ClientConnection) -> None:
        """Keep a connection for its next request."""
        self._idle[connection] = None
        lasts = STOPPING if self.stopping else self.limits.keepalive
        self.loop.wheel.set(connection, self.loop.now + lasts)

    def forget(self, connection: ClientConnection) -> None:
        """Forget a connection."""
        self.all.discard(connection)
        self._count()
        self.forget_silence(connection)
        self.lives.pop(connection, None)
        self.waits.pop(connection, None)

    def take(self, connection: ClientConnection, request: Any, body: BytesIO) -> None:
        """Answer a request: soon in the loop where the app claims it, else in a thread."""
        self.forget_silence(connection)
        is_short = type(body) is BytesIO and body.getbuffer().nbytes <= LONGEST
        if not (is_short and self._claims(request.method, request.path)):
            self.run(connection, request, body)
        elif self.loop.late:
            self.loop.call(self._begin, connection, request, body)
        else:
            self._begin(connection, request, body)

    def _call(
        self, connection: ClientConnection, request: Any, body: BytesIO, marks: Marks
    ) -> tuple[AnswerWriter, Any]:
        """Have the app begin an answer; return what writes it, and what the app has answered."""
        ends = request.should_close() or connection.closing or connection.spare or self.stopping
        client, local = connection.client, connection.local
        return self.caller.call(request, body, client, local, not ends, marks)

    def _refuse(self, connection: ClientConnection, request: Any, error: Exception) -> bytes:
        """Return the answer to an error around the app, which answers its own; log the error."""
        client = connection.client
        return refuse(self.app, error, request, client[0] if isinstance(client, tuple) else None)

    # -- in the loop ------------------------------------------------------------------------------

    def _begin(self, connection: ClientConnection, request: Any, body: BytesIO) -> None:
        later: Later
        try:
            answer, later = self._call(connection, request, body, _IN_THE_LOOP)
        except NotAtOnce as refused:
            self._hand_over(connection, request, body, refused.marks)
        except Exception as error:
            connection.finish(memoryview(self._refuse(connection, request, error)), False)
        else:
            later.follow(partial(self._finish, connection, request, body, answer))

    def _finish(
        self,
        connection: ClientConnection,
        request: Any,
        body: BytesIO,
        answer: AnswerWriter,
        found: Iterable[bytes] | None,
        marks: Marks,
    ) -> None:
        if found is None:
            self._hand_over(connection, request, body, marks)
            return
        answer.keep = answer.keep and not self.stopping
        try:
            data = answer.finish(found)
        except Exception as error:
            data, answer.keep = self._refuse(connection, request, error), False
        connection.finish(memoryview(data), answer.keep)

    def _hand_over(
        self, connection: ClientConnection, request: Any, body: BytesIO, marks: Marks
    ) -> None:
        body.seek(0)
        self.run(connection, request, body, marks=marks)

    # -- in threads -------------------------------------------------------------------------------

    def run(
        self,
        connection: ClientConnection,
        request: Any,
        body: BytesIO,
        waited: Wait | None = None,
        marks: Marks = NO_MARKS,
    ) -> None:
        """Have a thread answer a request."""
        self.pool.put(self._answer, connection, request, body, waited, marks)

    def _answer(
        self,
        connection: ClientConnection,
        request: Any,
        body: BytesIO,
        waited: Wait | None,
        marks: Marks,
    ) -> None:
        try:
            if waited is not None:
                waited.close()
                marks = {WAITED: True}
            answer, found = self._call(connection, request, body, marks)
            data = self._begin_or_finish(connection, request, answer, found)
        except Exception as error:
            connection.reply(self._refuse(connection, request, error), False)
        else:
            if data is not None:
                connection.reply(data, answer.keep)

    def _begin_or_finish(
        self, connection: ClientConnection, request: Any, answer: AnswerWriter, found: Any
    ) -> bytes | None:
        """Return the whole answer, None when the loop has the connection now."""
        if hasattr(found, "detach"):
            head, chunked = answer.begin()
            self.loop.call(connection.begin_live, found, head, chunked, answer.keep)
            self._detach(found, ConnectionSink(connection, chunked))
            return None
        if hasattr(found, "watch"):
            self.loop.call(connection.begin_wait, found, request)
            self._watch(found, lambda: self.loop.call(connection.end_wait, found))
            return None
        try:
            return answer.finish(found)
        finally:
            if hasattr(found, "close"):
                found.close()

    @staticmethod
    def _detach(live: Live, sink: ConnectionSink) -> None:
        try:
            live.detach(sink)
        except Exception:  # the head of the answer is out: all that is left is its end
            log.exception("a stream has failed")
            sink.end()

    @staticmethod
    def _watch(wait: Wait, wake: Callable[[], None]) -> None:
        try:
            wait.watch(wake)
        except Exception:  # the request is asked again at once, and says what is wrong
            log.exception("a wait has failed")
            wake()

    # -- time -------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Give the connections that threads have answered their deadlines."""
        while self.returned:
            connection = self.returned.popleft()
            if connection.state == ConnectionState.IDLE:
                self.keep_idle(connection)

    def turn(self, most: float | None = None) -> None:
        """Turn the loop once; wait up to `most` seconds for something to do."""
        most = looping.TICK if most is None else most
        self.loop.turn(min([most, *(listener.opens_in for listener in self.paused)]))
        self.settle()
        for listener in [*self.paused]:
            listener.open_again()

    def serve(self, worker: Stoppable, seconds: float) -> None:
        """Turn the loop for so long, or until the worker is to stop."""
        until = self.loop.now + seconds
        while worker.alive and self.loop.now < until:
            self.turn()

    def read_stats(self) -> ServerStats:
        """Return what the gauges show."""
        return ServerStats(
            connections=len(self.all),
            connections_silent=len(self._silence),
            connections_refused=self.refused,
            streams_waiting_bytes=self.waiting,
            streams_dropped=self.dropped,
        )

    # -- the end ----------------------------------------------------------------------------------

    def stop(self, spread: Callable[[int, int], int] = random.randint) -> None:
        """Accept no more, and end what can be ended; `turn` until `all` is empty.

        Streams tell their clients to come back at different times (`retry`), or all would come back
        to the other processes at once.
        """
        self.stopping = True
        if self.share is not None:
            self.share.leave()
        for listener in self._listeners:
            listener.shut()
        for connection in [*self.waits]:
            connection.end_wait()
        self._spread = spread
        for stream in [*self.lives]:
            self.dismiss(stream)
        self.settle()
        for connection in [*self.all]:
            if connection.state in (
                ConnectionState.HANDSHAKE,
                ConnectionState.HEAD,
                ConnectionState.IDLE,
            ):
                until = min(connection.deadline, self.loop.now + STOPPING)
                self.loop.wheel.set(connection, until)

    def dismiss(self, stream: Streaming) -> None:
        """End a stream, and tell its client when to come back."""
        stream.dismiss(self._spread(*RETRY_MS))

    def close(self) -> None:
        """Close what is left."""
        leave = getattr(self.app, "leave_loop", None)
        if leave is not None:
            leave()
        for connection in [*self.all]:
            connection.close()


def _claim_nothing(_method: str, _path: str) -> bool:
    return False
