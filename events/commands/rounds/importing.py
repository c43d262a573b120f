"""Imports during a round: the transcript of a sealed game would show its draws to everybody."""

from __future__ import annotations

from typing import Any, Final

from redis import Redis

from cartulary.engine.transcript import Transcript
from cartulary.events.commands.table.transcripts import StandingMoves
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.ledger.projector import Projector
from cartulary.events.model.errors import NotFound
from cartulary.events.model.sealing import must_be_unsealed
from cartulary.events.model.table import Table
from cartulary.events.server import keys

TELLING: Final = 3
"""A transcript that goes on after a sealed game is taken for its own from so many draws on."""


class SealedGames:
    """The games of open duplicate rounds, by their players. Thread-safe."""

    def __init__(self, registry: Redis, ledger: Ledger, projector: Projector) -> None:
        self._registry, self._ledger, self._projector = registry, ledger, projector

    def must_not_show(self, player_id: str, transcript: Transcript) -> None:
        """Raise `RoundOpen` for the transcript of a sealed game in which a player has a seat.

        A person can write the draws anywhere by hand; this keeps a file that was
        downloaded from being shown by mistake. Raises `RedisError`.
        """
        found: Any = self._registry.zrange(keys.sealed_games(player_id), 0, -1)
        for game_id in found:
            try:
                table = self._projector.table(game_id.decode())
            except NotFound:
                continue  # the store has lost the game; the next look at its lists removes it
            if table.sealed and self._is_of(table, transcript):
                must_be_unsealed(table)

    def _is_of(self, table: Table, transcript: Transcript) -> bool:
        """Return whether a transcript has setup and draws of a game, as far as both go."""
        same = (
            table.game,
            table.options,
            len(table.seats),
            table.rules.setup_to_transcript(table.setup),
        ) == (transcript.game, transcript.options, transcript.seats, transcript.setup)
        if not same or table.play is None:
            return False
        standing = StandingMoves()
        for event in self._ledger.events(table.id):
            standing.add(event)
        own, other = standing.draws, transcript.draws
        both = min(len(own), len(other))
        return own[:both] == other[:both] and (len(other) <= len(own) or both >= TELLING)
