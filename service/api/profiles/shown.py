"""Whose figures a caller may see."""

from __future__ import annotations

from cartulary.events.people.players import Player
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import not_found


def is_hidden(services: Services, who: Player | None, player_id: str) -> bool:
    """Return whether a player hides from the caller."""
    is_self = who is not None and who.id == player_id
    return not is_self and bool(services.store.preferences.find_hidden([player_id]))


def require_shown(services: Services, who: Player | None, player_id: str) -> None:
    """Raise `Problem` 404 for a player who is missing, or hides from the caller."""
    missing = services.store.players.by_id(player_id) is None
    if missing or is_hidden(services, who, player_id):
        raise not_found("this player")
