"""Ports for programs that get the number of a port, and listen there some seconds later."""

from __future__ import annotations

import random
import socket
from contextlib import ExitStack

CHOICE = range(10_240, 32_768)
"""Below those that a system gives to connections: none of these takes one of them meanwhile."""


def find_free_ports(number: int) -> list[int]:
    """Return ports of 127.0.0.1 on which nothing listens, chosen at random."""
    with ExitStack() as held:
        ports: list[int] = []
        for port in random.SystemRandom().sample(CHOICE, len(CHOICE)):
            if len(ports) == number:
                return ports
            try:
                held.enter_context(socket.create_server(("127.0.0.1", port)))
            except OSError:
                continue
            ports.append(port)
    raise OSError(f"{number} ports are not free")


def find_free_port() -> int:
    """Return one such port."""
    return find_free_ports(1)[0]
