"""Spans with the SDK of OpenTelemetry: the one module that knows the library (extra `otel`)."""

from __future__ import annotations

import os
from random import random

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.trace import (
    INVALID_SPAN,
    NonRecordingSpan,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TraceFlags,
    set_span_in_context,
)
from opentelemetry.trace import Span as LibrarySpan

from cartulary.events.tracing.spans import HOPS, Kind, Span, Value

_KINDS = {kind.name.lower(): kind for kind in SpanKind}


class OtelSpans:
    """Makes spans; each that has ended goes to `processor`, by default by OTLP to the endpoint.

    `role` is what this process does. The default starts a thread. `share` of the requests begin a
    trace (0 to 1). That is decided here because the SDK makes a span also where it keeps none.
    """

    def __init__(
        self, role: str, processor: SpanProcessor | None = None, share: float = 1.0
    ) -> None:
        self._share = share
        about: dict[str, str | int] = {"cartulary.role": role, "process.pid": os.getpid()}
        if not os.environ.get("OTEL_SERVICE_NAME"):
            about["service.name"] = f"cartulary-{role}"
        self._provider = TracerProvider(ALWAYS_ON, Resource.create(about))
        self._provider.add_span_processor(processor or BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = self._provider.get_tracer("cartulary")

    def begin(
        self, name: str, kind: Kind, parent: Span | None, carried: str, values: dict[str, Value]
    ) -> Span | None:
        """Begin a span; None for a carried text that cannot be read, and for a chance in vain."""
        if isinstance(parent, OtelSpan):
            above, hops = parent.span, parent.hops
        elif carried:
            above, hops = _read(carried)
            if above is INVALID_SPAN:
                return None
        elif random() < self._share:
            above, hops = INVALID_SPAN, 0
        else:
            return None
        begun = self._tracer.start_span(name, set_span_in_context(above), _KINDS[kind], {**values})
        return OtelSpan(begun, hops)

    def stop(self) -> None:
        """Export what has ended; no span is recorded after this."""
        self._provider.shutdown()


class OtelSpan:
    """A span of the SDK; `hops` says how often its trace was carried to another process."""

    __slots__ = ("hops", "span")

    def __init__(self, span: LibrarySpan, hops: int) -> None:
        self.span, self.hops = span, hops

    @property
    def trace_id(self) -> str:
        """The id of the trace: 32 hexadecimal digits."""
        return f"{self.span.get_span_context().trace_id:032x}"

    def carry(self) -> str:
        """Return the text with which another process goes on with the trace, '' for no more."""
        if self.hops >= HOPS:
            return ""
        at = self.span.get_span_context()
        return f"{self.hops + 1} 00-{at.trace_id:032x}-{at.span_id:016x}-{at.trace_flags:02x}"

    def end(self, error: BaseException | None = None, **values: Value) -> None:
        """End the span, with what is known only now."""
        self.span.set_attributes({**values})
        if error is not None:
            self.span.record_exception(error)
            self.span.set_status(Status(StatusCode.ERROR, type(error).__name__))
        self.span.end()


def _read(carried: str) -> tuple[LibrarySpan, int]:
    """Return the span that was carried, and how often; the invalid span for any other text."""
    try:
        hops, traceparent = carried.split(" ")
        _, trace_id, span_id, flags = traceparent.split("-")
        numbers = [int(part, 16) for part in (trace_id, span_id, flags)]
        context = SpanContext(numbers[0], numbers[1], True, TraceFlags(numbers[2]))
        return NonRecordingSpan(context), int(hops)
    except ValueError:
        return INVALID_SPAN, 0
