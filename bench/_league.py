"""Duels of two levels: deals that are played once for each seat, with the same draws.

One player sits on each seat in turn, the other player on all the other seats. So luck and the seat
weigh the same for both.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from math import log10, sqrt
from typing import Any, NamedTuple

from cartulary.bots.base import Bot
from cartulary.engine.chance import Chance
from cartulary.games import OFFERS

Z = 1.96
"""Standard errors on each side of an interval of 95 %."""


class Duel(NamedTuple):
    """Who plays whom: the names of two bots of a game, the seats, the options."""

    game: str
    player: str
    others: str
    seats: int = 2
    options: Mapping[str, Any] = {}


class Game(NamedTuple):
    """One game: the share of the win, the lead over the best other seat, and what it took."""

    won: float
    margin: int
    thinking: float
    decisions: int


class Deck:
    """Draws from a bag without putting back, in an order that is shuffled once.

    So both games of a deal have the same order, also when one of them sets a tile aside.
    """

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._order: list[str] | None = None

    def draw(self, question: Chance) -> str:
        """Return the next outcome."""
        if self._order is None:
            pairs = zip(question.outcomes, question.weights, strict=True)
            self._order = [outcome for outcome, weight in pairs for _ in range(weight)]
            self._rng.shuffle(self._order)
        return self._order.pop()


def play_deal(duel: Duel, seed: int) -> list[Game]:
    """Play a deal once for each seat of the player."""
    return [play_game(duel, seed, seat) for seat in range(duel.seats)]


def play_game(duel: Duel, seed: int, seat: int) -> Game:
    """Play one game; decisions with one legal move are not counted."""
    offer = OFFERS[duel.game]
    rules, deck = offer.rules, Deck(seed)
    options = rules.check(duel.seats, duel.options)
    setup = rules.draw_setup(duel.seats, options, random.Random(seed))
    state = rules.new(duel.seats, options, setup)
    thinks = [random.Random(f"{seed}/{n}") for n in range(duel.seats)]
    mine: Bot = offer.bots[duel.player].bot
    theirs: Bot = offer.bots[duel.others].bot
    state.settle(deck)
    thinking, decisions = 0.0, 0
    while not state.over:
        at = state.seat
        started = time.process_time()
        move = (mine if at == seat else theirs)(state, thinks[at])
        if at == seat and len(state.moves()) > 1:
            thinking += time.process_time() - started
            decisions += 1
        state.play(move)
        state.settle(deck)
    scores = state.final().scores
    return Game(_share(scores, seat), _lead(scores, seat), thinking, decisions)


def _share(scores: list[int], seat: int) -> float:
    winners = [other for other, score in enumerate(scores) if score == max(scores)]
    return 1 / len(winners) if seat in winners else 0.0


def _lead(scores: list[int], seat: int) -> int:
    return scores[seat] - max(scores[:seat] + scores[seat + 1 :])


def find_interval(won: float, games: int) -> tuple[float, float]:
    """Return the interval of Wilson for a share of wins, with 95 %."""
    share, square = won / games, Z * Z / games
    centre = share + square / 2
    reach = sqrt(square * (share * (1 - share) + square / 4))
    return max(0.0, (centre - reach) / (1 + square)), min(1.0, (centre + reach) / (1 + square))


def summarise(duel: Duel, games: list[Game]) -> dict[str, Any]:
    """Return the result of a duel: the share of wins with its interval, the lead, the times.

    `times_even` is the share of wins over the share that equally strong players have.
    """
    won = sum(game.won for game in games)
    low, high = find_interval(won, len(games))
    share = won / len(games)
    return {
        "games": len(games),
        "won": share,
        "low": low,
        "high": high,
        "times_even": share * duel.seats,
        "margin": sum(game.margin for game in games) / len(games),
        "cpu_ms_per_decision": 1000
        * sum(game.thinking for game in games)
        / max(1, sum(game.decisions for game in games)),
        "cpu_ms_per_game": 1000 * sum(game.thinking for game in games) / len(games),
    }


def rate(won: float, games: int) -> float:
    """Return how many points of Elo a share of wins of a duel of two is worth.

    A win and a loss more on each side keep the number finite.
    """
    share = (won + 1) / (games + 2)
    return 400 * log10(share / (1 - share))
