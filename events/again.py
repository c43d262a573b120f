"""Again: try a move, play on from an earlier version, play once more with the same people."""

from __future__ import annotations

from cartulary.events.players import Player
from cartulary.events.preview import Preview, preview_move
from cartulary.events.projector import Projector
from cartulary.events.types import Json


class Again:
    """What goes beyond the one course of one game. Thread-safe."""

    def __init__(self, projector: Projector) -> None:
        self._projector = projector

    # -- trying a move --------------------------------------------------------------------------

    def preview(
        self, player: Player, game_id: str, move: Json, expected_version: int | None = None
    ) -> Preview:
        """Say what a move would lead to, as far as no chance is needed; store nothing.

        Raises what `Commands.move` raises, but nothing about keys and draws: a preview has none.
        """
        table = self._projector.table(game_id)
        return preview_move(table, player, move, expected_version)
