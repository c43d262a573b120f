"""Compress large answers for clients that accept gzip."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256

from flask import Flask, Response, request
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

from cartulary.events.cache import Cache
from cartulary.service.http.answers import attempt
from cartulary.service.http.context import Parts, parts
from cartulary.service.shortcuts import Environ, environ

SMALLEST = 1024
"""Bytes below which compression saves nothing worth the time."""
LEVEL = 6
QUICK = 1
"""The level for what is sent once: half the CPU time for a tenth more bytes."""
CACHED = 16 * 1024 * 1024
"""Bytes of compressed answers that a process caches."""


def accepts_gzip() -> bool:
    """Return whether the client accepts gzip."""
    return choose_coding(("gzip",)) == "gzip"


def choose_coding(offered: Iterable[str]) -> str:
    """Return the content coding that the client likes best, "" for a plain body.

    Of codings that the client likes alike it is the first. A client that names `identity` may
    prefer a plain body; otherwise every coding that it accepts is better (RFC 9110, 12.5.3).
    """
    return _choose(request.accept_encodings, offered)


def _choose(accepted: Accept, offered: Iterable[str]) -> str:
    best = max(offered, key=accepted.quality, default="")
    plain = max((quality for coding, quality in accepted if coding == "identity"), default=0)
    return best if best and accepted.quality(best) > 0 and accepted.quality(best) >= plain else ""


@lru_cache(maxsize=256)
def _takes_gzip(header: str) -> bool:
    """Return what `accepts_gzip` returns for a header `Accept-Encoding`: browsers send few."""
    return _choose(parse_accept_header(header), ("gzip",)) == "gzip"


def pack_move(here: Parts, asked: Environ, body: bytes) -> bytes | None:
    """Return the body of the answer to a move compressed as `register` does it, None: as it is."""
    header = asked.get("HTTP_ACCEPT_ENCODING")
    if header is None or len(body) < SMALLEST or not _takes_gzip(header):
        return None
    return attempt(here, "compression", lambda: gzip.compress(body, QUICK, mtime=0), None, asked)


def compress(answer: Response) -> Response:
    """Compress the body of a whole (not streamed) answer where the client accepts gzip.

    The entity tag of such an answer must be weak: the bytes differ, the meaning does not.
    """
    answer.vary.add("Accept-Encoding")
    body = answer.get_data()
    if answer.status_code in (200, 201) and len(body) >= SMALLEST and accepts_gzip():
        answer.set_data(gzip.compress(body, LEVEL, mtime=0))
        answer.headers["Content-Encoding"] = "gzip"
    return answer


class Packed:
    """Compressed bodies by what they hold; at most so many bytes. Thread-safe.

    The key is the content, so nothing in it becomes stale, and what does not change (a full page of
    events, a state of the past, the answers of a finished game) is compressed once.
    """

    def __init__(self, capacity: int) -> None:
        self._longest = capacity // 8
        self._bodies: Cache[bytes, bytes] = Cache(capacity, lambda body, _: len(body))

    @property
    def cached_bytes(self) -> int:
        """Return the bytes of all cached bodies."""
        return self._bodies.size

    def pack(self, body: bytes) -> bytes:
        """Return a body compressed."""
        key = sha256(body).digest()
        known = self._bodies.get(key)
        if known is not None:
            return known
        made = gzip.compress(body, LEVEL, mtime=0)
        if len(made) <= self._longest:
            self._bodies.put(key, made)
        return made


def register(app: Flask, packed: Packed) -> None:
    """Compress every long JSON answer for clients that accept gzip; `packed` caches what is read.

    The entity tag stays as it is: clients send it back in `If-Match`, where it names a version and
    not the bytes.
    """

    def compress_json(answer: Response) -> Response:
        if answer.status_code == 304:
            # What the 200 would say of caching, the 304 says as well (RFC 9110, 15.4.5).
            answer.vary.add("Accept-Encoding")
            return answer
        if answer.mimetype != "application/json" or answer.is_streamed:
            return answer
        if len(answer.get_data()) < SMALLEST or "Content-Encoding" in answer.headers:
            return answer
        asked = environ()
        reads = asked["REQUEST_METHOD"] in ("GET", "HEAD")
        if reads:
            answer.vary.add("Accept-Encoding")
        if "HTTP_ACCEPT_ENCODING" not in asked or not accepts_gzip():
            return answer
        if reads:
            return _set_packed(answer, packed.pack(answer.get_data()))
        # The event is stored: the client gets the answer in any case.
        return attempt(parts(), "compression", lambda: _pack_once(answer), answer)

    app.after_request(compress_json)


def _pack_once(answer: Response) -> Response:
    return _set_packed(answer, gzip.compress(answer.get_data(), QUICK, mtime=0))


def _set_packed(answer: Response, body: bytes) -> Response:
    answer.set_data(body)
    answer.headers["Content-Encoding"] = "gzip"
    return answer
