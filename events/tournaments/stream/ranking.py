"""Standings as they are shown, computed once for each last event: with 200 entrants they cost."""

from __future__ import annotations

from typing import Final

from cartulary.events.model.cache import Cache
from cartulary.events.model.types import Json
from cartulary.events.tournaments.stream.streams import KnownTournament
from cartulary.tournaments.standings import describe_standings, rank_entrants

CAPACITY: Final = 8 * 1024 * 1024
"""Bytes of standings that a process caches."""

ROW: Final = 2_500
"""Bytes of a row, with its rounds."""


class TournamentRanking:
    """The standings of all tournaments. Thread-safe."""

    def __init__(self) -> None:
        self._cache: Cache[str, tuple[str, list[Json]]] = Cache(CAPACITY, _weigh)

    def describe(self, known: KnownTournament) -> list[Json]:
        """Return the standings (`describe_standings`); callers do not change them."""
        found = self._cache.get(known.id)
        if found is not None and found[0] == known.head:
            return found[1]
        rows = describe_standings(known.tournament, rank_entrants(known.tournament))
        self._cache.put(known.id, (known.head, rows))
        return rows


def _weigh(found: tuple[str, list[Json]], _before: int) -> int:
    return ROW * len(found[1])
