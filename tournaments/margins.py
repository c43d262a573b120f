"""How far scores usually lie apart, by game and seats: what makes margins of tables comparable."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from cartulary.tournaments.duplicate import is_whole_table, list_leads
from cartulary.tournaments.state import TournamentTable

DEVIATIONS: Final[Mapping[str, Mapping[int, int]]] = {
    "carcassonne": {2: 21, 3: 19, 4: 14, 5: 12},
    "caylus": {2: 14, 3: 13, 4: 11, 5: 10},
}
"""The standard deviation of a score about the mean of its table, in points.

Rounded from `python -m bench margins --games 60` (bench/RESULTS.md), and fixed: a change would
change the standings of tournaments that are over.
"""

OTHERWISE: Final = 10
"""That of other games and tables; it only weighs tables of different sizes against each other."""


def find_margins(game: str, table: TournamentTable) -> list[Fraction] | None:
    """Return the margin of each seat: its score less the table's mean, in deviations.

    None for a table that a seat has left: its scores say little.
    """
    if not is_whole_table(table):
        return None
    deviation = DEVIATIONS.get(game, {}).get(len(table.seats), OTHERWISE)
    return [lead / deviation for lead in list_leads(table.scores)]
