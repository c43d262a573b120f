"""What the process answers without the app, and what the master loads."""

from __future__ import annotations

import logging
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import orjson
import pytest
from flask import Flask
from gunicorn.http import errors

from cartulary.service.server.unreadable import Busy, NoHost, TooSlow, choose_status, refuse
from cartulary.service.server.worker import Worker


@pytest.mark.parametrize(
    "error", [RuntimeError("a secret"), errors.InvalidResponseHeader("a secret")]
)
def test_what_fails_outside_of_the_app_is_an_internal_error_that_the_log_has(
    app: Flask, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    request = SimpleNamespace(path="/livez", headers=[("X-REQUEST-ID", "mine")])
    with caplog.at_level(logging.ERROR, "cartulary.service"):
        answer = refuse(app, error, request, "192.0.2.1")
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 500 ")
    assert b"\r\nX-Request-Id: mine\r\n" in head + b"\r\n"
    problem = orjson.loads(body)
    assert (problem["code"], problem["instance"]) == ("internal_error", "/livez")
    assert b"secret" not in answer
    (record,) = caplog.records
    assert record.__dict__["request_id"] == "mine"
    assert record.exc_info is not None
    assert record.exc_info[1] is error


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (TooSlow(), 408),
        (NoHost(), 400),
        (Busy(), 503),
        (errors.LimitRequestLine(9000, 8190), 414),
        (errors.LimitRequestHeaders("too many"), 431),
        (errors.UnsupportedTransferCoding("foo"), 501),
        (errors.ExpectationFailed("cake"), 417),
        (errors.InvalidHeader("x"), 400),
        (errors.ConfigurationProblem("x"), 500),
        (ValueError(), 500),
    ],
)
def test_each_error_has_its_status(error: Exception, status: int) -> None:
    assert choose_status(error) == status


def test_an_app_that_cannot_write_a_problem_has_a_plain_answer() -> None:
    answer = refuse(None, NoHost(), None, None)
    assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert answer.endswith(b"\r\nContent-Length: 0\r\n\r\n")


def test_a_process_without_room_says_when_to_come_back(app: Flask) -> None:
    answer = refuse(app, Busy(), None, None)
    assert answer.startswith(b"HTTP/1.1 503 ")
    assert b"\r\nRetry-After: 1\r\n" in answer
    assert b'"code":"unavailable"' in answer


@pytest.mark.process
def test_the_master_loads_nothing_of_the_app_with_the_worker() -> None:
    """Else a reload would mix the old code with the new."""
    loaded = subprocess.run(
        [sys.executable, "-c", f"import {Worker.__module__}, sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    ours: set[Any] = {name for name in loaded if name.startswith("cartulary.")}
    process = ("cartulary.service.process", "cartulary.service.server")
    assert {name for name in ours if not name.startswith(process)} == {"cartulary.service"}
    assert "flask" not in loaded
