"""Again: try a move, play on from an earlier version, play once more with the same people."""

from __future__ import annotations

from cartulary.events.commands.judging.intent import Intent
from cartulary.events.commands.judging.preview import (
    MovePreview,
    Preview,
    preview_further,
    preview_move,
)
from cartulary.events.commands.table.branching import Branching, NewBranch
from cartulary.events.commands.table.rematch import NewRematch, Rematches
from cartulary.events.ledger.projector import Projector
from cartulary.events.ledger.writer import Written
from cartulary.events.model.table import Table
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player


class Again:
    """What goes beyond the one course of one game. Thread-safe."""

    def __init__(self, projector: Projector, branching: Branching, rematches: Rematches) -> None:
        self._projector = projector
        self._branching, self._rematches = branching, rematches

    def preview(
        self, player: Player, game_id: str, move: Json, expected_version: int | None = None
    ) -> Preview:
        """Say what a move would lead to, as far as no chance is needed; store nothing.

        Raises what `Commands.move` raises, but nothing about keys and draws: a preview has none.
        """
        table = self._projector.table(game_id)
        return preview_move(table, player, move, expected_version)

    def preview_further(
        self, player: Player, game_id: str, move: Json, expected_version: int | None = None
    ) -> tuple[Preview, MovePreview]:
        """Preview a move, and say what would be possible after it; raises what `preview` raises."""
        table = self._projector.table(game_id)
        return preview_further(table, player, move, expected_version)

    def branch(self, intent: Intent, game_id: str, request: NewBranch) -> Written:
        """Open a branch: `Branching.branch`."""
        return self._branching.branch(intent, game_id, request)

    def open_rematch(
        self,
        intent: Intent,
        game_id: str,
        request: NewRematch = NewRematch(),  # noqa: B008  immutable
    ) -> Written:
        """Open a rematch, or sit down at it: `Rematches.open`."""
        return self._rematches.open(intent, game_id, request)

    def find_rematch(self, game_id: str, player_id: str | None) -> Table:
        """Return the rematch of a game: `Rematches.find`."""
        return self._rematches.find(game_id, player_id)
