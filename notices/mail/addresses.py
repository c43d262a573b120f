"""Addresses of e-mail as a person writes them: one plain address, or a reason why not.

What is allowed is less than RFC 5321 allows: quoted names, comments, literals and lists have no use
for a person, and are what injected headers are made of.
"""

from __future__ import annotations

import re
from typing import Final

MOST_LETTERS: Final = 254
"""RFC 5321, section 4.5.3.1.3: a path has 256 octets, of which two are its brackets."""

MOST_OF_NAME: Final = 64

_NAME: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LABEL: Final = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


class InvalidAddress(ValueError):
    """A text is no address of e-mail that can be written to; the text says why."""


def read_address(text: str) -> str:
    """Return an address as it is stored and written to; raises `InvalidAddress`.

    The host is in small letters; one with letters beyond ASCII is in punycode (RFC 5890).
    """
    name, at, host = text.strip(" ").rpartition("@")
    if not at or not name or not host:
        raise InvalidAddress("must be an e-mail address like ada@example.org")
    if not name.isascii():
        raise InvalidAddress("may have letters beyond ASCII after the @ only")
    if not _NAME.fullmatch(name):
        raise InvalidAddress("must be one address, without quotes, blanks and commas")
    if len(name) > MOST_OF_NAME:
        raise InvalidAddress(f"may have {MOST_OF_NAME} letters before the @")
    address = f"{name}@{_read_host(host)}"
    if len(address) > MOST_LETTERS:
        raise InvalidAddress(f"may have {MOST_LETTERS} letters")
    return address


def _read_host(text: str) -> str:
    try:
        host = text.encode("idna").decode().lower()
    except UnicodeError as error:
        raise InvalidAddress("must have the name of a host after the @") from error
    labels = host.split(".")
    # A host that ends with a number is an address in digits, not a name (RFC 3696, section 2).
    if len(labels) < 2 or labels[-1].isdigit() or not all(map(_LABEL.fullmatch, labels)):
        raise InvalidAddress("must have the name of a host after the @")
    return host
