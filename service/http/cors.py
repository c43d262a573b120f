"""Allow requests from pages of other origins (CORS).

A token travels in a header that a page sets itself, never in a cookie. So a browser adds no
credentials of its own, and any origin may be allowed.

flask-cors documents only its extension, which adds these headers to every answer. Its functions in
`flask_cors.core` let the service skip the answers that need none; `pyproject.toml` bounds the
version, and `tests/test_borrowed.py` fails when an upgrade changes these functions.
"""

from __future__ import annotations

from collections.abc import Sequence

from flask import Flask, Response
from flask_cors.core import get_cors_options, set_cors_headers

from cartulary.service.shortcuts import environ, needs_cors

EXPOSED = (
    *("ETag", "Location", "Idempotency-Replayed", "Preference-Applied", "Retry-After"),
    *("RateLimit", "RateLimit-Policy", "X-Request-Id"),
)
ALLOWED = (
    *("Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match"),
    *("Last-Event-ID", "Prefer", "X-Request-Id"),
)
METHODS = ("GET", "HEAD", "POST", "DELETE", "OPTIONS")


def register(app: Flask, origins: Sequence[str]) -> None:
    """Let pages of these origins (`*`: of all) call the app."""
    options = get_cors_options(
        app,
        {
            "origins": list(origins),
            "methods": list(METHODS),
            "allow_headers": list(ALLOWED),
            "expose_headers": list(EXPOSED),
            "max_age": 600,
            "send_wildcard": True,
        },
    )
    allows_all = "*" in origins

    def allow(answer: Response) -> Response:
        if needs_cors(environ()):
            set_cors_headers(answer, options)
            if not allows_all:
                answer.vary.add("Origin")
        return answer

    app.after_request(allow)
