"""Bots against random: wins, the lead, and how long a decision takes.

Per game and bot that is not random and does not search, `won` as a share of the
games (a shared win counts half), `margin`, the points ahead of the best opponent on average,
`average` points, `ms_per_decision`. The `ratio` is the bot's average over its opponents' average;
the one at the top is the smallest.

Which level beats which is measured by `python -m bench strength` and `cartulary league`.
"""

from __future__ import annotations

import random
import time
from typing import Any, NamedTuple

from cartulary.bots.base import Bot
from cartulary.bots.randomly import play_randomly
from cartulary.engine.chance import RandomSource
from cartulary.games import OFFERS

SEATS = {"carcassonne": 2, "caylus": 3}


class PlayedGame(NamedTuple):
    """One game: final scores, the bot's seat, and the time that it thought."""

    scores: list[int]
    seat: int
    thinking: float
    decisions: int

    @property
    def others(self) -> list[int]:
        """Return the scores of the opponents."""
        return self.scores[: self.seat] + self.scores[self.seat + 1 :]


def main(seconds: float = 20.0) -> dict[str, Any]:
    contests = [
        (game, name)
        for game, offer in OFFERS.items()
        for name, entry in offer.bots.items()
        if name != "random" and not entry.budget
    ]
    measured: dict[str, Any] = {game: {} for game, _ in contests}
    for game, name in contests:
        bot = OFFERS[game].bots[name].bot
        ends = time.perf_counter() + seconds / len(contests)
        played = [play(game, bot, 0)]
        while time.perf_counter() < ends:
            played.append(play(game, bot, len(played)))
        measured[game][name] = summary(played)
    ratios = [found["ratio"] for of_game in measured.values() for found in of_game.values()]
    return {**measured, "ratio": min(ratios)}


def play(name: str, bot: Bot, number: int) -> PlayedGame:
    """Play one game against random opponents; the bot's seat goes round with the number."""
    seats, rng = SEATS.get(name, 2), random.Random(number)
    seat, game, source = number % seats, OFFERS[name].rules, RandomSource(rng)
    state = game.new(seats, {}, game.draw_setup(seats, {}, rng))
    state.settle(source)
    thinking, decisions = 0.0, 0
    while not state.over:
        if state.seat == seat:
            started = time.perf_counter()
            move = bot(state, rng)
            thinking += time.perf_counter() - started
            decisions += 1
        else:
            move = play_randomly(state, rng)
        state.play(move)
        state.settle(source)
    return PlayedGame(state.final().scores, seat, thinking, decisions)


def summary(played: list[PlayedGame]) -> dict[str, float]:
    mine = [game.scores[game.seat] for game in played]
    best = [max(game.others) for game in played]
    others = [score for game in played for score in game.others]
    won = sum((a > b) + (a == b) / 2 for a, b in zip(mine, best, strict=True))
    decisions = sum(game.decisions for game in played)
    return {
        "games": len(played),
        "won": won / len(played),
        "margin": sum(a - b for a, b in zip(mine, best, strict=True)) / len(played),
        "average": sum(mine) / len(played),
        "ms_per_decision": 1000 * sum(game.thinking for game in played) / decisions,
        "ratio": (sum(mine) / len(mine)) / max(sum(others) / len(others), 1),
    }
