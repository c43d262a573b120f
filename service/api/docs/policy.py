"""The Content-Security-Policy of pages for developers: they load only from the service itself."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Response


def protect(answer: Response, digests: Sequence[str] = ()) -> Response:
    """Set the policy of an answer; `digests` are of the scripts that may stand within the page.

    A digest is written as the policy has it: `'sha256-…'`, with its quotes.
    """
    answer.headers["Content-Security-Policy"] = "; ".join(
        [
            "default-src 'none'",
            " ".join(["script-src 'self'", *digests]),
            *("style-src 'self' 'unsafe-inline'", "img-src 'self' data:", "font-src 'self'"),
            *("connect-src 'self'", "worker-src 'self'", "base-uri 'none'"),
            *("form-action 'none'", "frame-ancestors 'none'"),
        ]
    )
    return answer
