"""Headers that keep a browser from doing with an answer what it is not meant for.

They are on every answer: what a page of its own needs (`api.site`) it sets
itself, and it stays.
"""

from __future__ import annotations

from typing import Final

POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"
)
"""The Content-Security-Policy of answers that set none: data, and pictures with their styles."""

NOSNIFF: Final = ("X-Content-Type-Options", "nosniff")
TLS_ONLY: Final = ("Strict-Transport-Security", "max-age=31536000")
"""Only over TLS: without it browsers must ignore the header (RFC 6797, 8.1)."""

_OF_PAGES: Final = (("Content-Security-Policy", POLICY), ("Referrer-Policy", "no-referrer"))
ALWAYS: Final = (NOSNIFF, *_OF_PAGES)


def protect(headers: list[tuple[str, str]], scheme: str) -> None:
    """Add the headers of protection to those of an answer; `scheme` is `http` or `https`."""
    present = {name for name, _ in headers}
    headers += [header for header in ALWAYS if header[0] not in present]
    if scheme == "https":
        headers.append(TLS_ONLY)


def write_headers() -> str:
    """Return the lines for an answer that the server writes without the app."""
    return "".join(f"{name}: {value}\r\n" for name, value in ALWAYS)
