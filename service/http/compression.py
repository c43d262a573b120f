"""Answers that are large are sent compressed to whoever takes it."""

from __future__ import annotations

import gzip

from flask import Response, request

SMALLEST = 1024
"""Bytes below which compressing saves nothing worth the time."""
LEVEL = 6


def takes_gzip() -> bool:
    """Return whether the client says that it takes gzip."""
    return request.accept_encodings["gzip"] > 0


def packed(answer: Response) -> Response:
    """Compress the body of a whole (not streamed) answer where the client takes gzip.

    The entity tag of such an answer must be a weak one: the bytes differ, the meaning does not.
    """
    answer.vary.add("Accept-Encoding")
    body = answer.get_data()
    if answer.status_code in (200, 201) and len(body) >= SMALLEST and takes_gzip():
        answer.set_data(gzip.compress(body, LEVEL, mtime=0))
        answer.headers["Content-Encoding"] = "gzip"
    return answer
