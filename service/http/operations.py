"""Operations: what `openapi.yaml` says of a view, and what is read before the view is called.

The decorator `operation` of `http.endpoints` takes the same words for both. A view without an
operation is not part of the API.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from flask import Response
from marshmallow import Schema

from cartulary.events.people.rows import ACCOUNT, OPERATOR, PLAY, READ

OF_ITSELF = "account_or_bot"
"""The scope of what a bot sets for itself: `play` of its token suffices, of a person `account`."""

View = Callable[..., Response]
Token = Literal["none", "optional", "required"]
_ATTRIBUTE = "cartulary_operation"

JSON = "application/json"

STANDING = ("RateLimit", "RateLimit-Policy")
"""Headers of an answer to a request that is counted on the store."""

ALWAYS = ("internal_error", "unavailable", "archive_unavailable", "game_damaged")
"""Codes that every operation refuses with."""


@dataclass(frozen=True, slots=True)
class AnswerOf:
    """An answer that is not a refusal: what it means, its schema, media types and headers.

    `lines` are the schemas of the lines of a stream, `Event` by its name.
    """

    text: str
    schema: type[Schema] | None = None
    media: tuple[str, ...] = (JSON,)
    headers: tuple[str, ...] = ()
    lines: tuple[type[Schema] | str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """The description of one operation.

    Attributes: `refusals` are codes of `http.wire.problems`. `described_body` is what the
    description shows when it says more than `body`, with which the service reads. `body_limit`
    names the setting with the largest size of the body. `any_query` lets unknown query parameters
    pass: probes and scrapers add their own. `token` and `headers` follow from what the view asks
    for; they are written where it asks for less. `limit` names the rate limit, counted per player
    where a token is required, else per address. `scope` is what the token has to be for, besides
    reading; "" stands for the usual one: `play` where `limit` counts writes to games, `account`
    where a player is written to; `account_or_bot` is `OF_ITSELF`. `stores_nothing` marks a POST
    that changes nothing: when it fails, there is no unknown outcome. `while_suspended` lets those
    write whom the operators have suspended: to take things away from an account.
    """

    tag: str
    summary: str
    answers: dict[int, AnswerOf]
    refusals: tuple[str, ...] = ()
    token: Token = "none"
    limit: Literal[
        "",
        "players",
        "writes",
        "games",
        "imports",
        "previews",
        "reports",
        "tickets",
        "accounts",
        "sessions",
        "searches",
    ] = ""
    scope: Literal["", "read", "play", "account", "account_or_bot", "operator"] = ""
    query: type[Schema] | None = None
    any_query: bool = False
    body: type[Schema] | None = None
    described_body: type[Schema] | None = None
    body_optional: bool = False
    body_limit: Literal["max_body", "max_import"] = "max_body"
    headers: tuple[str, ...] = ()
    stores_nothing: bool = False
    while_suspended: bool = False


def find_scope(described: Operation) -> str:
    """Return the scope that an operation asks for."""
    if described.scope:
        return described.scope
    if described.limit not in ("writes", "games", "imports", "accounts"):
        return READ
    return ACCOUNT if described.tag == "players" else PLAY


def refuses_suspended(described: Operation) -> bool:
    """Return whether an operation refuses suspended players, unless it only reads (GET)."""
    if described.token != "required" or described.while_suspended:
        return False
    return find_scope(described) not in (READ, OPERATOR)


def complete_refusals(described: Operation) -> tuple[str, ...]:
    """Return all codes of an operation: its own, and those of what is read before the view."""
    codes: list[str] = []
    if described.token != "none":
        codes += ["token_unknown"] if described.token == "optional" else _TOKEN
        if find_scope(described) != READ:
            codes.append("scope_missing")
    if refuses_suspended(described):
        codes.append("suspended")
    if described.limit:
        codes.append("rate_limited")
    if described.body is not None:
        codes += _BODY
    if described.query is not None or not described.any_query:
        codes.append("invalid")
    codes += described.refusals
    if "If-Match" in described.headers:
        codes.append("stale_version")
    if "Idempotency-Key" in described.headers:
        codes.append("idempotency_mismatch")
    return tuple(dict.fromkeys(codes))


_TOKEN = ("token_missing", "token_unknown")
_BODY = ("malformed_json", "request_timeout", "too_large", "unsupported_media_type", "invalid")


def attach(view: View, described: Operation) -> None:
    """Attach its operation to a view."""
    setattr(view, _ATTRIBUTE, described)


def operation_of(view: Callable[..., Any]) -> Operation | None:
    """Return the operation of a view, None for a page or a file."""
    found: Operation | None = getattr(view, _ATTRIBUTE, None)
    return found
