"""The server of a web process: accepts connections within bounds, and hands requests to threads."""

from __future__ import annotations

import logging
import random
import socket
import ssl
from collections.abc import Callable
from typing import Any

from cartulary.service.process import bounds
from cartulary.service.process.bounds import SilentConnections, find_network
from cartulary.service.process.connection_shares import Share
from cartulary.service.process.server_stats import ServerStats
from cartulary.service.server import loop as looping
from cartulary.service.server.answer_writing import AnswerWriter
from cartulary.service.server.app_interface import NO_MARKS, WAITED, App, Live, Marks, Wait
from cartulary.service.server.connection_host import Host, ServerLimits
from cartulary.service.server.connection_states import ConnectionState
from cartulary.service.server.connections import ClientConnection
from cartulary.service.server.loop import READ, EventLoop
from cartulary.service.server.loop_answers import AtOnce
from cartulary.service.server.request_reading import Input
from cartulary.service.server.streaming import ConnectionSink, Streaming
from cartulary.service.server.thread_pool import Pool
from cartulary.service.server.unreadable import refuse

log = logging.getLogger("cartulary.service")

HEAD_WITHIN = 10.0
"""Seconds for the handshake of TLS and the head of a request."""
ACCEPTED = 16
"""Connections that are accepted in one turn of the loop."""
PAUSE = 0.1
"""Seconds without accepting, after descriptors have run out."""
HELD_BACK = 0.005
"""Seconds for which a process leaves a new connection to a process that has fewer."""
STOPPING = 1.0
"""Seconds in which a kept connection may still bring a request when the process stops."""
RETRY_MS = (500, 8000)


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
        self.at_once = AtOnce(self)
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
        self.at_once.open()
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
        """Note that the head of a request is complete."""
        self._silence.remove(connection)
        self._idle.pop(connection, None)

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

    def take(self, connection: ClientConnection, request: Any, body: Input) -> None:
        """Have a whole request answered, in the loop or by a thread."""
        self.at_once.take(connection, request, body)

    # -- in threads -------------------------------------------------------------------------------

    def run(
        self,
        connection: ClientConnection,
        request: Any,
        body: Input,
        waited: Wait | None = None,
        marks: Marks = NO_MARKS,
    ) -> None:
        """Have a thread answer a request."""
        self.pool.put(self._answer, connection, request, body, waited, marks)

    def _answer(
        self,
        connection: ClientConnection,
        request: Any,
        body: Input,
        waited: Wait | None,
        marks: Marks,
    ) -> None:
        keep = not (request.should_close() or connection.closing or connection.spare)
        answer = AnswerWriter(request.method, request.version, keep and not self.stopping)
        try:
            if waited is not None:
                waited.close()
                marks = {WAITED: True}
            data = self._call(connection, request, body, answer, marks)
        except Exception as error:  # the app answers its own; this is what is wrong around it
            client = connection.client
            remote = client[0] if isinstance(client, tuple) else None
            answer.keep = False
            data = refuse(self.app, error, request, remote)
        if data is not None:
            connection.reply(data, answer.keep)

    def _call(
        self,
        connection: ClientConnection,
        request: Any,
        body: Input,
        answer: AnswerWriter,
        marks: Marks,
    ) -> bytes | None:
        """Return the whole answer, None when the loop has the connection now."""
        found = self.caller.call(request, body, connection.client, connection.local, answer, marks)
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
        self.loop.turn(min([most, *(listener.opens_in for listener in self._listeners)]))
        self.settle()
        for listener in self._listeners:
            listener.open_again()

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
        self.at_once.close()
        for connection in [*self.all]:
            connection.close()


class SocketListener:
    """A socket that connections come in through."""

    def __init__(self, server: Server, listener: Any, tls: ssl.SSLContext | None) -> None:
        self._server, self.tls = server, tls
        self._sock = getattr(listener, "sock", listener)
        self._local = self._sock.getsockname()
        self._open = self._shut = self._held_back = False
        self._until = 0.0

    def open(self) -> None:
        """Accept connections."""
        if not self._open:
            self._sock.setblocking(False)
            self._server.loop.watch(self._sock, READ, self)
            self._open = True

    def pause(self, seconds: float) -> None:
        """Accept none for a while."""
        self._until = self._server.loop.now + seconds
        if self._open:
            self._server.loop.forget(self._sock)
            self._open = False

    def shut(self) -> None:
        """Accept none any more."""
        self._shut = True
        self.pause(0.0)

    def open_again(self) -> None:
        """Accept again when the pause is over."""
        if not self._open and not self._shut and self._server.loop.now >= self._until:
            self.open()

    @property
    def opens_in(self) -> float:
        """Return the seconds until it accepts again."""
        if self._open or self._shut:
            return looping.TICK
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
