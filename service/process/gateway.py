"""The worker of gunicorn: answers with a problem also where no request reaches the app.

The master loads this module, and must not load the app with it: a reload brings new code only where
the master has none of the old. So the worker asks the app, which each process loads after the fork
(`self.wsgi`), for what it needs of the app.

gunicorn documents none of what this module overrides and reads: `ThreadWorker.handle`,
`handle_request`, `handle_error` and `_cap_keepalive`, `pending_conns`, the members of connections
and requests, the errors of its parser, and `close_graceful`. No documented hook runs before the app
is called or when a request cannot be parsed, so nothing else gives problems for broken requests,
time limits for slow clients and a quick stop. `pyproject.toml` bounds the version, and
`tests/test_borrowed.py` fails when a new version changes what is used here. gunicorn 27.0.1 is the
first version that calls `_cap_keepalive`.
"""

from __future__ import annotations

import logging
from http import HTTPStatus
from ssl import SSLError
from typing import Any

from gunicorn.http import errors
from gunicorn.util import close_graceful
from gunicorn.workers.gthread import ThreadWorker

from cartulary.service.process.sockets import ClientSocket, TooSlow, Unreadable

log = logging.getLogger("cartulary.service")

FAULTS_OF_THE_SERVICE = (
    errors.ConfigurationProblem,
    errors.InvalidResponseHeader,
    errors.InvalidResponseHeaderName,
)
"""Errors of gunicorn that the service causes."""
FAULTS_OF_THE_CLIENT = (Unreadable, SSLError)
"""Errors of gunicorn that the client causes."""
STATUSES: dict[type[Exception], HTTPStatus] = {
    TooSlow: HTTPStatus.REQUEST_TIMEOUT,
    errors.LimitRequestLine: HTTPStatus.REQUEST_URI_TOO_LONG,
    errors.LimitRequestHeaders: HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    errors.ExpectationFailed: HTTPStatus.EXPECTATION_FAILED,
    errors.UnsupportedTransferCoding: HTTPStatus.NOT_IMPLEMENTED,
}
"""The faults of the client that have another status than 400."""


class NoHost(errors.ParseException):  # type: ignore[misc]
    """A request does not name its host (RFC 9112, 3.2)."""

    def __str__(self) -> str:
        return "HTTP/1.1 requires the header Host"


class Worker(ThreadWorker):  # type: ignore[misc]
    """gunicorn's threads; an unreadable request gets a problem instead of a page."""

    def init_process(self) -> None:
        """Begin, after the fork."""
        from cartulary.service.process.settings import Settings

        self._patience = Settings.from_environment().client_timeout
        super().init_process()

    def handle(self, conn: Any) -> Any:
        """Read and answer the requests of a connection."""
        if not (conn.initialized or isinstance(conn.sock, ClientSocket)):
            conn.sock = ClientSocket.take_over(conn.sock, self._patience)
        keep = super().handle(conn)
        if not keep and isinstance(conn.sock, ClientSocket):
            # gunicorn would wait until the client closes, in the loop that accepts all others.
            close_graceful(conn.sock)
        return keep

    def _cap_keepalive(self, deadline: float) -> None:
        """Close idle connections of a process that stops, also before their first request."""
        super()._cap_keepalive(deadline)
        for conn in self.pending_conns:
            conn.timeout = min(conn.timeout, deadline)

    def handle_request(self, req: Any, conn: Any) -> Any:
        """Answer a request that could be read; raises `NoHost`."""
        if req.version == (1, 1) and not any(name == "HOST" for name, _ in req.headers):
            raise NoHost
        keep = super().handle_request(req, conn)
        req.answered = True
        return keep

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Refuse what gunicorn cannot read, or answer 500.

        Once a request has an answer, a broken rest of its body only ends the connection. gunicorn's
        own line in the log would quote what the client sent, tokens included.
        """
        if getattr(req, "answered", False):
            return
        status = _choose_status(exc)
        path, given = getattr(req, "path", "") or "", dict(getattr(req, "headers", ()))
        name, answer = self.wsgi.refuse(status, str(exc), path, given.get("X-REQUEST-ID"))
        _log_fault(exc, status, {"request_id": name, "remote": addr[0] if addr else None})
        try:
            client.sendall(answer)
        except OSError as error:
            log.debug("the client is gone before the refusal: %s", error)


def _choose_status(exc: BaseException) -> HTTPStatus:
    if isinstance(exc, FAULTS_OF_THE_SERVICE) or not isinstance(exc, FAULTS_OF_THE_CLIENT):
        return HTTPStatus.INTERNAL_SERVER_ERROR
    return STATUSES.get(type(exc), HTTPStatus.BAD_REQUEST)


def _log_fault(exc: BaseException, status: HTTPStatus, about: dict[str, Any]) -> None:
    if status is HTTPStatus.INTERNAL_SERVER_ERROR:
        log.error("failed outside of the app", exc_info=exc, extra=about)
    else:
        log.warning("not HTTP: %s", type(exc).__name__, extra={**about, "status": status.value})
