"""Telling that a webhook was switched off because of what its target answered."""

from __future__ import annotations

from cartulary.events.lists.inbox import make_item
from cartulary.events.model.clock import format_time
from cartulary.events.model.types import Json
from cartulary.events.notices.rows import MOVE, StoredWebhook
from cartulary.events.store import Store


def tell_of_failed(store: Store, player_id: str, webhook: StoredWebhook) -> None:
    """Put it into the inbox of its player that a webhook has failed; nothing for one that has not.

    The item of a bot is for its owner: a webhook bot reads no inbox. Each time that a webhook
    goes off has one item, however often this is called. Raises `RedisError`.
    """
    player = store.players.by_id(player_id) if webhook.has_failed else None
    if player is None:
        return
    about: Json = {"webhook": webhook.id}
    told, url = player.id, "/settings?notices"
    if player.is_bot:
        told, url = player.owner, f"/settings?bot={player.id}"
        about["bot"] = {"id": player.id, "name": player.name}
        if webhook.format == MOVE:
            store.bot_questions.end(player.id)
    at, since = format_time(store.clock.now_ms()), webhook.failing_since
    item = make_item(webhook.id, "webhook_disabled", told, at, {**about, "url": url}, since)
    store.inbox.add(told, [item])
