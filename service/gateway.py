"""The gunicorn worker: answers with problems also where no request ever reaches the app."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

import orjson
from gunicorn.workers.gthread import ThreadWorker

from service.observe import new_request_id
from service.problems import MEDIA_TYPE, code_of, problem_json

log = logging.getLogger("cartulary.service")


class Worker(ThreadWorker):  # type: ignore[misc]
    """gunicorn's threads; what is no HTTP is refused in our words instead of a page."""

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Refuse what gunicorn cannot read, or say that something went wrong."""
        super().handle_error(req, _Client(client, str(exc)), addr, exc)


class _Client:
    """A socket on which gunicorn's page about an error becomes a problem."""

    def __init__(self, sock: Any, detail: str) -> None:
        self._socket, self._detail = sock, detail

    def __getattr__(self, name: str) -> Any:
        return getattr(self._socket, name)

    def sendall(self, page: bytes) -> None:
        status = HTTPStatus(int(page.split(b" ", 2)[1]))
        self._socket.sendall(_answer(status, self._detail))


def _answer(status: HTTPStatus, detail: str) -> bytes:
    name, code = new_request_id(), code_of(status)
    log.warning("refused before the app: %s", status.phrase, extra={"request_id": name})
    shown = detail.encode("utf-8", "replace").decode() if status < 500 else ""
    body = orjson.dumps(problem_json(code, shown or status.phrase, status, name))
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}\r\nConnection: close\r\n"
        f"Content-Type: {MEDIA_TYPE}\r\nContent-Length: {len(body)}\r\n"
        f"Cache-Control: no-store\r\nX-Request-Id: {name}\r\n\r\n"
    )
    return head.encode() + body
