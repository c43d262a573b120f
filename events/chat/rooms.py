"""Which rooms of a game a caller may use."""

from __future__ import annotations

from collections.abc import Sequence

from cartulary.events.chat.messages import PLAYERS, ROOMS, SPECTATORS
from cartulary.events.model.errors import RatedGame
from cartulary.events.model.table import Table


def list_rooms(table: Table, player_id: str | None, wanted: str | None = None) -> Sequence[str]:
    """Return the rooms that a caller (None: without a token) may use, or just the one `wanted`.

    Until a rated game is over its players do not use the room of the spectators, where others could
    help them. Raises `RatedGame` where they want that room.
    """
    is_closed = player_id is not None and table.terms.rated and not table.status.finished
    is_closed = is_closed and any(seat.is_held_by(player_id or "") for seat in table.seats)
    if is_closed and wanted == SPECTATORS:
        raise RatedGame("the room of the spectators is closed to the players of a rated game")
    if wanted is not None:
        return [wanted]
    return [PLAYERS] if is_closed else ROOMS
