"""Spans: begin one, make it the current one, carry it to another process.

Without `start` no span begins, nothing is imported, and each call is one comparison; the way of a
usual move looks at `on` instead, so that it calls nothing here. A trace never changes what is
stored: it travels in the outbox and in the meta data of a job, never in an event.

A trace begins with a request, or it does not: what follows from a request without a span has none
either, and costs no more than without traces.

A carried span is the text `<hops> <traceparent>`, as in W3C Trace Context. Bots that answer bots
would make one trace without end, so it is carried `HOPS` times at most.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Final, Literal, Protocol

HOPS: Final = 4
"""How often a trace goes on in another process: dispatcher and worker, twice."""

Kind = Literal["server", "client", "producer", "consumer", "internal"]
Value = str | int | float


class Span(Protocol):
    """What takes some time, within a trace."""

    @property
    def trace_id(self) -> str:
        """The id of the trace: 32 hexadecimal digits."""

    def carry(self) -> str:
        """Return the text with which another process goes on with the trace, '' for no more."""

    def end(self, error: BaseException | None = None, **values: Value) -> None:
        """End the span, with what is known only now."""


class SpanMaker(Protocol):
    """Makes spans."""

    def begin(
        self, name: str, kind: Kind, parent: Span | None, carried: str, values: dict[str, Value]
    ) -> Span | None:
        """Begin a span below `parent`, or else below a `carried` span, or else a new trace.

        None where no trace is to begin.
        """


on = False
"""Whether spans begin in this process."""
_maker: SpanMaker | None = None
_current: ContextVar[Span | None] = ContextVar("span", default=None)
_NOTHING: Final[AbstractContextManager[None]] = nullcontext()


def start(maker: SpanMaker | None) -> None:
    """Let spans begin in this process from now on; None: no more."""
    global _maker, on
    _maker, on = maker, maker is not None


def begin(name: str, kind: Kind = "internal", carried: str = "", **values: Value) -> Span | None:
    """Begin a span below the current one, or else below a `carried` one; the caller ends it.

    None without traces, and where it would be below no other and is not of a request (`server`).
    """
    if _maker is None:
        return None
    current = _current.get()
    if current is None and not carried and kind != "server":
        return None
    return _maker.begin(name, kind, current, carried, values)


def span(
    name: str, kind: Kind = "internal", carried: str = "", **values: Value
) -> AbstractContextManager[None]:
    """Return what makes a span of the block within: the current one of the block."""
    begun = None if _maker is None else begin(name, kind, carried, **values)
    return _NOTHING if begun is None else _time(begun)


@contextmanager
def _time(begun: Span) -> Iterator[None]:
    try:
        with use(begun):
            yield
    except BaseException as error:
        begun.end(error)
        raise
    begun.end()


@contextmanager
def _use(span: Span) -> Iterator[None]:
    token = _current.set(span)
    try:
        yield
    finally:
        _current.reset(token)


def use(span: Span | None) -> AbstractContextManager[None]:
    """Return what makes a span that goes on elsewhere the current one of the block within."""
    return _NOTHING if span is None else _use(span)


def find_current() -> Span | None:
    """Return the current span."""
    return None if _maker is None else _current.get()


def carry() -> str:
    """Return the text with which another process goes on below the current span, else ''."""
    current = find_current()
    return "" if current is None else current.carry()
