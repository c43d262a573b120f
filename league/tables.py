"""What the games of a league say: results of matches, ratings, and tables of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from cartulary.league.matches import LeagueMatch, PlayedMatch, Work
from cartulary.league.ratings import RatedResult, Rating
from cartulary.league.statistics import find_interval


class Score(NamedTuple):
    """The result of a match for its first player.

    `won` adds up its shares of wins; `margin` is its average lead; `ms_per_turn` and
    `ms_per_decision` are CPU times of both players, `longest` the longest turn of each.
    """

    match: LeagueMatch
    deals: int
    games: int
    won: float
    margin: float
    ms_per_turn: tuple[float, float]
    ms_per_decision: tuple[float, float]
    longest: tuple[float, float]

    @property
    def share(self) -> float:
        """Return the share of wins, 0 without games."""
        return self.won / self.games if self.games else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return the score as it stands in the output of `--json`."""
        low, high = find_interval(self.won, self.games) if self.games else (0.0, 1.0)
        match = self.match
        return {
            "players": [match.first, match.second],
            "seats": match.seats,
            "options": dict(match.options),
            "pairs": self.deals,
            "games": self.games,
            "won": round(self.share, 4),
            "low": round(low, 4),
            "high": round(high, 4),
            "margin": round(self.margin, 2),
            "ms_per_turn": [round(ms, 2) for ms in self.ms_per_turn],
            "ms_per_decision": [round(ms, 2) for ms in self.ms_per_decision],
            "longest_ms": [round(ms, 1) for ms in self.longest],
        }


def add_up(match: LeagueMatch, deals: Sequence[Sequence[PlayedMatch]]) -> Score:
    """Return the result of the deals of a match."""
    games = [played for deal in deals for played in deal]
    first, second = (_add_works([played.works[player] for played in games]) for player in range(2))
    return Score(
        match,
        len(deals),
        len(games),
        sum(one.won for one in games),
        sum(one.margin for one in games) / max(1, len(games)),
        (first.ms / max(1, first.turns), second.ms / max(1, second.turns)),
        (first.ms / max(1, first.decisions), second.ms / max(1, second.decisions)),
        (first.longest, second.longest),
    )


def _add_works(works: Sequence[Work]) -> Work:
    return Work(
        sum(work.ms for work in works),
        sum(work.turns for work in works),
        sum(work.decisions for work in works),
        max((work.longest for work in works), default=0.0),
    )


def list_outcomes(match: LeagueMatch, deals: Iterable[Iterable[PlayedMatch]]) -> list[RatedResult]:
    """Return the games of a match as the ratings take them."""
    names = (match.first, match.second)
    outcomes = []
    for played in (one for deal in deals for one in deal):
        best = max(played.scores)
        winners = played.scores.count(best)
        shares = tuple((score == best) / winners for score in played.scores)
        outcomes.append(RatedResult(tuple(names[player] for player in played.seating), shares))
    return outcomes


RATING_HEAD = ("player", "rating", "95 %", "games")
MATCH_HEAD = ("match", "games", "won", "95 %", "lead", "ms a turn", "ms a decision")


def list_ratings(ratings: Mapping[str, Rating], scores: Iterable[Score]) -> list[tuple[str, ...]]:
    """Return the rows of the table of ratings."""
    games = dict.fromkeys(ratings, 0)
    for score in scores:
        for name in (score.match.first, score.match.second):
            games[name] += score.games
    return [
        (name, f"{one.value:.0f}", f"{one.low:.0f} to {one.high:.0f}", str(games[name]))
        for name, one in ratings.items()
    ]


def list_scores(scores: Iterable[Score]) -> list[tuple[str, ...]]:
    """Return the rows of the table of matches; times are those of both players."""
    rows: list[tuple[str, ...]] = []
    for score in scores:
        match = score.match
        options = "".join(f" {name}={value}" for name, value in match.options)
        low, high = find_interval(score.won, score.games) if score.games else (0.0, 1.0)
        rows.append(
            (
                f"{match.first} – {match.second}, {match.seats} seats{options}",
                str(score.games),
                f"{100 * score.share:.1f} %",
                f"{100 * low:.0f} to {100 * high:.0f}",
                f"{score.margin:+.1f}",
                " / ".join(f"{ms:.1f}" for ms in score.ms_per_turn),
                " / ".join(f"{ms:.1f}" for ms in score.ms_per_decision),
            )
        )
    return rows


def write_text(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table for a terminal: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in [head, *rows]
    )


def write_markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
