"""Streams of many games: the lines, and the body that sends those of all games of a reader.

A line is written once for all readers of a game; what each reader gets of its own is the cursor.
All parts of a stream hand over in the thread of the hub; the backlog comes in that of the request.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Condition, Lock
from typing import Literal, NamedTuple

import orjson

from cartulary.events.live.subscriptions import LiveEvent, Subscription
from cartulary.service.http.shared.stream_endings import StreamEndings
from cartulary.service.http.streams.event_streams import SSE_MEDIA, StreamForm, is_last
from cartulary.service.http.streams.stream_places import GamePlace, StreamPlaces
from cartulary.service.server.app_interface import Sink

Closed = Literal["over", "not_found", "hidden", "unavailable"]
"""Why a stream says no more of a game."""

WAITING_MOST = 1024 * 1024
"""Bytes that may wait for a reader where a thread writes the stream, besides the backlog."""


class WrittenLine(NamedTuple):
    """A line without its cursor and its end, and the event that it shows."""

    event: LiveEvent
    text: bytes


class LineForm:
    """Writes the lines of games for all listeners of one kind, and hands them over."""

    def __init__(self, change: Callable[[LiveEvent], LiveEvent | None] | None = None) -> None:
        """Take what changes an event before it is written; None as its result leaves it out."""
        self._change = change

    def reword(self, change: Callable[[LiveEvent], LiveEvent | None]) -> LineForm:
        """Return this form with each event changed before it is written."""
        return LineForm(change)

    def hand_over(self, listeners: Sequence[StreamPart], events: Sequence[LiveEvent]) -> None:
        """Give events of one game, or of one inbox, to its listeners."""
        game_id = listeners[0].game_id
        changed = events if self._change is None else filter(None, map(self._change, events))
        lines = [
            WrittenLine(event, write_line(game_id, name_of(event), event.json)) for event in changed
        ]
        for listener in listeners:
            listener.take(lines)


def name_of(event: LiveEvent) -> str:
    """Return the name under which a line shows an event."""
    if event.cursor:
        return "inbox"
    return "event" if event.version else event.type


def write_line(game_id: str, name: str, value: bytes) -> bytes:
    """Return a line of a game, or of the inbox (''), without its closing brace."""
    of_game = b'"game":%s,' % orjson.dumps(game_id) if game_id else b""
    return b'{%s"%s":%s' % (of_game, name.encode(), value)


class StreamPart:
    """One game of a stream, or the inbox (''), as the hub sees it."""

    __slots__ = ("_releases", "form", "game_id", "is_closed", "stream", "subscription")

    def __init__(
        self, stream: ManyStream, game_id: str, form: LineForm, subscription: Subscription
    ) -> None:
        self.stream, self.game_id, self.form = stream, game_id, form
        self.subscription = subscription
        self.is_closed = False
        self._releases: deque[Callable[[], None]] = deque([subscription.close])

    def take(self, lines: Sequence[WrittenLine]) -> None:
        """Send lines on."""
        self.stream.take(self, lines)

    def end(self) -> None:
        """End the stream, when the hub has no more for this part: its client comes back."""
        if not self.is_closed:
            self.stream.end()

    def hide(self) -> None:
        """Say that the reader may see the game no more, and let go of it."""
        self.stream.close_part(self, "hidden")
        self.release()

    def hold(self, release: Callable[[], None]) -> None:
        """Have a function called when the part is let go of."""
        self._releases.append(release)

    def release(self) -> None:
        """Let go of what the part holds, once, however many threads call this."""
        while self._releases:
            try:
                self._releases.popleft()()
            except IndexError:
                return


class ManyStream:
    """The body of a stream of many games. Thread-safe.

    What comes before `detach` waits, so that a reader gets the whole backlog as one piece: it is no
    sign of a slow reader then, as long as it may be.
    """

    def __init__(self, form: StreamForm, places: StreamPlaces, heartbeat: float) -> None:
        self._form, self._places, self._heartbeat = form, places, heartbeat
        self._parts: list[StreamPart] = []
        self._leave: Callable[[], None] = lambda: None
        self._endings: StreamEndings | None = None
        self._begun: list[bytes] = []
        self._sink: Sink | None = None
        self._is_ended = False
        self._lock = Lock()

    # -- what is in the stream ---------------------------------------------------------------------

    def add(self, game_id: str, form: LineForm, subscription: Subscription) -> StreamPart:
        """Follow a subscription."""
        part = StreamPart(self, game_id, form, subscription)
        self._parts.append(part)
        return part

    def begin(self, game_id: str, name: str, value: bytes, place: GamePlace | str) -> None:
        """Send a line before all that is to come; `place` is where the reader stands after it."""
        with self._lock:
            self._move(game_id, place)
            self._send([self._end_line(write_line(game_id, name, value), True)])

    def complete(self, endings: StreamEndings, leave: Callable[[], None]) -> None:
        """Note what frees the place of the stream; without a part it ends after what it has."""
        self._endings, self._leave = endings, leave
        self._is_ended |= not self._parts

    # -- what comes --------------------------------------------------------------------------------

    def take(self, part: StreamPart, lines: Sequence[WrittenLine]) -> None:
        """Send lines of a part, and say when its game is over."""
        with self._lock:
            if part.is_closed:
                return
            self._send([self._show(part.game_id, line) for line in lines])
            # A signal may have come after the last event.
            if any(is_last(line.event) for line in lines):
                self._close(part, "over")
                if self._endings is not None:
                    # Not here: the hub holds its lock, and to let go asks the store.
                    self._endings.add(part.release)

    def close_part(self, part: StreamPart, reason: Closed) -> None:
        """Say that nothing more comes of a game."""
        with self._lock:
            if not part.is_closed:
                self._close(part, reason)

    def _close(self, part: StreamPart, reason: Closed) -> None:
        part.is_closed = True
        at = self._places.find(part.game_id).version
        self._move(part.game_id, GamePlace(at, is_closed=True))
        line = write_line(part.game_id, "closed", orjson.dumps(reason))
        self._send([self._end_line(line, True)])
        if all(one.is_closed for one in self._parts):
            self._end()

    def _show(self, game_id: str, line: WrittenLine) -> bytes:
        event = line.event
        if event.cursor:
            self._move("", event.cursor)
        elif event.version:
            self._move(game_id, GamePlace(event.version))
        return self._end_line(line.text, bool(event.cursor or event.version))

    def _move(self, game_id: str, place: GamePlace | str) -> None:
        if isinstance(place, str):
            self._places.move_inbox(place)
        else:
            self._places.move(game_id, place)

    def _end_line(self, line: bytes, has_moved: bool) -> bytes:
        """Return a line with its end; with the cursor where the line has moved it."""
        if self._form.media == SSE_MEDIA:
            cursor = b"id: %s\n" % self._places.write() if has_moved else b""
            return b"%sdata: %s}\n\n" % (cursor, line)
        cursor = b',"cursor":"%s"' % self._places.write() if has_moved else b""
        return b"%s%s}\n" % (line, cursor)

    def _send(self, pieces: Sequence[bytes]) -> None:
        if self._sink is None:
            self._begun += pieces
        elif pieces:
            self._sink.send(b"".join(pieces))

    def end(self) -> None:
        """End the stream after what was sent."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        self._is_ended = True
        if self._sink is not None:
            self._sink.end()

    # -- for the event loop ------------------------------------------------------------------------

    @property
    def beat(self) -> bytes:
        """Return the sign of life."""
        return self._form.beat

    @property
    def every(self) -> float:
        """Return the seconds of silence after which a beat is sent."""
        return self._heartbeat

    def detach(self, sink: Sink) -> None:
        """Send the backlog and then each line to `sink`, without a thread."""
        for part in self._parts:
            part.subscription.listen(part)
        with self._lock:
            self._sink = sink
            begun, self._begun = self._begun, []
            self._send(begun)
            if self._is_ended:
                sink.end()

    def farewell(self, retry_ms: int) -> bytes:
        """Return what a client is sent last: when to come back, where its format can say so."""
        return self._form.farewell(retry_ms)

    def close(self) -> None:
        """Let go of all parts and free the place."""
        for part in self._parts:
            part.is_closed = True
            part.release()
        self._leave()

    # -- for a server without an event loop --------------------------------------------------------

    def __iter__(self) -> Iterator[bytes]:
        """Yield the bytes to send."""
        pipe = ByteQueue()
        # The first bytes go out at once, so that the client knows that it is connected.
        yield self.beat
        self.detach(pipe)
        while (piece := pipe.get(self._heartbeat)) is not None:
            yield piece or self.beat


