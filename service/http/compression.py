"""Compress large answers for clients that accept gzip."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from functools import lru_cache

from flask import Flask, Response, request
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

from cartulary.service.http.shared.packed_answers import LEVEL, QUICK, SMALLEST, Packed
from cartulary.service.http.shared.services import Services, current_services
from cartulary.service.http.wire.environ import Environ
from cartulary.service.http.write_outcome import attempt


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


def pack_move(services: Services, environ: Environ, body: bytes) -> bytes | None:
    """Return the body of the answer to a move compressed as `register` does it, None: as it is.

    For a request with `Accept-Encoding`.
    """
    header = environ["HTTP_ACCEPT_ENCODING"]
    if len(body) < SMALLEST or not _takes_gzip(header):
        return None
    return attempt(
        services, "compression", lambda: gzip.compress(body, QUICK, mtime=0), None, environ
    )


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
        environ = request.environ
        reads = environ["REQUEST_METHOD"] in ("GET", "HEAD")
        if reads:
            answer.vary.add("Accept-Encoding")
        if "HTTP_ACCEPT_ENCODING" not in environ or not accepts_gzip():
            return answer
        if reads:
            return _set_packed(answer, packed.pack(answer.get_data()))
        # The event is stored: the client gets the answer in any case.
        return attempt(current_services(), "compression", lambda: _pack_once(answer), answer)

    app.after_request(compress_json)


def _pack_once(answer: Response) -> Response:
    return _set_packed(answer, gzip.compress(answer.get_data(), QUICK, mtime=0))


def _set_packed(answer: Response, body: bytes) -> Response:
    answer.set_data(body)
    answer.headers["Content-Encoding"] = "gzip"
    return answer
