"""Streams: answers without end, written by the loop as events come. They hold no thread."""

from __future__ import annotations

import abc
import socket
from collections.abc import Iterable, Sequence

from cartulary.service.server.app_calls import LAST_CHUNK, frame_chunk
from cartulary.service.server.app_interface import Live
from cartulary.service.server.connection_host import Host
from cartulary.service.server.connection_states import ConnectionState
from cartulary.service.server.loop import READ
from cartulary.service.server.transport import Transport

SLOW_READER = 256 * 1024
"""Bytes that may wait for one reader besides the backlog; a stream with more of them is ended."""
ALL_SLOW_READERS = 128 * 1024 * 1024
"""Bytes that may wait for all readers; above, every reader who is behind is ended."""
SLICE = 100
"""Streams that are written to before the loop looks at the time."""


class Streaming(Transport):
    """What a connection does while its answer is a stream."""

    __slots__ = ("allowance", "chunked", "live", "spoke")

    def __init__(self, server: Host, sock: socket.socket) -> None:
        super().__init__(server, sock)
        self.live: Live | None = None
        self.chunked = False
        self.allowance, self.spoke = SLOW_READER, 0.0

    @abc.abstractmethod
    def go_on(self) -> None:
        """Go on after a whole answer."""

    def begin_live(self, live: Live, head: bytes, chunked: bool, keep: bool) -> None:
        """Take a connection over from the thread that has made the head of the stream."""
        if self.state == ConnectionState.CLOSED or self.eof:
            self.close()
            self.server.pool.put(live.close)
            return
        self.state, self.live, self.chunked = ConnectionState.LIVE, live, chunked
        self.closing |= not keep
        self.allowance = -1
        self.server.lives[self] = None
        # The first bytes go out at once: a client knows that it is connected.
        self.push(head + (frame_chunk(live.beat) if chunked else live.beat))
        self.spoke = self.server.loop.now
        if self.state == ConnectionState.LIVE:
            self.watch(self.interest | READ)
            self.server.loop.wheel.set(self, self.spoke + live.every)
        if self.server.stopping:
            self.server.dismiss(self)

    def dismiss(self, retry_ms: int) -> None:
        """End a stream because the process stops: the client comes back in so many milliseconds."""
        self.closing = True
        last = b"" if self.live is None else self.live.farewell(retry_ms)
        if last:
            self.send_live(frame_chunk(last) if self.chunked else last)
        self.end_live()

    def end_live(self) -> None:
        """End a stream; the reader gets what waits."""
        live = self.live
        if live is None:
            return
        self.live = None
        del self.server.lives[self]
        self.server.pool.put(live.close)
        self.state = ConnectionState.WRITING
        self.server.loop.wheel.set(self, self.server.loop.now + self.server.patience)
        if self.chunked:
            self.push(LAST_CHUNK)
        if self.state == ConnectionState.WRITING and not self.out:
            self.go_on()

    def beat(self) -> None:
        """Send a beat when nothing else was sent for long enough, and set the next deadline."""
        live, loop = self.live, self.server.loop
        if live is None:
            return
        if loop.now >= self.spoke + live.every:
            # A reader who has yet to take what waits needs no sign of life.
            if not self.out:
                self.push(frame_chunk(live.beat) if self.chunked else live.beat)
            self.spoke = loop.now
        if self.live is not None:
            loop.wheel.set(self, self.spoke + live.every)

    def forget_backlog(self) -> None:
        """Forget the backlog: the reader has taken all of it."""
        if self.allowance > 0:
            self.allowance = SLOW_READER

    def send_live(self, data: bytes) -> None:
        """Send a piece of the stream, framed already; end a reader who is too slow."""
        if self.live is None:
            return
        server = self.server
        if self.allowance < 0:
            # The first piece is the backlog, as long as the game: no sign of a slow reader.
            self.allowance = SLOW_READER + len(data)
        elif self.out and (
            self.waiting + len(data) > self.allowance or server.waiting > ALL_SLOW_READERS
        ):
            server.dropped += 1
            self.close()
            return
        self.spoke = server.loop.now
        self.push(data)


class ConnectionSink:
    """The end of a stream that an app holds: any thread may call it, nothing of it blocks."""

    __slots__ = ("connection", "framed")

    def __init__(self, connection: Streaming, framed: bool) -> None:
        """Send to a connection; `framed` says that the answer goes in chunks."""
        self.connection, self.framed = connection, framed

    def send(self, data: bytes) -> None:
        """Send bytes, after all that were sent before."""
        framed = frame_chunk(data) if self.framed else data
        self.connection.server.loop.call(self.connection.send_live, framed)

    def end(self) -> None:
        """End the answer after what was sent before."""
        self.connection.server.loop.call(self.connection.end_live)

    @staticmethod
    def send_all(sinks: Iterable[ConnectionSink], data: bytes) -> None:
        """Send the same bytes to many streams: they are framed once, and the loop is woken once.

        Each stream gets them after all that was sent to it before, as with `send`.
        """
        framed: list[Streaming] = []
        plain: list[Streaming] = []
        for sink in sinks:
            (framed if sink.framed else plain).append(sink.connection)
        for group, piece in ((framed, frame_chunk(data)), (plain, data)):
            if group:
                group[0].server.loop.call(_fan_out, group, piece, 0)


def _fan_out(group: Sequence[Streaming], piece: bytes, begin: int) -> None:
    """Write to a slice of the streams, and leave the others for what is left of the turn.

    The rest comes before all other jobs: no stream gets a later piece first.
    """
    for connection in group[begin : begin + SLICE]:
        connection.send_live(piece)
    if begin + SLICE < len(group):
        group[0].server.loop.call_first(_fan_out, group, piece, begin + SLICE)
