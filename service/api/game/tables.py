"""Tables: find them, and describe what several views show of them."""

from __future__ import annotations

from typing import Any

from cartulary import locales
from cartulary.events.model.seats import call_seats
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.service.http.shared.services import Services


def find_table(
    services: Services, game_id: str, who: Player | None, version: int | None = None
) -> Table:
    """Return a game as of `version`, None: as it is now; as it is shown, deleted names masked.

    Raises `NotFound`, also for a private game of others.
    """
    masks = services.store.masks
    masks.look()
    return masks.mask_table(services.store.projector.visible(game_id, who and who.id, version))


def note_look(services: Services, table: Table, who: Player | None) -> None:
    """Note that a player looks at a running game: it does not end for want of interest."""
    if who is not None and table.running:
        services.store.commands.looks.note(table.id)


def describe_decision(table: Table) -> dict[str, Any] | None:
    """Return the pending decision as in the move contract."""
    decision = table.decision
    return decision and decision.to_json()


def list_legal_moves(table: Table) -> list[dict[str, Any]]:
    """Return every legal move, none while the game waits for no decision."""
    if table.decision is None or table.state is None:
        return []
    return [*table.state.legal_moves()]


def name_seats(table: Table, lang: str) -> list[str | None]:
    """Return the name of every seat: of the transcript, the player or the bot; None when open."""
    return call_seats(table.names, table.seats, locales.terms(lang).get("bots", {}))
