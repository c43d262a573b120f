"""Places: how many deliveries may be under way to one endpoint and to one host. Pure.

A host that hangs keeps each of its places for as long as a request may take. So a host that is not
known has a few places, each message that it takes earns it one more, and a request without an
answer leaves it one: what hangs cannot take the places of all others, however many endpoints it
has.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

OF_ONE_ENDPOINT: Final = 2
OF_A_NEW_HOST: Final = 8
OF_ONE_HOST: Final = 30
"""Of a push service: three hundred a second at 100 ms each. The cost of a request grows with the
connections that are kept."""

BUSY_MS: Final = 100
"""For so long a delivery waits whose endpoint or host is busy."""

NEW_MS: Final = 1000
"""The same at a host that has taken nothing yet."""

SILENT_MS: Final = 5000
"""The same at a host that did not answer last."""

MOST_KNOWN: Final = 50_000
"""Hosts and endpoints that are remembered; then all that is idle is forgotten."""


class Places:
    """Counts what is under way. For one event loop."""

    def __init__(self) -> None:
        self._under_way: Counter[str] = Counter()
        self._on_host: Counter[str] = Counter()
        self._hosts: dict[str, str] = {}
        """The host of an endpoint, once a request to it was written."""
        self._allowed: dict[str, int] = {}

    def take(self, endpoint: str) -> bool:
        """Take a place for a delivery; returns False when its endpoint or host is busy."""
        host = self._hosts.get(endpoint)
        if self._under_way[endpoint] >= OF_ONE_ENDPOINT or (host and self._is_full(host)):
            return False
        self._under_way[endpoint] += 1
        return True

    def enter(self, endpoint: str, host: str) -> bool:
        """Take a place at the host of an endpoint that has one; returns False when it is busy."""
        if len(self._hosts) + len(self._allowed) > MOST_KNOWN:
            self._hosts.clear()
            self._allowed.clear()
        self._hosts[endpoint] = host
        if self._is_full(host):
            return False
        self._on_host[host] += 1
        return True

    def leave(self, host: str, accepted: bool | None) -> None:
        """Give back the place at a host that has accepted a message, or refused it; None: neither.

        A refusal earns nothing: a thousand browsers that are gone get no more places than one.
        """
        _give_back(self._on_host, host)
        if accepted is None:
            self._allowed[host] = 1
        elif accepted:
            allowed = self._allowed.get(host, OF_A_NEW_HOST)
            self._allowed[host] = min(allowed + 1, OF_ONE_HOST)

    def free(self, endpoint: str) -> None:
        """Give back the place of a delivery."""
        _give_back(self._under_way, endpoint)

    def find_pause_ms(self, endpoint: str) -> int:
        """Return for how long a delivery waits that got no place."""
        host = self._hosts.get(endpoint, "")
        if host not in self._allowed:
            return NEW_MS
        return SILENT_MS if self._allowed[host] == 1 else BUSY_MS

    def _is_full(self, host: str) -> bool:
        return self._on_host[host] >= self._allowed.get(host, OF_A_NEW_HOST)


def _give_back(counts: Counter[str], name: str) -> None:
    counts[name] -= 1
    if counts[name] <= 0:
        del counts[name]
