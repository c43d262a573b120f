"""The standings: who is where, as a function of the stream (and of the pairing secret at the end).

Points come first, then the tie-breaks of the terms. The draw is known when the pairing secret is
out: until then entrants who are equal in all else share a rank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from cartulary.events.model.types import Json
from cartulary.tournaments.lots import draw_lot
from cartulary.tournaments.margins import find_margins
from cartulary.tournaments.points import BYE, RoundScore, Scores, add_up, list_scores
from cartulary.tournaments.state import SCORED, Tournament, TournamentTable
from cartulary.tournaments.terms import DRAW, HEAD_TO_HEAD, MARGIN, OPPONENTS

Numbers = Mapping[int, Fraction]
"""A figure of each entrant, by number."""


class EntrantPlace(NamedTuple):
    """The place of an entrant: `rank` is shared with those who are equal in all that is known.

    `tiebreaks` has the figures by the words of the terms; `head_to_head` only where it was asked.
    """

    rank: int
    entrant: int
    points: Fraction
    tiebreaks: dict[str, Fraction]
    rounds: list[RoundScore]


def rank_entrants(
    tournament: Tournament, pairing_secret: bytes | None = None
) -> list[EntrantPlace]:
    """Return the places of all entrants who were there at the start, the best first.

    With the pairing secret, which a finished tournament has in its stream, the draw decides last.
    """
    if pairing_secret is None and tournament.pairing_secret is not None:
        pairing_secret = bytes.fromhex(tournament.pairing_secret)
    return _Ranking(tournament, pairing_secret).rank()


class _Ranking:
    """Figures of one tournament, and the order that they make."""

    def __init__(self, tournament: Tournament, secret: bytes | None) -> None:
        self._tournament, self._secret = tournament, secret
        self._scores: Scores = list_scores(tournament)
        self._points = {number: add_up(scores) for number, scores in self._scores.items()}
        self._tables = [one for one in tournament.tables.values() if one.status == SCORED]
        if tournament.terms.duplicate:
            closed = {round_.number for round_ in tournament.rounds if round_.closed}
            self._tables = [one for one in self._tables if one.round in closed]
        self._figures: dict[str, dict[int, Fraction]] = {
            OPPONENTS: self._find_opponents(),
            MARGIN: self._find_margins(),
            HEAD_TO_HEAD: {},
        }

    def rank(self) -> list[EntrantPlace]:
        groups = _split([[*self._points]], lambda _: self._points)
        for word in self._tournament.terms.tiebreaks:
            groups = _split(groups, self._choose(word))
        places, rank = [], 1
        for group in groups:
            places += [self._place(rank, number) for number in group]
            rank += len(group)
        return places

    def _choose(self, word: str) -> Callable[[Sequence[int]], Numbers]:
        """Return what gives the figures of a tie-break for a group of equal entrants."""
        if word == HEAD_TO_HEAD:
            return self._compare_directly
        if word == DRAW:
            return self._draw
        figures = self._figures[word]
        return lambda _: figures

    def _place(self, rank: int, number: int) -> EntrantPlace:
        figures = {
            word: self._figures[word][number]
            for word in self._tournament.terms.tiebreaks
            if word != DRAW and number in self._figures[word]
        }
        return EntrantPlace(rank, number, self._points[number], figures, self._scores[number])

    def _find_opponents(self) -> dict[int, Fraction]:
        """Return the mean points of those whom each entrant has met, each time that they met."""
        met: dict[int, list[Fraction]] = {number: [] for number in self._points}
        for table in self._tables:
            for number in table.seats:
                met[number] += [self._points[other] for other in table.seats if other != number]
        return {number: _find_mean(points) for number, points in met.items()}

    def _find_margins(self) -> dict[int, Fraction]:
        """Return the mean margin of each entrant."""
        found: dict[int, list[Fraction]] = {number: [] for number in self._points}
        for table in self._tables:
            margins = find_margins(self._tournament.terms.game, table)
            for number, margin in zip(table.seats, margins or (), strict=margins is not None):
                found[number].append(margin)
        return {number: _find_mean(margins) for number, margins in found.items()}

    def _compare_directly(self, group: Sequence[int]) -> Numbers:
        """Return how much of their meetings with others of the group each entrant has won.

        0.5 for one who met none of them.
        """
        among = set(group)
        won = {number: Fraction(0) for number in group}
        met = dict.fromkeys(group, 0)
        for table in self._tables:
            for number, beaten, count in _list_meetings(table, among):
                won[number] += beaten
                met[number] += count
        figures = {
            number: won[number] / met[number] if met[number] else Fraction(1, 2) for number in group
        }
        self._figures[HEAD_TO_HEAD].update(figures)
        return figures

    def _draw(self, group: Sequence[int]) -> Numbers:
        if self._secret is None:
            return dict.fromkeys(group, Fraction(0))
        secret = self._secret
        return {number: Fraction(draw_lot(secret, "draw", number)) for number in group}


def _list_meetings(table: TournamentTable, among: set[int]) -> list[tuple[int, Fraction, int]]:
    """Return how each of some entrants did against the others of them at a table.

    The number, how many it beat, ties half, and how many of them there were.
    """
    ranks = {
        number: rank
        for number, rank in zip(table.seats, table.ranks, strict=True)
        if number in among
    }
    found = []
    for number, rank in ranks.items():
        others = [other for one, other in ranks.items() if one != number]
        beaten = 2 * sum(other > rank for other in others) + others.count(rank)
        found.append((number, Fraction(beaten, 2), len(others)))
    return found


def _split(
    groups: Iterable[list[int]], figures_of: Callable[[Sequence[int]], Numbers]
) -> list[list[int]]:
    """Return the groups of equal entrants, split by a figure: the highest first."""
    found = []
    for group in groups:
        if len(group) == 1:
            found.append(group)
            continue
        figures = figures_of(group)
        ordered = sorted(group, key=lambda number: (-figures[number], number))
        found += [[*equal] for _, equal in groupby(ordered, key=figures.__getitem__)]
    return found


def _find_mean(figures: Sequence[Fraction]) -> Fraction:
    return sum(figures, Fraction(0)) / len(figures) if figures else Fraction(0)


# -- as JSON --------------------------------------------------------------------------------------


def count_thousandths(figure: Fraction) -> int:
    """Return a figure in thousandths, a half rounded up: events have whole numbers only."""
    return (2000 * figure.numerator + figure.denominator) // (2 * figure.denominator)


def write_standings(places: Sequence[EntrantPlace]) -> list[Json]:
    """Return the standings as `tournament_over` has them: by the numbers of the entrants.

    `points` are thousandths, `exact` is the fraction.
    """
    return [
        {
            "rank": place.rank,
            "entrant": place.entrant,
            "points": count_thousandths(place.points),
            "exact": str(place.points),
        }
        for place in places
    ]


def describe_standings(tournament: Tournament, places: Sequence[EntrantPlace]) -> list[Json]:
    """Return the standings as `GET /tournaments/{id}/standings` shows them.

    Points and tie-breaks are thousandths; `points` of a round is null while it is pending and where
    it counts like a bye. `gone` says why an entrant plays no further table.
    """
    rows = zip(write_standings(places), places, strict=True)
    return [
        {
            **row,
            "player": tournament.entrant(place.entrant).player,
            "gone": tournament.entrant(place.entrant).gone,
            "byes": sum(score.kind == BYE for score in place.rounds),
            "tiebreaks": {
                word: count_thousandths(figure) for word, figure in place.tiebreaks.items()
            },
            "rounds": [_describe_round(score) for score in place.rounds],
        }
        for row, place in rows
    ]


def _describe_round(score: RoundScore) -> Json:
    points = None if score.points is None else count_thousandths(score.points)
    return {**score._asdict(), "points": points}
