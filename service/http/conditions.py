"""Conditional requests: ETag, If-None-Match, If-Match, Idempotency-Key."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from flask import Response

from cartulary.events.commands import Written
from cartulary.events.errors import StaleVersion
from cartulary.service.http.bodies import json_response
from cartulary.service.http.context import environ, parts
from cartulary.service.http.problems import Problem, invalid

KEY_MAX = 255
NEVER = -1
"""A version that no game is at."""

_TAG = re.compile(r'(W/)?"([^"]*)"')
_OURS = re.compile(r"v([1-9][0-9]{0,9})", re.ASCII)


def etag(version: int) -> str:
    """Return the entity tag of a game at a version."""
    return f'"v{version}"'


def not_modified(tag: str) -> bool:
    """Tell whether `If-None-Match` names the tag (weak comparison, RFC 9110 section 13.1.2)."""
    header = environ().get("HTTP_IF_NONE_MATCH")
    if not header:
        return False
    return header.strip() == "*" or any(f'"{opaque}"' == tag for _, opaque in _TAG.findall(header))


def tagged(make: Callable[[], Any], tag: str, cache_control: str) -> Response:
    """Return what `make` returns, with its tag; 304 when the client has it already."""
    answer = Response(status=304) if not_modified(tag) else json_response(make())
    return with_tag(answer, tag, cache_control)


def with_tag(answer: Response, tag: str, cache_control: str) -> Response:
    """Add a tag, and how long the answer is good for."""
    answer.headers["ETag"] = tag
    return kept(answer, cache_control)


def kept(answer: Response, cache_control: str) -> Response:
    """Say how long an answer is good for; a private one is for that token only."""
    answer.headers["Cache-Control"] = cache_control
    if "private" in cache_control:
        answer.headers["Vary"] = "Authorization"
    return answer


def fresh(visibility: str) -> str:
    """Return the `Cache-Control` of what changes with the game."""
    return "no-cache" if visibility == "public" else "private, no-cache"


def forever(visibility: str) -> str:
    """Return the `Cache-Control` of what can never change: a moment of the past."""
    if visibility == "public":
        return "public, max-age=31536000, immutable"
    return "private, max-age=31536000, immutable"


def if_match() -> list[int] | None:
    """Return the versions that `If-Match` allows, None without the header or for `*`.

    A tag that cannot be one of ours, weak ones included, stands for `NEVER`.
    """
    header = environ().get("HTTP_IF_MATCH")
    if not header or header.strip() == "*":
        return None
    versions = [
        int(ours[1]) if not weak and (ours := _OURS.fullmatch(opaque)) else NEVER
        for weak, opaque in _TAG.findall(header)
    ]
    return versions or [NEVER]


def guarded(
    game_id: str, write: Callable[[int | None], Written], expected: int | None = None
) -> Written:
    """Write to a game at the version that `If-Match` and `expected` allow (None: at any).

    Raises `Problem` 412 when the header does not hold, `StaleVersion` when only `expected` fails.
    """
    allowed = if_match()
    if allowed is None:
        return write(expected)
    version = allowed[0] if len(allowed) == 1 else _current_of(allowed, game_id)
    if expected is not None and expected != version:
        version = NEVER
    try:
        return write(version)
    except StaleVersion as error:
        if error.current_version in allowed:
            raise
        raise _failed_precondition(error) from None


def _current_of(allowed: list[int], game_id: str) -> int:
    """Of several tags, the one that holds now: the command takes one version to insist on."""
    current = parts().store.ledger.version(game_id)
    return current if current in allowed else NEVER


def _failed_precondition(error: StaleVersion) -> Problem:
    """Return the 412 for an `If-Match` that does not hold."""
    return Problem(
        "stale_version",
        f"If-Match does not hold: the game is at version {error.current_version}",
        status=412,
        headers={"ETag": etag(error.current_version)},
        **error.members(),
    )


def idempotency_key() -> str | None:
    """Return the `Idempotency-Key`, None without one; raises `Problem` 422 for a bad one."""
    raw: str | None = environ().get("HTTP_IDEMPOTENCY_KEY")
    if raw is None:
        return None
    try:
        # WSGI hands headers over as Latin-1 whatever they are.
        key = raw.encode("latin-1").decode()
    except UnicodeError:
        key = raw
    if not 1 <= len(key) <= KEY_MAX:
        raise invalid("", f"the header Idempotency-Key must have 1 to {KEY_MAX} characters")
    return key


def replayed(answer: Response, was_replayed: bool) -> Response:
    """Mark an answer that was given before."""
    if was_replayed:
        answer.headers["Idempotency-Replayed"] = "true"
    return answer
