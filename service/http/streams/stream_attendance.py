"""Who follows an inbox: that is noted for presence, for bots, and for those who seek a game."""

from __future__ import annotations

from cartulary.events.people.players import Player
from cartulary.service.http.shared.services import Services
from cartulary.service.http.streams.stream_revocation import Leave, both


def hold_inbox(services: Services, who: Player, leave: Leave) -> Leave:
    """Note that a player follows the inbox; return what ends that and does `leave`."""
    leave = both(services.store.presence.hold(who.id), leave)
    if who.is_bot:
        return both(services.store.connected_bots.hold(who.id), leave)
    return both(services.store.attendance.hold(who.id), leave)
