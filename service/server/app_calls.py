"""Calls of the app: a request becomes the environment of WSGI, and what comes back an answer."""

from __future__ import annotations

import os
import sys
from typing import Any
from urllib.parse import unquote_to_bytes

from cartulary.service.server.answer_writing import AnswerWriter
from cartulary.service.server.app_interface import LOOP, RECEIVED, App, Marks
from cartulary.service.server.request_reading import Input


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
        body: Input,
        client: Any,
        server: Any,
        answer: AnswerWriter,
        marks: Marks,
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
