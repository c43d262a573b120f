"""The operator's mail server: a connection that is kept for a while, and answers within bounds.

`smtplib` blocks, so a thread of its own calls this. Its limit holds for each answer: a server that
sends a byte now and then is ended by a timer.
"""

from __future__ import annotations

import smtplib
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Timer
from typing import Final, Literal, NamedTuple
from urllib.parse import urlsplit

from cartulary.notices.mail.settings import MailSettings

ANSWER_S: Final = 10.0
"""Seconds for one answer of the server; for the one to the whole mail it has what is left of
`MAIL_S`: a server that looks at mails for long would else get each of them twice (RFC 1047)."""

MAIL_S: Final = 30.0
"""Seconds for a connection and one mail: less than the lease of a delivery."""

MailStage = Literal["sender", "recipient", "content"]


class MailReply(NamedTuple):
    """The answer that decided about a mail: code, enhanced code (RFC 3463) or '', to what."""

    code: int
    enhanced: str
    stage: MailStage

    @property
    def accepted(self) -> bool:
        """Say whether the server has taken the mail."""
        return self.stage == "content" and 200 <= self.code < 300

    @property
    def is_address_dead(self) -> bool:
        """Say whether the server refuses this recipient for good.

        X.7 is about the policy of servers, and codes below 550 about commands: then the operator
        has something to mend, not the player.
        """
        refuses = self.stage == "recipient" and 550 <= self.code < 560
        return refuses and not self.enhanced.startswith("5.7.")


class MailServerSilent(OSError):
    """The server was not reached, did not answer in time, or did not let us in."""


class _Conversation(smtplib.SMTP):
    """Speaks on a socket that is connected already.

    The constructor reads the greeting, before which `smtplib` would not show a socket of its own.
    """

    def __init__(self, connected: socket.socket, host: str, own: str) -> None:
        self._connected = connected
        super().__init__(host, local_hostname=own)

    def connect(
        self,
        host: str = "",
        port: int = 0,
        source_address: object = None,
    ) -> tuple[int, bytes]:
        """Return the greeting; the constructor calls this."""
        self.sock, self.file = self._connected, None
        return self.getreply()


class MailServer:
    """Sends mails one after the other; for one thread. `abort` and `interrupt` are for others."""

    def __init__(self, settings: MailSettings) -> None:
        self._settings = settings
        self._connection: smtplib.SMTP | None = None
        self._line: socket.socket | None = None
        self._is_given_up = False
        self._stage: MailStage = "sender"

    def send(self, to: str, mail: bytes) -> MailReply:
        """Send a mail; raises `MailServerSilent`."""
        try:
            with self._bound():
                return self._talk(self._find_connection(), to, mail)
        except (OSError, smtplib.SMTPException, ValueError) as error:
            self._drop()
            raise MailServerSilent(
                _explain(TimeoutError() if self._is_given_up else error)
            ) from error
        finally:
            self._stage = "sender"

    def close(self) -> None:
        """End the connection politely."""
        if self._connection is not None:
            with suppress(OSError, smtplib.SMTPException), self._bound():
                self._connection.quit()
        self._drop()

    def abort(self) -> None:
        """End the connection at once: whatever waits for an answer gets an error."""
        self._is_given_up = True
        line = self._line
        if line is not None:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def interrupt(self) -> None:
        """End the connection at once, unless the server may take a mail just now.

        Without its answer that mail would be sent a second time.
        """
        if self._stage != "content":
            self.abort()

    @contextmanager
    def _bound(self) -> Iterator[None]:
        """End the connection when the block takes longer than `MAIL_S`."""
        self._is_given_up = False
        timer = Timer(MAIL_S, self.abort)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _talk(self, connection: smtplib.SMTP, to: str, mail: bytes) -> MailReply:
        steps: list[tuple[MailStage, Callable[[], tuple[int, bytes]]]] = [
            ("sender", lambda: connection.mail(self._settings.sender)),
            ("recipient", lambda: connection.rcpt(to)),
            ("content", lambda: _give(connection, mail)),
        ]
        reply = MailReply(0, "", "sender")
        for stage, ask in steps:
            self._stage = stage
            code, text = ask()
            reply = MailReply(code, _read_enhanced(text), stage)
            if not 200 <= code < 300:
                # A server may hang up with its refusal: what it has said counts.
                with suppress(OSError, smtplib.SMTPException):
                    connection.rset()
                break
        return reply

    def _find_connection(self) -> smtplib.SMTP:
        """Return the connection of before where it still answers, else another."""
        if self._connection is not None and not self._answers(self._connection):
            self._drop()
        return self._connection or self._connect()

    @staticmethod
    def _answers(connection: smtplib.SMTP) -> bool:
        try:
            return connection.noop()[0] == 250
        except (OSError, smtplib.SMTPException):
            return False

    def _connect(self) -> smtplib.SMTP:
        settings = self._settings
        # Named, because `smtplib` else asks a name server for the name of this machine.
        own = urlsplit(settings.public_url).hostname or "localhost"
        made = _Conversation(self._reach(), settings.host, own)
        self._connection = made
        made.ehlo_or_helo_if_needed()
        if settings.security == "starttls":
            made.starttls(context=self._trust())
            made.ehlo()
        if settings.user:
            made.login(settings.user, settings.password)
        return made

    def _reach(self) -> socket.socket:
        """Return a socket that is connected; from here on `abort` ends whatever waits on it."""
        settings = self._settings
        connected = socket.create_connection((settings.host, settings.port), ANSWER_S)
        # TLS takes a socket over, and shows its own after the handshake: a second handle on the
        # same connection stays valid all the time.
        self._line = connected.dup()
        if self._is_given_up:  # before there was a handle
            connected.close()
            raise TimeoutError
        if settings.security == "tls":
            return self._trust().wrap_socket(connected, server_hostname=settings.host)
        return connected

    def _trust(self) -> ssl.SSLContext:
        """Return the authorities that the server's certificate has to be of."""
        return ssl.create_default_context(cafile=self._settings.certificates or None)

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        line, self._line = self._line, None
        for one in (connection, line):
            if one is not None:
                one.close()


def _give(connection: smtplib.SMTP, mail: bytes) -> tuple[int, bytes]:
    assert connection.sock is not None
    connection.sock.settimeout(MAIL_S)
    try:
        return connection.data(mail)
    except smtplib.SMTPDataError as error:
        text = error.smtp_error
        return error.smtp_code, text if isinstance(text, bytes) else text.encode()
    finally:
        if connection.sock is not None:
            connection.sock.settimeout(ANSWER_S)


def _read_enhanced(text: bytes) -> str:
    """Return the enhanced status code that a reply begins with, '' without."""
    first = text.split(b" ", 1)[0].decode("ascii", "replace")
    parts = first.split(".")
    return first if len(parts) == 3 and all(part.isdecimal() for part in parts) else ""


def _explain(error: Exception) -> str:
    """Return what the operator and the player may know; answers of a server may hold secrets."""
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return "the mail server does not accept the user or the password"
    if isinstance(error, smtplib.SMTPResponseException):
        return f"the mail server has answered {error.smtp_code}"
    if isinstance(error, ssl.SSLError):
        return "the mail server has no certificate that is trusted, or speaks no TLS"
    if isinstance(error, smtplib.SMTPNotSupportedError):
        return "the mail server does not offer what the settings ask for"
    return "the mail server does not answer"
