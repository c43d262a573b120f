"""Tables of beans on which moves are taken back: who sits there, and the moves that they make."""

from __future__ import annotations

from typing import Any

from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.support.opened_tables import At, open_table

KEEP, ACCEPT, DECLINE = {"type": "keep"}, {"type": "accept"}, {"type": "decline"}


def sit(
    store: Store, *seats: Player | str, takebacks: str = "undo", turn: int = 0, **more: Any
) -> At:
    """Open a table at which the seat `turn` begins with several beans."""
    while True:
        table = open_table(store, seats, takebacks, **more)
        decision = table.decision
        assert decision is not None
        if decision.seat == turn and decision.context["beans"] > 1:
            return At(store, table, [seat for seat in seats if isinstance(seat, Player)])


def give(at: At, to: int) -> None:
    at.move({"type": "give", "to": to})


def bot_moves(at: At, move: dict[str, Any]) -> None:
    """Let the bot that is asked make this move."""
    position = at.now.position
    at.store.commands.bots.move(at.id, position, lambda state, rng: state.find(move))
    assert at.now.position > position
