"""What `cartulary top` reads at one moment, and what has happened between two moments."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from http.client import HTTPException
from math import inf
from typing import NamedTuple
from urllib.request import Request, urlopen

from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families
from redis import Redis

from cartulary.cli.operators.survey import count_appends, list_due, list_reporting
from cartulary.cli.processes.serve_state import Running
from cartulary.cli.shared.errors import Unusable
from cartulary.events.server.heartbeat import Backlog, Sign
from cartulary.events.store import Store
from cartulary.service.process.metrics import collect_all
from cartulary.workers.queues.queues import queues_on
from cartulary.workers.queues.readings import QueueReading, read_queues

MOVES, OTHERS = "moves", "other requests"
GAMES = 5
"""The number of games that are shown of those that wait for the longest time."""

WITHIN_S = 5.0

Buckets = Mapping[float, float]
"""Requests by the upper bound of their time in seconds, each with all that were faster."""


class WebFigures(NamedTuple):
    """What the web processes count: requests by kind, open streams, answers of 500 and more."""

    times: Mapping[str, Buckets]
    streams: int
    failures: int


class ServiceFigures(NamedTuple):
    """The service at the moment `at` of `time.monotonic`; `web` is None where it is unknown.

    `appends` have been made since the store is there, None where the server does not count them.
    `waiting` are games with the milliseconds for which they have waited for a bot or a score.
    """

    at: float
    signs: Sequence[Sign]
    appends: int | None
    outbox: int
    outbox_age_s: float
    backlog: Backlog | None
    queues: Sequence[QueueReading]
    waiting: Sequence[tuple[str, int]]
    memory: int
    web: WebFigures | None


def read_figures(store: Store, queue: Redis, metrics: Iterable[Metric] | None) -> ServiceFigures:
    """Return the service as it is now. Raises `RedisError`."""
    return ServiceFigures(
        time.monotonic(),
        list_reporting(store, queue),
        count_appends(store),
        store.outbox.depth(),
        store.outbox.read_age(),
        store.heartbeats.read(),
        read_queues(queues_on(queue)),
        [(one["game"], one["age_ms"]) for one in list_due(store.registry, GAMES)],
        int(store.redis.info("memory").get("used_memory", 0)),
        None if metrics is None else read_web(metrics),
    )


def find_metrics(running: Running | None, url: str, token: str) -> Iterable[Metric] | None:
    """Return the metrics of a URL, else of the `serve` of this machine; None without both.

    Raises `Unusable` when the URL does not answer with metrics.
    """
    if url:
        return ask_metrics(url, token)
    if running is None or not (folder := running.memory / "metrics").is_dir():
        return None
    return collect_all(folder).collect()


def ask_metrics(url: str, token: str) -> list[Metric]:
    """Return the metrics that a URL answers with; raises `Unusable`."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        with urlopen(Request(url, headers=headers), timeout=WITHIN_S) as answer:
            return list(text_string_to_metric_families(answer.read().decode()))
    except (OSError, HTTPException, ValueError) as error:
        raise Unusable(f"{url} has no metrics: {error}") from error


def read_web(metrics: Iterable[Metric]) -> WebFigures:
    """Return what the web processes count, of the metrics in all their names."""
    times: dict[str, dict[float, float]] = {MOVES: defaultdict(float), OTHERS: defaultdict(float)}
    streams, failures = 0.0, 0.0
    for sample in (sample for metric in metrics for sample in metric.samples):
        labels = sample.labels
        if sample.name == "cartulary_http_request_seconds_bucket":
            is_move = labels["method"] == "POST" and labels["route"].endswith("/moves")
            times[MOVES if is_move else OTHERS][float(labels["le"])] += sample.value
        elif sample.name == "cartulary_http_request_seconds_count":
            failures += sample.value if labels["status"] >= "500" else 0
        elif sample.name == "cartulary_streams":
            streams += sample.value
    return WebFigures(times, int(streams), int(failures))


def find_quantile(share: float, before: Buckets, after: Buckets) -> float | None:
    """Return the seconds within which a share of the requests between two readings was answered.

    Linear within a bucket, as `histogram_quantile` of Prometheus; None without requests. The last
    bucket has no upper bound: its lower bound is returned.
    """
    bounds = sorted(after)
    counts = [after[bound] - before.get(bound, 0) for bound in bounds]
    if not counts or counts[-1] <= 0:
        return None
    wanted, low, passed = share * counts[-1], 0.0, 0.0
    for bound, count in zip(bounds, counts, strict=True):
        if count >= wanted:
            if bound == inf:
                return low
            return low + (bound - low) * (wanted - passed) / (count - passed)
        low, passed = bound, count
    return low


def count_requests(before: Buckets, after: Buckets) -> float:
    """Return how many requests there were between two readings."""
    return max(after.values(), default=0) - max(before.values(), default=0)
