"""Reading an address that a person gave."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urlsplit

from cartulary.notices.egress.errors import TargetRefused
from cartulary.notices.egress.policy import EgressPolicy

MOST_LETTERS: Final = 2048
PRINTABLE: Final = re.compile(r"[\x21-\x5b\x5d-\x7e]+")
"""What a URI consists of (RFC 3986): no space, no control character. A backslash is read as a slash
by some programs and not by others, so the host would be in doubt."""


@dataclass(frozen=True, slots=True)
class Target:
    """An https address: `host` in ASCII and without brackets, `path` with its query."""

    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """Return host and port as they stand in the header `Host`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == 443 else f"{host}:{self.port}"

    def __str__(self) -> str:
        """Return the address as one line."""
        return f"https://{self.authority}{self.path}"


def read_target(url: str, policy: EgressPolicy) -> Target:
    """Read an address; it is not resolved yet.

    Raises:
        TargetRefused: not https, a name and password in it, a port that is not allowed, a host that
            cannot be one, or too long.
    """
    parts = _split(url)
    if parts.scheme != "https":
        raise TargetRefused("https_needed", "The address must begin with https://.")
    if "@" in parts.netloc:
        raise TargetRefused("userinfo", "The address must not contain a name or a password.")
    port = _read_port(parts)
    if not policy.allows_port(port):
        raise TargetRefused("port", f"The port must be 443 or 8443, not {port}.")
    path = parts.path or "/"
    return Target(_read_host(parts), port, f"{path}?{parts.query}" if parts.query else path)


def _split(url: str) -> SplitResult:
    if len(url) > MOST_LETTERS:
        raise TargetRefused("too_long", f"The address is longer than {MOST_LETTERS} letters.")
    if not PRINTABLE.fullmatch(url):
        raise TargetRefused("unreadable", "The address contains a letter that no address has.")
    try:
        return urlsplit(url)
    except ValueError as error:
        raise TargetRefused("unreadable", "The address cannot be read.") from error


def _read_port(parts: SplitResult) -> int:
    try:
        return 443 if parts.port is None else parts.port
    except ValueError as error:
        raise TargetRefused("port", "The port of the address cannot be read.") from error


def _read_host(parts: SplitResult) -> str:
    host = (parts.hostname or "").rstrip(".")
    if not host or len(host) > 253 or "%" in host:
        raise TargetRefused("host", "The address has no host.")
    return host
