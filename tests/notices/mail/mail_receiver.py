"""A real SMTP server on this machine: it writes down what it gets, and refuses on demand."""

from __future__ import annotations

import base64
import socketserver
import ssl
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path


class MailReceiver:
    """What an SMTP server was sent.

    `replies` are answers in place of the usual one, by command; `.` is that to the whole mail. It
    does not answer a command in `stalls`, nor go through the `handshake` or say the `greeting`.
    """

    def __init__(self, certificate: tuple[Path, Path] | None, implicit: bool) -> None:
        self.mails: list[tuple[str, str, bytes]] = []
        self.logins: list[str] = []
        self.connections = 0
        self.stalls: set[str] = set()
        self.stalled = threading.Event()
        self.replies: defaultdict[str, list[str]] = defaultdict(list)
        self.context: ssl.SSLContext | None = None
        if certificate is not None:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(*certificate)
        self.implicit = implicit
        self.port = 0
        self.released = threading.Event()

    def read(self, number: int = -1) -> EmailMessage:
        """Return a mail as a program for mail reads it."""
        found = message_from_bytes(self.mails[number][2], policy=policy.default)
        assert isinstance(found, EmailMessage)
        return found


class _Handler(socketserver.StreamRequestHandler):
    receiver: MailReceiver

    def setup(self) -> None:
        self.receiver.connections += 1
        if self.receiver.implicit:
            self._secure()
        super().setup()

    def handle(self) -> None:
        self._stall("greeting")
        self._say("220 mail.example")
        sender = to = ""
        while line := self.rfile.readline().decode().strip():
            verb, _, rest = line.partition(" ")
            verb = verb.upper()
            self._stall(verb)
            if prepared := self.receiver.replies[verb]:
                self._say(prepared.pop(0))
            elif verb == "EHLO":
                offers = [
                    "mail.example",
                    "AUTH PLAIN",
                    "8BITMIME",
                    *(["STARTTLS"] if self._may_secure() else []),
                ]
                self._say("\r\n".join(f"250-{one}" for one in offers) + "\r\n250 HELP")
            elif verb == "STARTTLS":
                self._say("220 go ahead")
                self._secure()
                super().setup()
            elif verb == "AUTH":
                self.receiver.logins.append(base64.b64decode(rest.split()[1]).decode())
                self._say("235 welcome")
            elif verb == "DATA":
                self._say("354 go ahead")
                self.receiver.mails.append((sender, to, self._read_mail()))
                self._say(
                    self.receiver.replies["."].pop(0) if self.receiver.replies["."] else "250"
                )
            elif verb == "QUIT":
                self._say("221 bye")
                return
            else:
                sender = rest if verb == "MAIL" else sender
                to = rest if verb == "RCPT" else to
                self._say("250 fine")

    def _stall(self, what: str) -> None:
        if what in self.receiver.stalls:
            self.receiver.stalled.set()
            self.receiver.released.wait(60)

    def _may_secure(self) -> bool:
        return self.receiver.context is not None and not self.receiver.implicit

    def _secure(self) -> None:
        assert self.receiver.context is not None
        self._stall("handshake")
        self.request = self.receiver.context.wrap_socket(self.request, server_side=True)

    def _read_mail(self) -> bytes:
        lines = list[bytes]()
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
        return b"".join(lines)

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, *_: object) -> None:
        """Write nothing: a client that does not trust the certificate is what a test is about."""


@contextmanager
def run_mail_receiver(
    certificate: tuple[Path, Path] | None = None, implicit: bool = False
) -> Iterator[MailReceiver]:
    """Run a server until the block ends; with a certificate it offers STARTTLS, or speaks TLS."""
    receiver = MailReceiver(certificate, implicit)
    handler = type("Handler", (_Handler,), {"receiver": receiver})
    with _Server(("127.0.0.1", 0), handler) as server:
        receiver.port = int(server.server_address[1])
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield receiver
        finally:
            receiver.released.set()
            server.shutdown()
            thread.join()
