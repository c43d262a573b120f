"""The edge: an HTTP server that hands requests to the service, and makes trouble on the way.

`python -m cartulary.rehearsal.edge` is a process of `serve --rehearsal`. A thread serves a
connection: a rehearsal has few of them, and both ends speak plain HTTP/1.1.
"""

from __future__ import annotations

import argparse
import http.client
import json
import re
import socket
import sys
from collections.abc import Sequence
from hashlib import sha256
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import sleep
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs, urlsplit

from cartulary.rehearsal.control import Control, EdgeAnswer, make_problem
from cartulary.rehearsal.relaying import ClientLeft, Relay
from cartulary.rehearsal.report import RehearsalReport
from cartulary.rehearsal.scripts import (
    OF_OPENINGS,
    OF_REQUESTS,
    Prompter,
    RehearsedStep,
    read_script,
)

HEADER: Final = ("Cartulary-Rehearsal", "true")
"""What every answer says: nothing here lasts, and troubles are made on purpose."""

API: Final = "/api/v1"
STREAMS: Final = ("text/event-stream", "application/x-ndjson")
_OF_A_CONNECTION: Final = frozenset(
    {"connection", "keep-alive", "transfer-encoding", "content-length", "upgrade", "te", "trailer"}
)
_EVENTS: Final = re.compile(r"/games/[^/]+/events(/stream)?")
_WAIT_S: Final = 120.0
"""Seconds for an answer of the service; a stream shows a sign of life every 15 s."""


class EdgeParts(NamedTuple):
    """What all connections share. `port` is that of the service."""

    port: int
    prompter: Prompter
    report: RehearsalReport
    control: Control


