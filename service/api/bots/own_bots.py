"""The bots of the caller: make, list, close, and another token."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from cartulary.events.outside_bots.accounts import NoBotsYet, OutsideBot
from cartulary.events.people.players import Player
from cartulary.service.api.bots.bots_schema import BotRequest, NewBotAnswer, OwnBotListAnswer
from cartulary.service.api.bots.describing import describe_bots
from cartulary.service.api.people.players import choose_name
from cartulary.service.http.answers import answer_json, answer_stored, locate
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import Problem
from cartulary.service.http.write_outcome import mark_stored

blueprint = Blueprint("own_bots", __name__)

SECRET = {"Cache-Control": "no-store"}


@blueprint.post("/players/me/bots")
@operation(
    "players",
    "Make a bot",
    {201: AnswerOf("The bot with its token.", NewBotAnswer, headers=("Location", *STANDING))},
    body=BotRequest,
    limit="accounts",
    refusals=("not_for_bots", "quota_exceeded"),
)
def make_bot(services: Services, who: Player, body: dict[str, Any]) -> Response:
    """A bot is a player of its own, of kind `bot`, for a program of the caller; at most five.

    The token is shown this once. It may read and play: a bot neither merges nor makes bots.
    """
    try:
        bot, token = services.store.own_bots.make(
            who, choose_name(services, body["name"]), body["about"]
        )
    except NoBotsYet:
        detail = "an earlier release is still running next to this one; it does not know bots"
        raise Problem("unavailable", detail, headers={"Retry-After": "30"}) from None
    mark_stored(request.environ)
    location = locate(services, f"/api/v1/players/{bot.player.id}")
    return _answer_with_token(services, bot, token, 201, {"Location": location})


@blueprint.get("/players/me/bots")
@operation("players", "List one's bots", {200: AnswerOf("The bots.", OwnBotListAnswer)})
def list_own_bots(services: Services, who: Player) -> Response:
    """The oldest first. Closed bots are not among them."""
    found = services.store.own_bots.list_of(who.id)
    return answer_json({"bots": describe_bots(services.store, found)}, headers=SECRET)


@blueprint.delete("/players/me/bots/<player_id>")
@operation(
    "players",
    "Close a bot",
    {204: AnswerOf("Closed: its tokens are void, and stand-ins answer for it.")},
    limit="accounts",
    refusals=("not_found",),
)
def close_bot(services: Services, who: Player, player_id: str) -> Response:
    """For good. In its running games a stand-in plays to the end, so no game waits for the bot."""
    services.store.accounts.deletion.close_bot(
        services.store.own_bots.find(who.id, player_id).player
    )
    return answer_stored()


@blueprint.post("/players/me/bots/<player_id>/token")
@operation(
    "players",
    "Give a bot another token",
    {201: AnswerOf("The bot with its new token.", NewBotAnswer, headers=STANDING)},
    limit="accounts",
    refusals=("not_found",),
)
def renew_bot_token(services: Services, who: Player, player_id: str) -> Response:
    """For a token that was lost or seen by others: all earlier tokens of the bot are void.

    Its webhooks are removed with them, because the holder of a token may have set them: register
    them again.
    """
    bot = services.store.own_bots.find(who.id, player_id)
    token = services.store.own_bots.renew_token(who.id, player_id)
    mark_stored(request.environ)
    return _answer_with_token(services, bot, token, 201, {})


def _answer_with_token(
    services: Services, bot: OutsideBot, token: str, status: int, headers: dict[str, str]
) -> Response:
    (shown,) = describe_bots(services.store, [bot])
    return answer_json({**shown, "token": token}, status, {**SECRET, **headers})
