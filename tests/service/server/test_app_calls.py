"""Answers as the bytes of HTTP."""

from __future__ import annotations

import pytest
from gunicorn.http.errors import InvalidResponseHeader, InvalidResponseHeaderName

from cartulary.service.server.app_calls import AnswerWriter, Date, frame_chunk


def answered(
    *body: bytes,
    method: str = "GET",
    version: tuple[int, int] = (1, 1),
    status: str = "200 OK",
    keep: bool = True,
    headers: list[tuple[str, str]] | None = None,
) -> tuple[list[str], bytes, bool]:
    answer = AnswerWriter(method, version, keep)
    answer.start(status, headers or [])
    head, _, rest = answer.finish(body).partition(b"\r\n\r\n")
    return head.decode("latin-1").split("\r\n"), rest, answer.keep


def test_a_body_of_pieces_has_a_length() -> None:
    head, body, keep = answered(b"ab", b"", b"c", headers=[("X-Sea", "blue ")])
    assert head[0] == "HTTP/1.1 200 OK"
    assert {"Connection: keep-alive", "Content-Length: 3", "X-Sea: blue"} <= set(head)
    assert (body, keep) == (b"abc", True)


@pytest.mark.parametrize(
    ("method", "status", "length"),
    [
        ("HEAD", "200 OK", True),
        ("GET", "204 No Content", False),
        ("GET", "304 Not Modified", False),
    ],
)
def test_some_answers_have_no_body(method: str, status: str, length: bool) -> None:
    headers = [("Content-Length", "3")]
    head, body, keep = answered(b"abc", method=method, status=status, headers=headers)
    assert (body, keep) == (b"", True)
    assert ("Content-Length: 3" in head) is length


def test_an_app_that_says_too_long_a_length_costs_the_connection() -> None:
    head, body, keep = answered(b"abc", headers=[("Content-Length", "9")])
    assert "Connection: close" in head
    assert (body, keep) == (b"abc", False)


def test_an_app_that_says_too_short_a_length_is_cut() -> None:
    _, body, keep = answered(b"abc", headers=[("content-length", "2")])
    assert (body, keep) == (b"ab", True)


def test_the_connection_is_no_business_of_the_app() -> None:
    theirs = [("Connection", "upgrade"), ("Transfer-Encoding", "chunked"), ("Server", "x")]
    head, _, _ = answered(b"a", keep=False, headers=theirs)
    assert "Connection: close" in head
    assert not any(line.startswith(("Transfer-Encoding", "Server")) for line in head)
    assert sum(line.startswith("Connection") for line in head) == 1
    assert sum(line.startswith("Date: ") for line in head) == 1


@pytest.mark.parametrize(
    ("header", "error"),
    [
        (("X-A", "b\r\nX-C: d"), InvalidResponseHeader),
        (("X-A", "b\x00"), InvalidResponseHeader),
        (("X A", "b"), InvalidResponseHeaderName),
        (("X-A\r\n", "b"), InvalidResponseHeaderName),
    ],
)
def test_a_header_that_would_split_the_answer_is_refused(
    header: tuple[str, str], error: type[Exception]
) -> None:
    with pytest.raises(error):
        answered(b"", headers=[header])


@pytest.mark.parametrize("status", ["200 OK\r\nX: y", "20 OK", "OK"])
def test_a_status_is_a_number_and_a_phrase(status: str) -> None:
    with pytest.raises(ValueError, match="status"):
        answered(b"", status=status)


def test_an_answer_begins_once_but_for_an_error() -> None:
    answer = AnswerWriter("GET", (1, 1), True)
    with pytest.raises(RuntimeError):
        answer.finish([])
    write = answer.start("200 OK", [("X-Old", "1")])
    write(b"written ")
    with pytest.raises(RuntimeError):
        answer.start("200 OK", [])
    answer.start("500 Oops", [], (ValueError, ValueError(), None))
    sent = answer.finish([b"rest"])
    assert sent.startswith(b"HTTP/1.1 500 Oops\r\n")
    assert sent.endswith(b"\r\n\r\nwritten rest")
    assert b"X-Old" not in sent


@pytest.mark.parametrize(("version", "chunked"), [((1, 1), True), ((1, 0), False)])
def test_an_answer_without_end_goes_in_chunks_where_there_are_chunks(
    version: tuple[int, int], chunked: bool
) -> None:
    answer = AnswerWriter("GET", version, True)
    answer.start("200 OK", [])
    head, framed = answer.begin()
    assert framed is answer.keep is chunked
    assert (b"\r\nTransfer-Encoding: chunked\r\n" in head) is chunked
    assert b"Content-Length" not in head


def test_a_chunk_says_its_size() -> None:
    assert frame_chunk(b"x" * 17) == b"11\r\n" + b"x" * 17 + b"\r\n"


def test_an_answer_says_when_it_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    date, now = Date(), [1_000_000_000.9]
    monkeypatch.setattr("time.time", lambda: now[0])
    assert date() == date() == "Sun, 09 Sep 2001 01:46:40 GMT"
    now[0] += 0.2
    assert date() == "Sun, 09 Sep 2001 01:46:41 GMT"


@pytest.mark.parametrize(("version", "line"), [((1, 0), "1.0"), ((1, 1), "1.1"), ((1, 2), "1.1")])
def test_a_client_is_answered_in_a_version_that_it_speaks(
    version: tuple[int, int], line: str
) -> None:
    head, _, _ = answered(b"", version=version)
    assert head[0] == f"HTTP/{line} 200 OK"
