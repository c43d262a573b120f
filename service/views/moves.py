"""Moves: list the legal moves, and make a move."""

from __future__ import annotations

from functools import partial
from typing import Any

import orjson
from flask import Blueprint, Response
from werkzeug.datastructures import ETags

from cartulary.events.commands import Written
from cartulary.events.players import Player
from cartulary.events.table import Table
from cartulary.events.types import MOVE_MADE
from cartulary.service.description.schemas.history import MovesAnswer, MoveWritten
from cartulary.service.description.schemas.requests import MoveQuery, MoveRequest
from cartulary.service.http.answers import (
    answer_changed,
    answer_json,
    attempt,
    mark_replayed,
    mask_written,
    note_written,
    revalidate,
)
from cartulary.service.http.conditions import Versions, tag_table, write_at
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.receipt import find_received
from cartulary.service.shortcuts import environ, is_plain_move
from cartulary.service.views.drawing import draw_table, find_picture
from cartulary.service.views.tables import describe_decision, find_table, list_legal_moves

blueprint = Blueprint("moves", __name__)


@blueprint.get("/games/<game:game_id>/moves")
@operation(
    "moves",
    "Every legal move now",
    {
        200: AnswerOf("The pending decision and its moves.", MovesAnswer, headers=("ETag",)),
        304: AnswerOf("They are those that the client has."),
    },
    headers=("If-None-Match",),
    refusals=("not_found",),
    token="optional",
)
def list_moves(here: Parts, game_id: str, who: Player | None, known: ETags) -> Response:
    """A move is legal if and only if it equals one of these. None when nobody is asked."""
    table = find_table(here, game_id, who)
    tag = tag_table(here, table)
    return answer_changed(known, lambda: _describe(table), tag, revalidate(table.visibility))


def _describe(table: Table) -> dict[str, Any]:
    return {
        "version": table.version,
        "decision": describe_decision(table),
        "moves": list_legal_moves(table),
    }


@blueprint.post("/games/<game:game_id>/moves")
@operation(
    "moves",
    "Make a move",
    {
        201: AnswerOf(
            "The event is stored.",
            MoveWritten,
            headers=("ETag", "Idempotency-Replayed", "Preference-Applied"),
        )
    },
    body=MoveRequest,
    quick=is_plain_move,
    query=MoveQuery,
    headers=("Idempotency-Key", "If-Match", "Accept-Language", "Prefer"),
    limit="writes",
    refusals=("not_found", "not_seated", "game_not_running", "not_your_turn", "illegal_move"),
    token="required",
)
def make_move(
    here: Parts,
    game_id: str,
    who: Player,
    key: str | None,
    body: dict[str, Any],
    query: dict[str, Any],
    if_match: Versions | None,
    lang: str,
    minimal: bool,
) -> Response:
    """Answer the pending decision.

    A 201 means that the event is stored. After a 4xx nothing has changed. After a 5xx, or without
    an answer, the outcome is unknown: repeat the request with the same `Idempotency-Key`, and the
    stored answer comes back.
    """
    asked = environ()
    received = find_received(asked, here)
    done = perform_move(here, game_id, who, key, body, if_match, received)
    note_written(here, done, asked)
    done = mask_written(here, done)
    if minimal:
        answer = _answer_move(here, done, describe_event(done))
        answer.headers["Preference-Applied"] = "return=minimal"
        return answer
    value = describe_move(done)
    layout = query.pop("board")
    if layout is None:
        return _answer_move(here, done, value)
    value |= _describe_next(here, who, done.table, lang, layout=layout, **query)
    return _answer_move(here, done, value)


def perform_move(
    here: Parts,
    game_id: str,
    who: Player,
    key: str | None,
    body: dict[str, Any],
    if_match: Versions | None,
    received: int | None,
) -> Written:
    """Make the move that a body asks for; raises `Problem`, and what `Commands.move` raises.

    `received` is the moment at which the request came in: the clock counts to it.
    """
    move = partial(_move, here, who, game_id, key, body, received)
    return write_at(here, game_id, if_match, move, body.get("expected_version"))


def describe_move(done: Written) -> dict[str, Any]:
    """Return the members of the answer to a move."""
    return {**describe_event(done), "game": orjson.Fragment(done.table.text())}


def describe_event(done: Written) -> dict[str, Any]:
    """Return the members of the shortest answer to a move."""
    events = done.events
    made = events[0]
    if len(events) > 1:  # something has come to an end with the move
        made = next(event for event in events if event["type"] == MOVE_MADE)
    return {"version": done.table.version, "event": made, "events": events}


def _move(
    here: Parts,
    who: Player,
    game_id: str,
    key: str | None,
    body: dict[str, Any],
    received: int | None,
    at: int | None,
) -> Written:
    return here.store.commands.move(who, game_id, body["move"], at, key, body, received)


def _describe_next(
    here: Parts, who: Player, table: Table, lang: str, **wishes: Any
) -> dict[str, Any]:
    """Return the new picture and the next legal moves, null for what fails or does not exist."""

    def draw() -> str | None:
        picture, own = find_picture(here, table), table.seats_of(who.id)[0]
        return picture and draw_table(here, picture, table, lang, seat=own, **wishes)

    return {
        "board": attempt(here, "board", draw, None),
        "moves": attempt(here, "moves", lambda: list_legal_moves(table), None),
    }


def _answer_move(here: Parts, done: Written, value: dict[str, Any]) -> Response:
    headers = {"ETag": tag_table(here, done.table)}
    return mark_replayed(answer_json(value, 201, headers), done)
