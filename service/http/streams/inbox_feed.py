"""The inbox of a player as a stream follows it: where it begins, and what comes."""

from __future__ import annotations

from cartulary.events.lists.inbox import InboxSlice, follow_inbox
from cartulary.events.live.feeds import Feed
from cartulary.events.live.subscriptions import Subscription
from cartulary.events.people.players import Player
from cartulary.service.http.shared.services import Services
from cartulary.service.http.streams.stream_channels import take_snapshot


def choose_begin(services: Services, who: Player, after: str) -> tuple[bytes, str]:
    """Return what a stream of an inbox begins with, and the cursor after which its items begin.

    It begins with a snapshot where `after` is '', or names what the inbox does not have any more;
    else with b"". Raises `BadPlace` for what no inbox has given out.
    """
    inbox = services.store.inbox
    found: InboxSlice | None = inbox.read(who.id, after, 1) if after else None
    if found is not None and not found.reset:
        return b"", inbox.find_place(who.id, after)
    place, item = take_snapshot(services, who.id)
    return item, place


def subscribe_inbox(services: Services, who: Player, after: str) -> Subscription:
    """Return a subscription to the items of an inbox after a cursor."""
    return services.hub.follow_feed(_find_feed(services, who), after)


def _find_feed(services: Services, who: Player) -> Feed:
    """Return the inbox of a player as a feed; titles without the names of deleted players."""
    mask, feed = services.store.turns.mask_item, follow_inbox(who.id)

    def show(stream: str, entry_id: str, fields: dict[bytes, bytes]) -> bytes:
        return mask(who.id, feed.show(stream, entry_id, fields))

    return feed._replace(show=show)
