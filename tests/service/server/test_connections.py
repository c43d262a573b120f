"""Clients of a real gunicorn process that speak no HTTP, stop in the middle, or do not close."""

from __future__ import annotations

import json
import re
import socket
from contextlib import ExitStack
from pathlib import Path

import pytest
import requests

from tests.service.support.gunicorn_process import Gunicorn

pytestmark = pytest.mark.real


def test_a_connection_lives_on_after_a_body_that_was_too_large(service: Gunicorn) -> None:
    json_headers = {"Content-Type": "application/json"}
    pieces = [b"x" * 65536] * 8
    with requests.Session() as session:
        for data in (b"".join(pieces), iter(pieces)):
            answer = session.post(
                f"{service.api}/players", data=data, headers=json_headers, timeout=60
            )
            assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
            again = session.post(f"{service.api}/players", json={"name": "Ada"}, timeout=60)
            assert again.status_code == 201


CHUNKED = (
    b"POST /api/v1%s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)


def answered(service: Gunicorn, sent: bytes) -> bytes:
    """Everything that comes back until the connection ends."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=60) as raw:
        raw.sendall(sent)
        raw.shutdown(socket.SHUT_WR)
        return raw.makefile("rb").read()


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"no http\r\n\r\n", 400),
        (b"GET / HTTP/9.9\r\n\r\n", 400),
        (b"GET /livez HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: x\r\n\xff\xfe bad: 1\r\n\r\n", 400),
        (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + b"x" * 70000 + b"\r\n\r\n", 431),
        (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: foo\r\n\r\n", 501),
        (b"POST / HTTP/1.1\r\nHost: x\r\nExpect: cake\r\n\r\n", 417),
        (CHUNKED % b"/players" + b"zz\r\n", 400),
        (CHUNKED % b"/players" + b"2\r\n{}no end", 400),
    ],
    ids=[
        *(
            "words",
            "version",
            "host",
            "header",
            "long-line",
            "long-header",
            "coding",
            "expectation",
        ),
        *("chunk-size", "chunk-end"),
    ],
)
def test_what_is_no_http_is_refused_with_a_problem(
    service: Gunicorn, sent: bytes, status: int
) -> None:
    head, _, body = answered(service, sent).partition(b"\r\n\r\n")
    problem = json.loads(body)
    assert problem.keys() == {
        *("type", "title", "status", "detail", "instance", "code", "request_id"),
    }
    assert head.startswith(b"HTTP/1.1 %d " % status)
    assert b"\r\nContent-Type: application/problem+json\r\n" in head
    assert (problem["status"], problem["code"]) == (status, "bad_request")
    path = re.match(rb"[A-Z]+ (/[^ ]*) ", sent)
    assert problem["instance"] == (path[1].decode()[:8186] if path else "")
    assert f"X-Request-Id: {problem['request_id']}".encode() in head
    assert problem["detail"]


@pytest.mark.parametrize(
    "sent",
    [
        b"POST /api/v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        b'Content-Length: 100\r\n\r\n{"name":"Ada"}',
        CHUNKED % b"/players" + b'ff\r\n{"name":"Ada"}',
    ],
    ids=["length", "chunks"],
)
def test_a_body_that_ends_early_is_malformed(service: Gunicorn, sent: bytes) -> None:
    answer = answered(service, sent)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b'"code":"malformed_json"' in answer


def test_requests_that_stop_coming_take_no_thread_for_ever(valkey_url: str, tmp_path: Path) -> None:
    half = [
        b"GET /livez HTTP/1.1\r\nHost: x\r\n",
        b"POST /api/v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        b"Content-Length: 14\r\n\r\n{",
    ]
    with Gunicorn(valkey_url, tmp_path / "log", threads=2, client_timeout=1) as service:
        with ExitStack() as held:
            address = ("127.0.0.1", service.port)
            clients = [held.enter_context(socket.create_connection(address, 30)) for _ in half]
            for client, sent in zip(clients, half, strict=True):
                client.sendall(sent)
            for client in clients:
                answer = client.makefile("rb").read()  # to its end: the connection is over
                assert answer.startswith(b"HTTP/1.1 408 ")
                assert b'"code":"request_timeout"' in answer
        assert requests.get(f"{service.url}/livez", timeout=60).status_code == 200
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_answered_clients_that_do_not_close_keep_nobody_waiting(
    valkey_url: str, tmp_path: Path
) -> None:
    asked = b"GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    with Gunicorn(valkey_url, tmp_path / "log", threads=24) as service, ExitStack() as held:
        address = ("127.0.0.1", service.port)
        for _ in range(20):  # one after the other they would take 40 s: longer than a request waits
            client = held.enter_context(socket.create_connection(address, 30))
            client.sendall(asked)
            assert client.makefile("rb").read().startswith(b"HTTP/1.1 200 ")
        assert requests.get(f"{service.url}/livez", timeout=60).status_code == 200


def test_a_request_is_answered_once_whatever_its_body_is_worth(service: Gunicorn) -> None:
    answer = answered(service, CHUNKED % b"/nowhere" + b"zz\r\n")
    assert answer.startswith(b"HTTP/1.1 404 ")
    assert answer.count(b"HTTP/1.1 ") == 1


def test_what_cannot_be_read_is_logged_without_what_was_sent(
    valkey_url: str, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    sent = b"GET /api/v1/games?key=SECRET\xff HTTP/1.1\r\nHost: x\r\n\r\n"
    forgotten = b"GET / HTTP/1.1\r\nHost: x\r\nAuthorization Bearer SECRET\r\n\r\n"
    with Gunicorn(valkey_url, log, threads=4) as service:
        names = [
            json.loads(answered(service, request).partition(b"\r\n\r\n")[2])["request_id"]
            for request in (sent, forgotten)
        ]
    text = log.read_text(encoding="utf-8")
    assert "SECRET" not in text
    lines = [json.loads(line) for line in text.splitlines()]
    noted = [line for line in lines if line.get("request_id") in names]
    assert [line["status"] for line in noted] == [400, 400]
    assert all(line["remote"] == "127.0.0.1" for line in noted)
