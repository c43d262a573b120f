"""Bots of others as the HTTP contract shows them."""

from __future__ import annotations

from collections.abc import Sequence

from cartulary.events.model.types import Json
from cartulary.events.outside_bots.accounts import OutsideBot
from cartulary.events.ratings.strengths import read_bot_strengths
from cartulary.events.store import Store
from cartulary.service.api.people.players import describe_player


def describe_bots(store: Store, bots: Sequence[OutsideBot], game: str | None = None) -> list[Json]:
    """Return bots with their owners, what they accept, and how strong they are in a game.

    None: in the game of which most is known. Raises `RedisError`.
    """
    ids = [one.player.id for one in bots]
    accepts = store.acceptance.read_many(ids)
    owners = store.players.name_all([one.player.owner for one in bots])
    online = store.connected_bots.find_connected(ids)
    games = [*store.rules] if game is None else [game]
    turns = store.profiles.read_median_turns(ids)
    strengths = read_bot_strengths(store.rating_reader, ids, games)
    return [
        {
            **describe_player(bot.player),
            "owner": {"id": bot.player.owner, "name": owner},
            "about": bot.about,
            "accepts": accepted.to_json(),
            "online": bot.player.id in online,
            "strength": strengths.get(bot.player.id),
            "pace": turns[bot.player.id] * 1000 if bot.player.id in turns else None,
        }
        for bot, accepted, owner in zip(bots, accepts, owners, strict=True)
    ]
