"""Live events to clients: the formats, and the bodies of streams and long polls."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from time import monotonic

from cartulary.events.live.subscriptions import LiveEvent, Subscription
from cartulary.events.model.effects.kinds import ends_stream
from cartulary.service.server.app_interface import Sink


class StreamForm:
    """A format of streams: how it writes an event, a reset, and a sign of life."""

    def __init__(
        self, media: str, encode: Callable[[LiveEvent], bytes], beat: bytes, reset: bytes
    ) -> None:
        """Take the format; `reset` has a place for the version."""
        self.media, self.beat, self._encode, self._reset = media, beat, encode, reset

    def write(self, events: Iterable[LiveEvent]) -> bytes:
        """Return events as bytes."""
        return b"".join(map(self._encode, events))

    def reset(self, version: int) -> bytes:
        """Return what tells a client that the game is at a lower version than it believes."""
        return self._reset % {b"version": version}

    def write_entry(self, cursor: str, json: bytes) -> bytes:
        """Return an entry of a feed as bytes."""
        return self._encode(LiveEvent(0, "", json, cursor=cursor))

    def with_beat(self, beat: bytes) -> StreamForm:
        """Return this form with another sign of life."""
        return StreamForm(self.media, self._encode, beat, self._reset)

    def reword(self, change: Callable[[LiveEvent], LiveEvent | None]) -> StreamForm:
        """Return this form with each event changed before it is written; None leaves it out."""
        encode = self._encode

        def encode_changed(event: LiveEvent) -> bytes:
            changed = change(event)
            return b"" if changed is None else encode(changed)

        return StreamForm(self.media, encode_changed, self.beat, self._reset)

    def farewell(self, retry_ms: int) -> bytes:
        """Return what a client is sent last: when to come back, where the format can say so."""
        return b"retry: %d\n\n" % retry_ms if self.media == SSE_MEDIA else b""

    def hand_over(self, listeners: Sequence[Outlet], events: Sequence[LiveEvent]) -> None:
        """Send events to many streams: they are written once, and all streams share the bytes."""
        sinks = [listener.sink for listener in listeners]
        # Nothing is left of what the form leaves out, and a chunk without bytes ends an answer.
        if data := self.write(events):
            sinks[0].send_all(sinks, data)
        if is_last(events[-1]):
            for sink in sinks:
                sink.end()


def is_last(event: LiveEvent) -> bool:
    """Return whether no event follows; a signal, which has no version, is never the last."""
    return event.last or (bool(event.version) and ends_stream(event.type))


class Outlet:
    """The end of a stream in the event loop, as the hub sees it."""

    __slots__ = ("form", "sink")

    def __init__(self, form: StreamForm, sink: Sink) -> None:
        """Send to a sink in a format."""
        self.form, self.sink = form, sink

    def end(self) -> None:
        """End the stream."""
        self.sink.end()


def encode_sse(event: LiveEvent) -> bytes:
    """Return an event as a server-sent event; its id is the plain version.

    It carries no name, so `onmessage` of an `EventSource` gets every event, later types as well. A
    signal has a name and no id, so that a client that comes back still asks for the events.
    """
    if not event.version:
        return b"event: %s\ndata: %s\n\n" % (event.type.encode(), event.json)
    return b"id: %d\ndata: %s\n\n" % (event.version, event.json)


def encode_ndjson(event: LiveEvent) -> bytes:
    """Return an event as a line of NDJSON, a signal as an object with its name."""
    if not event.version:
        return b'{"%s":%s}\n' % (event.type.encode(), event.json)
    return event.json + b"\n"


def encode_feed_sse(event: LiveEvent) -> bytes:
    """Return an entry of a feed as a server-sent event; its id is the cursor after it."""
    return b"id: %s\ndata: %s\n\n" % (event.cursor.encode(), event.json)


def encode_numbered_sse(event: LiveEvent) -> bytes:
    """Return an entry of a feed with versions as a server-sent event; its id is the version."""
    version = event.cursor.partition("-")[0]
    return b"id: %s\ndata: %s\n\n" % (version.encode(), event.json)


def encode_feed_ndjson(event: LiveEvent) -> bytes:
    """Return an entry of a feed as a line of NDJSON."""
    return event.json + b"\n"


SSE_MEDIA, NDJSON_MEDIA = "text/event-stream", "application/x-ndjson"

SSE = StreamForm(
    SSE_MEDIA,
    encode_sse,
    b": still here\n\n",
    # With the id, a client that comes back does not ask for what is beyond the end again.
    b'event: reset\nid: %(version)d\ndata: {"version":%(version)d}\n\n',
)
NDJSON = StreamForm(
    NDJSON_MEDIA,
    encode_ndjson,
    # White space before a JSON text is allowed: clients of pages read each line as JSON.
    b" ",
    b'{"reset":{"version":%(version)d}}\n',
)


FEED_SSE = StreamForm(SSE_MEDIA, encode_feed_sse, SSE.beat, b"")
FEED_NDJSON = StreamForm(NDJSON_MEDIA, encode_feed_ndjson, NDJSON.beat, b"")

NUMBERED_SSE = StreamForm(SSE_MEDIA, encode_numbered_sse, SSE.beat, b"")

EMPTY_LINE = b"\n"
"""The sign of life of NDJSON where an address has nothing but a stream."""

EVENT_FORMS = {form.media: form for form in (SSE, NDJSON.with_beat(EMPTY_LINE))}
FEED_FORMS = {form.media: form for form in (FEED_SSE, FEED_NDJSON.with_beat(EMPTY_LINE))}
"""The forms of streams of events and of feeds, by media type."""

NUMBERED_FORMS = {**FEED_FORMS, SSE_MEDIA: NUMBERED_SSE}
"""Those of feeds whose entries have versions."""


class Stream:
    """The body of a live answer: the backlog, then each event at once, until the game is over.

    `begin` is sent before everything else. After `heartbeat` seconds of silence the stream sends
    `beat`, so that a dead connection fails. The server calls `close` when the client disconnects,
    or when the stream ends.
    """

    def __init__(
        self,
        subscription: Subscription,
        form: StreamForm,
        begin: bytes,
        heartbeat: float,
        leave: Callable[[], None],
    ) -> None:
        self._subscription, self._form, self._begin = subscription, form, begin
        self.beat, self._heartbeat = form.beat, heartbeat
        self._leave = leave

    def __iter__(self) -> Iterator[bytes]:
        """Yield the bytes to send."""
        # The first bytes go out at once, so that the client knows that it is connected.
        yield self.beat + self._begin
        last_sent = monotonic()
        while True:
            closed = self._subscription.closed
            events = self._subscription.get(max(0.0, last_sent + self._heartbeat - monotonic()))
            if events:
                if data := self._form.write(events):
                    yield data
                    last_sent = monotonic()
                # A signal may have come after the last event.
                if any(map(is_last, events)):
                    return
            elif closed:
                return
            elif monotonic() - last_sent >= self._heartbeat:
                yield self.beat
                last_sent = monotonic()

    # -- for the event loop -----------------------------------------------------------------------

    @property
    def every(self) -> float:
        """Return the seconds of silence after which a beat is sent."""
        return self._heartbeat

    def detach(self, sink: Sink) -> None:
        """Send the backlog and then each event to `sink`, without a thread."""
        if self._begin:
            sink.send(self._begin)
        self._subscription.listen(Outlet(self._form, sink))

    def farewell(self, retry_ms: int) -> bytes:
        """Return what a client is sent last: when to come back, where its format can say so."""
        return self._form.farewell(retry_ms)

    def close(self) -> None:
        """End the subscription and free the place."""
        self._subscription.close()
        self._leave()


class _Waker:
    """Wakes a request that waits, with the first events or at the end of its subscription."""

    __slots__ = ("end",)
    form: _WakerForm

    def __init__(self, wake: Callable[[], None]) -> None:
        self.end = wake


class _WakerForm:
    def hand_over(self, listeners: Sequence[_Waker], events: Sequence[LiveEvent]) -> None:
        for waker in listeners:
            waker.end()


_Waker.form = _WakerForm()


class Waiting:
    """The body of a long poll that waits: the event loop asks again when there is something new."""

    def __init__(
        self, subscribe: Callable[[], Subscription], seconds: float, leave: Callable[[], None]
    ) -> None:
        self.seconds = seconds
        self._subscribe, self._leave = subscribe, leave
        self._subscription: Subscription | None = None
        self._lock = threading.Lock()
        self._closed = False

    def watch(self, wake: Callable[[], None]) -> None:
        """Begin to wait; a client that leaves in the meantime may have had `close` called first."""
        subscription = self._subscribe()
        with self._lock:
            self._subscription = subscription
            closed = self._closed
        if closed:
            subscription.close()
        else:
            subscription.listen(_Waker(wake))

    def __iter__(self) -> Iterator[bytes]:
        """Yield nothing: only a server with an event loop is given such a body."""
        return iter(())

    def close(self) -> None:
        """End the subscription and free the place."""
        with self._lock:
            self._closed = True
            subscription = self._subscription
        if subscription is not None:
            subscription.close()
        self._leave()
