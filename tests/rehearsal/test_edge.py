"""The edge and what is set below `/rehearsal`."""

from __future__ import annotations

import json
import socket
from itertools import takewhile
from pathlib import Path

import httpx
import pytest

from cartulary.rehearsal.control import LONGEST_S
from cartulary.rehearsal.judging import RuleVerdict, judge
from cartulary.rehearsal.report import BadReport, read_report
from cartulary.rehearsal.scripts import FORM
from cartulary.rehearsal.settable import SettableClock, SettableDraws, set_seed
from tests.rehearsal.conftest import Open

NOTHING = [{"name": "never", "to": "move", "do": "drop_answer"}]


@pytest.mark.slow
def test_every_answer_says_that_it_is_rehearsed(rehearse: Open) -> None:
    url = rehearse(NOTHING).url
    steps = [{"name": "no", "to": "read", "do": "refuse", "status": 500, "code": "x"}]
    refusing = rehearse(steps).url
    for address in (f"{url}/readyz", f"{url}/api/v1/games", f"{url}/rehearsal", f"{url}/no"):
        assert httpx.get(address).headers["Cartulary-Rehearsal"] == "true", address
    answer = httpx.get(f"{refusing}/api/v1/games")
    assert (answer.status_code, answer.json()["code"]) == (500, "x")
    assert answer.headers["Cartulary-Rehearsal"] == "true"


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("draws", {"seed": 7}, 204),
        ("draws", {"seed": "7"}, 422),
        ("draws", {"seed": True}, 422),
        ("draws", [], 422),
        ("clock", {"advance": 2.5}, 200),
        ("clock", {"advance": -1}, 422),
        ("clock", {"advance": 1e12}, 422),
        ("applied", {"versions": [1, 2]}, 204),
        ("applied", {"versions": "12"}, 422),
        ("nothing", {}, 404),
        ("report", {}, 405),
    ],
)
@pytest.mark.slow
def test_what_is_set_is_checked(rehearse: Open, path: str, body: object, status: int) -> None:
    answer = httpx.put(f"{rehearse(NOTHING).url}/rehearsal/{path}", json=body)
    assert answer.status_code == status
    if status >= 400:
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert answer.json()["code"] in ("invalid", "not_found", "method_not_allowed")


@pytest.mark.slow
@pytest.mark.parametrize("path", ["", "/draws", "/clock", "/applied", "/report"])
def test_the_service_itself_has_no_such_address(service_port: int, path: str) -> None:
    for method in ("GET", "PUT"):
        answer = httpx.request(method, f"http://127.0.0.1:{service_port}/rehearsal{path}")
        assert answer.status_code == 404
        assert "Cartulary-Rehearsal" not in answer.headers


@pytest.mark.parametrize("body", [b"{", b"[" * 100_000, b"\xff"])
def test_a_body_that_is_no_json_is_malformed(rehearse: Open, body: bytes) -> None:
    answer = httpx.put(f"{rehearse(NOTHING).url}/rehearsal/draws", content=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed_json")


def test_the_clock_is_set_forward_by_ten_years_all_in_all(rehearse: Open) -> None:
    url = f"{rehearse(NOTHING).url}/rehearsal/clock"
    assert httpx.put(url, json={"advance": LONGEST_S}).status_code == 200
    refused = httpx.put(url, json={"advance": 1})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid")
    assert httpx.get(url).json()["ahead"] == LONGEST_S


@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: -1\r\n\r\n",
        b"Content-Length: many\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n-5\r\n",
        b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
)
def test_a_length_that_is_no_number_is_refused_at_once(rehearse: Open, head: bytes) -> None:
    port = httpx.URL(rehearse(NOTHING).url).port
    assert port is not None
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(b"POST /api/v1/players HTTP/1.1\r\nHost: x\r\n" + head)
        assert connection.recv(100).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        (b"TRACE /api/v1/games HTTP/1.1", 405),
        (b"GET /api/v1/games BAD", 400),
        (b"GET /api/v1/games HTTP/3.0", 505),
        (b"nothing", 400),
        (b"POST /api/v1/games", 400),
        (b"GET /rehearsal", 200),
        (b"GET /" + b"x" * 66_000 + b" HTTP/1.1", 414),
        (b"GET /rehearsal HTTP/1.1\r\nX: " + b"x" * 66_000, 431),
    ],
    ids=lambda value: str(value)[:24],
)
def test_an_answer_to_what_is_no_request_says_that_it_is_rehearsed(
    rehearse: Open, request_line: bytes, status: int
) -> None:
    port = httpx.URL(rehearse(NOTHING).url).port
    assert port is not None
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(request_line + b"\r\n\r\n")
        with connection.makefile("rb") as answer:
            lines = [*takewhile(lambda line: line != b"\r\n", answer)]
    assert lines[0].startswith(b"HTTP/1.1 %d " % status)
    assert b"Cartulary-Rehearsal: true\r\n" in lines
    if status >= 400:
        assert b"Content-Type: application/problem+json\r\n" in lines
        assert b"Connection: close\r\n" in lines


def test_a_report_keeps_every_text_of_a_client(rehearse: Open) -> None:
    rehearsal = rehearse(NOTHING)
    body = {"game": "one\u2028two\u0085three", "versions": [1]}
    assert httpx.put(f"{rehearsal.url}/rehearsal/applied", json=body).status_code == 204
    assert rehearsal.read()[-1]["game"] == body["game"]


def test_the_clock_goes_forward_only(tmp_path: Path) -> None:
    clock = SettableClock(tmp_path, now_ns=lambda: 5_000_000_000)
    assert clock.now_ms() == 5000
    clock.advance(250)
    clock.advance(250)
    assert (clock.now_ms(), SettableClock(tmp_path, lambda: 0).now_ms()) == (5500, 500)
    with pytest.raises(ValueError, match="forward"):
        clock.advance(-1)


def test_a_seed_deals_the_same_games_again(tmp_path: Path) -> None:
    draws = SettableDraws(tmp_path)
    set_seed(tmp_path, 7, time=lambda: 1)
    first = [draws.randbytes(32), draws.randbytes(32)]
    set_seed(tmp_path, 7, time=lambda: 2)
    assert [draws.randbytes(32), draws.randbytes(32)] == first
    set_seed(tmp_path, 8, time=lambda: 3)
    assert draws.randbytes(32) not in first


def test_a_chunked_body_reaches_the_service(rehearse: Open) -> None:
    def pieces() -> object:
        yield b'{"name":'
        yield b'"Ada"}'

    headers = {"Content-Type": "application/json"}
    url = rehearse(NOTHING).url
    answer = httpx.post(f"{url}/api/v1/players", content=pieces(), headers=headers)  # type: ignore[arg-type]
    assert answer.status_code == 201


def test_what_a_rehearsal_did_not_reach_is_untested(rehearse: Open) -> None:
    rehearsal = rehearse(NOTHING)
    verdicts = {one.step: one.verdict for one in judge(rehearsal.read())}
    assert verdicts == {"": RuleVerdict.UNTESTED, "never": RuleVerdict.UNTESTED}


def test_a_file_that_is_no_report_is_refused(tmp_path: Path) -> None:
    head = json.dumps({"t": 0, "what": "rehearsal", "form": FORM, "steps": []})
    other = json.dumps({"t": 0, "what": "rehearsal", "form": 99})
    for text in ("", "no", "[]", "[" * 100_000, other, f"{head}\n5", f'{head}\n{{"t": 1}}'):
        (tmp_path / "r").write_text(text)
        with pytest.raises(BadReport):
            read_report(tmp_path / "r")
