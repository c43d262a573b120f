"""Refusals: `application/problem+json` (RFC 9457) for every request that fails.

`problem_kinds.KINDS` lists all codes; `type` is a relative reference into the documentation that
the service itself serves.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import orjson
from flask import Response, request

from cartulary.service.http.wire.observer import request_id, write_headers
from cartulary.service.http.wire.problem_kinds import KINDS

MEDIA_TYPE = "application/problem+json"

_OF_PATHS = "/:@!$&'()*+,;="
"""What a path may hold unchanged, besides letters, digits and `-._~` (RFC 3986, 3.3)."""

# The codes of what the framework itself refuses.
_OF_STATUS = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    408: "request_timeout",
    413: "too_large",
    415: "unsupported_media_type",
    429: "rate_limited",
    501: "bad_request",
    503: "unavailable",
}


def choose_code(status: int) -> str:
    """Return the code for a status with which the framework or the server refuses."""
    return _OF_STATUS.get(status, "bad_request" if status < 500 else "internal_error")


def problem_json(code: str, detail: str, status: int, path: str, name: str) -> dict[str, Any]:
    """Return the members that every problem has; `name` is the id of the request.

    `path` is the path of the request as it was sent, percent-encoded.
    """
    return {
        "type": f"/docs/problems#{code}",
        "title": KINDS[code].title,
        "status": status,
        "detail": detail,
        "instance": path,
        "code": code,
        "request_id": name,
    }


def write_refusal(status: HTTPStatus, reason: str, path: str, name: str) -> bytes:
    """Return the whole HTTP answer to a request that the server could not read.

    The connection ends with it. `reason` goes into the detail, but not for a failure of the
    service: that one would show internals.
    """
    code = choose_code(status)
    detail = "" if code == "internal_error" else reason.encode("utf-8", "replace").decode()
    body = orjson.dumps(problem_json(code, detail or status.phrase, status, path, name))
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}\r\nConnection: close\r\n"
        f"Content-Type: {MEDIA_TYPE}\r\nContent-Length: {len(body)}\r\n"
        f"Cache-Control: no-store\r\nX-Request-Id: {name}\r\n{write_headers()}"
    )
    if status is HTTPStatus.SERVICE_UNAVAILABLE:
        head += "Retry-After: 1\r\n"
    return head.encode() + b"\r\n" + body


class Problem(Exception):
    """A refusal with one of the codes of `KINDS`.

    `members` are the additional members of the problem, `headers` go with the answer; `status`
    is only given where a code has two (412 instead of 409 for a stale `If-Match`).
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
        **members: Any,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.status = status or KINDS[code].status
        self.headers = dict(headers or {})
        self.members = members

    def response(self) -> Response:
        """Return the answer; `instance` names the path, `request_id` the line in the log."""
        path = quote(request.path, safe=_OF_PATHS)
        body = problem_json(self.code, self.detail, self.status, path, request_id())
        body |= self.members
        answer = Response(orjson.dumps(body), self.status, self.headers, content_type=MEDIA_TYPE)
        answer.headers["Cache-Control"] = "no-store"
        if self.status == 401:
            answer.headers["WWW-Authenticate"] = 'Bearer realm="cartulary"'
        return answer


_LISTED = 100
"""A body of a thousand faults gets an answer that is not much longer than the body."""


class InvalidProblem(Problem):
    """422 `invalid`: each entry of `errors` has a JSON pointer into the body and a detail.

    The answer lists the first hundred faults.
    """

    def __init__(self, errors: list[dict[str, str]]) -> None:
        first = errors[0]
        place = first["pointer"] or "the whole body"
        super().__init__("invalid", f"{place}: {first['detail']}", errors=errors[:_LISTED])


def invalid(pointer: str, detail: str, reason: str = "") -> InvalidProblem:
    """Return a 422 about a single place of the body; `reason` is a stable word for programs."""
    more = {"reason": reason} if reason else {}
    return InvalidProblem([{"pointer": pointer, "detail": detail, **more}])


def not_found(what: str) -> Problem:
    """Return a 404; it does not say whether the thing is missing or private."""
    return Problem("not_found", f"{what} does not exist, or you may not see it")
