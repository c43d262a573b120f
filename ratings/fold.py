"""The fold: how a result moves what is known of its players (Plackett and Luce, `openskill`).

openskill adds the spreads of all players of a game to a noise of each of them. The noise that is
chosen here is what they lack to the scale, so chances mean the same at tables of every size and for
players of every spread; otherwise ratings drift apart by as much as the spreads add.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from math import exp, sqrt
from statistics import fmean
from typing import Any, Final, NamedTuple

from cartulary.ratings.results import Entrant, GameResult
from cartulary.ratings.scale import LOGIT, MU, SIGMA, START, Standing, place_level

CAUTION: Final = 1.6
"""The share of the mean `sigma ** 2` at a table that makes predicted chances more alike; chosen by
what came of the predictions (`bench ratings`)."""

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
    model = _make_model(known)
    teams = [[model.rating(mu=one.mu, sigma=one.sigma)] for one in known]
    rated = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return {
        entrant.player: before.after_game(team[0].mu, team[0].sigma)
        for entrant, before, team in zip(entrants, known, rated, strict=True)
        if entrant.player is not None
    }


def predict_first(entrants: Sequence[Entrant], standings: Standings) -> list[float]:
    """Return the chance of each entrant to be first.

    What is uncertain of the players makes the chances more alike.
    """
    known = [_find(one, standings) for one in entrants]
    scale = sqrt(LOGIT**2 + CAUTION * fmean(one.sigma**2 for one in known))
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


def _make_model(known: Sequence[Standing]) -> Any:
    """Return the model of openskill for a table of players of whom so much is known."""
    # Imported here: processes that rate nothing do not need the library.
    from openskill.models import PlackettLuce

    lacking = max(0.0, LOGIT**2 - sum(one.sigma**2 for one in known))
    return PlackettLuce(mu=MU, sigma=SIGMA, beta=sqrt(lacking / len(known)))
