"""The scale: what is known of a player's strength, and how it is shown.

A strength is a mean `mu` with a spread `sigma`. Shown is 1500 + 60 (mu - 25), give or take
120 sigma: twice the spread. The league (`cartulary.league.ratings`) has a scale of its own, on
which 400 points are ten times the chance to be first: here 814 points are.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Final, NamedTuple

MU: Final = 25.0
SIGMA: Final = 25 / 3
"""What is known of a player without a game."""

AVERAGE: Final = 1500
POINTS: Final = 60
"""Points for each unit of `mu`."""

LOGIT: Final = 25 / 6 * sqrt(2)
"""Units of `mu` that make a chance e times as large: as openskill has it at tables of two.

With half of it the ratings of a population of known strengths were further off than Elo's, and with
this they are closer (`bench ratings`).
"""

LEAGUE: Final = 400 / log(10)
"""Points of the league that make a chance e times as large."""

SETTLED_GAMES: Final = 8
SETTLED_SIGMA: Final = 4.0
"""A rating is provisional until so many games, or until the spread is less than this."""

ACTIVE_MS: Final = 90 * 24 * 3_600_000
"""A player whose last game is longer ago is on no leaderboard."""


class Standing(NamedTuple):
    """What is known of a player after some games; `best` is the highest rating shown so far.

    A rating that was provisional counts as the best only until the next one: the first games move
    it far.
    """

    mu: float = MU
    sigma: float = SIGMA
    games: int = 0
    best: int = AVERAGE

    @property
    def rating(self) -> int:
        """The rating as it is shown."""
        return round(AVERAGE + POINTS * (self.mu - MU))

    @property
    def deviation(self) -> int:
        """How far off the rating may be: the true one is within it 19 times of 20."""
        return round(2 * POINTS * self.sigma)

    @property
    def provisional(self) -> bool:
        """True while the rating rests on few games."""
        return self.games < SETTLED_GAMES and self.sigma >= SETTLED_SIGMA

    @property
    def order(self) -> float:
        """The place on a leaderboard: the strength that the player has almost certainly."""
        return self.mu - 3 * self.sigma

    def after_game(self, mu: float, sigma: float) -> Standing:
        """Return what is known after one more game."""
        found = Standing(mu, sigma, self.games + 1)
        return found._replace(
            best=found.rating if self.provisional else max(self.best, found.rating)
        )


START: Final = Standing()


def place_level(strength: int) -> float:
    """Return the `mu` of a level whose strength the league has measured."""
    return MU + (strength - AVERAGE) * LOGIT / LEAGUE


def find_league_strength(mu: float) -> int:
    """Return the strength in points of the league that a level of this `mu` would have."""
    return max(0, round(AVERAGE + (mu - MU) * LEAGUE / LOGIT))
