"""What the event of a practice game that leaves its ladder does: once, and for good."""

from __future__ import annotations

from cartulary.events.model.effects.folding import Folding, must
from cartulary.events.model.ladders import PRACTICE
from cartulary.events.model.table import Table
from cartulary.events.model.types import Json


def leave_ladder(table: Table, _event: Json, _folding: Folding) -> Table:
    """Let a practice game count for no rating."""
    must(table.course.ladder == PRACTICE, "ladder", "the game is no practice game of a ladder")
    return table._replace(course=table.course._replace(ladder=None))
