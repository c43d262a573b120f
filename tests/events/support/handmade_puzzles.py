"""Puzzles by hand, as packs have them: of Carcassonne in one turn, of Caylus in the middle."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import Any

from cartulary.engine.chance import RandomSource
from cartulary.engine.core import Json, State
from cartulary.engine.transcript import RecordedMove, record
from cartulary.events.puzzles.shelf import PuzzleShelf
from cartulary.events.store import Store
from cartulary.games import GAMES
from cartulary.puzzles.packs import PuzzleEntry
from cartulary.puzzles.record import Line, Puzzle, make_id

SOUTH: Json = {"type": "place_tile", "x": 0, "y": -1, "rotation": 180}
CITY: Line = [SOUTH, {"type": "place_follower", "segment": "c0"}]
"""The right answer of the small puzzle."""

NOBODY: Line = [SOUTH, {"type": "skip_follower"}]
"""The tempting one."""


@cache
def small_puzzle(
    number: int = 0, rating: int = 1500, themes: tuple[str, ...] = ("city",)
) -> Puzzle:
    """A puzzle of Carcassonne: who completes the city? Others differ by their number in the id."""
    game = GAMES["carcassonne"]
    setup = game.setup_of_transcript({}, ["E"], {"V": 4})
    state = game.new(2, game.check(2, {}), setup)
    state.resolve("E")
    made = _make(game, state, setup, ["E"], [], [CITY], NOBODY)
    return made._replace(id=f"carcassonne-small{number:03}", rating=rating, themes=list(themes))


@cache
def caylus_puzzle(moves: int = 12, rating: int = 1600) -> Puzzle:
    """A puzzle of Caylus after so many moves of chance; the first legal move is said to be best."""
    game, rng = GAMES["caylus"], random.Random(7)
    options = game.check(3, {})
    setup = game.draw_setup(3, options, RandomSource(rng))
    state, made, draws = game.new(3, options, setup), list[RecordedMove](), list[str]()
    draws += state.settle(RandomSource(rng))
    while len(made) < moves or len(state.legal_moves()) < 3:
        move = rng.choice(state.legal_moves())
        made.append(RecordedMove(state.seat, move))
        draws += state.apply(move, RandomSource(rng)).chance
    best, _, tempting, *_ = state.legal_moves()
    found = _make(game, state, setup, draws, made, [[best]], [tempting])
    return found._replace(rating=rating, themes=["money"])


def _make(
    game: Any,
    state: State[Any],
    setup: Json,
    draws: Sequence[str],
    moves: Sequence[RecordedMove],
    best: list[Line],
    tempting: Line,
) -> Puzzle:
    lines = {"best": best[0], "tempting": tempting}
    told = {name: _play(state, line) for name, line in lines.items()}
    return Puzzle(
        id=make_id(game.name, state),
        game=game.name,
        options=dict(state.options),
        transcript=record(game, state, setup, draws, moves).to_json(),
        seat=state.seat,
        best=best,
        tempting=tempting,
        after={name: after for name, (after, _) in told.items()},
        themes=["city"],
        margin={"points": 4.2, "wins": 0.11},
        facts={name: facts for name, (_, facts) in told.items()},
        rating=1500,
        made={"seed": 1, "source": "hand", "level": "none", "version": "0"},
    )


def _play(start: State[Any], line: Line) -> tuple[list[Json], list[Json]]:
    state, steps, facts = start.copy(), [], list[Json]()
    for move in line:
        seat, found = state.seat, state.find(move)
        state.facts = facts
        state.play(found)
        state.facts = None
        chance = state.settle(RandomSource(random.Random(3)))
        steps.append({"seat": seat, "move": move, "chance": chance})
    return steps, facts


class HandmadePack:
    """Puzzles of one game as a pack that ships."""

    def __init__(self, puzzles: Sequence[Puzzle]) -> None:
        self._puzzles = {one.id: one for one in puzzles}
        self.entries = [
            PuzzleEntry(one.id, tuple(one.themes), one.rating, one.transcript["seats"])
            for one in puzzles
        ]

    def read(self, name: str) -> Puzzle:
        return self._puzzles[name]


def put_puzzles(store: Store, *puzzles: Puzzle) -> PuzzleShelf:
    """Let a store have these puzzles alone, as if they shipped with the service."""
    store.puzzles.shelf.load = lambda game: HandmadePack(
        [one for one in puzzles if one.game == game]
    )
    return store.puzzles.shelf
