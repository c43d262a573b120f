"""A mail from its parts: headers that no text can break, plain text, and the same in HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate
from html import escape
from typing import NamedTuple

from cartulary.notices.mail.settings import MailSettings


class MailLine(NamedTuple):
    """A line of a mail, with the address that it leads to, or ''."""

    text: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Letter:
    """What a mail says. `id` names it, the same for each attempt; `at` in seconds since 1970.

    `unsubscribe` is the address that ends mails with one POST (RFC 8058), '' for none. `foot` are
    lines in small print.
    """

    id: str
    to: str
    at: int
    language: str
    subject: str
    lines: Sequence[MailLine]
    foot: Sequence[MailLine]
    unsubscribe: str = ""

    def write(self, settings: MailSettings) -> bytes:
        """Return the mail as SMTP takes it. Raises `ValueError` for a header with a line break."""
        mail = EmailMessage(policy=SMTP)
        name, _, host = settings.sender.rpartition("@")
        mail["From"] = Address(settings.sender_name, name, host)
        mail["To"] = Address("", *_split(self.to))
        mail["Subject"] = self.subject
        mail["Date"] = formatdate(self.at)
        mail["Message-ID"] = f"<{self.id}@{host}>"
        mail["Content-Language"] = self.language
        # No program answers it with "I am on vacation" (RFC 3834).
        mail["Auto-Submitted"] = "auto-generated"
        # Few servers need it, but none may get bytes above 127 without having offered them.
        mail.set_content(self._write_text(), cte="quoted-printable")
        mail.add_alternative(self._write_html(), subtype="html", cte="quoted-printable")
        return self._write_unsubscribing() + mail.as_bytes()

    def _write_unsubscribing(self) -> bytes:
        """Return the headers of RFC 8058; `email` would encode a link longer than a line."""
        link = self.unsubscribe
        if not link:
            return b""
        if not link.isascii() or not link.isprintable() or {*"<> "} & {*link}:
            raise ValueError("a link in a header must be an address")
        return (
            f"List-Unsubscribe: <{link}>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"
        ).encode()

    def _write_text(self) -> str:
        blocks = [f"{line.text}\n{line.url}".rstrip("\n") for line in self.lines]
        foot = [f"{line.text}\n{line.url}".rstrip("\n") for line in self.foot]
        return "\n\n".join(blocks) + "\n\n-- \n" + "\n".join(foot) + "\n"

    def _write_html(self) -> str:
        body = "".join(f"<p>{_link(line)}</p>" for line in self.lines)
        foot = "<br>".join(_link(line) for line in self.foot)
        return (
            f'<!doctype html><html lang="{escape(self.language)}"><head><meta charset="utf-8">'
            f"<title>{escape(self.subject)}</title></head>"
            f'<body style="font-family:sans-serif;line-height:1.5">{body}'
            f'<p style="color:#666;font-size:smaller">{foot}</p></body></html>'
        )


def _split(address: str) -> tuple[str, str]:
    name, _, host = address.rpartition("@")
    return name, host


def _link(line: MailLine) -> str:
    text = escape(line.text)
    return f'<a href="{escape(line.url)}">{text}</a>' if line.url else text
