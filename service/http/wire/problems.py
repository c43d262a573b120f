"""Refusals: `application/problem+json` (RFC 9457) for every request that fails.

`KINDS` lists all codes. A code never changes its meaning; `type` is a relative reference into the
documentation that the service itself serves.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import quote

import orjson
from flask import Response, request

from cartulary.service.http.wire.observer import request_id
from cartulary.service.http.wire.security_headers import write_headers

MEDIA_TYPE = "application/problem+json"

_OF_PATHS = "/:@!$&'()*+,;="
"""What a path may hold unchanged, besides letters, digits and `-._~` (RFC 3986, 3.3)."""


class ProblemKind(NamedTuple):
    """What a code stands for: the HTTP status and a title for people."""

    status: int
    title: str


KINDS: dict[str, ProblemKind] = {
    "malformed_json": ProblemKind(400, "The body is not JSON"),
    "bad_cursor": ProblemKind(400, "The cursor is invalid"),
    "bad_request": ProblemKind(400, "The request cannot be read"),
    "token_missing": ProblemKind(401, "The token is missing"),
    "token_unknown": ProblemKind(401, "The token is unknown"),
    "ticket_unknown": ProblemKind(401, "The ticket is unknown"),
    "code_unknown": ProblemKind(401, "The code is unknown"),
    "scope_missing": ProblemKind(403, "The token is not for this"),
    "not_seated": ProblemKind(403, "You do not sit there"),
    "not_host": ProblemKind(403, "You are not the host"),
    "removed": ProblemKind(403, "The host has removed you"),
    "not_asked": ProblemKind(403, "The proposal does not ask you"),
    "muted": ProblemKind(403, "You may not write messages"),
    "account_needed": ProblemKind(403, "A guest may not do this"),
    "not_author": ProblemKind(403, "Another player has written this"),
    "not_found": ProblemKind(404, "Not found"),
    "not_installed": ProblemKind(404, "This service does not have this part"),
    "method_not_allowed": ProblemKind(405, "The method is not allowed here"),
    "not_acceptable": ProblemKind(406, "The service has no such media type"),
    "request_timeout": ProblemKind(408, "The request did not come in time"),
    "stale_version": ProblemKind(409, "The version is stale"),
    "not_your_turn": ProblemKind(409, "It is not your turn"),
    "game_not_running": ProblemKind(409, "The game is not running"),
    "seat_taken": ProblemKind(409, "The seat is taken"),
    "seat_offered": ProblemKind(409, "The seat is offered to another player"),
    "seats_open": ProblemKind(409, "The game cannot start with these seats"),
    "not_ready": ProblemKind(409, "Not everybody is ready"),
    "untimed": ProblemKind(409, "The game has no such clock"),
    "already_started": ProblemKind(409, "The game has started already"),
    "seat_forfeited": ProblemKind(409, "The seat is given up for good"),
    "alone": ProblemKind(409, "No other person plays"),
    "not_overdue": ProblemKind(409, "The seat still has time"),
    "too_late": ProblemKind(409, "It is too late for this"),
    "game_running": ProblemKind(409, "The game is not over"),
    "hints_off": ProblemKind(409, "The game has no hints"),
    "branch_not_allowed": ProblemKind(409, "Others still play the game"),
    "proposal_open": ProblemKind(409, "Another proposal waits for answers"),
    "nothing_to_take_back": ProblemKind(409, "There is nothing to take back"),
    "takebacks_off": ProblemKind(409, "Nobody may ask for this takeback"),
    "asked_before": ProblemKind(409, "This was declined before"),
    "proposal_closed": ProblemKind(409, "The proposal is closed"),
    "too_large": ProblemKind(413, "The body is too large"),
    "unsupported_media_type": ProblemKind(415, "The body must be JSON"),
    "invalid": ProblemKind(422, "The request is not valid"),
    "illegal_move": ProblemKind(422, "The move is not legal"),
    "idempotency_mismatch": ProblemKind(422, "The key was used for another request"),
    "rate_limited": ProblemKind(429, "Too many requests"),
    "quota_exceeded": ProblemKind(429, "The quota is used up"),
    "internal_error": ProblemKind(500, "The service failed"),
    "too_many_streams": ProblemKind(503, "Too many clients are waiting for events"),
    "busy": ProblemKind(503, "The service makes other pictures"),
    "unavailable": ProblemKind(503, "The store does not answer"),
    "archive_unavailable": ProblemKind(503, "The archive does not answer"),
    "game_damaged": ProblemKind(503, "The stored game is damaged"),
}

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


def invalid(pointer: str, detail: str) -> InvalidProblem:
    """Return a 422 about a single place of the body."""
    return InvalidProblem([{"pointer": pointer, "detail": detail}])


def not_found(what: str) -> Problem:
    """Return a 404; it does not say whether the thing is missing or private."""
    return Problem("not_found", f"{what} does not exist, or you may not see it")
