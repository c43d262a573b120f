"""Games: open a game, list games, show a game as it stands."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Blueprint, Response
from marshmallow import validate, validates_schema
from werkzeug.datastructures import ETags

from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.commands.table.opening import (
    BOT_DELAY_MAX_MS,
    EXPIRES_MAX_S,
    KINDS,
    ON_TIMEOUT,
    STARTS,
    TAKEBACKS,
    VISIBILITIES,
)
from cartulary.events.lists.indexes import PACES, SEATS_FREE
from cartulary.events.lists.lobby_pages import RATED, BadCursor, Page
from cartulary.events.people.players import Player
from cartulary.service.api.game.games_schema import GameAnswer, GamesPage
from cartulary.service.api.game.tables import find_table, note_look
from cartulary.service.http.answers import (
    answer_changed,
    answer_seated,
    revalidate,
)
from cartulary.service.http.callers import require_player
from cartulary.service.http.conditions import tag_content, tag_table
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import Problem, invalid
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Flag, Request, text, whole
from cartulary.service.schemas.game_bodies import (
    STATUSES,
    commitment,
    entropy,
    must_belong,
    player_field,
)
from cartulary.service.schemas.pace import PaceRequest
from cartulary.service.schemas.references import chosen_options, game_name, refer

_HEADERS = ("Location", "ETag", "Idempotency-Replayed")
_WHERE_GIVEN = (
    *("entropy", "commitment", "takebacks", "start", "substitutes", "stand_in", "expires_in"),
    *("pace", "on_timeout", "hints", "bot_delay"),
)
blueprint = Blueprint("games", __name__)


class SeatRequestBody(Request):
    """A seat: for the caller (`me`), a `bot`, any player (`open`), or a guest (`invite`)."""

    kind = text(validate=validate.OneOf(KINDS))
    bot = fields.String(validate=validate.Length(1, 64))
    player = player_field("With the kind `invite`: the player to whom the seat is offered.")

    @validates_schema
    def what_belongs_to_the_kind(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse a bot or a player without the kind that goes with it, and the other way round."""
        must_belong(data)


class GameRequest(Request):
    """A new game; it starts when no seat is open, unless the host is to start it."""

    game = game_name(validate=validate.Length(1, 64))
    seats = fields.List(
        fields.Nested(SeatRequestBody), required=True, validate=validate.Length(2, 5)
    )
    options = chosen_options()
    shuffle_seats = Flag(
        load_default=False, description="The lot decides at the start who sits where."
    )
    visibility = fields.String(
        load_default="public",
        validate=validate.OneOf(VISIBILITIES),
        metadata=refer(
            "Visibility",
            "`public` (the default): in the lobby. `unlisted`: everybody with the link may watch "
            "and take an open seat. `private`: for the opener, the players and those invited.",
        ),
    )
    start = fields.String(
        validate=validate.OneOf(STARTS),
        description="`full` (the default): the game starts when the last seat is taken. "
        "`host`: the host starts it.",
    )
    takebacks = fields.String(
        validate=validate.OneOf(TAKEBACKS),
        description="`none`: no move is taken back, unless all others are bots. `undo` "
        "(the default): until another person has moved or chance was drawn. `consent`: also "
        "later, when the others agree.",
    )
    substitutes = Flag(description="Others may take over the seat of a player who left.")
    hints = Flag(
        description="The player may ask for hints (`GET /games/{id}/hint`). Only in a "
        "practice game: one player, and bots on all other seats."
    )
    stand_in = fields.String(
        validate=validate.Length(1, 64),
        description="The bot that answers for absent players; default: `medium`.",
    )
    expires_in = whole(
        1,
        EXPIRES_MAX_S,
        description="Seconds after the last event at which a game that has not started is "
        "aborted; default: 2 hours for a live game, 14 days for "
        "another public game, 60 days for others.",
    )
    pace = fields.Nested(PaceRequest, allow_none=True, description="Missing or null: untimed.")
    on_timeout = fields.String(
        validate=validate.OneOf(ON_TIMEOUT),
        description="What follows when a flag falls. `stand_in`: a bot answers until the "
        "player returns (the default of live games with three or more seats for persons). "
        "`forfeit`: the player is out. `claim`: the others decide (the default else).",
    )
    bot_delay = whole(
        0,
        BOT_DELAY_MAX_MS,
        description="For so many milliseconds after the last event no bot moves; default: 0.",
    )
    rated = Flag(
        description="Whether the game counts for the ratings of its players; default: `false`. A "
        "rated game is for two or more persons with recovery codes, or for bots; it has a pace, no "
        "takebacks by consent, and one seat for each player."
    )
    entropy = entropy()
    commitment = commitment()


