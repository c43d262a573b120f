"""Games to mine: bots of different levels play each other at tables of all kinds.

A table follows from a seed and its number: the seats, the options, who sits where, what is drawn.
"""

from __future__ import annotations

import random
from typing import Any, Final

from cartulary.engine.chance import RandomSource
from cartulary.engine.core import Json, State
from cartulary.engine.transcript import RecordedMove, Transcript, record
from cartulary.games.offer import Offer

LEVELS: Final = ("easy", "medium", "medium", "able", "good")
"""The levels that sit at a table, as often as they stand here: the mistakes of weak seats lead to
positions in which there is something to find, and quick seats play many games."""

SEATS: Final = (2, 2, 2, 2, 3, 3, 4, 5)
"""The numbers of seats, as often as they stand here."""


def play_table(offer: Offer, seed: str, number: int) -> Transcript:
    """Return a game between bots, from its first move to the last."""
    rng = random.Random(f"{seed}/{offer.name}/{number}")
    rules, seats = offer.rules, rng.choice(SEATS)
    options = {option.name: rng.choice(option.values) for option in rules.options}
    setup = rules.draw_setup(seats, options, rng)
    bots = [offer.bots[rng.choice(LEVELS)].bot for _ in range(seats)]
    state, source = rules.new(seats, options, setup), RandomSource(rng)
    draws, moves = state.settle(source), list[RecordedMove]()
    while not state.over:
        draws += _play(state, bots[state.seat](state, rng), moves, source)
    return record(rules, state, setup, draws, moves)


def _play(
    state: State[Any], move: Any, moves: list[RecordedMove], source: RandomSource
) -> list[str]:
    written: Json = state.move_json(move)
    moves.append(RecordedMove(state.seat, written))
    state.play(move)
    return state.settle(source)
