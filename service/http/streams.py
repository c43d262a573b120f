"""Live events to clients: the gate that caps the streams, and the formats."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from time import monotonic

from cartulary.events.kinds import ends_stream
from cartulary.events.live import LiveEvent, Subscription
from cartulary.service.http.problems import Problem
from cartulary.service.process.metrics import Metrics

RETRY_AFTER = 5


class StreamGate:
    """Caps the requests that wait for events, because each holds a thread."""

    def __init__(self, most: int, metrics: Metrics) -> None:
        self._most, self._metrics = most, metrics
        self._open = 0
        self._lock = threading.Lock()

    def enter(self) -> Callable[[], None]:
        """Take a place; returns a function that frees the place (once, however often it is called).

        Raises `Problem` 503 `too_many_streams` with `Retry-After`.
        """
        with self._lock:
            full = self._open >= self._most
            self._open += not full
        if full:
            self._metrics.refused_streams.inc()
            raise Problem(
                "too_many_streams",
                f"{self._most} clients already wait for events; poll, or retry later",
                headers={"Retry-After": str(RETRY_AFTER)},
            )
        self._metrics.streams.inc()
        return _Once(self._leave)

    def _leave(self) -> None:
        with self._lock:
            self._open -= 1
        self._metrics.streams.dec()


class _Once:
    def __init__(self, act: Callable[[], None]) -> None:
        self._act: Callable[[], None] | None = act

    def __call__(self) -> None:
        act, self._act = self._act, None
        if act is not None:
            act()


def encode_sse(event: LiveEvent) -> bytes:
    """Return an event as a server-sent event; its id is the plain version.

    It carries no name, so `onmessage` of an `EventSource` gets every event, later types as well.
    """
    return b"id: %d\ndata: %s\n\n" % (event.version, event.json)


SSE_BEAT = b": still here\n\n"
NDJSON_BEAT = b" "
"""White space before a JSON text is allowed, an empty line is not JSON."""


def encode_ndjson(event: LiveEvent) -> bytes:
    """Return an event as a line of NDJSON."""
    return event.json + b"\n"


class Stream:
    """The body of a live answer: the backlog, then each event at once, until the game is over.

    After `heartbeat` seconds of silence the stream sends `beat`, so that a dead connection fails.
    The server calls `close` when the client disconnects, or when the stream ends.
    """

    def __init__(
        self,
        subscription: Subscription,
        encode: Callable[[LiveEvent], bytes],
        beat: bytes,
        heartbeat: float,
        leave: Callable[[], None],
    ) -> None:
        self._subscription, self._encode = subscription, encode
        self._beat, self._heartbeat = beat, heartbeat
        self._leave = leave

    def __iter__(self) -> Iterator[bytes]:
        """Yield the bytes to send."""
        # The first bytes go out at once, so that the client knows that it is connected.
        yield self._beat
        last_sent = monotonic()
        while True:
            closed = self._subscription.closed
            events = self._subscription.get(max(0.0, last_sent + self._heartbeat - monotonic()))
            if events:
                yield b"".join(map(self._encode, events))
                last_sent = monotonic()
                if ends_stream(events[-1].type):
                    return
            elif closed:
                return
            elif monotonic() - last_sent >= self._heartbeat:
                yield self._beat
                last_sent = monotonic()

    def close(self) -> None:
        """End the subscription and free the place."""
        self._subscription.close()
        self._leave()
