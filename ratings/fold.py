"""The fold: how a result moves what is known of its players (Plackett and Luce, `openskill`).

openskill adds the spreads of all players of a game and a noise for each; with the noise that is
chosen here the scale is the same at tables of every size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from functools import cache
from math import exp, sqrt
from statistics import fmean
from typing import Any, Final, NamedTuple

from cartulary.ratings.results import Entrant, GameResult
from cartulary.ratings.scale import LOGIT, MU, SIGMA, START, Standing, place_level

LARGEST: Final = 5
"""Seats of the largest tables. With as many spreads as seats, the favourites at tables of three
were first less often than predicted, by 6 percentage points (`bench ratings`)."""

Standings = Mapping[str, Standing]
"""What is known of players, by id; a player without a game is missing."""


class RatingStep(NamedTuple):
    """A result, and what is known of its players before and after it."""

    result: GameResult
    before: dict[str, Standing]
    after: dict[str, Standing]


def follow(
    results: Iterable[GameResult], standings: MutableMapping[str, Standing]
) -> Iterator[RatingStep]:
    """Fold results of one bucket, in their order, into `standings`; yield each step."""
    for result in results:
        before = {player: standings.get(player, START) for player in result.players}
        after = move(result.entrants, result.ranks, before)
        standings.update(after)
        yield RatingStep(result, before, after)


def move(
    entrants: Sequence[Entrant], ranks: Sequence[int], standings: Standings
) -> dict[str, Standing]:
    """Return what is known of the players after a game. A level stays where the league saw it."""
    known = [_find(one, standings) for one in entrants]
    model = _make_model(len(entrants))
    teams = [[model.rating(mu=one.mu, sigma=one.sigma)] for one in known]
    rated = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return {
        entrant.player: before.after_game(team[0].mu, team[0].sigma)
        for entrant, before, team in zip(entrants, known, rated, strict=True)
        if entrant.player is not None
    }


def predict_first(entrants: Sequence[Entrant], standings: Standings) -> list[float]:
    """Return the chance of each entrant to be first.

    The fold adds the spreads of a table to its noise, so ratings lie apart by as much as its usual
    tables spread the chances. Predicted is with the same sum: that of two, and at larger tables,
    whose ratings are shared by all sizes, that of `LARGEST` such players.
    """
    known = [_find(one, standings) for one in entrants]
    counted = 2 if len(known) == 2 else LARGEST
    scale = sqrt(LOGIT**2 + counted * fmean(one.sigma**2 for one in known))
    highest = max(one.mu for one in known)
    weights = [exp((one.mu - highest) / scale) for one in known]
    return [weight / sum(weights) for weight in weights]


def preview(entrants: Sequence[Entrant], standings: Standings, seat: int) -> list[int]:
    """Return how each rank would change the rating of a seat, the first rank first.

    The others end in the order of their strength.
    """
    player = entrants[seat].player
    if player is None:
        return []
    others = sorted(
        (number for number in range(len(entrants)) if number != seat),
        key=lambda number: -_find(entrants[number], standings).mu,
    )
    before = standings.get(player, START).rating
    changes = []
    for rank in range(len(entrants)):
        order = [*others[:rank], seat, *others[rank:]]
        ranks = [order.index(number) + 1 for number in range(len(entrants))]
        changes.append(move(entrants, ranks, standings)[player].rating - before)
    return changes


def _find(entrant: Entrant, standings: Standings) -> Standing:
    if entrant.player is not None:
        return standings.get(entrant.player, START)
    assert entrant.strength is not None
    return Standing(place_level(entrant.strength), 0.0)


@cache
def _make_model(seats: int) -> Any:
    """Return the model of openskill for tables of so many seats."""
    # Imported here: processes that rate nothing do not need the library.
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=MU, sigma=SIGMA, beta=LOGIT / sqrt(seats))
