"""The gunicorn worker: answers with problems also where no request ever reaches the app.

The master loads this module; what is of the app is imported after the fork, as a reload is to bring
new code.
"""

from __future__ import annotations

import logging
from http import HTTPStatus
from ssl import SSLError
from typing import Any

import orjson
from gunicorn.http import errors
from gunicorn.util import close_graceful
from gunicorn.workers.gthread import ThreadWorker

from cartulary.service.process.sockets import ClientSocket, TooSlow

log = logging.getLogger("cartulary.service")

OURS = (errors.ConfigurationProblem, errors.InvalidResponseHeader, errors.InvalidResponseHeaderName)
"""What gunicorn cannot read or write because of us."""
THEIRS = (errors.ParseException, SSLError)
"""What it cannot read because of the client."""
STATUSES: dict[type[Exception], HTTPStatus] = {
    TooSlow: HTTPStatus.REQUEST_TIMEOUT,
    errors.LimitRequestLine: HTTPStatus.REQUEST_URI_TOO_LONG,
    errors.LimitRequestHeaders: HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    errors.ExpectationFailed: HTTPStatus.EXPECTATION_FAILED,
    errors.UnsupportedTransferCoding: HTTPStatus.NOT_IMPLEMENTED,
}
"""Which of `THEIRS` has another status than 400."""


class NoHost(errors.ParseException):  # type: ignore[misc]
    """A request does not say whom it is for (RFC 9112, 3.2)."""

    def __str__(self) -> str:
        return "HTTP/1.1 asks for the header Host"


class Worker(ThreadWorker):  # type: ignore[misc]
    """gunicorn's threads; what is no HTTP is refused in our words instead of a page."""

    def init_process(self) -> None:
        """Begin, after the fork."""
        from cartulary.service.process.settings import Settings

        self._patience = Settings.from_environment().client_timeout
        super().init_process()

    def handle(self, conn: Any) -> Any:
        """Read and answer what comes on a connection."""
        if not (conn.initialized or isinstance(conn.sock, ClientSocket)):
            conn.sock = ClientSocket.taking_over(conn.sock, self._patience)
        keep = super().handle(conn)
        if not keep and isinstance(conn.sock, ClientSocket):
            # gunicorn would wait for the client to close, too, in the loop that accepts all others.
            close_graceful(conn.sock)
        return keep

    def _cap_keepalive(self, deadline: float) -> None:
        """Let no client keep a process that stops: not those either that have yet to ask."""
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
        """Refuse what gunicorn cannot read, or say that something went wrong.

        Once a request has been answered, whatever is wrong with the rest of its body only ends the
        connection. gunicorn's own line in the log would quote what was sent, tokens included.
        """
        if getattr(req, "answered", False):
            return
        from cartulary.service.http.observe import choose_id

        name = choose_id(dict(getattr(req, "headers", ())).get("X-REQUEST-ID"))
        status = _status_of(exc)
        _note(exc, status, {"request_id": name, "remote": addr[0] if addr else None})
        try:
            client.sendall(_answer(status, str(exc), getattr(req, "path", "") or "", name))
        except OSError as error:
            log.debug("nobody waits for the refusal: %s", error)


def _status_of(exc: BaseException) -> HTTPStatus:
    if isinstance(exc, OURS) or not isinstance(exc, THEIRS):
        return HTTPStatus.INTERNAL_SERVER_ERROR
    return STATUSES.get(type(exc), HTTPStatus.BAD_REQUEST)


def _note(exc: BaseException, status: HTTPStatus, about: dict[str, Any]) -> None:
    if status is HTTPStatus.INTERNAL_SERVER_ERROR:
        log.error("failed outside of the app", exc_info=exc, extra=about)
    else:
        log.warning("not HTTP: %s", type(exc).__name__, extra={**about, "status": status.value})


def _answer(status: HTTPStatus, reason: str, path: str, name: str) -> bytes:
    from cartulary.service.http.problems import MEDIA_TYPE, code_of, problem_json

    code = code_of(status)
    shown = "" if code == "internal_error" else reason.encode("utf-8", "replace").decode()
    body = orjson.dumps(problem_json(code, shown or status.phrase, status, path, name))
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}\r\nConnection: close\r\n"
        f"Content-Type: {MEDIA_TYPE}\r\nContent-Length: {len(body)}\r\n"
        f"Cache-Control: no-store\r\nX-Request-Id: {name}\r\n\r\n"
    )
    return head.encode() + body
