"""Requests from pages of other origins (CORS), which may call everything below `/api`.

Tokens travel in a header that a page has to set itself, never in a cookie, so there are no
credentials that a browser would add, and any origin may be allowed.
"""

from __future__ import annotations

from collections.abc import Sequence

from flask import Flask, Response, request
from flask_cors.core import get_cors_options, set_cors_headers

EXPOSED = ("ETag", "Location", "Idempotency-Replayed", "Retry-After", "X-Request-Id")
ALLOWED = (
    *("Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match"),
    *("Last-Event-ID", "X-Request-Id"),
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

    anybody = "*" in origins

    def allow(answer: Response) -> Response:
        # What may be kept in a cache must be good for whoever asks next, from a page or not. A
        # write from elsewhere than a page needs none of this, so it is spared the time.
        asked = request._get_current_object()  # type: ignore[attr-defined]
        if "HTTP_ORIGIN" in asked.environ or asked.method in ("GET", "HEAD"):
            set_cors_headers(answer, options)
            if not anybody:
                answer.vary.add("Origin")
        return answer

    app.after_request(allow)
