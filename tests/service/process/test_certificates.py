"""A renewed certificate is used without a restart."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
from pathlib import Path

import pytest

from cartulary.service.process.certificates import Certificate
from tests.service.support.gunicorn_process import Gunicorn
from tests.support.polling import until

FIRST = Path(__file__).parents[1] / "localhost.pem"
SECOND = Path(__file__).parents[1] / "renewed.pem"
"""A certificate with a key of another kind."""


def split(pem: Path, certificate: Path, key: Path) -> None:
    """Write the certificate and the key of a file into two files."""
    text = pem.read_text()
    at = text.index("-----BEGIN PRIVATE KEY-----")
    certificate.write_text(text[:at])
    key.write_text(text[at:])


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    split(FIRST, certificate, key)
    return certificate, key


def test_files_that_do_not_change_give_nothing_new(files: tuple[Path, Path]) -> None:
    certificate = Certificate(*map(str, files))
    assert certificate.renew() is None


def test_a_new_certificate_comes_with_a_context_of_its_own(files: tuple[Path, Path]) -> None:
    certificate = Certificate(*map(str, files))
    earlier = certificate.context
    split(SECOND, *files)
    renewed = certificate.renew()
    assert renewed is certificate.context is not earlier
    assert certificate.renew() is None


def test_a_certificate_without_its_key_changes_nothing_until_the_key_comes(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    certificate = Certificate(*map(str, files))
    earlier = certificate.context
    new_certificate, new_key = tmp_path / "new-cert.pem", tmp_path / "new-key.pem"
    split(SECOND, new_certificate, new_key)
    os.replace(new_certificate, files[0])
    assert certificate.renew() is None
    assert certificate.renew() is None
    assert certificate.context is earlier
    os.replace(new_key, files[1])
    assert certificate.renew() is certificate.context is not earlier


def test_a_removed_file_leaves_the_earlier_certificate_in_use(files: tuple[Path, Path]) -> None:
    certificate = Certificate(*map(str, files))
    files[1].unlink()
    assert certificate.renew() is None
    split(FIRST, *files)
    assert certificate.renew() is not None


@pytest.mark.real
def test_new_connections_get_the_new_certificate_and_open_ones_stay(
    valkey_url: str, tmp_path: Path
) -> None:
    used = tmp_path / "used.pem"
    shutil.copy(FIRST, used)
    settings = {"threads": 2, "certificate": used, "key": used}
    with (
        Gunicorn(valkey_url, tmp_path / "log", **settings) as service,
        connect(service, FIRST) as kept,
    ):
        shutil.copy(SECOND, used)
        until(lambda: certificate_of(service) == der(SECOND))
        with connect(service, SECOND) as new:
            for client in (kept, new):
                client.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
                assert client.recv(65536).startswith(b"HTTP/1.1 200 ")


def connect(service: Gunicorn, trusted: Path) -> ssl.SSLSocket:
    context = ssl.create_default_context(cafile=trusted)
    plain = socket.create_connection(("127.0.0.1", service.port), 10)
    return context.wrap_socket(plain, server_hostname="localhost")


def certificate_of(service: Gunicorn) -> bytes:
    """The certificate that a new connection is shown."""
    return ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate(("127.0.0.1", service.port)))


def der(pem: Path) -> bytes:
    text = pem.read_text()
    end = "-----END CERTIFICATE-----"
    return ssl.PEM_cert_to_DER_cert(text[: text.index(end) + len(end)])
