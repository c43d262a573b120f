"""Refusals outside of the app: problems for what no view ever sees.

The master loads this module, and must not load the app with it: a reload brings new code only where
the master has none of the old. So the app, which each process loads after the fork, writes them.
"""

from __future__ import annotations

import logging
import re
from http import HTTPStatus
from ssl import SSLError
from typing import Any
from urllib.parse import quote

from gunicorn.http import errors

log = logging.getLogger("cartulary.service")


Unreadable = errors.ParseException
"""What gunicorn raises where the bytes of a client are no HTTP: also while a body is read."""


class TooSlow(errors.ParseException):  # type: ignore[misc]
    """The client stopped in the middle of its request."""

    def __str__(self) -> str:
        return "the request has stopped in the middle"


class NoHost(errors.ParseException):  # type: ignore[misc]
    """A request does not name its host (RFC 9112, 3.2)."""

    def __str__(self) -> str:
        return "HTTP/1.1 requires the header Host"


class Busy(errors.ParseException):  # type: ignore[misc]
    """The process has no room for the request."""

    def __str__(self) -> str:
        return "this process has no room for the request; try again"


FAULTS_OF_THE_SERVICE = (
    errors.ConfigurationProblem,
    errors.InvalidResponseHeader,
    errors.InvalidResponseHeaderName,
)
"""Errors of gunicorn that the service causes."""
FAULTS_OF_THE_CLIENT = (Unreadable, SSLError)
"""Errors that the client causes."""
STATUSES: dict[type[BaseException], HTTPStatus] = {
    TooSlow: HTTPStatus.REQUEST_TIMEOUT,
    Busy: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.LimitRequestLine: HTTPStatus.REQUEST_URI_TOO_LONG,
    errors.LimitRequestHeaders: HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    errors.ExpectationFailed: HTTPStatus.EXPECTATION_FAILED,
    errors.UnsupportedTransferCoding: HTTPStatus.NOT_IMPLEMENTED,
}
"""The faults of the client that have another status than 400."""


_PATH = re.compile(rb"[!-~]+ (?:[a-z]+://[^/ ?#\r\n]*)?(/[^ ?#\r\n]*)")
"""The path of a request line (RFC 9112, 3), which may be cut off anywhere."""


def refuse(
    app: Any, error: BaseException, request: Any, remote: str | None, begin: bytes = b""
) -> bytes:
    """Return the answer to what cannot be read or has failed; note it in the log.

    `begin` holds the first bytes that have come of what is no `request`: its path is read there.

    The app writes the problem (its method `refuse`); for an app that cannot, the answer is plain.
    The log never quotes what was sent, as that may hold a token. The answer closes the connection.
    """
    status = choose_status(error)
    path, given = getattr(request, "path", "") or "", dict(getattr(request, "headers", ()))
    if request is None and (found := _PATH.match(begin)):
        path = quote(found[1], safe="/:@!$&'()*+,;=%")
    write = getattr(app, "refuse", _refuse_plainly)
    name, answer = write(status, str(error), path, given.get("X-REQUEST-ID"))
    _note(error, status, {"request_id": name, "remote": remote})
    return answer


def _refuse_plainly(
    status: HTTPStatus, _reason: str, _path: str, _given: str | None
) -> tuple[str, bytes]:
    head = f"HTTP/1.1 {status.value} {status.phrase}\r\nConnection: close\r\nContent-Length: 0"
    return "", f"{head}\r\n\r\n".encode()


def choose_status(error: BaseException) -> HTTPStatus:
    """Return the status for an error outside of the app."""
    if isinstance(error, FAULTS_OF_THE_SERVICE) or not isinstance(error, FAULTS_OF_THE_CLIENT):
        return HTTPStatus.INTERNAL_SERVER_ERROR
    return STATUSES.get(type(error), HTTPStatus.BAD_REQUEST)


def _note(error: BaseException, status: HTTPStatus, about: dict[str, Any]) -> None:
    if status is HTTPStatus.INTERNAL_SERVER_ERROR:
        log.error("failed outside of the app", exc_info=error, extra=about)
    else:
        log.warning("not HTTP: %s", type(error).__name__, extra={**about, "status": status.value})
