"""What is refused while a duplicate round is open, also to those who see their own table."""

from __future__ import annotations

from cartulary.events.model.errors import RoundOpen
from cartulary.events.model.table import Table


def must_be_unsealed(table: Table) -> None:
    """Raise `RoundOpen` while other tables of the round have the draws of this game before them."""
    if table.sealed:
        raise RoundOpen("the other tables have the same draws: this waits for the end of the round")
