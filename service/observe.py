"""What is noted about every request: its id, the metrics, a line in the log."""

from __future__ import annotations

import re
from random import getrandbits
from time import perf_counter

from flask import Flask, Response, g, request

from service.logs import REQUESTS
from service.metrics import Metrics

_ID = re.compile(r"[A-Za-z0-9._-]{1,128}", re.ASCII)
UNROUTED = "-"


def register(app: Flask, metrics: Metrics, log_requests: bool) -> None:
    """Note every request of the app."""

    def begin() -> None:
        given = request.environ.get("HTTP_X_REQUEST_ID")
        noted = g._get_current_object()
        noted.request_id = given if given and _ID.fullmatch(given) else f"{getrandbits(64):016x}"
        noted.started = perf_counter()

    def end(answer: Response) -> Response:
        # Every use of `g` and `request` looks the current one up again; once is enough here.
        noted = g._get_current_object()
        asked = request._get_current_object()  # type: ignore[attr-defined]
        answer.headers["X-Request-Id"] = noted.request_id
        seconds = perf_counter() - noted.started
        rule = asked.url_rule
        route = UNROUTED if rule is None else rule.rule
        metrics.request(asked.method, route, answer.status_code, seconds)
        if log_requests:
            REQUESTS.add(
                request_id=noted.request_id,
                method=asked.method,
                path=asked.path,
                route=route,
                status=answer.status_code,
                ms=round(seconds * 1000, 2),
                player=noted.get("player_id"),
                remote=asked.remote_addr,
            )
        return answer

    app.before_request(begin)
    app.after_request(end)
