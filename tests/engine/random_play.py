"""Random play for the tests: seeded, so that a failing seed can be played again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from cartulary.engine.chance import RandomSource
from cartulary.engine.core import Game, Json, State
from cartulary.engine.transcript import RecordedMove


class Played(NamedTuple):
    """A finished random game: what a ledger would have recorded."""

    setup: Json
    start: list[str]
    moves: list[RecordedMove]
    chance: list[list[str]]
    facts: list[list[Json]]
    hashes: list[str]
    state: State[Any]

    @property
    def draws(self) -> list[str]:
        return self.start + [outcome for drawn in self.chance for outcome in drawn]


def opened(game: Game, seats: int, options: Json, rng: random.Random) -> tuple[Json, State[Any]]:
    setup = game.draw_setup(seats, options, rng)
    return setup, game.new(seats, options, setup)


def positions(game: Game, seats: int, options: Json, seed: int) -> Iterator[State[Any]]:
    """Yield every position of a random game, those with a draw pending included; do not change."""
    rng = random.Random(seed)
    _, state = opened(game, seats, options, rng)
    source = RandomSource(rng)
    while True:
        yield state.copy()
        if (question := state.chance) is not None:
            state.resolve(source.draw(question))
        elif state.over:
            return
        else:
            state.play(pick(state, rng))


def pick(state: State[Any], rng: random.Random) -> Any:
    moves = state.moves()
    return moves[int(rng.random() * len(moves))]


def play(game: Game, seats: int, options: Json, seed: int) -> Played:
    """Play a random game through the boundary: contract moves, facts, hashes."""
    rng = random.Random(seed)
    setup, state = opened(game, seats, options, rng)
    source = RandomSource(rng)
    played = Played(setup, state.settle(source), [], [], [], [state.state_hash()], state)
    while not state.over:
        entry = RecordedMove(state.seat, state.move_json(pick(state, rng)))
        facts, chance = state.apply(entry.move, source)
        played.moves.append(entry)
        played.chance.append(chance)
        played.facts.append(facts)
        played.hashes.append(state.state_hash())
    return played


def mutations(move: Json) -> Iterator[Any]:
    """Moves that look like `move` but are others."""
    yield {**move, "extra": 1}
    yield {key: value for key, value in move.items() if key != "type"}
    yield {**move, "type": "no_such_move"}
    yield {**move, "type": None}
    for key, value in move.items():
        if type(value) is int:
            yield {**move, key: float(value)}
            yield {**move, key: str(value)}
            yield {**move, key: 10**20}
            if value in (0, 1):
                yield {**move, key: bool(value)}
        if isinstance(value, dict):
            for inner in mutations({"type": "", **value}):
                yield {**move, key: {k: v for k, v in inner.items() if k != "type"}}
        if key != "type":
            yield {k: v for k, v in move.items() if k != key}
            yield {**move, key: None}
            yield {**move, key: [value]}
