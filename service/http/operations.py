"""What `openapi.yaml` says of a view, written beside the view.

The docstring is the description, the schemas are those that the view reads with, and the refusals
are codes of `service.http.problems`. A view without an operation is not part of the API.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from marshmallow import Schema

View = TypeVar("View", bound=Callable[..., Any])
_ATTRIBUTE = "cartulary_operation"

JSON = "application/json"

ALWAYS = ("internal_error", "unavailable")
WITH_GAME = ("token_unknown", "not_found", "invalid")
WITH_TOKEN = ("token_missing", "token_unknown", "rate_limited")
WITH_BODY = ("malformed_json", "request_timeout", "too_large", "unsupported_media_type", "invalid")


@dataclass(frozen=True, slots=True)
class AnswerOf:
    """An answer that is not a refusal: what it means, its schema, media types and headers."""

    text: str
    schema: type[Schema] | None = None
    media: tuple[str, ...] = (JSON,)
    headers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Operation:
    """The description of one operation."""

    tag: str
    summary: str
    answers: dict[int, AnswerOf]
    refusals: tuple[str, ...] = ()
    body: type[Schema] | None = None
    body_optional: bool = False
    query: type[Schema] | None = None
    headers: tuple[str, ...] = ()
    token: str = "none"
    path: dict[str, str] = field(default_factory=dict)


def operation(
    tag: str, summary: str, answers: dict[int, AnswerOf], **more: Any
) -> Callable[[View], View]:
    """Describe a view; see `Operation` for the rest."""

    def decorate(view: View) -> View:
        setattr(view, _ATTRIBUTE, Operation(tag, summary, answers, **more))
        return view

    return decorate


def operation_of(view: Callable[..., Any]) -> Operation | None:
    """Return the description of a view."""
    found: Operation | None = getattr(view, _ATTRIBUTE, None)
    return found
