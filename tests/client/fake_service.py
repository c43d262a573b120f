"""A service in one object: answers that a test has prepared, and the requests that came."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import httpx

from cartulary.client import Client, RetryPolicy

Reply = httpx.Response | Exception


class Script:
    """Gives the prepared answers in their order; `slept` are the pauses of the client."""

    def __init__(self, *replies: Reply) -> None:
        self._replies = list(replies)
        self.requests: list[httpx.Request] = []
        self.slept: list[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        """Answer a request."""
        self.requests.append(request)
        reply = self._replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply

    @property
    def keys(self) -> list[str | None]:
        """The idempotency keys that came."""
        return [request.headers.get("Idempotency-Key") for request in self.requests]

    def open(self, token: str | None = "t", policy: RetryPolicy | None = None) -> Client:
        """Return a client of this service that sleeps without waiting."""
        return Client(
            "http://service",
            token,
            policy=policy,
            sleep=self.slept.append,
            random=Middle(),
            transport=httpx.MockTransport(self),
        )


class Middle(Random):
    """A random source that always draws the middle."""

    def uniform(self, a: float, b: float) -> float:
        """Return the middle of both."""
        return (a + b) / 2


def say(body: Any, status: int = 200, **headers: str) -> httpx.Response:
    """Return an answer in JSON; `Retry_After` is the header `Retry-After`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, json=body, headers=named)


def refuse(status: int, code: str, retry_after: str | None = None, **more: Any) -> httpx.Response:
    """Return a refusal."""
    headers = {} if retry_after is None else {"Retry_After": retry_after}
    return say({"code": code, "detail": code, "status": status, **more}, status, **headers)


class Bytes(httpx.SyncByteStream):
    """The body of a stream: pieces, then perhaps an error."""

    def __init__(self, pieces: Iterable[bytes], error: Exception | None = None) -> None:
        self._pieces, self._error = pieces, error

    def __iter__(self) -> Iterator[bytes]:
        yield from self._pieces
        if self._error is not None:
            raise self._error


def stream(*lines: Any, error: Exception | None = None) -> httpx.Response:
    """Return a stream of lines: bytes as they are, everything else as JSON."""
    pieces = [
        line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines
    ]
    return httpx.Response(200, stream=Bytes(pieces, error))


def event(version: int, kind: str = "move_made", **more: Any) -> dict[str, Any]:
    """Return an event whose hash is its version."""
    chain = {"prev": str(version - 1), "hash": str(version)}
    return {"version": version, "type": kind, "at": "", **chain, **more}
