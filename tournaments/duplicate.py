"""A duplicate round: the chain of its secrets, its entropy, and what a seat is worth.

All tables of a round have the same setup and the same order of draws, so the same seats of all
tables are compared with each other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from cartulary.engine.ranking import STAYED
from cartulary.tournaments.state import SCORED, Tournament, TournamentRound, TournamentTable

HALF: Final = Fraction(1, 2)


def make_chain(last: bytes, rounds: int) -> list[bytes]:
    """Return a chain of secrets, its end c0 first and then the secret of each round.

    `last` is the secret of the last round, 32 random bytes; each other one is the SHA-256 of the
    one after it. c0 is what `tournament_created` and `chain_renewed` commit to.
    """
    chain = [last]
    for _ in range(rounds):
        chain.append(hashlib.sha256(chain[-1]).digest())
    return chain[::-1]


def name_round(tournament_id: str, round_: int) -> str:
    """Return how the games of a round name it in `fair.round`."""
    return f"{tournament_id}/{round_}"


def is_whole_table(table: TournamentTable) -> bool:
    """Return whether every seat of a table has played to the end."""
    return table.status == SCORED and all(outcome in STAYED for outcome in table.outcomes)


def list_leads(scores: Sequence[int]) -> list[Fraction]:
    """Return how far each score is above the mean of its table."""
    mean = Fraction(sum(scores), len(scores))
    return [score - mean for score in scores]


def score_round(tournament: Tournament, found: TournamentRound) -> dict[int, list[Fraction | None]]:
    """Return the points of each seat of the scored tables of a closed round, by table.

    A seat has the share of the same seats of the other tables whose lead over their table's mean is
    smaller, ties half; 0.5 where no other table is whole. A seat that did not finish has 0, and its
    table is left out of the comparison; the other seats of that table have None: they count like a
    bye.
    """
    tables = [tournament.tables[number] for number in found.tables]
    leads = {one.number: list_leads(one.scores) for one in tables if is_whole_table(one)}
    points: dict[int, list[Fraction | None]] = {}
    for table in tables:
        if table.number in leads:
            others = [lead for number, lead in leads.items() if number != table.number]
            points[table.number] = [*_compare(leads[table.number], others)]
        elif table.status == SCORED:
            points[table.number] = [
                None if outcome in STAYED else Fraction(0) for outcome in table.outcomes
            ]
    return points


def _compare(own: Sequence[Fraction], others: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    return [_find_share(lead, [other[seat] for other in others]) for seat, lead in enumerate(own)]


def _find_share(lead: Fraction, others: Sequence[Fraction]) -> Fraction:
    if not others:
        return HALF
    lower = sum(other < lead for other in others)
    return Fraction(2 * lower + others.count(lead), 2 * len(others))