class Handler(BaseHTTPRequestHandler):
    """A connection of a client."""

    protocol_version = "HTTP/1.1"
    default_request_version = "HTTP/1.0"
    """An answer in the version before has no headers, so that it could not say what it is."""
    timeout = 300
    stage: EdgeParts

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  the name is inherited
        """Log nothing: the report has every request."""

    def handle_request(self) -> None:
        """Answer a request: by the control, by a trouble, or by the service."""
        path = urlsplit(self.path).path
        try:
            body = self._read_body()
        except ValueError:
            self.send(make_problem(400, "bad_request", "the length of the body is no number", path))
            self.drop()
            return
        if path.startswith("/rehearsal"):
            self.send(self.stage.control.answer(self.command, path, body))
        elif path.startswith(API):
            self._rehearse(path.removeprefix(API), body)
        else:
            self._relay(body, None)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse what is no request, or has an unknown method; no more comes on this connection."""
        if code == HTTPStatus.NOT_IMPLEMENTED:
            code, word = HTTPStatus.METHOD_NOT_ALLOWED, "method_not_allowed"
        else:
            word = "bad_request"
        path = self.path if self.command else ""  # else it is that of the request before
        said = make_problem(code, word, message or explain or "this is no request", path)
        self.send(said._replace(headers=[*said.headers, ("Connection", "close")]))

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = handle_request  # noqa: N815

    def _rehearse(self, path: str, body: bytes) -> None:
        number = self._note_request(path, body)
        is_stream = self._asks_for_stream(path)
        kinds = ("stream",) if is_stream else _list_kinds(self.command, path)
        step = self.stage.prompter.choose(kinds, OF_OPENINGS if is_stream else OF_REQUESTS)
        if step is None:
            self._relay(body, number)
            return
        self.stage.report.note(
            "trouble", id=number, step=step.name, do=step.do, retry_after=_find_wait(step)
        )
        self._make_trouble(step, path, body, number)

    def _make_trouble(self, step: RehearsedStep, path: str, body: bytes, number: int) -> None:
        if step.do == "drop_request":
            self.drop()
        elif step.do == "drop_answer":
            with self._ask(body) as answer:
                self.stage.report.note("answer", id=number, status=answer.status, lost=True)
                answer.read()
            self.drop()
        elif step.do == "delay":
            sleep(step.seconds)
            self._relay(body, number)
        elif step.do == "reset":
            self._relay(body, number, self._find_version(path))
        elif step.do == "conflict":
            said = {"current_version": self._find_version(path)}
            self._refuse(number, 409, "stale_version", None, said)
        else:
            self._refuse(number, step.status, step.code, step.retry_after, {"rehearsed": True})

    def _refuse(
        self, number: int, status: int, code: str, wait: float | None, more: dict[str, Any]
    ) -> None:
        self.stage.report.note("answer", id=number, status=status)
        self.send(make_problem(status, code, "this refusal is rehearsed", self.path, wait, more))

    def _relay(self, body: bytes, number: int | None, reset: int | None = None) -> None:
        """Hand the request to the service and its answer to the client.

        `reset` is the version that a stream is reset to at its beginning.
        """
        with self._ask(body, reset) as answer:
            if number is not None:
                self.stage.report.note("answer", id=number, status=answer.status)
            media = (answer.getheader("Content-Type") or "").partition(";")[0]
            if answer.status == 200 and media in STREAMS and number is not None:
                self._relay_stream(answer, media, number, reset)
            else:
                headers = [pair for pair in answer.getheaders() if _may_pass(pair[0])]
                self.send(EdgeAnswer(answer.status, headers, answer.read()))

    def _relay_stream(
        self, answer: http.client.HTTPResponse, media: str, number: int, reset: int | None
    ) -> None:
        self.send_response_only(answer.status)
        for name, value in [*answer.getheaders(), HEADER]:
            if _may_pass(name):
                self.send_header(name, value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        stage = self.stage
        relay = Relay(media, self.wfile, self.connection, stage.prompter, stage.report, number)
        try:
            by = relay.run(answer, reset)
        except ClientLeft:
            by = "client"
        stage.report.note("ended", id=number, by=by)
        if by != "service":
            self.drop()

    def _ask(self, body: bytes, after: int | None = None) -> _Asked:
        """Send the request to the service; `after` is where a stream begins in place of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.stage.port, timeout=_WAIT_S)
        connection.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        dropped = {*_OF_A_CONNECTION, "expect"}
        if after is not None or any(media in self.headers.get("Accept", "") for media in STREAMS):
            dropped |= {"accept-encoding"}  # the lines of a stream are read on the way
        if after is not None:
            dropped |= {"last-event-id"}
            connection.putheader("Last-Event-ID", str(after))
        for name, value in self.headers.items():
            if name.lower() not in dropped:
                connection.putheader(name, value)
        if body or self.command in ("POST", "PUT", "PATCH"):
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body or None)
        return _Asked(connection)

    def _find_version(self, path: str) -> int:
        """Return the version that the game of a path has, as the caller sees it; 1 without one."""
        game = "/".join(path.split("/")[:3])
        connection = http.client.HTTPConnection("127.0.0.1", self.stage.port, timeout=_WAIT_S)
        token = self.headers.get("Authorization")
        with _Asked(connection, API + game, {"Authorization": token} if token else {}) as answer:
            found = json.loads(answer.read())
        version = found.get("version") if isinstance(found, dict) else None
        return version if isinstance(version, int) else 1

    def _note_request(self, path: str, body: bytes) -> int:
        asked = parse_qs(urlsplit(self.path).query)
        cursor = self.headers.get("Last-Event-ID") or asked.get("after", [""])[0] or None
        return self.stage.report.note_request(
            method=self.command,
            path=path,
            key=self.headers.get("Idempotency-Key"),
            body=sha256(body).hexdigest()[:16] if body else None,
            cursor=cursor,
            version=_find_expected(body, self.headers.get("If-Match")),
        )

    def _asks_for_stream(self, path: str) -> bool:
        """Return whether the request opens a stream of the events of a game."""
        if self.command != "GET":
            return False
        accepts = self.headers.get("Accept", "")
        is_asked = path.endswith("/stream") or any(media in accepts for media in STREAMS)
        return is_asked and _EVENTS.fullmatch(path) is not None

    def _read_body(self) -> bytes:
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            return self._read_chunks()
        return self.rfile.read(_read_length(self.headers.get("Content-Length") or "0"))

    def _read_chunks(self) -> bytes:
        body = b""
        while size := _read_length(self.rfile.readline().partition(b";")[0].decode("latin-1"), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass  # trailers mean nothing here
        return body

    def send(self, said: EdgeAnswer) -> None:
        """Send a whole answer."""
        self.send_response_only(said.status)
        for name, value in [*said.headers, HEADER]:
            self.send_header(name, value)
        if said.status not in (204, 304):
            self.send_header("Content-Length", str(len(said.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(said.body)

    def drop(self) -> None:
        """End the connection; what was sent arrives, and nothing more."""
        self.close_connection = True
        self.wfile.flush()
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # the client was quicker


def _read_length(text: str, base: int = 10) -> int:
    """Return a number of bytes; raises `ValueError`: a negative one would be read to the end."""
    size = int(text, base)
    if size < 0:
        raise ValueError(text)
    return size


class _Asked:
    """A request on its way to the service, and its answer; closes the connection at the end."""

    def __init__(
        self,
        connection: http.client.HTTPConnection,
        path: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        self._connection = connection
        if path is not None:
            connection.request("GET", path, headers=headers or {})

    def __enter__(self) -> http.client.HTTPResponse:
        return self._connection.getresponse()

    def __exit__(self, *_: object) -> None:
        self._connection.close()


def _list_kinds(method: str, path: str) -> tuple[str, ...]:
    """Return what a request is, the narrowest kind first."""
    if method in ("GET", "HEAD", "OPTIONS"):
        return ("read",)
    if method == "POST" and path.endswith("/moves"):
        return ("move", "write")
    return ("create", "write") if (method, path) == ("POST", "/games") else ("write",)


def _find_wait(step: RehearsedStep) -> float | None:
    return step.retry_after if step.do == "refuse" else None


def _find_expected(body: bytes, tag: str | None) -> int | None:
    """Return the version that a write expects, None when it says nothing readable."""
    try:
        found = json.loads(body) if body else None
    except ValueError:
        return None  # the service says what is wrong with the body
    expected = found.get("expected_version") if isinstance(found, dict) else None
    if expected is None and tag is not None:
        digits = tag.strip().removeprefix('"v').removesuffix('"')
        expected = int(digits) if digits.isdecimal() else None
    return expected if isinstance(expected, int) else None


def _may_pass(name: str) -> bool:
    return name.lower() not in _OF_A_CONNECTION


class EdgeServer(ThreadingHTTPServer):
    """The edge on a socket that another process has opened."""

    daemon_threads = True

    def __init__(self, listener: socket.socket, stage: EdgeParts) -> None:
        handler = type("StagedHandler", (Handler,), {"stage": stage})
        super().__init__(listener.getsockname()[:2], handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listener

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say what went wrong, unless the client has just left."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until the process is ended."""
    parser = argparse.ArgumentParser(prog="python -m cartulary.rehearsal.edge")
    parser.add_argument("--fd", type=int, required=True, help="the listening socket")
    parser.add_argument("--port", type=int, required=True, help="the port of the service")
    parser.add_argument("--folder", type=Path, required=True, help="the files of clock and draws")
    parser.add_argument("--report", type=Path, required=True)
    parser.add_argument("--script", type=Path)
    chosen = parser.parse_args(arguments)
    steps = read_script(chosen.script)
    prompter = Prompter(steps)
    with chosen.report.open("w", encoding="utf-8") as file:
        report = RehearsalReport(file, steps)
        control = Control(chosen.folder, prompter, report, chosen.report)
        stage = EdgeParts(chosen.port, prompter, report, control)
        EdgeServer(socket.socket(fileno=chosen.fd), stage).serve_forever()


if __name__ == "__main__":
    main()
