"""Games: open a game, list games, show a game as it stands."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Blueprint, Response
from werkzeug.datastructures import ETags

from cartulary.events.commands import NewGame, SeatRequest
from cartulary.events.lists import BadCursor, Page
from cartulary.events.players import Player
from cartulary.service.description.schemas.arranging import GameRequest
from cartulary.service.description.schemas.games import GameAnswer, GamesPage
from cartulary.service.description.schemas.requests import GamesQuery
from cartulary.service.http.answers import (
    answer_changed,
    answer_game,
    revalidate,
)
from cartulary.service.http.callers import require_player
from cartulary.service.http.conditions import tag_content, tag_table
from cartulary.service.http.context import Parts
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.problems import Problem, invalid
from cartulary.service.views.tables import find_table, note_look

_HEADERS = ("Location", "ETag", "Idempotency-Replayed")
_WHERE_GIVEN = (
    *("entropy", "commitment", "takebacks", "start", "substitutes", "stand_in", "expires_in"),
    *("pace", "on_timeout", "hints", "bot_delay"),
)
blueprint = Blueprint("games", __name__)


@blueprint.post("/games")
@operation(
    "games",
    "Open a game",
    {201: AnswerOf("Opened.", GameAnswer, headers=(*_HEADERS, *STANDING))},
    body=GameRequest,
    headers=("Idempotency-Key",),
    refusals=("quota_exceeded",),
    limit="games",
    token="required",
)
def open_game(here: Parts, who: Player, key: str | None, body: dict[str, Any]) -> Response:
    """The game starts at once when no seat is open, else when the last open seat is taken.

    With `start: host` it starts when the host says so; the opener is the host. `me` may be given
    more than once: then one player plays several seats. A seat of kind `invite` is offered to one
    player. The draws follow from a
    secret, whose commitment stands in the first event, and from the entropy of the seats.
    """
    return answer_game(here, here.store.commands.create(who, _read_game(body), key))


def _read_game(body: dict[str, Any]) -> NewGame:
    seats = [
        SeatRequest(seat["kind"], seat.get("bot"), seat.get("player")) for seat in body["seats"]
    ]
    return NewGame(
        body["game"],
        seats,
        body["options"],
        body["shuffle_seats"],
        body["visibility"],
        **{name: body[name] for name in _WHERE_GIVEN if name in body},
    )


@blueprint.get("/games")
@operation(
    "games",
    "The lobby, or one's own games",
    {
        200: AnswerOf("A page of games, the newest first.", GamesPage, headers=("ETag",)),
        304: AnswerOf("It is the page that the client has."),
    },
    query=GamesQuery,
    headers=("If-None-Match",),
    refusals=("bad_cursor", "token_missing"),
    token="optional",
)
def list_games(here: Parts, who: Player | None, query: dict[str, Any], known: ETags) -> Response:
    """Public games; with `player=me` those that concern the caller, private ones too.

    The caller has opened them, sits there, or is invited. With `turn=me` the games in which it is
    the caller's turn; with `sort=deadline` the earliest deadline comes first.
    """
    turn, by_deadline = query.pop("turn", None), query.pop("sort", None) is not None
    mine = query.pop("player", None) is not None or turn is not None
    if by_deadline and turn is None:
        raise invalid("/sort", "goes with turn=me")
    try:
        if turn is not None:
            page = _find_turns(here, require_player(who), query, by_deadline)
        else:
            page = _find_page(here, who, mine, query)
    except BadCursor:
        raise Problem("bad_cursor", "take the cursor from `next_cursor` of a page") from None
    text = orjson.dumps({"games": page.games, "next_cursor": page.next_cursor})
    caching = revalidate("private" if mine else "public")
    return answer_changed(known, lambda: text, tag_content(text), caching)


def _find_turns(here: Parts, who: Player, query: dict[str, Any], by_deadline: bool) -> Page:
    """Return games in which it is the turn of a player: they are running, and have no free seat."""
    limit, cursor = query.pop("limit"), query.pop("cursor", None)
    if query.pop("status", "running") != "running" or query.pop("seat", None) == "open":
        return Page([], None)
    return here.store.turns.page(who.id, query, limit, cursor, by_deadline)


def _find_page(here: Parts, who: Player | None, mine: bool, query: dict[str, Any]) -> Page:
    if mine:
        return here.store.projections.games_of(require_player(who).id, **query)
    return here.store.projections.lobby(**query)


@blueprint.get("/games/<game:game_id>")
@operation(
    "games",
    "A game as it stands",
    {
        200: AnswerOf("The game.", GameAnswer, headers=("ETag",)),
        304: AnswerOf("It is at the version that the client has."),
    },
    headers=("If-None-Match",),
    refusals=("not_found",),
    token="optional",
)
def show_game(here: Parts, game_id: str, who: Player | None, known: ETags) -> Response:
    """A private game is there for its opener, its players and those invited only."""
    table = find_table(here, game_id, who)
    note_look(here, table, who)
    return answer_changed(known, table.text, tag_table(here, table), revalidate(table.visibility))
