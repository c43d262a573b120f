"""What the thinking of bots and of analyses costs: CPU of one turn by level, of one game.

In one process, without a store. The games are the same each time; a level thinks of some of their
turns, so that a slow level takes no longer than it must.
"""

from __future__ import annotations

import random
import time
from itertools import islice
from typing import Any, Final

import cartulary
from cartulary.bots.analysis import analyse
from cartulary.bots.base import BotEntry
from cartulary.bots.thought import Budget, Thought
from cartulary.cli.shared.progress import progress
from cartulary.engine.core import State
from cartulary.games import OFFERS

SEATS: Final = {"carcassonne": 2, "caylus": 3}
SEED: Final = 35
ANALYSED: Final = 12
"""Decisions of a game that are judged: its share of all is known."""


class SampleGame:
    """A game between bots of the level `medium`, and the states at which a turn began."""

    def __init__(self, name: str, seed: int = SEED) -> None:
        self.name = name
        match = cartulary.new_game(name, seats=SEATS[name], seed=seed)
        self.turns: list[State[Any]] = []
        before = -1
        while not match.over:
            if match.seat != before:
                self.turns.append(match.state.copy())
            before = match.seat
            match.play_bot("medium")
        self.transcript = match.transcript()

    @property
    def moves(self) -> int:
        """How many decisions the game had."""
        return len(self.transcript.moves)

    def choose(self, number: int) -> list[State[Any]]:
        """Return so many turns, spread over the game."""
        step = max(1, len(self.turns) // number)
        return self.turns[step // 2 :: step][:number]


def measure_bots(game: SampleGame, turns: int) -> dict[str, float]:
    """Return ms of CPU of a decision by level, from so many turns of a game.

    A bot may decide several questions of its turn in one thought.
    """
    found, states = {}, game.choose(turns)
    with progress(f"bots of {game.name}") as show:
        entries = OFFERS[game.name].bots.items()
        for done, (level, entry) in enumerate(entries, start=1):
            began = time.process_time()
            decisions = sum(len(_think(entry, state).moves) for state in states)
            found[level] = 1000 * (time.process_time() - began) / decisions
            show(done, len(entries))
    return found


def _think(entry: BotEntry, state: State[Any]) -> Thought:
    budget = entry.budget_of(state.seats) or Budget(iterations=1)
    return entry.think(state, random.Random(SEED), budget)


def measure_analysis(game: SampleGame, decisions: int = ANALYSED) -> float:
    """Return s of CPU of the analysis of a game, from some of its decisions in the middle."""
    start = max(0, game.moves // 2 - decisions // 2)
    began = time.process_time()
    judged = sum(1 for _ in islice(analyse(game.transcript, OFFERS, start=start), decisions))
    return (time.process_time() - began) / judged * game.moves
