"""Refusals as exceptions.

A class for each family of codes, and the code itself in `code`. A code of a later release belongs
to the family of its status, so that no new code breaks a client.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final, cast

from cartulary.client.core.api_types import Decision, Move, Problem

Headers = Mapping[str, str]


class ClientError(Exception):
    """What went wrong between this client and the service."""


class ConnectionLost(ClientError):
    """No answer came, and no repetition brought one.

    What has become of a write is unknown: repeating it with `key` is safe.
    """

    def __init__(self, method: str, path: str, why: str, key: str | None = None) -> None:
        super().__init__(f"no answer to {method} {path}: {why}")
        self.method, self.path, self.why, self.key = method, path, why, key


class ApiProblem(ClientError):
    """A refusal of the service (RFC 9457).

    `code` is stable and for programs, `detail` for people, `problem` everything that was said.
    `retry_after` are the seconds after which the service wants to be asked again, if it said so.
    """

    def __init__(self, status: int, problem: Problem, retry_after: float | None) -> None:
        super().__init__(f"{status} {problem['code']}: {problem.get('detail', '')}")
        self.status = status
        self.problem = problem
        self.code: str = problem["code"]
        self.detail: str = problem.get("detail", "")
        self.request_id: str | None = problem.get("request_id")
        self.retry_after = retry_after


class Unauthenticated(ApiProblem):
    """401: the token, the code or the ticket is missing or unknown."""


class Forbidden(ApiProblem):
    """403: this player may not do that."""


class NotFound(ApiProblem):
    """404: there is no such thing, or this player does not see it."""


class Conflict(ApiProblem):
    """409 or 412: the game is not as the request assumes. Nothing has changed: look again."""


class StaleVersion(Conflict):
    """The game has another version: read it and choose again."""

    @property
    def current_version(self) -> int | None:
        """The version that the game has now."""
        return self.problem.get("current_version")


class Invalid(ApiProblem):
    """400, 413, 415, 422: the request itself is at fault."""

    @property
    def errors(self) -> list[dict[str, Any]]:
        """Every fault, with a pointer into the body."""
        return cast(list[dict[str, Any]], self.problem.get("errors", []))


class IllegalMove(Invalid):
    """The move is not legal now."""

    @property
    def legal_moves(self) -> list[Move]:
        """Every legal move."""
        return self.problem.get("legal_moves", [])

    @property
    def decision(self) -> Decision | None:
        """What the game asks."""
        return self.problem.get("decision")


class TooMany(ApiProblem):
    """429: a rate limit or a quota."""


class Unavailable(ApiProblem):
    """5xx: the service cannot answer now; the outcome of a write is unknown."""


_BY_CODE: Final[Mapping[str, type[ApiProblem]]] = {
    "stale_version": StaleVersion,
    "illegal_move": IllegalMove,
}
_BY_STATUS: Final[Mapping[int, type[ApiProblem]]] = {
    401: Unauthenticated,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    412: Conflict,
    429: TooMany,
}


def read_problem(status: int, headers: Headers, body: bytes) -> ApiProblem:
    """Return an answer as an exception, also one that comes from a proxy and is a page."""
    problem = _parse(status, body)
    found = _BY_CODE.get(problem["code"]) or _BY_STATUS.get(status)
    if found is None:
        found = Invalid if 400 <= status < 500 else Unavailable if status >= 500 else ApiProblem
    return found(status, problem, read_retry_after(headers))


def read_code(body: bytes) -> str:
    """Return the code of a refusal, '' where the body has none."""
    try:
        found = json.loads(body)
    except ValueError:
        return ""
    code = found.get("code") if isinstance(found, dict) else None
    return code if isinstance(code, str) else ""


def read_retry_after(headers: Headers) -> float | None:
    """Return the seconds of `Retry-After`; None without the header, and for a date."""
    text = headers.get("retry-after", "").strip()
    return float(text) if text.isdecimal() else None


def _parse(status: int, body: bytes) -> Problem:
    if code := read_code(body):
        return cast(Problem, {**json.loads(body), "code": code})
    title = HTTPStatus(status).phrase if status in set(HTTPStatus) else "No known status"
    shown = body[:200].decode(errors="replace")
    missing = {"type": "about:blank", "title": title, "detail": shown, "code": f"http_{status}"}
    return cast(Problem, {**missing, "status": status})
