"""The gate that caps the requests of a process that wait for events."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable

from cartulary.service.http.wire.problems import Problem
from cartulary.service.process.bounds import find_network
from cartulary.service.process.metrics import Metrics
from cartulary.service.process.settings import WebSettings

RETRY_AFTER = 5


class StreamGate:
    """Caps the requests of this process that wait for events, per client and in all."""

    def __init__(self, settings: WebSettings, metrics: Metrics) -> None:
        self._most = settings.streams
        self._most_of = {True: settings.streams_per_player, False: settings.streams_per_address}
        self._metrics = metrics
        metrics.stream_bound.set(settings.streams)
        self._open = 0
        self._of: Counter[str] = Counter()
        self._lock = threading.Lock()

    def enter(self, player: str | None, address: str) -> Callable[[], None]:
        """Take a place for a player, or else for an address.

        Returns a function that frees the place (once, however often it is called).

        Raises `Problem` 503 `too_many_streams` with `Retry-After`.
        """
        who = f"player {player}" if player else find_network(address)
        most = self._most_of[bool(player)]
        with self._lock:
            crowded, full = self._of[who] >= most, self._open >= self._most
            if not (crowded or full):
                self._open += 1
                self._of[who] += 1
        if crowded or full:
            self._metrics.refused_streams.inc()
            open_now = f"{most} of your streams" if crowded else f"{self._most} streams"
            raise Problem(
                "too_many_streams",
                f"{open_now} are open already; poll, or retry later",
                headers={"Retry-After": str(RETRY_AFTER)},
            )
        self._metrics.streams.inc()
        return _Once(lambda: self._leave(who))

    def _leave(self, who: str) -> None:
        with self._lock:
            self._open -= 1
            self._of[who] -= 1
            if not self._of[who]:
                del self._of[who]
        self._metrics.streams.dec()


class _Once:
    def __init__(self, act: Callable[[], None]) -> None:
        self._act: Callable[[], None] | None = act

    def __call__(self) -> None:
        act, self._act = self._act, None
        if act is not None:
            act()
