"""The games that a leaf learns from, and the positions between their rounds.

A game follows from its task alone. So a run in several processes, and a run that was killed and
goes on, find the same games.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from cartulary.bots import Budget
from cartulary.bots.caylus.features import list_features
from cartulary.bots.caylus.greedy import play_greedily
from cartulary.bots.caylus.leaf import LearnedLeaf, Tables, count_steps
from cartulary.bots.caylus.outlook import Outlook
from cartulary.bots.caylus.search import choose_moves, think
from cartulary.engine.caylus.game import CAYLUS
from cartulary.engine.caylus.state import CaylusState
from cartulary.league.pool import run_each

MIX: Final = (2, 3, 2, 4, 2, 3, 5, 2, 3, 4, 2, 5)
"""The seats of twelve games in a row. A game of two takes a seventh of the time of a game of five.
"""

TRIED: Final = 6
"""An exploring move is drawn from so many that greedy likes best."""

ASIDE: Final = 5
"""One game in so many is kept aside: nothing is fitted to it."""


class TrainingTask(NamedTuple):
    """A game to play: the seed of the run, the step, the number of the game.

    `tables` are those of the leaf with which every seat searches, `iterations` its moves; without
    tables every seat is greedy. One decision in `explore` is an exploring move.
    """

    seed: int
    step: int
    number: int
    tables: Tables | None
    iterations: int
    explore: int


class TrainingPosition(NamedTuple):
    """The beginning of a round.

    The round, the steps of the bailiff to go, and by seat the features and the outlook.
    """

    round: int
    steps: int
    features: list[list[int]]
    outlook: list[float]


class TrainingGame(NamedTuple):
    """A game that was played: its number, the option, its positions and the final scores."""

    number: int
    favours: str
    positions: list[TrainingPosition]
    scores: list[int]

    @property
    def key(self) -> tuple[int, str]:
        """Return the key of the tables that rate such games."""
        return len(self.scores), self.favours

    @property
    def is_aside(self) -> bool:
        """Return whether the game is kept aside."""
        return self.number % ASIDE == ASIDE - 1


def play_training_game(task: TrainingTask) -> TrainingGame:
    """Play one game."""
    rng = random.Random(f"{task.seed}/{task.step}/{task.number}")
    seats = MIX[task.number % len(MIX)]
    options = {option.name: rng.choice(option.values) for option in CAYLUS.options}
    complete = CAYLUS.check(seats, options)
    state = CAYLUS.new(seats, complete, CAYLUS.draw_setup(seats, complete, rng))
    choose = _find_player(task)
    positions = list[TrainingPosition]()
    last = 0
    while not state.over:
        if state.round != last:
            last = state.round
            positions.append(_note(state))
        explores = rng.randrange(task.explore) == 0
        state.play(rng.choice(choose_moves(state, rng, TRIED)) if explores else choose(state, rng))
    return TrainingGame(
        task.number, str(complete["favours"]), positions, list(state.final().scores)
    )


def _find_player(task: TrainingTask) -> Callable[[CaylusState, random.Random], Any]:
    if task.tables is None:
        return play_greedily
    leaf, budget = LearnedLeaf(task.tables), Budget(task.iterations)
    return lambda state, rng: think(state, rng, budget, leaf=leaf).moves[0]


def _note(state: CaylusState) -> TrainingPosition:
    return TrainingPosition(
        state.round, count_steps(state), list_features(state), Outlook(state).seats(state)
    )


def play_step(tasks: Sequence[TrainingTask], file: Path, jobs: int) -> Iterator[TrainingGame]:
    """Yield the games of some tasks, those that `file` has first; the file gets the others."""
    known = {game.number: game for game in read_games(file)} if file.exists() else {}
    yield from (known[task.number] for task in tasks if task.number in known)
    missing = [task for task in tasks if task.number not in known]
    with file.open("a", encoding="utf-8") as out:
        for game in run_each(play_training_game, missing, jobs):
            out.write(json.dumps(game) + "\n")
            out.flush()
            yield game


def read_games(file: Path) -> Iterator[TrainingGame]:
    """Yield the games of a file; a last line that a killed run left unfinished is cut off."""
    text = file.read_text("utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        file.write_text(whole, "utf-8")
    for line in whole.splitlines():
        number, favours, positions, scores = json.loads(line)
        yield TrainingGame(number, favours, _read_positions(positions), scores)


def _read_positions(rows: Iterable[Sequence[Any]]) -> list[TrainingPosition]:
    return [TrainingPosition(*row) for row in rows]
