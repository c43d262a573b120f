"""What ends a stream before its end: a token that is revoked, a game that is out of sight."""

from __future__ import annotations

from collections.abc import Callable

from flask import request

from cartulary.events.live.subscriptions import Subscription
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.service.http.callers import hash_caller_token
from cartulary.service.http.shared.services import Services

Leave = Callable[[], None]


def hold_stream(
    services: Services, table: Table, who: Player | None, subscription: Subscription, leave: Leave
) -> Leave:
    """Have a stream of a game end within 5 s when its reader may read it no longer.

    Returns what frees all that is held, `leave` included.
    """
    leave = both(hold_presence(services, table, who), leave)
    leave = both(hold_sight(services, table, who, subscription.close), leave)
    return hold_token(services, subscription.close, leave)


def hold_presence(services: Services, table: Table, who: Player | None) -> Leave:
    """Show that a seated player has the game open; the others are only counted."""
    if who is None or not table.seats_of(who.id):
        return _hold_nothing
    return services.store.presence.open(table.id, who.id)


def hold_sight(services: Services, table: Table, who: Player | None, end: Leave) -> Leave:
    """Have `end` called when the reader may no longer see the game."""
    return services.stream_visibility.hold(table, who.id, end) if who else _hold_nothing


def hold_token(services: Services, end: Leave, leave: Leave) -> Leave:
    """Have `end` called when the token of the request becomes invalid."""
    token_hash = hash_caller_token(request.environ)
    if token_hash is None:
        return leave
    return both(services.open_tokens.hold(token_hash, end), leave)


def _hold_nothing() -> None:
    pass


def both(forget: Leave, leave: Leave) -> Leave:
    """Return a function that does both."""

    def forget_and_leave() -> None:
        forget()
        leave()

    return forget_and_leave
