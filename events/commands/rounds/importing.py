"""Imports during a round: the transcript of a sealed game would show its draws to everybody."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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
"""Draws that differ later, or go on after a sealed game, are taken for its own from so many on."""


class SealedGames:
    """The games of open duplicate rounds, by their players. Thread-safe."""

    def __init__(self, registry: Redis, ledger: Ledger, projector: Projector) -> None:
        self._registry, self._ledger, self._projector = registry, ledger, projector

    def must_not_show(
        self, player_id: str, make_transcripts: Callable[[], Iterable[Transcript]]
    ) -> None:
        """Raise `RoundOpen` where a transcript has draws of a sealed game of a player.

        They are made only for a player who has a seat in such a game: of a study one for each of
        its lines. A person can write the draws anywhere by hand; this keeps a file that was
        downloaded from being shown by mistake. Raises `RedisError`.
        """
        found: Any = self._registry.zrange(keys.sealed_games(player_id), 0, -1)
        for game_id in found:
            try:
                table = self._projector.table(game_id.decode())
            except NotFound:
                continue  # the store has lost the game; the next look at its lists removes it
            if table.sealed and self._is_among(table, make_transcripts):
                must_be_unsealed(table)

    def _is_among(self, table: Table, make_transcripts: Callable[[], Iterable[Transcript]]) -> bool:
        """Return whether a transcript has the setup of a game, and draws of it."""
        if table.play is None:
            return False
        setup = table.rules.setup_to_transcript(table.setup)
        begun = (table.game, table.options, len(table.seats), setup)
        standing = StandingMoves()
        for event in self._ledger.events(table.id):
            standing.add(event)
        return any(
            (one.game, one.options, one.seats, one.setup) == begun
            and _share(standing.draws, one.draws)
            for one in make_transcripts()
        )


def _share(own: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether draws are those of a game: all of them, or so many that it is no luck.

    What another line goes on with from a position of the game is drawn otherwise.
    """
    pairs = enumerate(zip(own, other, strict=False))
    same = next((at for at, (one, two) in pairs if one != two), min(len(own), len(other)))
    return same == len(other) or same >= TELLING
