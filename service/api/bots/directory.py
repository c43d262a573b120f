"""What a bot accepts, and the list of the bots that are connected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, Response, request

from cartulary.events.outside_bots.accepts import Accepts
from cartulary.events.outside_bots.accounts import OutsideBot
from cartulary.events.people.players import Player
from cartulary.service.api.bots.bots_schema import (
    BotListAnswer,
    BotListQuery,
    OutsideBotAnswer,
    OwnBotRequest,
)
from cartulary.service.api.bots.describing import describe_bots
from cartulary.service.http.answers import answer_json
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import invalid, not_found
from cartulary.service.http.write_outcome import mark_stored

blueprint = Blueprint("bots", __name__)

FRESH = {"Cache-Control": "no-store"}

LOOKS = 4
"""The most pages of connected bots that are looked at for one page of those that fit."""


@blueprint.get("/players/me/bot")
@operation(
    "bots",
    "What one's bot says about itself",
    {200: AnswerOf("The bot of the token.", OutsideBotAnswer)},
    refusals=("not_found",),
)
def show_own_bot(services: Services, who: Player) -> Response:
    """For the token of a bot; another player gets 404."""
    return _answer_bot(services, _find_bot(services, who))


@blueprint.put("/players/me/bot")
@operation(
    "bots",
    "Say what a bot accepts",
    {200: AnswerOf("The bot of the token.", OutsideBotAnswer)},
    body=OwnBotRequest,
    limit="writes",
    refusals=("not_found",),
)
def change_own_bot(services: Services, who: Player, body: dict[str, Any]) -> Response:
    """For the token of a bot. An invitation that does not fit is declined by the service.

    The event `seat_declined` says why: `game`, `seats`, `pace`, `busy` (as many games as the bot
    plays at once), or `not_now` (the bot is not connected, or accepts its owner only).
    """
    bot = _find_bot(services, who)
    wish = body["accepts"]
    games = wish.get("games")
    if unknown := [one for one in games or () if one not in services.offers]:
        raise invalid("/accepts/games", f"there is no game {unknown[0]!r}")
    changed = {name: tuple(value) for name, value in wish.items() if isinstance(value, list)}
    services.store.acceptance.write(who.id, Accepts(**{**wish, **changed}))
    mark_stored(request.environ)
    return _answer_bot(services, bot)


def _find_bot(services: Services, who: Player) -> OutsideBot:
    """Return the bot of a token; raises `Problem` 404 for the token of a person."""
    found = services.store.own_bots.read_many([who.id]) if who.is_bot else []
    if not found:
        raise not_found("a bot of this token")
    return found[0]


def _answer_bot(services: Services, bot: OutsideBot) -> Response:
    (shown,) = describe_bots(services.store, [bot])
    return answer_json(shown, headers=FRESH)


@blueprint.get("/bots")
@operation(
    "bots",
    "Bots that can be invited",
    {200: AnswerOf("The connected bots.", BotListAnswer)},
    query=BotListQuery,
    token="optional",
)
def list_bots(services: Services, who: Player | None, query: dict[str, Any]) -> Response:
    """The bots that are connected: the stream of their inbox is open, or a webhook asks them.

    A page may have less than `limit` bots, also none, where few fit: the next one goes on.
    A webhook bot is listed for a day after its last move, or after its webhook was registered. A
    bot that accepts the invitations of few people only is listed for these.
    """
    limit: int = query["limit"]
    fitting, cursor = _find_page(services, who, query, limit)
    page = fitting[:limit]
    if len(fitting) > limit:
        cursor = page[-1].player.id
    shown = describe_bots(services.store, page, query["game"])
    return answer_json({"bots": shown, "next_cursor": cursor}, headers=FRESH)


def _find_page(
    services: Services, who: Player | None, query: dict[str, Any], limit: int
) -> tuple[list[OutsideBot], str | None]:
    """Return the bots of a page, perhaps more, and the id of the last one that was looked at.

    None in place of the id: no bots follow.
    """
    store, fitting, last = services.store, list[OutsideBot](), query["cursor"]
    for _ in range(LOOKS):
        found = store.connected_bots.list_connected(limit + 1, after=last)
        bots = store.own_bots.read_many(found)
        fitting += _choose_fitting(services, bots, who, query["game"])
        if len(found) <= limit:
            return fitting, None
        last = found[-1]
        if len(fitting) > limit:
            break
    return fitting, last


def _choose_fitting(
    services: Services, bots: Sequence[OutsideBot], who: Player | None, game: str | None
) -> list[OutsideBot]:
    """Return the bots that play a game (None: any) and accept invitations of a caller."""
    acceptance = services.store.acceptance
    accepts = acceptance.read_many([bot.player.id for bot in bots])
    caller = None if who is None else who.id
    return [
        bot
        for bot, accepted in zip(bots, accepts, strict=True)
        if game is None or accepted.games is None or game in accepted.games
        if acceptance.is_welcome(accepted, bot.player.owner, caller)
    ]
