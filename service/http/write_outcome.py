"""What a request has changed, and in words for the client what a failed one may have changed.

After a stored event nothing may fail the answer: what merely comes with it is left out instead.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from flask import current_app, request

from cartulary.events.commands.commands import Written
from cartulary.service.http.operations import operation_of
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.environ import Environ
from cartulary.service.http.wire.observer import REQUEST_ID

Made = TypeVar("Made")

log = logging.getLogger("cartulary.service")

_STORED = "cartulary.stored"
_READS = ("GET", "HEAD", "OPTIONS")


def mark_stored(environ: Environ) -> None:
    """Remember that this request has changed something."""
    environ[_STORED] = True


def finish_write(services: Services, done: Written, environ: Environ) -> Written:
    """Count the events of a command, and remember that the request has changed something.

    Returns what the command did as it is shown: without the names of deleted players.
    """
    mark_stored(environ)
    if not done.replayed:
        attempt(
            services, "count", lambda: services.metrics.count_events(done.events), None, environ
        )
    masks = services.store.masks
    if not masks.deleted:
        return done
    table, events = masks.mask_table(done.table), masks.mask_events(done.events)
    return done._replace(table=table, events=events)


def attempt(
    services: Services,
    part: str,
    make: Callable[[], Made],
    otherwise: Made,
    environ: Environ | None = None,
) -> Made:
    """Return what `make` returns, `otherwise` when it fails: for an answer after a stored event.

    The event is stored, so a failure of something that merely comes with the answer must not fail
    the answer. The failure is logged and counted by `part`; `environ` is for a request
    without Flask.
    """
    try:
        return make()
    except Exception:
        _note_failure(services, part, environ or request.environ)
        return otherwise


def _note_failure(services: Services, part: str, environ: Environ) -> None:
    """Log the exception that is being handled, and count it."""
    about = {"request_id": environ[REQUEST_ID]}
    log.exception("failed after the event was stored: %s", part, extra=about)
    services.metrics.failed_parts.labels(part).inc()


def is_stored() -> bool:
    """Return whether this request has changed something."""
    return _STORED in request.environ


def describe_outcome() -> str:
    """Return what a 5xx of this request says about its outcome, "" for what stores nothing.

    After an error it is unknown whether the store has the event. A repetition is safe with an
    idempotency key only, so the advice is for operations that take such a key.
    """
    if request.method in _READS:
        return ""
    view = current_app.view_functions.get(request.endpoint or "")
    described = view and operation_of(view)
    if described and described.stores_nothing:
        return ""
    if described and "Idempotency-Key" in described.headers:
        return "; the outcome is unknown: repeat the request with the same Idempotency-Key"
    return "; the outcome is unknown"
