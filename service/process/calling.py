"""Calls of the app: a request becomes the environment of WSGI, and what comes back an answer."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol
from urllib.parse import unquote_to_bytes

from cartulary.service.process.reading import Input
from cartulary.service.process.writing import Answer

LOOP = "cartulary.loop"
"""Set in the environment where an answer may be a `Live` or a `Wait`."""
WAITED = "cartulary.waited"
"""Set in the environment of a request that comes back from a `Wait`: it waits no more."""

AT_ONCE = "cartulary.at_once"
"""Set in the environment of a request in the event loop: the app answers with a `Later`, or raises
`NotAtOnce`; it waits for nothing."""

RECEIVED = "cartulary.received"
"""In the environment: when the request came in, by the clock of the loop (`time.monotonic`).

That is when its head was complete, but at most `BODY_S` before its body was."""
BODY_S = 2.0

App = Callable[[dict[str, Any], Any], Iterable[bytes]]


class Sink(Protocol):
    """Where a `Live` writes to, from any thread; nothing here blocks."""

    def send(self, data: bytes) -> None:
        """Send bytes, after all that were sent before."""

    def end(self) -> None:
        """End the answer after what was sent before."""

    @staticmethod
    def send_all(sinks: Iterable[Any], data: bytes) -> None:
        """Send the same bytes to many sinks of this kind."""


class Live(Protocol):
    """A body without end. Its connection belongs to the event loop and holds no thread."""

    @property
    def beat(self) -> bytes:
        """Return what is sent after `every` seconds of silence."""

    @property
    def every(self) -> float:
        """Return how many seconds a stream may be silent."""

    def detach(self, sink: Sink) -> None:
        """Begin to send."""

    def farewell(self, retry_ms: int) -> bytes:
        """Return what is sent last when the process stops: the client comes back after so long."""

    def close(self) -> None:
        """Free what the body holds: called once, in a thread, when the connection has ended."""


class Wait(Protocol):
    """A body that is not known yet. The request is asked again when there is something new."""

    seconds: float
    """How long to wait."""

    def watch(self, wake: Callable[[], None]) -> None:
        """Begin to wait; `wake` may be called at any time, from any thread, more than once."""

    def close(self) -> None:
        """Free what the body holds: called once, in a thread."""


Marks = Mapping[str, Any]
"""What the environment of one request holds beside the request."""
NO_MARKS: Marks = {}


class NotAtOnce(Exception):
    """The app cannot answer a request in the event loop. A thread has to, with these marks."""

    def __init__(self, marks: Marks) -> None:
        super().__init__()
        self.marks = marks


Done = Callable[[Iterable[bytes] | None, Marks], None]
"""Gets the body of an answer, or None and the marks with which a thread has to answer."""


class Later(Protocol):
    """An answer that waits for the store. It holds no thread, and the event loop sends it."""

    def follow(self, done: Done) -> None:
        """Have `done` called in the loop, once."""


class Caller:
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
        self, request: Any, body: Input, client: Any, server: Any, answer: Answer, marks: Marks
    ) -> Any:
        """Return what the app answers with: an iterable of bytes, a `Live`, `Wait` or `Later`."""
        environ = self._environ(request, body, client, server)
        environ.update(marks)
        return self._app(environ, answer.start)

    def _environ(self, request: Any, body: Input, client: Any, server: Any) -> dict[str, Any]:
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
