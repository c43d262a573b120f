"""The decorator of a view: it reads what the operation names, and hands it to the view.

What a view may ask for, by the names of its parameters:

| parameter | what it is | needs in the operation |
|---|---|---|
| `here` | the parts of the service | |
| `who` | the `Player` who calls, None without a token | `token` |
| `query`, `body` | as their schemas load them | `query`, `body` |
| `form` | the media type that `Accept` prefers | an answer with several `media` |
| `key` | the `Idempotency-Key`, None without the header | the header in `headers` |
| `if_match` | the versions that `If-Match` allows, None: any | the header in `headers` |
| `known` | the tags of `If-None-Match` | the header in `headers` |
| `lang` | the language that `Accept-Language` prefers | the header in `headers` |
| `minimal` | whether `Prefer` asks for `return=minimal` | the header in `headers` |
| `last_event_id` | the header, "" without it | the header in `headers` |

A view that asks for anything else is an error when its module is imported, so description and deed
cannot drift apart. The order of the checks: an unknown or invalid query parameter, the token, the
rate limit, the idempotency key, the body. Where an operation has a body and a query, the query
comes last, so that a request without a valid token learns nothing about it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial, wraps
from inspect import signature
from typing import Any

from flask import Response
from marshmallow import Schema

from cartulary.service.http.answers import choose_form
from cartulary.service.http.at_once import COUNTED
from cartulary.service.http.bodies import bind_body
from cartulary.service.http.callers import (
    find_caller,
    must_reach,
    require_caller,
    require_player,
)
from cartulary.service.http.conditions import (
    prefers_minimal,
    read_if_match,
    read_if_none_match,
    read_key,
)
from cartulary.service.http.context import Parts, parts
from cartulary.service.http.languages import read_language
from cartulary.service.http.operations import (
    AnswerOf,
    Operation,
    View,
    attach,
    complete_refusals,
    find_scope,
)
from cartulary.service.http.queries import bind_query, refuse_query
from cartulary.service.process.bounds import find_network
from cartulary.service.shortcuts import Environ, environ

Read = Callable[[Environ, Parts], Any]


Step = tuple[str, Read]
"""A thing to read, by the parameter of the view that gets it; "" for a check without a result."""

_HEADERS: dict[str, Step] = {
    "If-Match": ("if_match", read_if_match),
    "If-None-Match": ("known", read_if_none_match),
    "Accept-Language": ("lang", read_language),
    "Prefer": ("minimal", prefers_minimal),
    "Last-Event-ID": (
        "last_event_id",
        lambda asked, _here: asked.get("HTTP_LAST_EVENT_ID", "").strip(),
    ),
}


def operation(
    tag: str, summary: str, answers: dict[int, AnswerOf], **more: Any
) -> Callable[[View], View]:
    """Describe a view, and read what it asks for before it is called; see `Operation`.

    The decorated view raises `Problem` for whatever is missing or invalid.
    """
    described = Operation(tag=tag, summary=summary, answers=answers, **more)
    described = replace(described, refusals=complete_refusals(described))

    def decorate(view: View) -> View:
        steps, wants_parts = _choose_steps(described, view)

        @wraps(view)
        def perform(**arguments: Any) -> Response:
            asked, here = environ(), parts()
            if wants_parts:
                arguments["here"] = here
            for name, read in steps:
                arguments[name] = read(asked, here)
            arguments.pop("", None)
            return view(**arguments)

        attach(perform, described)
        setattr(perform, _STEPS, steps)
        return perform

    return decorate


_STEPS = "cartulary_steps"


def steps_of(view: View) -> tuple[Step, ...]:
    """Return what is read before a view is called, in order."""
    found: tuple[Step, ...] = getattr(view, _STEPS)
    return found


_IN_PATHS = {
    *("game_id", "game_name", "message_id", "player_id", "token_id", "version", "seat"),
}
_HARMLESS = {"form", "known", "lang", "last_event_id", "minimal"}
"""Steps that refuse nothing: a view that does not ask for their result needs none of them."""


def _choose_steps(described: Operation, view: View) -> tuple[tuple[Step, ...], bool]:
    """Return the steps of an operation, and whether the view asks for the parts of the service.

    Raises `TypeError` for a view that asks for what its operation does not name.
    """
    asked_for = set(signature(view).parameters)
    steps = [*_steps(described)]
    unknown = asked_for - {name for name, _ in steps} - _IN_PATHS - {"here"}
    if unknown:
        raise TypeError(f"{view.__name__} asks for what its operation does not name: {unknown}")
    chosen = [
        (name if name in asked_for else "", read)
        for name, read in steps
        if name in asked_for or name not in _HARMLESS
    ]
    return tuple(chosen), "here" in asked_for


def _steps(described: Operation) -> Iterator[Step]:
    """Yield everything that an operation reads and checks, in order."""
    late_query = described.body is not None and described.query is not None
    if not late_query:
        yield from _query_steps(described)
    yield from _caller_steps(described)
    if "Idempotency-Key" in described.headers:
        yield "key", read_key
    if described.body is not None:
        yield "body", _bind_body(described, described.body)
    if late_query:
        yield from _query_steps(described)
    yield from (_HEADERS[name] for name in described.headers if name in _HEADERS)
    forms = next((answer.media for answer in described.answers.values()), ())
    if len(forms) > 1:
        yield "form", lambda _asked, _here: choose_form(*forms)


def _query_steps(described: Operation) -> Iterator[Step]:
    if described.query is not None:
        yield "query", bind_query(described.query())
    elif not described.any_query:
        yield "", refuse_query


def _caller_steps(described: Operation) -> Iterator[Step]:
    limit, scope = described.limit, find_scope(described)
    if described.token == "required":
        if limit:
            yield "who", partial(_require_writer, limit, scope)
        else:
            yield "who", partial(_require_caller, scope)
        return
    if limit:
        yield "", partial(_limit_address, limit)
    if described.token == "optional":
        yield "who", find_caller


def _require_caller(scope: str, asked: Environ, here: Parts) -> Any:
    """Return who calls; raises `Problem` 403 for a token without the scope."""
    who = require_caller(asked, here)
    must_reach(asked, scope)
    return who


def _require_writer(limit: str, scope: str, asked: Environ, here: Parts) -> Any:
    """Return who calls; raises `Problem` 403 for a token without the scope, 429 if too often."""
    who = require_player(find_caller(asked, here))
    must_reach(asked, scope)
    if COUNTED not in asked:
        here.limits.hit(limit, who.id, asked)
        asked[COUNTED] = True
    return who


def _limit_address(limit: str, asked: Environ, here: Parts) -> None:
    here.limits.hit(limit, find_network(asked.get("REMOTE_ADDR") or ""), asked)


def _bind_body(described: Operation, body: type[Schema]) -> Read:
    limit, optional, quick = described.body_limit, described.body_optional, described.quick
    return bind_body(body(), limit, optional=optional, quick=quick)
