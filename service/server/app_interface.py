"""What server and app say to each other: marks in the environment, and answers that come later."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

LOOP = "cartulary.loop"
"""Set in the environment where an answer may be a `Live` or a `Wait`."""
WAITED = "cartulary.waited"
"""Set in the environment of a request that comes back from a `Wait`: it waits no more."""

AT_ONCE = "cartulary.at_once"
"""Set in the environment of a request in the event loop: the app answers with a `Later`, or raises
`NotAtOnce`; it waits for nothing."""

RECEIVED = "cartulary.received"
"""In the environment: when the request came in, by the clock of the loop (`time.monotonic`).

That is when its head was complete, but at most `BODY_S` before its body was."""
BODY_S = 2.0

App = Callable[[dict[str, Any], Any], Iterable[bytes]]


class Sink(Protocol):
    """Where a `Live` writes to, from any thread; nothing here blocks."""

    def send(self, data: bytes) -> None:
        """Send bytes, after all that were sent before."""

    def end(self) -> None:
        """End the answer after what was sent before."""

    @staticmethod
    def send_all(sinks: Iterable[Any], data: bytes) -> None:
        """Send the same bytes to many sinks of this kind."""


class Live(Protocol):
    """A body without end. Its connection belongs to the event loop and holds no thread."""

    @property
    def beat(self) -> bytes:
        """Return what is sent after `every` seconds of silence."""

    @property
    def every(self) -> float:
        """Return how many seconds a stream may be silent."""

    def detach(self, sink: Sink) -> None:
        """Begin to send."""

    def farewell(self, retry_ms: int) -> bytes:
        """Return what is sent last when the process stops: the client comes back after so long."""

    def close(self) -> None:
        """Free what the body holds: called once, in a thread, when the connection has ended."""


class Wait(Protocol):
    """A body that is not known yet. The request is asked again when there is something new."""

    seconds: float
    """How long to wait."""

    def watch(self, wake: Callable[[], None]) -> None:
        """Begin to wait; `wake` may be called at any time, from any thread, more than once."""

    def close(self) -> None:
        """Free what the body holds: called once, in a thread."""


Marks = Mapping[str, Any]
"""What the environment of one request holds besides the request."""
NO_MARKS: Marks = {}


class NotAtOnce(Exception):
    """The app cannot answer a request in the event loop. A thread has to, with these marks."""

    def __init__(self, marks: Marks) -> None:
        super().__init__()
        self.marks = marks


Done = Callable[[Iterable[bytes] | None, Marks], None]
"""Gets the body of an answer, or None and the marks with which a thread has to answer."""


Claims = Callable[[str, str], bool]
"""Tells by method and path whether a request is worth the attempt to answer it in the event loop.

An app that has `join_loop(loop, later)` returns it from there: it gets the loop, and what runs a
function in a thread. `leave_loop()` ends what it has prepared.
"""


class Later(Protocol):
    """An answer that waits for the store. It holds no thread, and the event loop sends it."""

    def follow(self, done: Done) -> None:
        """Have `done` called in the loop, once."""
