"""Moves: the legal ones, and making one."""

from __future__ import annotations

from functools import partial
from typing import Any

import orjson
from flask import Blueprint, Response

from cartulary.events.commands import Written
from cartulary.events.players import Player
from cartulary.events.table import Table
from cartulary.service.description.schemas.base import VERSION_MAX
from cartulary.service.description.schemas.history import MovesAnswer, MoveWritten
from cartulary.service.description.schemas.requests import MoveQuery, MoveRequest
from cartulary.service.http.answers import written
from cartulary.service.http.bodies import json_response, read_body
from cartulary.service.http.compression import packed
from cartulary.service.http.conditions import (
    etag,
    fresh,
    guarded,
    idempotency_key,
    replayed,
    tagged,
)
from cartulary.service.http.context import caller, environ, parts, writer
from cartulary.service.http.languages import language
from cartulary.service.http.operations import WITH_BODY, WITH_GAME, WITH_TOKEN, AnswerOf, operation
from cartulary.service.http.queries import read_query
from cartulary.service.views.drawing import drawn

blueprint = Blueprint("moves", __name__)
_BODY = MoveRequest()
_QUERY = MoveQuery()


@blueprint.get("/games/<game:game_id>/moves")
@operation(
    "moves",
    "Every legal move now",
    {
        200: AnswerOf("The pending decision and its moves.", MovesAnswer, headers=("ETag",)),
        304: AnswerOf("They are those that the client has."),
    },
    headers=("If-None-Match",),
    refusals=WITH_GAME,
    token="optional",
)
def list_moves(game_id: str) -> Response:
    """A move is legal if and only if it equals one of these. None when nobody is asked."""
    who = caller()
    table = parts().store.projector.visible(game_id, who and who.id)
    return tagged(lambda: _moves(table), etag(table.version), fresh(table.visibility))


def _moves(table: Table) -> dict[str, Any]:
    decision = table.decision
    moves = [] if decision is None or table.state is None else table.state.legal_moves()
    return {
        "version": table.version,
        "decision": decision and decision.to_json(),
        "moves": moves,
    }


@blueprint.post("/games/<game:game_id>/moves")
@operation(
    "moves",
    "Make a move",
    {201: AnswerOf("The event is stored.", MoveWritten, headers=("ETag", "Idempotency-Replayed"))},
    body=MoveRequest,
    query=MoveQuery,
    headers=("Idempotency-Key", "If-Match", "Accept-Language"),
    refusals=(
        *WITH_TOKEN,
        *WITH_BODY,
        *("not_found", "not_seated", "game_not_running", "stale_version", "not_your_turn"),
        *("illegal_move", "idempotency_mismatch"),
    ),
    token="required",
)
def make_move(game_id: str) -> Response:
    """Answer the pending decision.

    A 201 means that the event is stored. After any other answer nothing has changed, with one
    exception: a 503 `unavailable` can come after the event was stored. Ask again with the same
    `Idempotency-Key`, and the stored answer comes back.
    """
    who = writer()
    key = idempotency_key()
    body = read_body(_BODY, quick=_plain)
    layout = read_query(_QUERY)["board"] if environ().get("QUERY_STRING") else None
    done = written(_move(who, game_id, body, key))
    value = {
        "version": done.table.version,
        "event": done.events[0],
        "game": orjson.Fragment(done.table.text()),
    }
    if layout is not None:
        value |= _picture_and_moves(who, done.table, layout)
    answer = json_response(value, 201, {"ETag": etag(done.table.version)})
    return replayed(answer if layout is None else packed(answer), done.replayed)


def _picture_and_moves(who: Player, table: Table, layout: str) -> dict[str, Any]:
    own = table.seats_of(who.id)[0]
    picture = drawn(table, language(), layout=layout, seat=own)
    return {"board": picture, "moves": _moves(table)["moves"]}


def _plain(value: Any) -> bool:
    """Tell whether a body is as nearly all are, which needs no closer look by the schema."""
    return type(value.get("move")) is dict and (
        len(value) == 1
        or (
            len(value) == 2
            and type(value.get("expected_version")) is int
            and 1 <= value["expected_version"] <= VERSION_MAX
        )
    )


def _move(who: Player, game_id: str, body: dict[str, Any], key: str | None) -> Written:
    expected = body.get("expected_version")
    if "HTTP_IF_MATCH" not in environ():  # nearly always: the way round costs a moment
        return _move_at(who, game_id, body, key, expected)
    return guarded(game_id, partial(_move_at, who, game_id, body, key), expected)


def _move_at(
    who: Player, game_id: str, body: dict[str, Any], key: str | None, version: int | None
) -> Written:
    return parts().store.commands.move(who, game_id, body["move"], version, key, body)
