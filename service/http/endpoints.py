"""The decorator of a view: it reads what the operation names, and hands it to the view.

What a view may ask for, by the names of its parameters:

| parameter | what it is | needs in the operation |
|---|---|---|
| `services` | what the process has for all requests: store, settings, limits | |
| `who` | the `Player` who calls; None without a token, where its type allows None | |
| `query`, `body` | as their schemas load them | `query`, `body` |
| `form` | the media type that `Accept` prefers | an answer with several `media` |
| `key` | the `Idempotency-Key`, None without the header | |
| `if_match` | the versions that `If-Match` allows, None: any | |
| `known` | the tags of `If-None-Match` | |
| `lang` | the language that `Accept-Language` prefers | |
| `minimal` | whether `Prefer` asks for `return=minimal` | |
| `last_event_id` | the header, "" without it | |
| `received` | when the request came in, ms since the epoch; None: unknown | |

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
from typing import Any, NamedTuple

from flask import Response, request
from marshmallow import Schema

from cartulary.service.http.answers import choose_form
from cartulary.service.http.bodies import bind_body
from cartulary.service.http.callers import (
    SUSPENDED,
    find_caller,
    limit_address,
    must_not_be_suspended,
    require_scope,
    require_writer,
)
from cartulary.service.http.conditions import (
    NO_TAGS,
    find_received,
    prefers_minimal,
    read_if_match,
    read_if_none_match,
    read_key,
)
from cartulary.service.http.deprecations import DEPRECATED, announce
from cartulary.service.http.languages import read_language
from cartulary.service.http.operations import (
    AnswerOf,
    Operation,
    Token,
    View,
    attach,
    complete_refusals,
    find_scope,
    refuses_suspended,
)
from cartulary.service.http.queries import bind_query, refuse_query
from cartulary.service.http.shared.services import Services, current_services
from cartulary.service.http.wire.environ import Environ

Read = Callable[[Environ, Services], Any]


class RequestStep(NamedTuple):
    """A thing to read, by the parameter of the view that gets it; "" for a check without a result.

    With a `mark` nothing is read from a request whose environment lacks that key: the view gets
    `missing`. Most requests lack most headers.
    """

    name: str
    read: Read
    mark: str | None = None
    missing: Any = None


_HEADERS: dict[str, RequestStep] = {
    "Idempotency-Key": RequestStep("key", read_key, "HTTP_IDEMPOTENCY_KEY"),
    "If-Match": RequestStep("if_match", read_if_match, "HTTP_IF_MATCH"),
    "Last-Event-ID": RequestStep(
        "last_event_id",
        lambda environ, _services: environ["HTTP_LAST_EVENT_ID"].strip(),
        "HTTP_LAST_EVENT_ID",
        "",
    ),
    "If-None-Match": RequestStep("known", read_if_none_match, "HTTP_IF_NONE_MATCH", NO_TAGS),
    "Accept-Language": RequestStep("lang", read_language),
    "Prefer": RequestStep("minimal", prefers_minimal, "HTTP_PREFER", False),
}


def operation(
    tag: str, summary: str, answers: dict[int, AnswerOf], **more: Any
) -> Callable[[View], View]:
    """Describe a view, and read what it asks for before it is called; see `Operation`.

    The decorated view raises `Problem` for whatever is missing or invalid.
    """
    named = Operation(tag=tag, summary=summary, answers=answers, **more)

    def decorate(view: View) -> View:
        token, headers = _find_token(named, view), _find_headers(named, view)
        described = replace(named, token=token, headers=headers)
        described = replace(described, refusals=complete_refusals(described))
        steps, wants_parts = _choose_steps(described, view)

        @wraps(view)
        def perform(**arguments: Any) -> Response:
            environ, services = request.environ, current_services()
            if wants_parts:
                arguments["services"] = services
            for name, read, mark, missing in steps:
                is_there = mark is None or mark in environ
                arguments[name] = read(environ, services) if is_there else missing
            arguments.pop("", None)
            return view(**arguments)

        attach(perform, described)
        setattr(perform, _STEPS, steps)
        notice = DEPRECATED.get(view.__name__)
        return perform if notice is None else announce(perform, notice)

    return decorate


def _find_token(named: Operation, view: View) -> Token:
    """Return whether a view needs a token: what the type of its `who` says, else its operation."""
    who = signature(view).parameters.get("who")
    return _TOKENS.get(who.annotation, named.token) if who else named.token


_TOKENS: dict[str, Token] = {"Player": "required", "Player | None": "optional"}


def _find_headers(named: Operation, view: View) -> tuple[str, ...]:
    """Return the headers that an operation names, and then those that its view asks for."""
    asked_for = signature(view).parameters
    found = [header for header, step in _HEADERS.items() if step.name in asked_for]
    return tuple(dict.fromkeys((*named.headers, *found)))


_STEPS = "cartulary_steps"


def steps_of(view: View) -> tuple[RequestStep, ...]:
    """Return what is read before a view is called, in order."""
    found: tuple[RequestStep, ...] = getattr(view, _STEPS)
    return found


_IN_PATHS = {
    *("game_id", "game_name", "local_id", "message_id", "player_id", "token_id", "version"),
    *("seat", "passkey_id", "subscription_id", "webhook_id", "delivery_id", "seek_id"),
    *("report_id", "tournament_id", "round_number", "table_number"),
    *("calendar_secret", "study_id", "node_number", "chapter_number", "dump_month", "dump_file"),
    "puzzle_id",
}
_HARMLESS = {"form", "known", "lang", "last_event_id", "minimal", "received"}
"""Steps that refuse nothing: a view that does not ask for their result needs none of them."""


def _choose_steps(described: Operation, view: View) -> tuple[tuple[RequestStep, ...], bool]:
    """Return the steps of an operation, and whether the view asks for the parts of the service.

    Raises `TypeError` for a view that asks for what its operation does not name.
    """
    asked_for = set(signature(view).parameters)
    steps = [*_steps(described)]
    unknown = asked_for - {step.name for step in steps} - _IN_PATHS - {"services"}
    if unknown:
        raise TypeError(f"{view.__name__} asks for what its operation does not name: {unknown}")
    chosen = [
        step if step.name in asked_for else step._replace(name="")
        for step in steps
        if step.name in asked_for or step.name not in _HARMLESS
    ]
    return tuple(chosen), "services" in asked_for


def _steps(described: Operation) -> Iterator[RequestStep]:
    """Yield everything that an operation reads and checks, in order."""
    late_query = described.body is not None and described.query is not None
    if not late_query:
        yield from _query_steps(described)
    yield from _caller_steps(described)
    if "Idempotency-Key" in described.headers:
        yield _HEADERS["Idempotency-Key"]
    if described.body is not None:
        yield RequestStep("body", _bind_body(described, described.body))
    if late_query:
        yield from _query_steps(described)
    yield from (_HEADERS[name] for name in described.headers if name != "Idempotency-Key")
    yield RequestStep("received", find_received)
    forms = next((answer.media for answer in described.answers.values()), ())
    if len(forms) > 1:
        yield RequestStep("form", lambda _asked, _services: choose_form(*forms))


def _query_steps(described: Operation) -> Iterator[RequestStep]:
    if described.query is not None:
        yield RequestStep("query", bind_query(described.query()))
    elif not described.any_query:
        yield RequestStep("", refuse_query)


def _caller_steps(described: Operation) -> Iterator[RequestStep]:
    limit, scope = described.limit, find_scope(described)
    if described.token == "required":
        if limit:
            yield RequestStep("who", partial(require_writer, limit, scope))
        else:
            yield RequestStep("who", partial(require_scope, scope))
        if refuses_suspended(described):
            yield RequestStep("", must_not_be_suspended, SUSPENDED)
        return
    if limit:
        yield RequestStep("", partial(limit_address, limit))
    if described.token == "optional":
        yield RequestStep("who", find_caller)


def _bind_body(described: Operation, body: type[Schema]) -> Read:
    return bind_body(body(), described.body_limit, optional=described.body_optional)
