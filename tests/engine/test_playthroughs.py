"""Golden playthroughs: whole games written down, compared line by line.

A change of the rules shows here as a change of text. After an intended change, write the files
again and read the difference:
`REGENERATE_PLAYTHROUGHS=1 pytest tests/engine/test_playthroughs.py`. Then raise the game's
`rules_version`, unless only facts have changed.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cartulary.engine.canonical import canonical_json
from cartulary.engine.chance import RandomSource
from cartulary.engine.core import Game, Json, State
from cartulary.games import GAMES
from tests.engine.random_play import opened, pick

FOLDER = Path(__file__).parents[1] / "playthroughs"
REGENERATE = bool(os.environ.get("REGENERATE_PLAYTHROUGHS"))


class Script(NamedTuple):
    """A game to be played at random: the seed is part of its name."""

    game: str
    seats: int
    options: Json
    seed: int

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.game}-{self.seats}-seats-seed-{self.seed}.txt"


def list_scripts(game: Game) -> Iterator[Script]:
    """Fewest seats and default options; where the game has more, most seats and last values."""
    yield Script(game.name, game.seats_from, {}, 1)
    last = {option.name: option.values[-1] for option in game.options}
    if last or game.seats_to > game.seats_from:
        yield Script(game.name, game.seats_to, last, 2)


SCRIPTS = [script for game in GAMES.values() for script in list_scripts(game)]


def lines(script: Script) -> Iterator[str]:
    """Write a random game down: every decision, move, fact, draw and hash."""
    game = GAMES[script.game]
    rng = random.Random(script.seed)
    setup, state = opened(game, script.seats, script.options, rng)
    source = RandomSource(rng)
    yield f"{game.name}, rules {game.rules_version}, {script.seats} seats, seed {script.seed}"
    yield f"options {canonical_json(dict(state.options))}"
    yield f"setup {canonical_json(setup)}"
    yield f"drawn {state.settle(source)}"
    yield from standing(state)
    number = 0
    while not state.over:
        yield from decision(state, number, rng, source)
        number += 1
    yield from ("", "the end")
    yield from standing(state)
    yield from map(canonical_json, state.count())
    yield canonical_json({**state.final().to_json(), "breakdown": []})


def standing(state: State[Any]) -> Iterator[str]:
    yield f"hash {state.state_hash()}"
    for key, value in state.view().items():
        yield f"{key}: {canonical_json(value)}"


def decision(
    state: State[Any], number: int, rng: random.Random, source: RandomSource
) -> Iterator[str]:
    question = state.decision
    assert question is not None
    legal = state.legal_moves()
    move = state.move_json(pick(state, rng))
    yield ""
    yield f"{number}: seat {question.seat}, {question.kind} {canonical_json(question.context)}"
    yield f"  {len(legal)} legal: {canonical_json(legal[0])} … {canonical_json(legal[-1])}"
    yield f"  > {canonical_json(move)}"
    step = state.apply(move, source)
    for fact in step.facts:
        yield f"  {canonical_json(fact)}"
    yield f"  drawn {step.chance}, scores {state.scores}, hash {state.state_hash()[:16]}"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.path.stem)
def test_a_game_is_played_as_it_was(script: Script) -> None:
    now = list(lines(script))
    if REGENERATE:
        script.path.write_text("\n".join(now) + "\n", encoding="utf-8")
    assert script.path.exists(), "REGENERATE_PLAYTHROUGHS=1 writes a playthrough that is missing"
    then = script.path.read_text(encoding="utf-8").splitlines()
    for number, (old, new) in enumerate(zip(then, now, strict=False), start=1):
        assert new == old, f"{script.path.name}, line {number}"
    assert len(now) == len(then)


def test_every_playthrough_has_a_test() -> None:
    assert {path.name for path in FOLDER.iterdir()} <= {script.path.name for script in SCRIPTS}
