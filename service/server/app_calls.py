"""Calls of the app: a request becomes the environment of WSGI, the answer the bytes of HTTP/1.1."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterable
from email.utils import formatdate
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes

from gunicorn.http.errors import InvalidResponseHeader, InvalidResponseHeaderName

from cartulary.service.server.app_interface import LOOP, RECEIVED, App, Marks

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[ \t\x21-\x7e\x80-\xff]*")
_VALUES = re.compile(r"[ \t\n\x21-\x7e\x80-\xff]*")
"""Several values, a line each."""
_STATUS = re.compile(r"[0-9]{3}(?: [ \t\x21-\x7e\x80-\xff]*)?")
_OF_THE_SERVER = frozenset(
    {
        *("connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "te"),
        *("trailers", "transfer-encoding", "upgrade", "server", "date"),
    }
)
"""Headers that an app does not set: they are between the client and this process."""
_NO_BODY = frozenset({"204", "304"})

_DROP, _KEEP, _LENGTH = range(3)
_known_names: dict[str, int] = {}
"""What becomes of a header, by its name as the app writes it."""


class Date:
    """The header `Date`, written once a second."""

    def __init__(self) -> None:
        self._second = 0
        self._text = ""

    def __call__(self) -> str:
        """Return the header."""
        now = int(time.time())
        if now != self._second:
            self._second, self._text = now, formatdate(now, usegmt=True)
        return self._text


_date = Date()


class AnswerWriter:
    """The answer to one request; its method `start` is the `start_response` of WSGI."""

    __slots__ = ("_headers", "_length", "_method", "_status", "_version", "_written", "keep")

    def __init__(self, method: str, version: tuple[int, int], keep: bool) -> None:
        """Answer a request; `keep` tells whether the connection may live on."""
        self._method, self._version, self.keep = method, version, keep
        self._status: str | None = None
        self._headers: list[tuple[str, str]] = []
        self._length: int | None = None
        self._written: list[bytes] = []

    def start(
        self, status: str, headers: list[tuple[str, str]], exc_info: Any = None
    ) -> Callable[[bytes], None]:
        """Take status and headers; raises `InvalidResponseHeader` for headers that are invalid."""
        if self._status is not None and not exc_info:
            raise RuntimeError("the answer has begun already")
        if not _STATUS.fullmatch(status):
            raise ValueError("the status of an answer is invalid")
        _check_values(headers)
        self._status = status
        self._length = None
        kept = self._headers = []
        for name, value in headers:
            use = _known_names.get(name) or _learn(name)
            if use == _KEEP:
                kept.append((name, value))
            elif use == _LENGTH:
                self._length = int(value)
        return self._written.append

    def finish(self, body: Iterable[bytes]) -> bytes:
        """Return head and body.

        Where the app announces another length than the body has, the body is cut, or the connection
        is closed: otherwise the client would take the next answer for a part of this one.
        """
        data = b"".join([*self._written, *body])
        code = self._require_status()[:3]
        if self._method == "HEAD" or code in _NO_BODY:
            return self._head(None if code in _NO_BODY else self._length)
        length = self._length
        if length is None:
            length = len(data)
        elif len(data) > length:
            data = data[:length]
        elif len(data) < length:
            self.keep = False
        return self._head(length) + data

    def begin(self) -> tuple[bytes, bool]:
        """Return the head of an answer without end, and whether its body goes in chunks."""
        self._require_status()
        chunked = self._version >= (1, 1)
        self.keep = self.keep and chunked
        return self._head(None, chunked), chunked

    def _require_status(self) -> str:
        if self._status is None:
            raise RuntimeError("the app has not begun its answer")
        return self._status

    def _head(self, length: int | None, chunked: bool = False) -> bytes:
        # A client that speaks HTTP/1.2 gets an answer in the highest version that is spoken here.
        version = "1.1" if self._version >= (1, 1) else "1.0"
        lines = [
            f"HTTP/{version} {self._status}\r\nDate: {_date()}\r\n"
            f"Connection: {'keep-alive' if self.keep else 'close'}"
        ]
        lines += [f"{name}: {value.strip()}" for name, value in self._headers]
        if length is not None:
            lines.append(f"Content-Length: {length}")
        if chunked:
            lines.append("Transfer-Encoding: chunked")
        lines.append("\r\n")
        return "\r\n".join(lines).encode("latin-1")


def _check_values(headers: list[tuple[str, str]]) -> None:
    """Raise `InvalidResponseHeader` for a value that would end its line; all in one search."""
    text = "\n".join([value for _, value in headers])
    if _VALUES.fullmatch(text) and text.count("\n") < max(1, len(headers)):
        return
    for name, value in headers:
        if not _VALUE.fullmatch(value):
            raise InvalidResponseHeader(repr(name))


def _learn(name: str) -> int:
    """Return what becomes of a header, and remember it for a name that is not dropped."""
    if not _NAME.fullmatch(name):
        raise InvalidResponseHeaderName(repr(name))
    lower = name.lower()
    if lower in _OF_THE_SERVER:
        return _DROP
    use = _LENGTH if lower == "content-length" else _KEEP
    if len(_known_names) < 1000:
        _known_names[name] = use
    return use


def frame_chunk(data: bytes) -> bytes:
    """Return a chunk of a body."""
    return b"%x\r\n%b\r\n" % (len(data), data)


LAST_CHUNK = b"0\r\n\r\n"


class AppCaller:
    """Calls one app for one listener's connections."""

    def __init__(self, app: App, multiprocess: bool) -> None:
        self._app = app
        self._script = os.environ.get("SCRIPT_NAME", "")
        self._base = {
            "wsgi.errors": sys.stderr,
            "wsgi.version": (1, 0),
            "wsgi.multithread": True,
            "wsgi.multiprocess": multiprocess,
            "wsgi.run_once": False,
            "wsgi.input_terminated": True,
            LOOP: True,
        }

    def call(
        self,
        request: Any,
        body: BytesIO,
        client: Any,
        server: Any,
        keep: bool,
        marks: Marks,
    ) -> tuple[AnswerWriter, Any]:
        """Return what writes the answer, and what the app answers with.

        That is an iterable of bytes, a `Live`, `Wait` or `Later`. `keep` is that of `AnswerWriter`.
        """
        answer = AnswerWriter(request.method, request.version, keep)
        environ = self._environ(request, body, client, server)
        environ.update(marks)
        return answer, self._app(environ, answer.start)

    def _environ(self, request: Any, body: BytesIO, client: Any, server: Any) -> dict[str, Any]:
        path = request.path
        if self._script and path.startswith(self._script):
            path = path[len(self._script) :]
        if "%" in path:
            path = unquote_to_bytes(path).decode("latin-1")
        host, port = server[:2] if isinstance(server, tuple) else (server, "")
        major, minor = request.version
        environ = {
            **self._base,
            RECEIVED: request.received,
            "wsgi.input": body,
            "wsgi.url_scheme": request.scheme,
            "REQUEST_METHOD": request.method,
            "QUERY_STRING": request.query,
            "RAW_URI": request.uri,
            "SERVER_PROTOCOL": f"HTTP/{major}.{minor}",
            "SERVER_NAME": host,
            "SERVER_PORT": str(port),
            "SCRIPT_NAME": self._script,
            "PATH_INFO": path,
            "REMOTE_ADDR": client[0] if isinstance(client, tuple) else "",
        }
        for name, value in request.headers:
            if name in _WITHOUT_PREFIX:
                environ[_WITHOUT_PREFIX[name]] = value
                continue
            key = "HTTP_" + name.replace("-", "_")
            environ[key] = f"{environ[key]},{value}" if key in environ else value
        return environ


_WITHOUT_PREFIX = {"CONTENT-TYPE": "CONTENT_TYPE", "CONTENT-LENGTH": "CONTENT_LENGTH"}
