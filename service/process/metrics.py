"""Metrics for Prometheus. With `PROMETHEUS_MULTIPROC_DIR` set, of all processes together."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

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

from cartulary.events.model.failures import CHECKS
from cartulary.events.server.conditions import NOTHING, ServerRoom
from cartulary.service.process.server_stats import ServerStats

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_FIGURES = {
    "connections": "Connections that are open now.",
    "connections_silent": "Connections that have yet to send the head of a request.",
    "connections_refused": "Connections closed at a bound since the process began.",
    "streams_waiting_bytes": "Bytes that wait for readers who are behind.",
    "streams_dropped": "Streams ended since the process began because the reader was too slow.",
}
_AGES = {
    "queue_age_seconds": "For how long the first job has waited, at the dispatcher's report.",
    "dispatcher_silent_seconds": "Time since the last report of a dispatcher; +Inf before any.",
    "outbox_age_seconds": "For how long the oldest append has waited for a dispatcher.",
}
_TIMEKEEPING = {
    "timers_late": "Games whose timers were due and not judged yet at the dispatcher's report.",
    "timer_late_seconds": "For how long the first of these games has waited.",
    "outages": "Times in which no web process worked.",
    "outage_seconds": "How long these times were together.",
}

_COUNTED = {
    "events_written": ("Events stored by requests to this service, by type.", "type"),
    "streams_refused": ("Streams refused because too many were open.",),
    "damaged_game_answers": (
        "Requests answered 503 because the stored game is damaged: `cartulary audit` names it.",
    ),
    "answer_parts_failed": (
        "Parts of answers that failed after the event was stored, by part.",
        "part",
    ),
    "invariants_broken": (
        "Requests answered 500 because the service found a defect of itself, by the check.",
        "check",
    ),
}
"""What a process counts: the text, then the labels."""
_INSTALLATION = {
    "durability": ("1 for the durability that is in force.", "durability"),
    "store_memory_bytes": ("Memory that a server of the store uses.", "server"),
    "store_memory_limit_bytes": (
        "Memory that it may use: its maxmemory, or without one that of its machine.",
        "server",
    ),
    "store_disk_free_bytes": (
        "Bytes free on the disk of a server of the store that is on this machine.",
        "server",
    ),
    "store_disk_bytes": ("Bytes that this disk has.", "server"),
    "flags": ("Flags that have fallen in this installation, by what has followed.", "follows"),
    "queued": (
        "Games that waited for a worker at the dispatcher's report, by queue.",
        "queue",
    ),
    "analyses": ("Analyses in this installation: started, finished, failed.", "what"),
    "notices": (
        "Notices by what has become of them; those that wait: intents, deliveries, of these late,"
        " mails.",
        "what",
    ),
    "archive": (
        "Games archived, failures of the archive, failures since its last success, and whether"
        " it is another archive than that of the store.",
        "what",
    ),
    "mining": (
        "Archived games that were mined, puzzles found, questions given up, seconds of CPU.",
        "what",
    ),
}
"""What every process shows of the whole installation: the text, then the labels."""


class Metrics:
    """The metrics of one process, in a registry of their own."""

    content_type = CONTENT_TYPE_LATEST

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = self._time(
            "http_request_seconds",
            "Time from request to answer, by route, method and status.",
            ("method", "route", "status"),
        )
        self.event_age = self._time(
            "event_age_seconds",
            "Time from an append to the hand-over of its last event to the streams of a process.",
        )
        (
            self._events,
            self.refused_streams,
            self.damaged_games,
            self.failed_parts,
            self.broken_invariants,
        ) = (
            Counter(f"cartulary_{name}", text, labels, registry=self._registry)
            for name, (text, *labels) in _COUNTED.items()
        )
        for check in CHECKS:
            self.broken_invariants.labels(check)  # shown as 0 until it fails
        self.streams = self._sum("streams", "Clients that wait for events now.")
        self._caches = self._sum("cache_bytes", "Bytes that the caches hold, by cache.", "cache")
        self._gauges = {name: self._sum(name, text) for name, text in _FIGURES.items()}
        self._timekeeping = {
            name: self._show(name, text) for name, text in {**_AGES, **_TIMEKEEPING}.items()
        }
        self.heartbeat_time = self._gauge(
            "heartbeat_timestamp_seconds",
            "Time (Unix) at which the store last answered the process that waits longest for it.",
            (),
            "livemin",
        )
        self.stream_bound = self._sum("streams_bound", "Streams that may be open in all processes.")
        (
            self._durability,
            self._memory,
            self._memory_limit,
            self._disk_free,
            self._disk,
            self._flags,
            self._queued,
            self._analyses,
            self._notices,
            self._archive,
            self._mining,
        ) = (self._show(name, *row) for name, row in _INSTALLATION.items())
        self._proven_age = self._show(
            "backup_proven_age_seconds",
            "Age of the last backup that was restored and audited; +Inf where there was none.",
        )
        self._durability_shown = ""
        self._rooms_shown = set[str]()

    def _time(self, name: str, text: str, labels: Sequence[str] = ()) -> Histogram:
        """Return a distribution of seconds."""
        return Histogram(
            f"cartulary_{name}", text, labels, registry=self._registry, buckets=_BUCKETS
        )

    def _sum(self, name: str, text: str, *labels: str) -> Gauge:
        """Return a figure of this process; the scrape adds up all running processes."""
        return self._gauge(name, text, labels, "livesum")

    def _show(self, name: str, text: str, *labels: str) -> Gauge:
        """Return a figure of the installation, which each process shows: the largest is scraped.

        That of a process that has ended does not count: it would be shown for ever.
        """
        return self._gauge(name, text, labels, "livemax")

    def _gauge(
        self,
        name: str,
        text: str,
        labels: Sequence[str],
        mode: Literal["livesum", "livemax", "livemin"],
    ) -> Gauge:
        return Gauge(
            f"cartulary_{name}", text, labels, registry=self._registry, multiprocess_mode=mode
        )

    def show_durability(self, chosen: str) -> None:
        """Show when an answer is on the disk; an empty word changes nothing."""
        if chosen in ("", self._durability_shown):
            return
        if self._durability_shown:
            self._durability.labels(self._durability_shown).set(0)
        self._durability.labels(chosen).set(1)
        self._durability_shown = chosen

    def show_rooms(self, rooms: Mapping[str, ServerRoom]) -> None:
        """Show the memory and the disks of the servers; one that is gone shows 0 of 0."""
        self._rooms_shown |= rooms.keys()
        for name in self._rooms_shown:
            memory, disk, _ = rooms.get(name, NOTHING)
            if memory is not None:
                self._memory.labels(name).set(memory.used)
                self._memory_limit.labels(name).set(memory.limit)
            if disk is not None:
                self._disk_free.labels(name).set(disk.limit - disk.used)
                self._disk.labels(name).set(disk.limit)

    def show_timekeeping(self, figures: Mapping[str, float], flags: Mapping[str, int]) -> None:
        """Show what waits and for how long, the outages, and the flags by what has followed."""
        for name, value in figures.items():
            self._timekeeping[name].set(value)
        for follows, number in flags.items():
            self._flags.labels(follows).set(number)

    def show_queues(self, queued: Mapping[str, int]) -> None:
        """Show how many games wait for a worker, by the name of their queue."""
        for name, number in queued.items():
            self._queued.labels(name).set(number)

    def show_archive(self, figures: Mapping[str, float]) -> None:
        """Show how many games were archived, and how often the archive has failed."""
        for what, number in figures.items():
            self._archive.labels(what).set(number)

    def show_mining(self, figures: Mapping[str, float]) -> None:
        """Show how many games were mined, what was found, and how much CPU it took."""
        for what, number in figures.items():
            self._mining.labels(what).set(number)

    def show_analyses(self, counts: Mapping[str, int]) -> None:
        """Show how many analyses were started, finished, and have failed."""
        for what, number in counts.items():
            self._analyses.labels(what).set(number)

    def show_notices(self, counts: Mapping[str, int]) -> None:
        """Show what has become of notices, and how many wait."""
        for what, number in counts.items():
            self._notices.labels(what).set(number)

    def show_proven_backup(self, age: float) -> None:
        """Show the age of the last proven backup in seconds, infinite where there was none."""
        self._proven_age.set(age)

    def observe_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request and the time that it took."""
        self._requests.labels(method, route, status).observe(seconds)

    def show_connections(self, figures: ServerStats) -> None:
        """Show the figures of the server of this process."""
        for name, gauge in self._gauges.items():
            gauge.set(getattr(figures, name))

    def show_caches(self, sizes: Mapping[str, int]) -> None:
        """Show the bytes of the caches of this process, by the name of the cache."""
        for name, size in sizes.items():
            self._caches.labels(name).set(size)

    def count_events(self, events: Iterable[dict[str, Any]]) -> None:
        """Count stored events."""
        for event in events:
            self._events.labels(event["type"]).inc()

    def text(self) -> bytes:
        """Return everything in the format of Prometheus."""
        directory = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
        if directory is None:
            return generate_latest(self._registry)
        return generate_latest(collect_all(Path(directory)))


def collect_all(directory: Path) -> CollectorRegistry:
    """Return a registry of the metrics that all processes write to a directory."""
    registry = CollectorRegistry()
    _AllProcesses(registry, directory)
    return registry


class _AllProcesses(MultiProcessCollector):
    """Collects the files of all processes but the empty files: a process has just opened those.

    prometheus_client fails to read an empty file, and then fails for all files.
    """

    def __init__(self, registry: CollectorRegistry, directory: Path) -> None:
        self._directory = directory
        super().__init__(registry, str(directory))  # type: ignore[no-untyped-call]

    def collect(self) -> Iterable[Metric]:
        """Return the metrics of all processes together."""
        files = [str(path) for path in self._directory.glob("*.db") if _has_content(path)]
        metrics: Iterable[Metric] = self.merge(files, accumulate=True)  # type: ignore[no-untyped-call]
        return metrics


def _has_content(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:  # the process has just ended
        return False
