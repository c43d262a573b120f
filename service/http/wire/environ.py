"""The WSGI environment of a request."""

from __future__ import annotations

from typing import Any

Environ = dict[str, Any]


def is_plain_json(environ: Environ) -> bool:
    """Return whether a body calls itself JSON in the form that nearly all clients send.

    The event loop has no request of Flask, which would parse the header.
    """
    return environ.get("CONTENT_TYPE") in _PLAIN_JSON and "HTTP_CONTENT_ENCODING" not in environ


_PLAIN_JSON = frozenset(
    f"application/json{more}"
    for more in ("", "; charset=utf-8", ";charset=utf-8", "; charset=UTF-8", ";charset=UTF-8")
)
