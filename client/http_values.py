"""What both transports need: requests and answers between `httpx` and the core."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

import httpx

from cartulary.client.core.requests import API, Answer, Lost, Request

_NOT_SENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


def check_url(url: str) -> str:
    """Return the address of the API; raises `ValueError` for what is no `http(s)://HOST`."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query:
        raise ValueError(f"the address of the service must be http(s)://HOST, not {url!r}")
    return url.rstrip("/").removesuffix(API) + API


def make_headers(request: Request, token: str | None, language: str) -> dict[str, str]:
    """Return the headers of a request, with the token when there is one."""
    headers = {"Accept": "application/json", "Accept-Language": language, **request.headers}
    return headers if token is None else {**headers, "Authorization": f"Bearer {token}"}


def make_timeout(silent_after: float) -> httpx.Timeout:
    """Return the times of a stream: reading waits for as long as a stream may be silent."""
    return httpx.Timeout(min(30.0, silent_after), read=silent_after)


def read_answer(answer: httpx.Response, body: bytes) -> Answer:
    """Return an answer as a value of the core."""
    return Answer(answer.status_code, {k.lower(): v for k, v in answer.headers.items()}, body)


def lose(error: httpx.TransportError) -> Lost:
    """Return what it means that no answer came."""
    return Lost(not isinstance(error, _NOT_SENT), str(error) or type(error).__name__)
