"""Compress large answers for clients that accept gzip."""

from __future__ import annotations

import gzip

from flask import Response, request

SMALLEST = 1024
"""Bytes below which compression saves nothing worth the time."""
LEVEL = 6


def accepts_gzip() -> bool:
    """Return whether the client accepts gzip."""
    return request.accept_encodings["gzip"] > 0


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
