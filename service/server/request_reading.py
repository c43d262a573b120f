"""Requests as they come in pieces: the head, and how much body belongs to it.

gunicorn parses the head, once it is complete; so what a request is, is decided in one place.
"""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

from gunicorn.http import RequestParser, errors

from cartulary.service.server.unreadable import NoHost

HEAD_MOST = 64 * 1024
"""Bytes that a request head may have."""
_END = b"\r\n\r\n"


def find_end(data: bytes | bytearray, before: int, line_most: int) -> int:
    """Return the length of the head at the beginning of `data`, 0 while it is not complete.

    The first `before` bytes have been looked through already. Raises the errors of
    `gunicorn.http.errors` for a head that can only become worse.
    """
    found = data.find(_END, max(0, before - 3))
    if found >= 0:
        return found + 4
    if len(data) > HEAD_MOST:
        raise errors.LimitRequestHeaders(f"the head of a request may have {HEAD_MOST} bytes")
    tail = data[max(0, before - 1) :]
    if tail.count(b"\n", 1 if before else 0) != tail.count(b"\r\n"):
        # Such a head has no end: it would be waited for until the deadline.
        raise errors.InvalidHeader("bare LF as line terminator")
    if len(data) > line_most + 4 and data.find(b"\r\n", 2, line_most + 4) < 0:
        raise errors.LimitRequestLine(len(data), line_most)
    return 0


def take_head(data: bytearray, before: int, line_most: int, config: Any, client: Any) -> Any | None:
    """Take a request head from the beginning of `data`; return its request as `parse_head` does.

    None while the head is not complete; `before` and the errors are those of `find_end`.
    """
    end = find_end(data, before, line_most)
    if not end:
        return None
    request = parse_head(bytes(data[:end]), config, client)
    del data[:end]
    return request


def parse_head(head: bytes, config: Any, client: Any) -> Any:
    """Return gunicorn's request for a complete head; raises errors of `gunicorn.http.errors`."""
    try:
        request = next(RequestParser(config, [head], client))
    except (StopIteration, errors.NoMoreData):
        raise errors.InvalidRequestLine("an empty line") from None
    if request.version == (1, 1) and not any(name == "HOST" for name, _ in request.headers):
        raise NoHost
    return request


class BrokenInput(BytesIO):
    """A body with something wrong, as the app reads it: what came, then what is wrong with it.

    Every other body is a plain `BytesIO`.
    """

    def __init__(self, data: bytes, failure: Exception) -> None:
        super().__init__(data)
        self._failure = failure

    def read(self, size: int | None = -1, /) -> bytes:
        """Read; raises what is wrong with the body where its bytes end."""
        data = super().read(size)
        if size is None or size < 0 or len(data) < size:
            raise self._failure
        return data


def make_input(data: bytes, failure: Exception | None) -> BytesIO:
    """Return a body as the app reads it."""
    return BytesIO(data) if failure is None else BrokenInput(data, failure)


class LengthBody:
    """A body that says how long it is. At most `keep` bytes of it are kept, the rest is dropped."""

    def __init__(self, length: int, keep: int) -> None:
        self._left, self._keep = length, keep
        self._kept = bytearray()
        self.size = 0
        """How many bytes it holds in memory."""
        self.complete, self.broken = not length, bool(length)
        """Whether nothing is missing, and whether it is unknown where the next request begins."""

    def feed(self, data: bytes | bytearray) -> int:
        """Take what belongs to the body from the beginning of `data`; return how much that is."""
        mine = data[: self._left]
        self._left -= len(mine)
        self._kept += mine[: max(0, self._keep - len(self._kept))]
        self.size, self.complete, self.broken = len(self._kept), not self._left, bool(self._left)
        return len(mine)

    def input(self, failure: Exception | None = None) -> BytesIO:
        """Return the body as the app reads it; a body that ends early is just shorter."""
        return make_input(bytes(self._kept), failure)


_SIZE = re.compile(rb"([0-9A-Fa-f]{1,8})(?:[ \t]*;[^\r\n]*)?")
_LINE_MOST = 4096
_TRAILERS_MOST = 16 * 1024


class ChunkedBody:
    """A body in chunks (RFC 9112, 7.1): extensions and trailers are read and dropped."""

    def __init__(self, keep: int, most: int) -> None:
        """Keep at most `keep` bytes; more than `most` bytes are not waited for."""
        self._keep, self._most = keep, most
        self._kept = bytearray()
        self._raw = bytearray()  # what has come of a line that is not complete
        self._left = 0
        self._total = 0
        self._trailers = 0
        self._step = self._size_line
        self._cut = False
        self.complete = False
        self.failure: Exception | None = None

    @property
    def size(self) -> int:
        """Return how many bytes it holds in memory."""
        return len(self._kept) + len(self._raw)

    @property
    def broken(self) -> bool:
        """Return whether it is unknown where the next request begins."""
        return self._cut or not self.complete or self.failure is not None

    def feed(self, data: bytes | bytearray) -> int:
        """Take what belongs to the body from the beginning of `data`; return how much that is."""
        before = len(self._raw)
        self._raw += data
        taken = 0
        while not self.complete:
            used = self._step(taken)
            if not used:
                break
            taken += used
        if self.complete:
            self._raw.clear()
            return max(0, taken - before)
        del self._raw[:taken]
        return len(data)

    def input(self, failure: Exception | None = None) -> BytesIO:
        """Return the body as the app reads it."""
        early = None if self.complete else errors.NoMoreData()
        return make_input(bytes(self._kept), self.failure or failure or early)

    def _fail(self, failure: Exception) -> int:
        self.failure, self.complete = failure, True
        return 0

    def _line(self, start: int, most: int) -> bytes | None:
        """Return the line at `start` without its end, None while it is not complete."""
        end = self._raw.find(b"\r\n", start)
        if end >= 0:
            return bytes(self._raw[start:end])
        if len(self._raw) - start > most:
            self._fail(errors.InvalidChunkSize(b"a line that is too long"))
        return None

    def _size_line(self, start: int) -> int:
        line = self._line(start, _LINE_MOST)
        if line is None:
            return 0
        match = _SIZE.fullmatch(line)
        if match is None:
            return self._fail(errors.InvalidChunkSize(line[:20]))
        self._left = int(match[1], 16)
        self._total += self._left
        self._step = self._data if self._left else self._trailer
        if self._total > self._most:
            # The app refuses the body because of its length, so the rest is not waited for.
            self._kept += bytes(max(0, self._keep - len(self._kept)))
            self._cut = self.complete = True
        return len(line) + 2

    def _data(self, start: int) -> int:
        piece = self._raw[start : start + self._left]
        self._left -= len(piece)
        self._kept += piece[: max(0, self._keep - len(self._kept))]
        if not self._left:
            self._step = self._data_end
        return len(piece)

    def _data_end(self, start: int) -> int:
        end = bytes(self._raw[start : start + 2])
        if not b"\r\n".startswith(end):
            return self._fail(errors.ChunkMissingTerminator(end))
        if len(end) < 2:
            return 0
        self._step = self._size_line
        return 2

    def _trailer(self, start: int) -> int:
        line = self._line(start, _TRAILERS_MOST)
        if line is None:
            return 0
        self._trailers += len(line) + 2
        if self._trailers > _TRAILERS_MOST:
            return self._fail(errors.LimitRequestHeaders("limit request trailer section size"))
        if line and not re.fullmatch(
            rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\x00-\x08\x0a-\x1f\x7f]*", line
        ):
            return self._fail(errors.InvalidHeader("a trailer"))
        self.complete = not line
        return len(line) + 2


Body = LengthBody | ChunkedBody