@blueprint.post("/games")
@operation(
    "games",
    "Open a game",
    {201: AnswerOf("Opened.", GameAnswer, headers=(*_HEADERS, *STANDING))},
    body=GameRequest,
    refusals=("quota_exceeded", "account_needed", "rated_game"),
    limit="games",
)
def open_game(services: Services, who: Player, key: str | None, body: dict[str, Any]) -> Response:
    """The game starts at once when no seat is open, else when the last open seat is taken.

    With `start: host` it starts when the host says so; the opener is the host. `me` may be given
    more than once: then one player plays several seats. A seat of kind `invite` is offered to one
    player. The draws follow from a
    secret, whose commitment stands in the first event, and from the entropy of the seats.
    """
    intent = Intent(who, key=key)
    done = services.store.commands.create(intent, _read_game(body))
    return answer_seated(services, who, done)


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
        rated=body.get("rated") or None,
    )


PAGE_MAX = 100


class GamesQuery(Request):
    """A choice of games."""

    status = fields.String(validate=validate.OneOf(STATUSES))
    game = fields.String(validate=validate.Length(1, 64))
    player = fields.String(
        validate=validate.OneOf(["me"]),
        description="Only games of the caller, private games and those to which the caller "
        "is invited included; needs a token.",
    )
    seat = fields.String(
        validate=validate.OneOf(SEATS_FREE),
        description="`open`: games that wait with a seat that any player may take. `vacant`: "
        "running games with a seat that another player may take over.",
    )
    turn = fields.String(
        validate=validate.OneOf(["me"]),
        description="Only games in which it is the turn of the caller; needs a token.",
    )
    sort = fields.String(
        validate=validate.OneOf(["deadline"]),
        description="With `turn=me`: the earliest deadline first, untimed games last.",
    )
    pace = fields.String(
        validate=validate.OneOf(PACES),
        description="Only games of this pace; `none`: untimed games.",
    )
    rated = fields.String(
        validate=validate.OneOf(RATED),
        description="`true`: only games that count for ratings; `false`: only others.",
    )
    limit = whole(1, PAGE_MAX, text=True, load_default=20)
    cursor = fields.String(description="`next_cursor` of the page before.")


@blueprint.get("/games")
@operation(
    "games",
    "The lobby, or one's own games",
    {
        200: AnswerOf("A page of games, the newest first.", GamesPage, headers=("ETag",)),
        304: AnswerOf("It is the page that the client has."),
    },
    query=GamesQuery,
    refusals=("bad_cursor", "token_missing"),
)
def list_games(
    services: Services, who: Player | None, query: dict[str, Any], known: ETags
) -> Response:
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
            page = _find_turns(services, require_player(who), query, by_deadline)
        else:
            page = _find_page(services, who, mine, query)
    except BadCursor:
        raise Problem("bad_cursor", "take the cursor from `next_cursor` of a page") from None
    text = orjson.dumps({"games": page.games, "next_cursor": page.next_cursor})
    caching = revalidate("private" if mine else "public")
    return answer_changed(known, lambda: text, tag_content(text), caching)


def _find_turns(services: Services, who: Player, query: dict[str, Any], by_deadline: bool) -> Page:
    """Return games in which it is the turn of a player: they are running, and have no free seat."""
    limit, cursor = query.pop("limit"), query.pop("cursor", None)
    if query.pop("status", "running") != "running" or query.pop("seat", None) == "open":
        return Page([], None)
    return services.store.turns.page(who.id, query, limit, cursor, by_deadline)


def _find_page(services: Services, who: Player | None, mine: bool, query: dict[str, Any]) -> Page:
    if mine:
        return services.store.projections.games_of(require_player(who).id, **query)
    return services.store.projections.lobby(**query)


@blueprint.get("/games/<game:game_id>")
@operation(
    "games",
    "A game as it stands",
    {
        200: AnswerOf("The game.", GameAnswer, headers=("ETag",)),
        304: AnswerOf("It is at the version that the client has."),
    },
    refusals=("not_found",),
)
def show_game(services: Services, game_id: str, who: Player | None, known: ETags) -> Response:
    """A private game is there for its opener, its players and those invited only."""
    table = find_table(services, game_id, who)
    note_look(services, table, who)
    return answer_changed(
        known, table.text, tag_table(services, table), revalidate(table.visibility)
    )
