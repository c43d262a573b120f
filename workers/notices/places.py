"""Places: how much may be under way to one bot, to one endpoint and to one host. Pure.

A host that hangs keeps each of its places for as long as a request may take. So a host that is not
known has a few places, each message that it takes earns it one more, and a request without an
answer leaves it one: what hangs cannot take the places of all others, however many endpoints it
has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
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


class OwnPlaces:
    """The places of owners, each as many as `find_most` says. For one event loop."""

    def __init__(self, find_most: Callable[[str], int]) -> None:
        self._find_most = find_most
        self._taken: Counter[str] = Counter()

    def take(self, owner: str) -> bool:
        """Take a place of an owner; returns False when all are taken."""
        if self.are_taken(owner):
            return False
        self._taken[owner] += 1
        return True

    def are_taken(self, owner: str) -> bool:
        """Say whether an owner has no place left."""
        return self._taken[owner] >= self._find_most(owner)

    def free(self, owner: str) -> None:
        """Give a place back."""
        self._taken[owner] -= 1
        if self._taken[owner] <= 0:
            del self._taken[owner]


class Places:
    """The places of deliveries. For one event loop."""

    def __init__(self) -> None:
        self._of_endpoints = OwnPlaces(lambda _: OF_ONE_ENDPOINT)
        self._of_hosts = OwnPlaces(lambda host: self._allowed.get(host, OF_A_NEW_HOST))
        self._hosts: dict[str, str] = {}
        """The host of an endpoint, once a request to it was written."""
        self._allowed: dict[str, int] = {}

    def take(self, endpoint: str) -> bool:
        """Take a place for a delivery; returns False when its endpoint or host is busy."""
        host = self._hosts.get(endpoint)
        if host and self._of_hosts.are_taken(host):
            return False
        return self._of_endpoints.take(endpoint)

    def enter(self, endpoint: str, host: str) -> bool:
        """Take a place at the host of an endpoint that has one; returns False when it is busy."""
        if len(self._hosts) + len(self._allowed) > MOST_KNOWN:
            self._hosts.clear()
            self._allowed.clear()
        self._hosts[endpoint] = host
        return self._of_hosts.take(host)

    def leave(self, host: str, accepted: bool | None) -> None:
        """Give back the place at a host that has accepted a message, or refused it; None: neither.

        A refusal earns nothing: a thousand browsers that are gone get no more places than one.
        """
        self._of_hosts.free(host)
        if accepted is None:
            self._allowed[host] = 1
        elif accepted:
            allowed = self._allowed.get(host, OF_A_NEW_HOST)
            self._allowed[host] = min(allowed + 1, OF_ONE_HOST)

    def free(self, endpoint: str) -> None:
        """Give back the place of a delivery."""
        self._of_endpoints.free(endpoint)

    def find_pause_ms(self, endpoint: str) -> int:
        """Return for how long a delivery waits that got no place."""
        host = self._hosts.get(endpoint, "")
        if host not in self._allowed:
            return NEW_MS
        return SILENT_MS if self._allowed[host] == 1 else BUSY_MS
