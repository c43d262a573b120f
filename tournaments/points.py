"""Points: what each entrant has from each round."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final, NamedTuple

from cartulary.tournaments.duplicate import HALF, score_round
from cartulary.tournaments.state import (
    PLAYING,
    SCORED,
    Tournament,
    TournamentTable,
    count_table_points,
)

TABLE, BYE, VOID, PENDING = SCORE_KINDS = ("table", "bye", "void", "pending")
"""How an entrant came by the points of a round. A void table counts like a bye."""

STREAK: Final = 3
"""From so many first ranks in a row on, those of an arena count double."""


class RoundScore(NamedTuple):
    """What an entrant has from a round; `table` is None for a bye.

    `points` are None where the round counts like a bye, and while it is pending.
    """

    round: int
    kind: str
    table: int | None = None
    points: Fraction | None = None


Scores = dict[int, list[RoundScore]]
"""The rounds of each entrant by number, in their order."""


def list_scores(tournament: Tournament) -> Scores:
    """Return what all entrants have from their rounds, by the number of the entrant."""
    found: Scores = {one.number: [] for one in tournament.ranked}
    for number, score in _walk(tournament):
        found[number].append(score)
    return found


def add_up(scores: list[RoundScore]) -> Fraction:
    """Return the points of an entrant.

    Byes count 0.5 until another round is scored, from then on the mean of the other rounds.
    """
    scored = [score.points for score in scores if score.points is not None]
    byes = sum(score.points is None and score.kind != PENDING for score in scores)
    mean = sum(scored, Fraction(0)) / len(scored) if scored else HALF
    return sum(scored, Fraction(0)) + byes * mean


def _walk(tournament: Tournament) -> Iterator[tuple[int, RoundScore]]:
    if tournament.terms.arena:
        yield from _walk_arena(tournament)
        return
    for round_ in tournament.rounds:
        compared = tournament.terms.duplicate and round_.closed
        of_duplicate = score_round(tournament, round_) if compared else {}
        for number in round_.tables:
            table = tournament.tables[number]
            points = of_duplicate.get(number, [])
            if table.status == SCORED and not tournament.terms.duplicate:
                points = [*count_table_points(table.ranks)]
            yield from _share(table, points)
        for entrant in round_.byes:
            yield entrant, RoundScore(round_.number, BYE)


def _share(
    table: TournamentTable, points: list[Fraction | None]
) -> Iterator[tuple[int, RoundScore]]:
    """Yield what a table is for its entrants; without points it is void or pending."""
    for seat, entrant in enumerate(table.seats):
        if points:
            yield entrant, RoundScore(table.round, TABLE, table.number, points[seat])
        else:
            kind = PENDING if table.status in (PLAYING, SCORED) else VOID
            yield entrant, RoundScore(table.round, kind, table.number)


def _walk_arena(tournament: Tournament) -> Iterator[tuple[int, RoundScore]]:
    """Yield the scored tables in the order in which they ended; the others count for nothing."""
    streaks: dict[int, int] = {}
    scored = [table for table in tournament.tables.values() if table.status == SCORED]
    for table in sorted(scored, key=lambda one: one.settled_at):
        for seat, points in enumerate(count_table_points(table.ranks)):
            entrant = table.seats[seat]
            streaks[entrant] = streaks.get(entrant, 0) + 1 if table.ranks[seat] == 1 else 0
            weight = 2 if streaks[entrant] >= STREAK else 1
            yield entrant, RoundScore(table.round, TABLE, table.number, weight * points)
