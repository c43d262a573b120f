"""Again: try a move, play on from an earlier version, play once more with the same people."""

from __future__ import annotations

from cartulary.events.branching import Branching, BranchRequest
from cartulary.events.players import Player
from cartulary.events.preview import Outlook, Preview, preview_further, preview_move
from cartulary.events.projector import Projector
from cartulary.events.rematch import Rematches
from cartulary.events.table import Table
from cartulary.events.types import Json
from cartulary.events.writer import Written


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
    ) -> tuple[Preview, Outlook]:
        """Preview a move, and say what would be possible after it; raises what `preview` raises."""
        table = self._projector.table(game_id)
        return preview_further(table, player, move, expected_version)

    def branch(
        self, player: Player, game_id: str, request: BranchRequest, key: str | None = None
    ) -> Written:
        """Open a branch: `Branching.branch`."""
        return self._branching.branch(player, game_id, request, key)

    def open_rematch(
        self, player: Player, game_id: str, order: str = "rotate", key: str | None = None
    ) -> Written:
        """Open a rematch, or sit down at it: `Rematches.open`."""
        return self._rematches.open(player, game_id, order, key)

    def find_rematch(self, game_id: str, player_id: str | None) -> Table:
        """Return the rematch of a game: `Rematches.find`."""
        return self._rematches.find(game_id, player_id)
