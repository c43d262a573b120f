"""Observe every request: its id, the metrics, a line in the log, and headers on every answer.

The headers keep a browser from doing with an answer what it is not meant for; what a page needs
(`api.site`) it sets itself, and it stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import getrandbits
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from flask import request

from cartulary.events.tracing import spans
from cartulary.service.http.wire.environ import Environ
from cartulary.service.process.logs import REQUESTS
from cartulary.service.process.metrics import Metrics

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication

REQUEST_ID = "cartulary.request_id"
"""The key of the id of the request in the WSGI environment."""
PLAYER = "cartulary.player"
"""The key of the id of the player who calls, once the token has been read."""

ROUTE = "cartulary.route"
"""The key of the route of a request that is answered without Flask."""

SPAN = "cartulary.span"
"""The key of the span of the request, which is there with traces alone."""

HELD = "cartulary.held"
"""Set by a view whose answer is not known yet: the request comes back, and is noted then."""

OTHER = "-"
"""Stands for every unknown path and method: otherwise strangers could invent labels without end."""
_METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH"})
_ID = re.compile(r"[A-Za-z0-9._-]{1,128}", re.ASCII)


POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"
)
"""The Content-Security-Policy of answers that set none: data, and pictures with their styles."""

NOSNIFF: Final = ("X-Content-Type-Options", "nosniff")
TLS_ONLY: Final = ("Strict-Transport-Security", "max-age=31536000")
"""Only over TLS: without it browsers must ignore the header (RFC 6797, 8.1)."""

_OF_PAGES: Final = (("Content-Security-Policy", POLICY), ("Referrer-Policy", "no-referrer"))
ALWAYS: Final = (NOSNIFF, *_OF_PAGES)


def choose_id(given: str | None) -> str:
    """Return the id that the caller gave, when it has the form of an id, else a new id."""
    return given if given and _ID.fullmatch(given) else f"{getrandbits(64):016x}"


def request_id() -> str:
    """Return the id of this request."""
    return str(request.environ[REQUEST_ID])


class Observer:
    """Observes every request to an app from outside, refused and failed requests as well."""

    def __init__(self, app: WSGIApplication, metrics: Metrics, log_requests: bool) -> None:
        self._app, self._metrics, self._log_requests = app, metrics, log_requests

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answer as the app does, with `X-Request-Id` and the headers that protect a browser."""
        started = perf_counter()
        environ[REQUEST_ID] = name = choose_id(environ.get("HTTP_X_REQUEST_ID"))

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            headers.append(("X-Request-Id", name))
            protect(headers, environ["wsgi.url_scheme"])
            if HELD in environ:
                return start_response(status, headers, *more)
            self._note(environ, int(status[:3]), perf_counter() - started)
            return start_response(status, headers, *more)

        if spans.on:
            # Flask goes on with the span of a request that the event loop could not answer.
            span = environ.get(SPAN) or spans.begin("request", "server", request_id=name)
            if span is not None:
                environ[SPAN] = span
                with spans.use(span):
                    return self._app(environ, start)
        return self._app(environ, start)

    def _note(self, environ: Environ, status: int, seconds: float) -> None:
        request = environ.get("werkzeug.request")
        if request is None:
            route, path = (
                environ.get(ROUTE, OTHER),
                environ["PATH_INFO"] if ROUTE in environ else OTHER,
            )
        else:
            route, path = OTHER if request.url_rule is None else request.url_rule.rule, request.path
        method = environ["REQUEST_METHOD"]
        label = method if method in _METHODS else OTHER
        self._metrics.observe_request(label, route, status, seconds)
        span = environ.get(SPAN)
        if span is not None:
            span.end(**{"http.route": f"{label} {route}", "http.response.status_code": status})
        if self._log_requests:
            REQUESTS.add(
                {
                    "request_id": environ[REQUEST_ID],
                    "method": method,
                    "path": path,
                    "route": route,
                    "status": status,
                    "ms": round(seconds * 1000, 2),
                    "player": environ.get(PLAYER),
                    "remote": environ.get("REMOTE_ADDR"),
                    **({} if span is None else {"trace_id": span.trace_id}),
                }
            )


def protect(headers: list[tuple[str, str]], scheme: str) -> None:
    """Add the headers of protection to those of an answer; `scheme` is `http` or `https`."""
    present = {name for name, _ in headers}
    headers += [header for header in ALWAYS if header[0] not in present]
    if scheme == "https":
        headers.append(TLS_ONLY)


def write_headers() -> str:
    """Return the lines for an answer that the server writes without the app."""
    return "".join(f"{name}: {value}\r\n" for name, value in ALWAYS)