class ByteQueue:
    """Where a stream writes to when a thread sends it on: a reader who is too slow is ended."""

    def __init__(self) -> None:
        self._pieces: deque[bytes] = deque()
        self._waiting, self._allowance = 0, -1
        self._is_ended = False
        self._arrival = Condition()

    def send(self, data: bytes) -> None:
        """Take bytes, after all that were sent before."""
        with self._arrival:
            if self._allowance < 0:  # the first piece is the backlog
                self._allowance = WAITING_MOST + len(data)
            if self._waiting > self._allowance:
                self._is_ended = True
            else:
                self._waiting += len(data)
                self._pieces.append(data)
            self._arrival.notify_all()

    def end(self) -> None:
        """End after what was sent before."""
        with self._arrival:
            self._is_ended = True
            self._arrival.notify_all()

    @staticmethod
    def send_all(sinks: Iterable[ByteQueue], data: bytes) -> None:
        """Send the same bytes to many queues."""
        for sink in sinks:
            sink.send(data)

    def get(self, timeout: float) -> bytes | None:
        """Return what comes first, b"" when nothing comes for so many seconds, None at the end."""
        with self._arrival:
            self._arrival.wait_for(lambda: self._pieces or self._is_ended, timeout)
            if self._pieces:
                piece = self._pieces.popleft()
                self._waiting -= len(piece)
                return piece
            return None if self._is_ended else b""


LINES = LineForm()
