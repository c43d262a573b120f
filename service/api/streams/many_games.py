"""One stream for many games and the inbox: `GET /streams`, and tickets to it."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from cartulary.events.lists.inbox import BadPlace
from cartulary.events.people.players import Player
from cartulary.service.api.streams.lines_schema import LINES
from cartulary.service.api.streams.many_games_schema import (
    ManyGamesQuery,
    ManyGamesTicketQuery,
    split_words,
)
from cartulary.service.api.streams.opening import StreamWish, open_stream
from cartulary.service.http.answers import answer_json
from cartulary.service.http.callers import read_token, redeem_ticket, require_player
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.streams.event_streams import EVENT_FORMS
from cartulary.service.http.streams.stream_channels import split_included
from cartulary.service.http.streams.stream_places import StreamList, StreamPlaces
from cartulary.service.http.streams.waiting import answer_stream
from cartulary.service.http.wire.problems import Problem, invalid
from cartulary.service.schemas.tickets import StreamTicketAnswer

blueprint = Blueprint("many_games", __name__)


@blueprint.get("/streams")
@operation(
    "events",
    "What happens in many games",
    {
        200: AnswerOf("Lines, each at once.", media=tuple(EVENT_FORMS), lines=LINES),
        204: AnswerOf("The stream has closed all games, and the client knows it."),
    },
    query=ManyGamesQuery,
    refusals=("bad_cursor", "ticket_unknown", "token_missing", "too_many_streams"),
)
def stream_many_games(
    services: Services,
    who: Player | None,
    query: dict[str, Any],
    form: str,
    last_event_id: str,
    lang: str,
) -> Response:
    """Server-sent events; lines of NDJSON with `Accept: application/x-ndjson`.

    Each line is a `StreamLine` that names its game: `{"game": id, "event": {…}}`, `{"game": id,
    "presence": {…}}`; `{"inbox": {…}}` is an item of the inbox. `{"game": id, "closed": …}` says
    that nothing more comes of a game: it is `over`, it is `not_found` (missing, or not for the
    caller), it is `hidden` from the caller by now, or it is `unavailable` for the moment. The
    stream ends when all games are closed, unless it has the inbox.

    A line that moves the cursor has it as its `id`, in NDJSON as `cursor`. The cursor holds the
    places of all games and of the inbox; it is for this player and this list of games, in any
    order. When the list changes, open another stream with `after`. A stream with a very long
    backlog ends after a part of it: go on with the cursor.
    """
    games, inbox = _read_list(query)
    included = split_included(query["include"])
    if query["ticket"]:
        bound_to = _bind_ticket(query)
        who = redeem_ticket(request.environ, services, query["ticket"], included, bound_to)
    player_id = "" if who is None else who.id
    if inbox:
        require_player(who)
    followed = StreamList(player_id, tuple(sorted(games)), inbox)
    wish = StreamWish(
        followed,
        _read_places(services, followed, games, query, last_event_id),
        query["inbox_after"],
        included,
        frozenset(split_words(query["present"])),
        lang,
    )
    if not inbox and wish.knows_all_as_closed(services, who):
        return Response(status=204)
    try:
        answer = answer_stream(EVENT_FORMS[form], lambda: open_stream(services, who, wish, form))
    except BadPlace:
        raise Problem("bad_cursor", "take `inbox_after` from an item of the inbox") from None
    answer.headers["Vary"] = "Accept, Authorization"
    return answer


@blueprint.post("/streams/ticket")
@operation(
    "events",
    "Ask for a ticket to a stream of many games",
    {201: AnswerOf("The ticket.", StreamTicketAnswer, headers=STANDING)},
    query=ManyGamesTicketQuery,
    limit="tickets",
)
def create_many_games_ticket(
    services: Services,
    who: Player,  # noqa: ARG001  the caller
    query: dict[str, Any],
) -> Response:
    """For an `EventSource`, which cannot send a token.

    The ticket opens one stream of these games, in any order, within a minute, with nothing in
    `include` that the ticket was not asked for with.
    """
    _read_list(query)
    token = read_token(request.environ) or ""
    included = split_included(query["include"])
    issued = services.store.tickets.issue(token, _bind_ticket(query), included)
    return answer_json(issued._asdict(), 201, {"Cache-Control": "no-store"})


def _read_list(query: dict[str, Any]) -> tuple[list[str], bool]:
    """Return the games that a request names, and whether it asks for the inbox."""
    games, inbox = split_words(query["games"]), query["inbox"] == "true"
    if not games and not inbox:
        raise invalid("/games", "must name a game, unless `inbox` is true")
    return games, inbox


def _bind_ticket(query: dict[str, Any]) -> str:
    """Return what a ticket for this list is bound to; it is the path of no stream of one game."""
    games = tuple(sorted(split_words(query["games"])))
    return f"/streams\n{StreamList('', games, query['inbox'] == 'true').bind()}"


def _read_places(
    services: Services,
    followed: StreamList,
    games: list[str],
    query: dict[str, Any],
    last_event_id: str,
) -> StreamPlaces:
    """Return where a stream begins: the id of a reconnecting client is newer than its address."""
    keyring, cursor = services.store.keyring, last_event_id or query["cursor"]
    if cursor:
        return StreamPlaces.read(keyring, followed, cursor)
    return StreamPlaces.at(keyring, followed, dict(zip(games, _versions(query), strict=False)))


def _versions(query: dict[str, Any]) -> list[int]:
    return [int(version) for version in split_words(query["after"])]
