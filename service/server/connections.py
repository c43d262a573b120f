"""Connections: each is a small machine of states, moved by the loop.

A thread has a connection only while the app works on a request of it (`BUSY`); all other time the
connection costs some memory. The loop alone changes the state, but for `reply`, which a thread ends
a request with.
"""

from __future__ import annotations

import logging
import socket
import ssl
from io import BytesIO
from typing import Any

from gunicorn.http.errors import ParseException, UnsupportedTransferCoding

from cartulary.service.server.app_interface import BODY_S, Wait
from cartulary.service.server.connection_host import Host
from cartulary.service.server.connection_states import ConnectionState
from cartulary.service.server.loop import NEVER, READ, WRITE
from cartulary.service.server.request_reading import (
    Body,
    ChunkedBody,
    LengthBody,
    take_head,
)
from cartulary.service.server.streaming import Streaming
from cartulary.service.server.transport import LATER, SLOWEST
from cartulary.service.server.unreadable import Busy, TooSlow, refuse

log = logging.getLogger("cartulary.service")

PIPELINED = 64 * 1024
"""Bytes that are read ahead of the request that is under way."""
DROPPED = 8 * 1024 * 1024
"""Bytes of a body that is too large which are taken, so that the connection can be used again."""
ALL_ANSWERS = 256 * 1024 * 1024
"""Bytes that may wait for all readers; above, a reader who does not take its answer is ended."""
ALL_BODIES = 64 * 1024 * 1024
"""Bytes of request bodies that may be held in all; above, longer bodies are refused."""
FREE = 64 * 1024
"""Bytes of a body that do not count against the bound of all bodies."""

