"""Moves: list the legal moves, try a move, and make a move."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Blueprint, Response, request
from marshmallow import validate
from werkzeug.datastructures import ETags

from cartulary.events.commands.commands import Intent, Written
from cartulary.events.model.table import Table
from cartulary.events.model.types import MOVE_MADE
from cartulary.events.people.players import Player
from cartulary.pictures.frame import LAYOUTS
from cartulary.service.api.game.boards_schema import PictureQuery
from cartulary.service.api.game.features_schema import FeatureAnswer
from cartulary.service.api.game.game_writes import GameWrite
from cartulary.service.api.game.games_schema import GameAnswer
from cartulary.service.api.game.table_pictures import draw_table, find_picture
from cartulary.service.api.game.table_words import list_move_words, tag_words
from cartulary.service.api.game.tables import describe_decision, find_table, list_legal_moves
from cartulary.service.http.answers import (
    answer_changed,
    answer_json,
    mark_replayed,
    revalidate,
)
from cartulary.service.http.conditions import Versions, tag_table
from cartulary.service.http.endpoints import operation
from cartulary.service.http.languages import mark_language
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.server_marks import SENT
from cartulary.service.http.write_outcome import attempt, finish_write
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import (
    Answer,
    Flag,
    JsonObject,
    Request,
    text,
    version,
    whole,
)
from cartulary.service.schemas.references import decision, move, moves, refer, view

blueprint = Blueprint("moves", __name__)


class MoveInWords(Answer):
    """A legal move as a sentence."""

    number = whole(1, required=True, description="The place of the move in `moves`, from 1.")
    text = text("The move in the language asked for; no other move here has the same words.")
    move = move()


class MoveListAnswer(Answer):
    """Every legal move of the pending decision."""

    version = version(required=True)
    decision = decision()
    moves = moves(required=True)
    words = fields.List(
        fields.Nested(MoveInWords),
        description="With `?words=1`: the same moves as sentences, in the same order.",
    )


class MoveListQuery(Request):
    """An addition to the list of moves."""

    words = whole(
        0,
        1,
        text=True,
        load_default=0,
        description="1: answer with `words` too, each move as a sentence with a number, in the "
        "language that `Accept-Language` likes best. A number holds for this `version` only.",
    )


class MoveWritten(Answer):
    """A stored move."""

    version = version(required=True)
    event = JsonObject(required=True, metadata=refer("MoveMade"))
    events = fields.List(
        JsonObject(metadata=refer("Event")),
        required=True,
        description="All events that the move has added, in order; `event` is one of them.",
    )
    game = fields.Nested(
        GameAnswer,
        description="The game after the move. `Prefer: return=minimal` leaves out `game`, "
        "`board` and `moves`.",
    )
    board = fields.String(
        allow_none=True,
        description="With `?board=`: the picture, SVG. Null for a game without a picture, "
        "and when drawing fails: the move is stored all the same.",
    )
    moves = moves(
        allow_none=True,
        description="With `?board=`: every legal move now. Null when listing fails.",
    )


class PreviewAnswer(Answer):
    """What a move would lead to, up to the first draw."""

    facts = fields.List(
        JsonObject(metadata=refer("Fact")),
        required=True,
        description="What the move would lead to, in order.",
    )
    view = view()
    decision = decision()
    chance = fields.Boolean(
        required=True,
        description="True when a draw would follow: `view` and `decision` are those before "
        "the draw, so `decision` is null.",
    )
    moves = moves(description="With `next`: every move that would be legal then.")
    features = fields.List(
        fields.Nested(FeatureAnswer),
        description="With `next`: the features that the move makes or changes.",
    )


class MoveRequest(Request):
    """A move, and the version of the game that it answers."""

    move = move()
    expected_version = version(
        description="No event after this version may have changed the position. Without "
        "it the service judges the move by the current position."
    )


class PreviewRequest(Request):
    """A move to try, and the version of the game that it would answer."""

    move = move()
    version = version(
        description="No event after this version may have changed the position. Without "
        "it the service judges the move by the current position."
    )
    next = Flag(
        description="Answer with `moves`, what would be legal after the move, and with "
        "`features`, what the move makes or changes on the board."
    )


class MoveQuery(PictureQuery):
    """Additions to the answer to a move."""

    board = fields.String(
        load_default=None,
        validate=validate.OneOf(LAYOUTS),
        description="Answer with `board`, the new picture in this layout, and `moves`, what "
        "is legal now, so that a client need not ask again. `parts` and `ratio` are those of "
        "the picture, and count only with `board`.",
    )


@blueprint.get("/games/<game:game_id>/moves")
@operation(
    "moves",
    "Every legal move now",
    {
        200: AnswerOf("The pending decision and its moves.", MoveListAnswer, headers=("ETag",)),
        304: AnswerOf("They are those that the client has."),
    },
    query=MoveListQuery,
    refusals=("not_found",),
)
def list_moves(
    services: Services,
    game_id: str,
    who: Player | None,
    query: dict[str, Any],
    known: ETags,
    lang: str,
) -> Response:
    """A move is legal if and only if it equals one of these. None when no seat is asked."""
    table = find_table(services, game_id, who)
    caching = revalidate(table.visibility)
    if not query["words"]:
        return answer_changed(known, lambda: _describe(table), tag_table(services, table), caching)

    def describe() -> dict[str, Any]:
        return {**_describe(table), "words": list_move_words(services, table, lang)}

    tag = tag_words(services, table, lang)
    return mark_language(answer_changed(known, describe, tag, caching), lang)


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
    query=MoveQuery,
    limit="writes",
    refusals=(
        *("not_found", "not_seated", "game_not_running", "seat_forfeited", "not_your_turn"),
        "illegal_move",
    ),
)
def make_move(
    services: Services,
    game_id: str,
    who: Player,
    key: str | None,
    body: dict[str, Any],
    query: dict[str, Any],
    if_match: Versions | None,
    lang: str,
    minimal: bool,
    received: int | None,
) -> Response:
    """Answer the pending decision.

    A 201 means that the event is stored. After a 4xx nothing has changed. After a 5xx, or without
    an answer, the outcome is unknown: repeat the request with the same `Idempotency-Key`, and the
    stored answer comes back.
    """
    environ = request.environ
    sent = environ.get(SENT)
    done = None if sent is None else services.store.commands.writer.repeat(sent)
    if done is None:
        intent = Intent(who, body.get("expected_version"), key, body, received)
        write = GameWrite(services, game_id, intent, if_match)
        done = write.give(services.store.commands.move, body["move"])
    done = finish_write(services, done, environ)
    if minimal:
        answer = _answer_move(services, done, describe_event(done))
        answer.headers["Preference-Applied"] = "return=minimal"
        return answer
    value = describe_move(done)
    layout = query.pop("board")
    if layout is None:
        return _answer_move(services, done, value)
    value |= _describe_next(services, who, done.table, lang, layout=layout, **query)
    return _answer_move(services, done, value)


def describe_move(done: Written) -> dict[str, Any]:
    """Return the members of the answer to a move."""
    return {**describe_event(done), "game": orjson.Fragment(done.table.text())}


def describe_event(done: Written) -> dict[str, Any]:
    """Return the members of the shortest answer to a move."""
    events = done.events
    made = events[0]
    if len(events) > 1:  # something has come to an end with the move
        made = next(event for event in events if event["type"] == MOVE_MADE)
    return {"version": done.table.life.version, "event": made, "events": events}


def _describe_next(
    services: Services, who: Player, table: Table, lang: str, **wishes: Any
) -> dict[str, Any]:
    """Return the new picture and the next legal moves, null for what fails or does not exist."""

    def draw() -> str | None:
        picture, own = find_picture(services, table), table.seats_of(who.id)[0]
        return picture and draw_table(services, picture, table, lang, seat=own, **wishes)

    return {
        "board": attempt(services, "board", draw, None),
        "moves": attempt(services, "moves", lambda: list_legal_moves(table), None),
    }


def _answer_move(services: Services, done: Written, value: dict[str, Any]) -> Response:
    headers = {"ETag": tag_table(services, done.table)}
    return mark_replayed(answer_json(value, 201, headers), done)


@blueprint.post("/games/<game:game_id>/preview")
@operation(
    "moves",
    "Try a move",
    {200: AnswerOf("What the move would lead to.", PreviewAnswer)},
    body=PreviewRequest,
    limit="previews",
    refusals=(
        *("not_found", "not_seated", "game_not_running", "stale_version", "seat_forfeited"),
        *("not_your_turn", "illegal_move"),
    ),
    stores_nothing=True,
)
def preview_move(services: Services, game_id: str, who: Player, body: dict[str, Any]) -> Response:
    """Say what a move would lead to, up to the first draw; store nothing.

    A preview refuses a move for the reasons for which `POST …/moves` refuses it. With `next` it
    says as well what would be possible after the move.
    """
    found = describe_preview(services, game_id, who, body)
    return answer_json(found, headers={"Cache-Control": "no-store"})


def describe_preview(
    services: Services, game_id: str, who: Player, body: dict[str, Any]
) -> dict[str, Any]:
    """Return the members of the answer to a preview; raises what `Commands.move` raises."""
    again, move, at = services.store.commands.again, body["move"], body.get("version")
    if not body.get("next"):
        found = again.preview(who, game_id, move, at)
        return {**found._asdict(), "view": orjson.Fragment(found.view)}
    found, outlook = again.preview_further(who, game_id, move, at)
    return {**found._asdict(), "view": orjson.Fragment(found.view), **outlook._asdict()}
