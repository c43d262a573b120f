"""The refusals of the ledger as problems."""

from __future__ import annotations

import logging

from flask import Flask, Response
from redis.exceptions import ConnectionError as StoreUnreachable
from redis.exceptions import TimeoutError as StoreTooSlow

from cartulary.events.errors import Refused, UnknownEvent
from cartulary.service.http.observe import request_id
from cartulary.service.http.problems import KINDS, Problem

log = logging.getLogger("cartulary.service")

UPGRADE_S = 30
"""After this many seconds a client may repeat a request that an old process cannot answer."""


def register(app: Flask) -> None:
    """Answer what the ledger refuses with a problem of the same code."""
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(UnknownEvent, _not_known_yet)
    app.register_error_handler(StoreUnreachable, _unavailable)
    app.register_error_handler(StoreTooSlow, _unavailable)


def _refused(error: Refused) -> Response:
    return Problem(error.code, str(error) or KINDS[error.code].title, **error.members()).response()


def _unavailable(error: Exception) -> Response:
    log.error("store unavailable", exc_info=error, extra={"request_id": request_id()})
    return Problem(
        "unavailable",
        "the store cannot be reached; repeat a write with the same Idempotency-Key only",
        headers={"Retry-After": "1"},
    ).response()


def _not_known_yet(error: UnknownEvent) -> Response:
    """Answer for a game that a newer release has written to: this process waits for its upgrade."""
    log.error("game not readable: %s", error, extra={"request_id": request_id()})
    return Problem(
        error.code,
        "a newer release of the service has written to this game; repeat the request later",
        headers={"Retry-After": str(UPGRADE_S)},
    ).response()
