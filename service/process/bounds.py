"""Bounds of connections: how many descriptors there are, and how many clients may be silent."""

from __future__ import annotations

import ipaddress
import resource
from typing import Generic, TypeVar

Client = TypeVar("Client")

SILENT_OF_ADDRESS = 200
"""How many connections of one address may be without a whole request head."""
SILENT_IN_ALL = 8000
"""How many connections of all addresses may be without a whole request head."""
RESERVED = 200
"""Descriptors that are no connections: files, listeners, the store, libraries."""
SPARE = 50
"""Connections above the bound that are still read, so that `/livez` is answered."""
STREAMS_RESERVED = 500
"""Descriptors that streams leave to everything else."""
MOST_STREAMS = 20_000


def raise_descriptors() -> int:
    """Raise the soft limit of descriptors to the hard limit; return the limit."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY:
        hard = 1_048_576  # Linux refuses more than `fs.nr_open`, which is this by default
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    except (ValueError, OSError):
        # macOS has a second limit, below the hard limit that it reports.
        return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return hard


def read_hard_limit() -> int:
    """Return the hard limit of descriptors."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_STREAMS + STREAMS_RESERVED if hard == resource.RLIM_INFINITY else hard


def choose_most_streams() -> int:
    """Return how many streams a process holds by default."""
    return max(1, min(MOST_STREAMS, read_hard_limit() - STREAMS_RESERVED))


def find_network(host: str) -> str:
    """Return what stands for one client in a bound: an IPv4 address, or the /64 of an IPv6 one.

    An address that cannot be read, and the empty one of a unix socket, stands for itself.
    """
    if ":" not in host:
        return host
    try:
        address = ipaddress.IPv6Address(host.partition("%")[0])
    except ValueError:
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(address) >> 64 << 64, 64)))


class SilentConnections(Generic[Client]):
    """The connections without a whole request head, in the order in which they came.

    At a bound the oldest connection gives way to the newcomer: a client that sends its request at
    once is never the oldest connection, however many silent connections its address has.
    """

    def __init__(self, of_address: int = SILENT_OF_ADDRESS, in_all: int = SILENT_IN_ALL) -> None:
        """Take the bounds; `of_address` 0 bounds no address (all clients have a proxy's)."""
        self._of_address, self._in_all = of_address, in_all
        self._all: dict[Client, str] = {}
        self._groups: dict[str, dict[Client, None]] = {}

    def __len__(self) -> int:
        """Return how many connections are silent."""
        return len(self._all)

    def add(self, client: Client, network: str) -> Client | None:
        """Add a connection; return the connection that has to give way, if any."""
        group = self._groups.setdefault(network, {})
        victim: Client | None = None
        if network and 0 < self._of_address <= len(group):
            victim = next(iter(group))
        elif len(self._all) >= self._in_all:
            victim = next(iter(self._all))
        self._all[client] = network
        group[client] = None
        return victim

    def remove(self, client: Client) -> None:
        """Remove a connection that has sent its head, or is closed."""
        network = self._all.pop(client, None)
        if network is None:
            return
        group = self._groups[network]
        del group[client]
        if not group:
            del self._groups[network]

    def find_oldest(self) -> Client | None:
        """Return the connection that has been silent for longest."""
        return next(iter(self._all), None)
