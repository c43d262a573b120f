"""What a round trip to a server costs by itself: CPU of the one who asks, and of the server.

A bare socket is written and read as the event loop of a web process does; all other parts of the
service use a client.
"""

from __future__ import annotations

import selectors
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from bench.cluster_nodes import BenchCluster
from bench.service._served import cpu_seconds
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.server.connection import connect

PING: Final = b"*1\r\n$4\r\nPING\r\n"
KEY: Final = "{hop}:events"
TURNS: Final = 5


class HopCost(NamedTuple):
    """µs of CPU of a round trip, of the one who asks and of the server.

    `bare_…` over a socket of this machine and over TCP; `client_…` a command through the client of
    a server, and through that of a cluster.
    """

    bare_unix_us: float
    bare_unix_server_us: float
    bare_tcp_us: float
    bare_tcp_server_us: float
    client_us: float
    client_in_cluster_us: float


def measure_hops(number: int) -> HopCost:
    """Measure so many round trips of each kind, in turn."""
    with (
        tempfile.TemporaryDirectory() as folder,
        EmbeddedValkey(Path(folder) / "alone") as alone,
        BenchCluster(Path(folder) / "nodes", 3) as nodes,
    ):
        node = nodes.masters[0]
        assert alone.pid is not None
        assert node.pid is not None
        one, cluster = connect(str(alone.url)), connect(nodes.url)
        with _open(urlsplit(str(alone.url)).path) as unix, _open(node.address) as tcp:
            kinds: dict[str, tuple[Callable[[], Any], int]] = {
                "unix": (partial(_ask_bare, *unix), alone.pid),
                "tcp": (partial(_ask_bare, *tcp), node.pid),
                "client": (partial(one.xlen, KEY), alone.pid),
                "cluster": (partial(cluster.xlen, KEY), node.pid),
            }
            found = {name: [0.0, 0.0] for name in kinds}
            for _ in range(TURNS):
                for name, (ask, pid) in kinds.items():
                    for place, spent in enumerate(_measure(ask, pid, number // TURNS)):
                        found[name][place] += spent / TURNS
        one.close()
        cluster.close()
    unix_us, tcp_us = found["unix"], found["tcp"]
    return HopCost(
        unix_us[0], unix_us[1], tcp_us[0], tcp_us[1], found["client"][0], found["cluster"][0]
    )


def _ask_bare(sock: socket.socket, ready: selectors.BaseSelector) -> None:
    sock.send(PING)
    ready.select()
    sock.recv(65536)


def _measure(ask: Callable[[], Any], pid: int, number: int) -> tuple[float, float]:
    ask()
    before, server = time.process_time(), cpu_seconds(pid)
    for _ in range(number):
        ask()
    asking, server = time.process_time() - before, cpu_seconds(pid) - server
    return 1e6 * asking / number, 1e6 * server / number


@contextmanager
def _open(address: str) -> Iterator[tuple[socket.socket, selectors.BaseSelector]]:
    """Connect to a path or to `host:port`; the socket does not block."""
    host, _, port = address.rpartition(":")
    with socket.socket(socket.AF_INET if host else socket.AF_UNIX) as made:
        made.connect((host, int(port)) if host else address)
        if host:
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        made.setblocking(False)
        with selectors.DefaultSelector() as ready:
            ready.register(made, selectors.EVENT_READ)
            yield made, ready
