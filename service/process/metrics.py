"""Metrics for Prometheus. With `PROMETHEUS_MULTIPROC_DIR` set, those of all processes together."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector

CONTENT_TYPE = CONTENT_TYPE_LATEST
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics:
    """The metrics of one process, in a registry of their own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Histogram(
            "cartulary_http_request_seconds",
            "Time from request to answer, by route, method and status.",
            ("method", "route", "status"),
            registry=self._registry,
            buckets=_BUCKETS,
        )
        self._events = Counter(
            "cartulary_events_written",
            "Events stored by requests to this service, by type.",
            ("type",),
            registry=self._registry,
        )
        self.streams = Gauge(
            "cartulary_streams",
            "Clients that wait for events now.",
            registry=self._registry,
            multiprocess_mode="livesum",
        )
        self.refused_streams = Counter(
            "cartulary_streams_refused",
            "Streams refused because too many were open.",
            registry=self._registry,
        )
        # Looking a label set up costs more than counting; the sets are few.
        self._known: dict[tuple[str, str, int], Histogram] = {}
        self._counted: dict[str, Counter] = {}

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        key = (method, route, status)
        child = self._known.get(key)
        if child is None:
            child = self._known[key] = self._requests.labels(method, route, str(status))
        child.observe(seconds)

    def written(self, event_type: str) -> None:
        """Count a stored event."""
        child = self._counted.get(event_type)
        if child is None:
            child = self._counted[event_type] = self._events.labels(event_type)
        child.inc()

    def text(self) -> bytes:
        """Return everything in the format of Prometheus."""
        if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
            registry = CollectorRegistry()
            _AllProcesses(registry)  # type: ignore[no-untyped-call]
            return generate_latest(registry)
        return generate_latest(self._registry)


class _AllProcesses(MultiProcessCollector):
    """Leaves out files that are still empty: a process that starts has only just opened them.

    prometheus_client fails to read such a file, and with it all the others.
    """

    def collect(self) -> Iterable[Metric]:
        files = [str(path) for path in Path(self._path).glob("*.db") if _filled(path)]
        metrics: Iterable[Metric] = self.merge(files, accumulate=True)  # type: ignore[no-untyped-call]
        return metrics


def _filled(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:  # that of a process that has just gone
        return False
