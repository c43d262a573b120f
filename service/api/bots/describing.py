"""Bots of others as the HTTP contract shows them."""

from __future__ import annotations

from collections.abc import Sequence

from cartulary.events.model.types import Json
from cartulary.events.outside_bots.accounts import OutsideBot
from cartulary.events.store import Store
from cartulary.service.api.people.players import describe_player


def describe_bots(store: Store, bots: Sequence[OutsideBot]) -> list[Json]:
    """Return bots with their owners and what they accept. Raises `RedisError`."""
    accepts = store.acceptance.read_many([one.player.id for one in bots])
    owners = store.players.name_all([one.player.owner for one in bots])
    online = set(store.connected_bots.list_connected()) if bots else set()
    return [
        {
            **describe_player(bot.player),
            "owner": {"id": bot.player.owner, "name": owner},
            "about": bot.about,
            "accepts": accepted.to_json(),
            "online": bot.player.id in online,
            "strength": None,
            "pace": None,
        }
        for bot, accepted, owner in zip(bots, accepts, owners, strict=True)
    ]
