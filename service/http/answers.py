"""Answers: JSON, tags, caching, and the answer to a command."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import orjson
from flask import Response, request
from werkzeug.datastructures import ETags, MIMEAccept

from cartulary.events.commands.commands import Written
from cartulary.events.people.players import Player
from cartulary.service.http.conditions import is_known, tag_table
from cartulary.service.http.operations import JSON
from cartulary.service.http.shared.services import Services
from cartulary.service.http.write_outcome import attempt, finish_write, mark_stored


def answer_json(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return `value`, or the JSON text that it is, as a JSON answer."""
    body = value if type(value) is bytes else orjson.dumps(value)
    return Response(body, status, headers, content_type=JSON)


def choose_form(*forms: str) -> str:
    """Return the media type that `Accept` prefers, the first of `forms` when it names none.

    Parameters (`; charset=utf-8`) do not count: each of the forms comes in one variant.
    """
    accepted = [(kind.partition(";")[0].strip(), q) for kind, q in request.accept_mimetypes]
    return MIMEAccept(accepted).best_match(forms, forms[0])


# -- caching --------------------------------------------------------------------------------------


def answer_changed(known: ETags, make: Callable[[], Any], tag: str, cache_control: str) -> Response:
    """Return what `make` returns, with its tag; 304 when the client has it."""
    answer = Response(status=304) if is_known(known, tag) else answer_json(make())
    return set_tag(answer, tag, cache_control)


def set_tag(answer: Response, tag: str, cache_control: str) -> Response:
    """Set the tag of an answer, and how long a cache may keep it."""
    answer.headers["ETag"] = tag
    return set_caching(answer, cache_control)


def set_caching(answer: Response, cache_control: str) -> Response:
    """Set how long a cache may keep an answer; a private answer is for its token only."""
    answer.headers["Cache-Control"] = cache_control
    if "private" in cache_control:
        answer.headers["Vary"] = "Authorization"
    return answer


def revalidate(visibility: str) -> str:
    """Return the `Cache-Control` of what changes with the game."""
    return "no-cache" if visibility == "public" else "private, no-cache"


def cache_for_a_day(visibility: str) -> str:
    """Return the `Cache-Control` of a moment of the past that shows names: they may be deleted."""
    return f"{'public' if visibility == 'public' else 'private'}, max-age=86400"


def cache_forever(visibility: str) -> str:
    """Return the `Cache-Control` of what never changes: a moment of the past."""
    if visibility == "public":
        return "public, max-age=31536000, immutable"
    return "private, max-age=31536000, immutable"


# -- writing --------------------------------------------------------------------------------------


def answer_game(services: Services, done: Written, status: int = 201) -> Response:
    """Return the game that a command wrote to; a 201 says where it is."""
    done = finish_write(services, done, request.environ)
    headers = {"ETag": tag_table(services, done.table)}
    if status == 201:
        headers["Location"] = locate_game(services, done.table.id)
    return mark_replayed(answer_json(done.table.text(), status, headers), done)


def answer_seated(services: Services, who: Player, done: Written, status: int = 201) -> Response:
    """Return the game at which a player has taken a seat: at a live one the live seeks end."""
    answer = answer_game(services, done, status)
    end_seeks = partial(services.store.matchmaker.note_seated, who.id, done.table)
    attempt(services, "seeks", end_seeks, None)
    return answer


def answer_written(services: Services, done: Written, status: int = 201) -> Response:
    """Return what a command of a game's life did; with 200 where nothing had to be done."""
    done = finish_write(services, done, request.environ)
    value = {
        "version": done.table.version,
        "events": done.events,
        "game": orjson.Fragment(done.table.text()),
    }
    headers = {"ETag": tag_table(services, done.table)}
    return mark_replayed(answer_json(value, status if done.events else 200, headers), done)


def answer_stored() -> Response:
    """Return an answer without a body, and remember that the request has changed something."""
    mark_stored(request.environ)
    return Response(status=204)


def mark_replayed(answer: Response, done: Written) -> Response:
    """Mark the stored answer to an earlier request."""
    if done.replayed:
        answer.headers["Idempotency-Replayed"] = "true"
    return answer


def locate(services: Services, path: str) -> str:
    """Return the link to a path: absolute with `CARTULARY_PUBLIC_URL`, else relative.

    The header `Host` is never used: a client chooses it.
    """
    return f"{services.settings.public_url or request.root_path}{path}"


def locate_game(services: Services, game_id: str) -> str:
    """Return the link to a game."""
    return locate(services, f"/api/v1/games/{game_id}")
