"""Requests and what comes of them, as values."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, NamedTuple, TypeVar

from cartulary.client.core.problems import ClientError, ConnectionLost, read_problem

T = TypeVar("T")

API: Final = "/api/v1"
KEY: Final = "Idempotency-Key"


class Answer(NamedTuple):
    """An answer: names of headers in small letters, the whole body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Lost(NamedTuple):
    """No answer; `sent` says whether the service may have read the request."""

    sent: bool
    why: str


Outcome = Answer | Lost


@dataclass(frozen=True, slots=True)
class Request:
    """A request below `/api/v1`, complete, so that a repetition sends the same bytes.

    `repeatable` says whether the request may be repeated when its outcome is unknown: reading,
    setting a value, and every write with a key.
    """

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    repeatable: bool = True


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """A request and how its answer is read."""

    request: Request
    read: Callable[[Any], T]

    def finish(self, outcome: Outcome) -> T:
        """Return what the answer says; raises `ApiProblem`, `ConnectionLost`."""
        if isinstance(outcome, Lost) or outcome.status >= 300:
            raise make_error(self.request, outcome)
        return self.read(json.loads(outcome.body) if outcome.body else None)


def make_error(request: Request, outcome: Outcome) -> ClientError:
    """Return what a failed request raises."""
    if isinstance(outcome, Lost):
        key = request.headers.get(KEY)
        return ConnectionLost(request.method, request.path, outcome.why, key)
    return read_problem(outcome.status, outcome.headers, outcome.body)


def make_request(
    method: str,
    path: str,
    body: Any = None,
    *,
    key: str | None = None,
    version: int | None = None,
    query: Mapping[str, object] | None = None,
    repeatable: bool = True,
) -> Request:
    """Return a request; values of `query` that are None are left out.

    `key` is the idempotency key, `version` the version that the game must have (`If-Match`).
    """
    headers = {"Content-Type": "application/json"} if body is not None else {}
    if key is not None:
        headers[KEY] = key
    if version is not None:
        headers["If-Match"] = f'"v{version}"'
    asked = {name: str(value) for name, value in (query or {}).items() if value is not None}
    content = None if body is None else json.dumps(body, ensure_ascii=False).encode()
    return Request(method, path, asked, headers, content, repeatable)
