"""A bot in Python: takes the move that brings the most points at once.

cartulary league carcassonne --players examples.bots.points:think,random --pairs 5 --out out
cartulary bot run examples.bots.points:think --url http://127.0.0.1:8000 --token-file bot.token
"""

from __future__ import annotations

import random
from typing import Any

from cartulary.bots import Budget


def think(state: Any, rng: random.Random, budget: Budget) -> Any:
    """Return one of `state.moves()`: the best of those that the budget lets the bot look at.

    `state` is a copy that belongs to this thought. `budget.begin()` counts and measures.
    """
    meter = budget.begin()
    moves = list(state.moves())
    rng.shuffle(moves)
    best, most = moves[0], float("-inf")
    for move in moves:
        gained = gain(state, move)
        if gained > most:
            best, most = move, gained
        meter.count()
        if meter.is_over():
            break
    return best


def gain(state: Any, move: Any) -> float:
    """Return the lead of the seat over the best other seat if the game ended after a move."""
    me, after = state.seat, state.copy()
    after.play(move)
    scores = list(after.scores)
    for entry in after.count():
        scores[entry["seat"]] += entry["points"]
    others = [score for seat, score in enumerate(scores) if seat != me]
    return float(scores[me] - max(others))
