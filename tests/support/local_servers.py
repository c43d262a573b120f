"""A real name server and a real receiver over TLS on this machine, for the tests of egress."""

from __future__ import annotations

import datetime
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import dns.message
import dns.rdatatype
import dns.rrset
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

NAME = "receiver.example"


class NameServer:
    """Answers over UDP from a table; a list of lists is answered in turn (rebinding)."""

    def __init__(self, answers: dict[str, list[list[str]]]) -> None:
        self._answers = answers
        self.queries: list[str] = []
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._socket.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            query, sender = self._socket.recvfrom(4096)
            if query == b"stop":
                return
            message = dns.message.from_wire(query)
            answer = self._answer(message)
            if answer is not None:
                self._socket.sendto(answer.to_wire(), sender)

    def _answer(self, query: dns.message.Message) -> dns.message.Message | None:
        question = query.question[0]
        name = question.name.to_text(omit_final_dot=True)
        answer = dns.message.make_response(query)
        if question.rdtype != dns.rdatatype.A:
            return answer
        self.queries.append(name)
        answers = self._answers.get(name)
        if answers is None:
            return None  # Silence: the resolver runs into its time limit.
        addresses = answers.pop(0) if len(answers) > 1 else answers[0]
        if addresses:
            answer.answer.append(dns.rrset.from_text_list(question.name, 0, "IN", "A", addresses))
        return answer

    def stop(self) -> None:
        """End the thread and free the port."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.sendto(b"stop", self._socket.getsockname())
        self._thread.join()
        self._socket.close()


@contextmanager
def run_name_server(answers: dict[str, list[list[str]]]) -> Iterator[NameServer]:
    """Run a name server until the block ends."""
    server = NameServer(answers)
    try:
        yield server
    finally:
        server.stop()


def make_certificate(
    folder: Path, *names: str, until: datetime.datetime | None = None
) -> tuple[Path, Path]:
    """Write a certificate that signs itself, and its key; return both files.

    It is valid for a hundred years, or `until` a moment.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    start = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    alternatives = [
        *(x509.DNSName(name) for name in names),
        x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
    ]
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(until or start + datetime.timedelta(days=36_500))
        .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    files = folder / "certificate.pem", folder / "key.pem"
    files[0].write_bytes(certificate.public_bytes(Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
    )
    return files


class Receiver:
    """An HTTPS server that writes down what it gets and answers what a function says."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self._server = server
        self.requests: list[tuple[str, dict[str, str], bytes]] = []
        self.connections = 0

    @property
    def port(self) -> int:
        """Return the port it listens on, on 127.0.0.1."""
        return int(self._server.server_address[1])


Answer = Callable[[BaseHTTPRequestHandler], None]


def answer_plainly(handler: BaseHTTPRequestHandler) -> None:
    """Answer 200 and two bytes."""
    handler.send_response(200)
    handler.send_header("Content-Length", "2")
    handler.end_headers()
    handler.wfile.write(b"ok")


@contextmanager
def run_receiver(
    certificate: tuple[Path, Path], answer: Answer = answer_plainly
) -> Iterator[Receiver]:
    """Run a receiver until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            receiver.connections += 1
            super().setup()

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.requests.append((self.path, dict(self.headers), body))
            answer(self)

        def log_message(self, *_: Any) -> None:
            """Write nothing: the test reads `requests`."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: Any) -> None:
            """Write nothing: a client that goes away early is what some tests are about."""

    server = Server(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    server.socket = context.wrap_socket(
        server.socket, server_side=True, do_handshake_on_connect=False
    )
    receiver = Receiver(server)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
