"""A service that sends notices, which the tests share, and where its messages may go."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.local_servers import Receiver, make_certificate, run_receiver
from tests.support.real_serve import Served


class Egress(NamedTuple):
    """What takes messages: a receiver, and a port of a program that a test starts.

    Both have the certificate.
    """

    certificate: tuple[Path, Path]
    receiver: Receiver
    port: int

    @property
    def allowed(self) -> str:
        """Return the setting that lets messages go there."""
        return ", ".join(f"127.0.0.1/32:{port}" for port in (self.receiver.port, self.port))


@pytest.fixture(scope="package")
def egress(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Egress]:
    certificate = make_certificate(tmp_path_factory.mktemp("egress"))
    with run_receiver(certificate) as receiver, socket.socket() as found:
        # The service has to allow the port before the program has its key.
        found.bind(("127.0.0.1", 0))
        port = int(found.getsockname()[1])
        found.close()
        yield Egress(certificate, receiver, port)


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory, egress: Egress) -> Iterator[Served]:
    environment = {
        "CARTULARY_EGRESS_ALLOW": egress.allowed,
        "CARTULARY_EGRESS_CA": str(egress.certificate[0]),
        "CARTULARY_PUBLIC_URL": "https://games.example",
    }
    data = tmp_path_factory.mktemp("notices") / "data"
    with Served(data, "--notices", environment=environment) as served:
        yield served