_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class ClientConnection(Streaming):
    """One client."""

    __slots__ = (
        *("_counted", "_scanned", "_wait", "body", "client", "input", "local", "network"),
        *("request", "spare"),
    )

    def __init__(
        self, server: Host, sock: socket.socket, client: Any, local: Any, network: str
    ) -> None:
        super().__init__(server, sock)
        self.client, self.local, self.network = client, local, network
        self.input = bytearray()
        self.request: Any = None
        self.body: Body | None = None
        self.spare = False
        self._wait: Wait | None = None
        self._counted = self._scanned = 0

    # -- what the loop calls ----------------------------------------------------------------------

    def ready(self, mask: int) -> None:
        """Read and write what is possible."""
        if self.state == ConnectionState.HANDSHAKE:
            self._shake_hands()
            return
        if mask & WRITE and self.out:
            self.flush()
        if mask & READ and self.state != ConnectionState.CLOSED:
            self.receive()

    def expire(self) -> None:
        """End what takes too long, or send a beat."""
        state = self.state
        if state == ConnectionState.LIVE:
            self.beat()
        elif state == ConnectionState.BODY and self.body is not None:
            self.closing = True
            self._dispatch(self.body.input(TooSlow()))
        elif state == ConnectionState.HEAD and self.input:
            self.refuse(TooSlow())
        elif state == ConnectionState.WAIT:
            self.end_wait()
        elif state not in (ConnectionState.BUSY, ConnectionState.CLOSED):
            self.close()

    # -- reading ----------------------------------------------------------------------------------

    def listen(self) -> None:
        """Begin: wait for the first request."""
        self.watch(READ)
        self.server.await_head(self)

    def _shake_hands(self) -> None:
        assert isinstance(self.sock, ssl.SSLSocket)
        try:
            self.sock.do_handshake()
        except ssl.SSLWantReadError:
            self.watch(READ)
        except ssl.SSLWantWriteError:
            self.watch(READ | WRITE)
        except OSError:
            self.close()
        else:
            self.state = ConnectionState.HEAD
            self.watch(READ)
            self.receive()

    def receive(self) -> None:
        """Take what has come."""
        while self.state != ConnectionState.CLOSED:
            data = self._read_socket()
            if data is None:
                return
            if not data:
                self._note_end()
                return
            self._take(data)
            # What TLS has decrypted already does not make the socket ready.
            if not (self.interest & READ and self.secure and self.sock.pending()):  # type: ignore[attr-defined]
                return

    def _read_socket(self) -> bytes | None:
        buffer = self.server.buffer
        try:
            return bytes(buffer[: self.sock.recv_into(buffer)])
        except LATER:
            return None
        except OSError:
            return b""

    def _take(self, data: bytes) -> None:
        if self.state == ConnectionState.LIVE:
            # What is dropped may be a part of a request, so the rest of it would not be readable.
            self.closing = True
            return
        if self.state == ConnectionState.LINGER:
            return
        if self.state == ConnectionState.BODY:
            self._feed(data)
            return
        self.input += data
        # The state is read after the input has grown: `reply` sets the state and then looks at the
        # input, so one of the two threads goes on with what has come.
        if self.state in (ConnectionState.HEAD, ConnectionState.IDLE):
            self.advance()
        elif len(self.input) > PIPELINED:
            self.watch(self.interest & ~READ)

    def _note_end(self) -> None:
        """Note that the client sends no more; it may still read."""
        self.eof = True
        if self.state == ConnectionState.BODY and self.body is not None:
            self.closing = True
            self._dispatch(self.body.input())
        elif self.state == ConnectionState.IDLE:
            # A thread has just answered, and more requests may have come before the end.
            self.resume()
        elif self.state not in (ConnectionState.BUSY, ConnectionState.WRITING):
            self.close()
        self.watch(self.interest & ~READ)

    def advance(self) -> None:
        """Begin the request at the beginning of the input, if its head is complete."""
        server = self.server
        try:
            self.request = take_head(
                self.input, self._scanned, server.line_most, server.config, self.client
            )
            if self.request is None:
                self._scanned = len(self.input)
                if self.state == ConnectionState.IDLE:
                    self.state = ConnectionState.HEAD
                    server.await_head(self)
                return
            self.request.received = server.loop.now
            self._scanned = 0
            if self.spare and self.request.path != "/livez":
                raise Busy
            self._begin_body()
        except ParseException as error:
            self.refuse(error)

    def _begin_body(self) -> None:
        server = self.server
        length, chunked, expects = _read_framing(self.request)
        if not (chunked or length):
            self._dispatch(BytesIO())
        elif not chunked and (length > DROPPED or (expects and length >= server.keep_body)):
            # The app refuses it because of the length that it announces.
            self.closing = True
            self._dispatch(BytesIO())
        elif server.bodies > ALL_BODIES:
            raise Busy
        elif not chunked and length <= min(FREE, len(self.input)):
            body = BytesIO(bytes(self.input[:length]))  # it has come with its head, as most do
            del self.input[:length]
            self._dispatch(body)
        elif chunked:
            self._await_body(ChunkedBody(server.keep_body, DROPPED), expects)
        else:
            self._await_body(LengthBody(length, server.keep_body), expects)

    def _await_body(self, body: Body, expects: bool) -> None:
        server, self.body = self.server, body
        server.forget_silence(self)
        self.state = ConnectionState.BODY
        server.loop.wheel.set(self, server.loop.now + server.patience)
        data, self.input = self.input, bytearray()
        if data:
            self._feed(data)
        elif expects:
            self.push(_CONTINUE)

    def _feed(self, data: bytes | bytearray) -> None:
        body, server = self.body, self.server
        assert body is not None
        used = body.feed(data)
        counted = max(0, body.size - FREE)
        server.bodies += counted - self._counted
        self._counted = counted
        if body.complete:
            self.closing |= body.broken
            self.input += data[used:]
            self._dispatch(body.input())
        else:
            now = server.loop.now
            self.deadline = min(now + server.patience, self.deadline + used / SLOWEST)

    def _dispatch(self, body: BytesIO) -> None:
        """Have the app answer."""
        self.state = ConnectionState.BUSY
        self.deadline = NEVER
        request, self.request, self.body = self.request, None, None
        request.received = max(request.received, self.server.loop.now - BODY_S)
        self.server.take(self, request, body)

    def refuse(self, error: BaseException) -> None:
        """Answer what cannot be read, and close."""
        remote = self.client[0] if isinstance(self.client, tuple) else None
        self.server.forget_silence(self)
        self.closing = True
        begin = bytes(self.input[: self.server.line_most])
        self.finish(memoryview(refuse(self.server.app, error, self.request, remote, begin)), False)

    # -- answering --------------------------------------------------------------------------------

    def reply(self, data: bytes, keep: bool) -> None:
        """Send an answer, in the thread that made it: the loop gets what the socket does not take.

        The loop is not woken for a client that takes its answer at once and has sent no more: that
        is the usual case, and a turn of the loop costs as much as the sending.
        """
        rest = memoryview(data)
        if not (self.secure or self.out):
            try:
                rest = rest[self.sock.send(data) :]
            except LATER:
                log.debug("the client takes nothing at the moment")
            except OSError:
                self.server.loop.call(self.close)
                return
            # The count of all bodies belongs to the loop, so only the loop frees a long body.
            if keep and not rest and not self.closing and not self._counted:
                self.state = ConnectionState.IDLE
                self.server.returned.append(self)
                # `_take` lets the input grow and then looks at the state, and this thread does it
                # the other way round: so one of the two goes on with what has come.
                if self.input or self.eof:
                    self.server.loop.call(self.resume)
                return
        self.server.loop.call(self.finish, rest, keep)

    def finish(self, rest: memoryview, keep: bool) -> None:
        """Write what is left of an answer."""
        if self.state == ConnectionState.CLOSED:
            return
        self._free_body()
        self.closing |= not keep
        self.state = ConnectionState.WRITING
        self.push(rest)
        if self.state == ConnectionState.WRITING and not self.out:
            self.go_on()
        elif self.out and self.server.waiting > ALL_ANSWERS:
            self.server.dropped += 1
            self.close()
        elif self.out:
            self.server.loop.wheel.set(self, self.server.loop.now + self.server.patience)

    def _free_body(self) -> None:
        self.server.bodies -= self._counted
        self._counted = 0

    def go_on(self) -> None:
        """Go on after a whole answer."""
        if self.closing:
            self.linger()
        else:
            self.state = ConnectionState.IDLE
            self.server.keep_idle(self)
            self.resume()

    def after_writing(self) -> None:
        """Go on after the last byte that waited."""
        if self.state == ConnectionState.WRITING:
            self.go_on()
        elif self.state == ConnectionState.LIVE:
            self.forget_backlog()

    def resume(self) -> None:
        """Go on with what came during a request."""
        if self.state != ConnectionState.IDLE:
            return
        if self.input:
            self.advance()
        if self.eof and self.state in (ConnectionState.IDLE, ConnectionState.HEAD):
            self.close()  # the rest of a request will not come
        elif self.state != ConnectionState.CLOSED and not self.eof and len(self.input) <= PIPELINED:
            self.watch(self.interest | READ)
            if self.secure:
                self.receive()

    # -- waiting ----------------------------------------------------------------------------------

    def begin_wait(self, wait: Wait, request: Any) -> None:
        """Hold a request until there is something new, or until the time is over."""
        if self.state == ConnectionState.CLOSED or self.eof:
            self.close()
            self.server.pool.put(wait.close)
            return
        self.state, self._wait, self.request = ConnectionState.WAIT, wait, request
        self.server.waits[self] = None
        self.server.loop.wheel.set(self, self.server.loop.now + wait.seconds)
        if self.server.stopping:
            self.end_wait()

    def end_wait(self, of: Wait | None = None) -> None:
        """Ask the app again, which does not wait any more."""
        wait = self._wait
        if (
            self.state != ConnectionState.WAIT
            or wait is None
            or (of is not None and of is not wait)
        ):
            return
        self._wait = None
        del self.server.waits[self]
        self.state, self.deadline = ConnectionState.BUSY, NEVER
        request, self.request = self.request, None
        self.server.run(self, request, BytesIO(), wait)

    # -- the end ----------------------------------------------------------------------------------

    def close(self) -> None:
        """End the connection and free all that it holds."""
        if self.state == ConnectionState.CLOSED:
            return
        server = self.server
        self.state = ConnectionState.CLOSED
        self.watch(0)
        server.waiting -= self.waiting
        self.out.clear()
        self._free_body()
        self.body = self.request = None
        self.input = bytearray()
        for held in (self.live, self._wait):
            if held is not None:
                server.pool.put(held.close)
        self.live = self._wait = None
        self.sock.close()
        server.forget(self)


def _read_framing(request: Any) -> tuple[int, bool, bool]:
    """Return the length of a body, whether it comes in chunks, and whether a word is awaited."""
    length, chunked, expects = 0, False, False
    for name, value in request.headers:
        if name == "CONTENT-LENGTH":
            length = int(value)
        elif name == "TRANSFER-ENCODING":
            if value.strip().lower() != "chunked":
                # gunicorn passes `gzip, chunked` on, and nothing here unpacks it.
                raise UnsupportedTransferCoding(value)
            chunked = True
        elif name == "EXPECT":
            expects = request.version >= (1, 1)
    return length, chunked, expects
