"""How the operator's mail server is reached. Light to import: each web process reads it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parseaddr
from pathlib import Path
from typing import Final, Literal, Self
from urllib.parse import urlsplit

from cartulary.notices.mail.addresses import InvalidAddress, read_address

Security = Literal["tls", "starttls", "none"]

_SCHEMES: Final[Mapping[str, tuple[Security, int]]] = {
    "smtps": ("tls", 465),
    "smtp+starttls": ("starttls", 587),
    "smtp": ("none", 25),
}
"""The schemes of an address lead to what secures the connection, and the usual port."""

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class MailSettings:
    """The server, how to sign in, and from whom mails are.

    `certificates` is a file in PEM with the authorities of the server, '' for those of the system.
    `public_url` is the address of the service, which the links of each mail begin with.
    """

    host: str
    port: int
    security: Security
    sender: str
    sender_name: str
    public_url: str
    user: str = ""
    password: str = field(default="", repr=False)
    certificates: str = ""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self | None:
        """Read `CARTULARY_SMTP_URL|FROM|USER|PASSWORD_FILE|CA` and `CARTULARY_PUBLIC_URL`.

        Returns None without `CARTULARY_SMTP_URL`: then the service sends no e-mail. Raises
        `ValueError`, which names the variable and shows no password.
        """
        url = environment.get("CARTULARY_SMTP_URL", "")
        if not url:
            return None
        host, port, security = _read_url(url)
        sender_name, sender = _read_sender(environment.get("CARTULARY_SMTP_FROM", ""))
        public_url = environment.get("CARTULARY_PUBLIC_URL", "").rstrip("/")
        if not public_url:
            raise ValueError("CARTULARY_SMTP_URL needs CARTULARY_PUBLIC_URL, for links in e-mails")
        user = environment.get("CARTULARY_SMTP_USER", "")
        if user and security == "none":
            raise ValueError("CARTULARY_SMTP_USER needs smtps:// or smtp+starttls://")
        password = _read_password(environment.get("CARTULARY_SMTP_PASSWORD_FILE", ""), user)
        certificates = environment.get("CARTULARY_SMTP_CA", "")
        return cls(
            *(host, port, security, sender, sender_name, public_url, user, password, certificates)
        )

    def show(self) -> str:
        """Return the server for the operator, without what signs in."""
        return f"{self.host}:{self.port} ({self.security})"


def _read_url(url: str) -> tuple[str, int, Security]:
    wrong = ValueError(
        "CARTULARY_SMTP_URL must be smtps://HOST:PORT, smtp+starttls://HOST:PORT or "
        "smtp://HOST:PORT, without a name and password"
    )
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise wrong from None
    known = _SCHEMES.get(parts.scheme)
    if known is None or not parts.hostname or "@" in parts.netloc or parts.path.strip("/"):
        raise wrong
    security, usual = known
    return parts.hostname, port or usual, security


def _read_sender(text: str) -> tuple[str, str]:
    """Return the name and the address of `Cartulary <games@example.org>`."""
    name, address = parseaddr(text)
    try:
        if not _CONTROL.search(text):
            return name, read_address(address)
    except InvalidAddress:
        pass
    raise ValueError(
        "CARTULARY_SMTP_FROM must be an address like Cartulary <games@example.org>, "
        "from which e-mails are sent"
    )


def _read_password(file: str, user: str) -> str:
    if not user:
        return ""
    try:
        return Path(file).read_text("utf-8").strip()
    except OSError as error:
        raise ValueError(
            "CARTULARY_SMTP_PASSWORD_FILE must name a file with the password of "
            f"CARTULARY_SMTP_USER: {error.strerror}"
        ) from None
