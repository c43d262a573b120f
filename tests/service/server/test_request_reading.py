"""Requests that come in pieces."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.http import errors
from hypothesis import given
from hypothesis import strategies as st

from cartulary.service.server.request_reading import (
    HEAD_MOST,
    Body,
    ChunkedBody,
    LengthBody,
    find_end,
    make_input,
    parse_head,
    take_head,
)
from cartulary.service.server.unreadable import NoHost, TooSlow

LINE = 8190
HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


def end_in_pieces(data: bytes, size: int) -> int:
    """The end of the head, looked for after each piece of a size."""
    so_far = bytearray()
    for begin in range(0, len(data), size):
        before = len(so_far)
        so_far += data[begin : begin + size]
        if found := find_end(so_far, before, LINE):
            return found
    return 0


@pytest.mark.parametrize("size", range(1, len(HEAD) + 5))
def test_the_end_of_a_head_is_found_however_it_is_cut(size: int) -> None:
    assert end_in_pieces(HEAD + b"body", size) == len(HEAD)
    assert end_in_pieces(HEAD[:-1], size) == 0


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
@pytest.mark.parametrize(
    "bad", [b"GET / HTTP/1.1\nHost: x\r\n", b"GET / HTTP/1.1\r\nHost: x\n\n", b"\n"]
)
def test_a_line_without_a_carriage_return_is_refused_at_once(bad: bytes, size: int) -> None:
    with pytest.raises(errors.InvalidHeader):
        end_in_pieces(bad, size)


@pytest.mark.parametrize("size", [1, 1000, 100_000])
def test_a_head_without_an_end_is_refused_when_it_is_too_long(size: int) -> None:
    with pytest.raises(errors.LimitRequestHeaders):
        end_in_pieces(b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * (HEAD_MOST // 6), size)
    with pytest.raises(errors.LimitRequestLine):
        end_in_pieces(b"GET /" + b"x" * (LINE + 10), size)


class TestHeads:
    config = Config()

    def test_gunicorn_parses_the_head(self) -> None:
        request = parse_head(b"POST /a?b HTTP/1.1\r\nHost: x\r\n\r\n", self.config, ("::1", 1))
        assert (request.method, request.path, request.query) == ("POST", "/a", "b")

    def test_a_whole_head_is_taken_from_what_has_come_and_the_rest_stays(self) -> None:
        data = bytearray(HEAD[:-1])
        assert take_head(data, 0, LINE, self.config, ("::1", 1)) is None
        assert data == HEAD[:-1]
        data += HEAD[-1:] + b"body"
        request: Any = take_head(data, len(HEAD) - 1, LINE, self.config, ("::1", 1))
        assert request.method == "GET"
        assert data == b"body"

    def test_a_host_is_asked_for(self) -> None:
        with pytest.raises(NoHost):
            parse_head(b"GET / HTTP/1.1\r\n\r\n", self.config, ("::1", 1))
        assert parse_head(b"GET / HTTP/1.0\r\n\r\n", self.config, ("::1", 1)).version == (1, 0)

    @pytest.mark.parametrize(
        "head", [b"\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\n", b"GET / HTTP/1.1\r\nHost x\r\n\r\n"]
    )
    def test_what_is_no_head_is_refused(self, head: bytes) -> None:
        with pytest.raises(errors.ParseException):
            parse_head(head, self.config, ("::1", 1))


class TestBrokenInput:
    def test_what_is_wrong_with_a_body_shows_where_its_bytes_end(self) -> None:
        body = make_input(b"abc", TooSlow())
        assert body.read(3) == b"abc"
        with pytest.raises(TooSlow):
            body.read(1)

    @pytest.mark.parametrize("size", [-1, None, 4])
    def test_who_asks_for_more_than_there_is_learns_it(self, size: int | None) -> None:
        with pytest.raises(TooSlow):
            make_input(b"abc", TooSlow()).read(size)

    def test_a_whole_body_ends(self) -> None:
        body = make_input(b"abc", None)
        assert [body.read(2), body.read(2), body.read(2)] == [b"ab", b"c", b""]


def fed(body: Body, data: bytes, size: int) -> bytes:
    """Feed a body in pieces; return what does not belong to it."""
    for begin in range(0, len(data), size):
        piece = data[begin : begin + size]
        used = body.feed(piece)
        if body.complete:
            return piece[used:] + data[begin + size :]
    return b""


@given(st.binary(max_size=50), st.binary(max_size=20), st.integers(1, 80))
def test_a_body_of_a_length_takes_what_is_its_own(body: bytes, more: bytes, size: int) -> None:
    found = LengthBody(len(body), 1000)
    rest = fed(found, body + more, size) if body else more
    assert (found.complete, found.broken, rest) == (True, False, more)
    assert found.input().read() == body


def test_a_long_body_is_taken_but_not_kept() -> None:
    body = LengthBody(1000, 10)
    assert body.feed(bytes(999)) == 999
    assert not body.complete
    assert body.broken
    assert body.size == 10
    assert body.feed(b"xyz") == 1
    assert body.complete


def chunks(parts: list[bytes]) -> bytes:
    return b"".join(b"%X;a=b\r\n%b\r\n" % (len(part), part) for part in parts if part) + b"0\r\n"


@pytest.mark.slow
@given(
    st.lists(st.binary(max_size=20), max_size=5),
    st.sampled_from([b"", b"X-Sum: 1\r\n"]),
    st.binary(max_size=20),
    st.integers(1, 80),
)
def test_chunks_are_put_together_however_they_are_cut(
    parts: list[bytes], trailer: bytes, more: bytes, size: int
) -> None:
    body = ChunkedBody(1000, 1000)
    rest = fed(body, chunks(parts) + trailer + b"\r\n" + more, size)
    assert (body.complete, body.broken, body.failure) == (True, False, None)
    assert rest == more
    assert body.input().read() == b"".join(parts)


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(
    "sent",
    [
        *(b"zz\r\n", b"-1\r\n", b"0x1\r\na\r\n", b"\r\n", b" 1\r\na\r\n", b"123456789\r\n"),
        *(b"1\r\nab\r\n", b"1\r\na\n0\r\n\r\n", b"1" * 5000, b"0\r\nno header\r\n\r\n"),
        *(b"0\r\nX: \x00\r\n\r\n", b"0\r\n" + b"X: y\r\n" * 4000, b"1\n;\r\na\r\n"),
    ],
)
def test_chunks_that_cannot_be_read_break_the_connection(sent: bytes, size: int) -> None:
    body = ChunkedBody(1000, 100_000)
    fed(body, sent, size)
    assert body.broken
    assert isinstance(body.failure, errors.ParseException)
    with pytest.raises(type(body.failure)):
        body.input().read()


def test_the_size_of_a_chunk_is_hexadecimal() -> None:
    body = ChunkedBody(1000, 1000)
    assert fed(body, b"1f\r\n" + b"x" * 31 + b"\r\n0\r\n\r\nnext", 1000) == b"next"
    assert body.input().read() == b"x" * 31


def test_chunks_that_end_early_are_no_whole_body() -> None:
    body = ChunkedBody(1000, 1000)
    body.feed(b"ff\r\nabc")
    assert body.broken
    with pytest.raises(errors.NoMoreData):
        body.input().read()
    with pytest.raises(TooSlow):
        body.input(TooSlow()).read()


def test_more_chunks_than_are_ever_taken_look_too_long_to_the_app() -> None:
    body = ChunkedBody(100, 1000)
    body.feed(b"fffffff\r\n")
    assert (body.complete, body.broken) == (True, True)
    assert len(body.input().read(1000)) == 100


def test_the_parser_is_given_only_the_head() -> None:
    """So its own reading of bodies never waits for a socket."""
    request = parse_head(HEAD, Config(), ("::1", 1))
    assert request.body.read() == b""
    assert SimpleNamespace(**dict([*request.headers])).HOST == "x"
