"""What a failed request may have changed, in words for the client."""

from __future__ import annotations

from flask import current_app, request

from cartulary.service.http.operations import operation_of
from cartulary.service.http.wire.environ import Environ

_STORED = "cartulary.stored"
_READS = ("GET", "HEAD", "OPTIONS")


def mark_stored(environ: Environ) -> None:
    """Remember that this request has changed something."""
    environ[_STORED] = True


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
