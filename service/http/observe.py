"""What is noted about every request: its id, the metrics, a line in the log."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from random import getrandbits
from time import perf_counter
from typing import Any

from flask import request

from cartulary.service.process.logs import REQUESTS
from cartulary.service.process.metrics import Metrics

REQUEST_ID = "cartulary.request_id"
"""Where in the WSGI environment the id of the request is found."""
PLAYER = "cartulary.player"
"""Where a view leaves the id of the player who calls."""

OTHER = "-"
"""Stands for every path and method that is none of ours: strangers must not make up labels."""
_METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH"})
_ID = re.compile(r"[A-Za-z0-9._-]{1,128}", re.ASCII)

Environ = dict[str, Any]
Start = Callable[..., Any]
Wsgi = Callable[[Environ, Start], Iterable[bytes]]


def choose_id(given: str | None) -> str:
    """Return the id of a request: the caller's, when it has the form of one, else a new one."""
    return given if given and _ID.fullmatch(given) else f"{getrandbits(64):016x}"


def request_id() -> str:
    """Return the id of this request."""
    return str(request.environ[REQUEST_ID])


class Observer:
    """Notes every request to an app, from outside of it: what it refuses or fails at as well."""

    def __init__(self, app: Wsgi, metrics: Metrics, log_requests: bool) -> None:
        self._app, self._metrics, self._log_requests = app, metrics, log_requests

    def __call__(self, environ: Environ, start_response: Start) -> Iterable[bytes]:
        """Answer as the app does, with `X-Request-Id`."""
        started = perf_counter()
        environ[REQUEST_ID] = name = choose_id(environ.get("HTTP_X_REQUEST_ID"))

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            headers.append(("X-Request-Id", name))
            self._note(environ, int(status[:3]), perf_counter() - started)
            return start_response(status, headers, *more)

        return self._app(environ, start)

    def _note(self, environ: Environ, status: int, seconds: float) -> None:
        asked = environ.get("werkzeug.request")
        rule = None if asked is None else asked.url_rule
        route = OTHER if rule is None else rule.rule
        method = environ["REQUEST_METHOD"]
        self._metrics.request(method if method in _METHODS else OTHER, route, status, seconds)
        if self._log_requests:
            REQUESTS.add(
                {
                    "request_id": environ[REQUEST_ID],
                    "method": method,
                    "path": OTHER if asked is None else asked.path,
                    "route": route,
                    "status": status,
                    "ms": round(seconds * 1000, 2),
                    "player": environ.get(PLAYER),
                    "remote": environ.get("REMOTE_ADDR"),
                }
            )
