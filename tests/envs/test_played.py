"""What both libraries need: rewards, and moves by their codes."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from cartulary.engine.core import State
from cartulary.engine.errors import (
    IllegalMove,
    InvalidOption,
    InvalidSeats,
    UnknownAction,
    UnknownGame,
)
from cartulary.envs.played import CodedTable, play_code
from tests.project.source_tree import ROOT, imports
from tests.support.games import COMPLETE

LIBRARIES = {
    "numpy": {"pettingzoo.py", "openspiel.py"},
    "gymnasium": {"pettingzoo.py"},
    "pettingzoo": {"pettingzoo.py"},
    "PIL": {"pettingzoo.py"},
    "pyspiel": {"openspiel.py"},
}


def test_a_library_is_imported_by_its_own_module_only() -> None:
    found: dict[str, set[str]] = {}
    for path in sorted(Path(ROOT / "envs").glob("*.py")):
        for _, name in imports(path):
            if (top := name.split(".")[0]) in LIBRARIES:
                found.setdefault(top, set()).add(path.name)
    assert found == LIBRARIES


@pytest.mark.parametrize(
    ("scores", "placement", "margin"),
    [
        ([30, 10], [1, -1], [20, -20]),
        ([10, 10], [0, 0], [0, 0]),
        ([5, 9, 7], [-1, 1, 0], [-4, 2, -2]),
        ([9, 9, 1], [0.5, 0.5, -1], [0, 0, -8]),
        ([1, 2, 3, 4, 5], [-1, -0.5, 0, 0.5, 1], [-4, -3, -2, -1, 1]),
        ([7, 7, 7, 7], [0, 0, 0, 0], [0, 0, 0, 0]),
    ],
)
def test_placements_add_up_to_zero_and_margins_count_from_the_best_other(
    scores: list[int], placement: list[float], margin: list[float]
) -> None:
    seats = len(scores)
    assert CodedTable("caylus", seats, {}).reward(scores) == placement
    assert sum(placement) == 0
    assert CodedTable("caylus", seats, {}, "margin").reward(scores) == margin


def test_what_does_not_exist_is_refused_by_name() -> None:
    with pytest.raises(UnknownGame, match="there is no game"):
        CodedTable("chess", 2, {})
    for seats in (1, 6, 2.0, "2", None, True):
        with pytest.raises(InvalidSeats):
            CodedTable("caylus", seats, {})
    with pytest.raises(InvalidOption, match="no option"):
        CodedTable("caylus", 2, {"colour": "red"})
    with pytest.raises(InvalidOption, match="takes one of"):
        CodedTable("carcassonne", 2, {"tiny_city": 3})
    with pytest.raises(InvalidOption, match="rewards are one of"):
        CodedTable("carcassonne", 2, {}, "money")


def begin(name: str) -> tuple[CodedTable, State[Any]]:
    rules = CodedTable(name, 2, {})
    setup = rules.game.draw_setup(2, rules.options, FirstOnes())
    state = rules.game.new(2, rules.options, setup)
    state.settle(FirstOnes())
    return rules, state


class FirstOnes:
    """Shuffles nothing and draws the first outcome that is left."""

    def sample(self, population: Any, k: int) -> list[Any]:
        return [*population]

    def draw(self, question: Any) -> str:
        return str(question.outcomes[[bool(w) for w in question.weights].index(True)])


@pytest.mark.parametrize("name", COMPLETE)
def test_a_code_that_is_not_legal_changes_nothing(name: str) -> None:
    rules, state = begin(name)
    before = state.state_hash()
    illegal = next(code for code in range(len(rules.actions)) if code not in state.codes())
    with pytest.raises(IllegalMove, match=f"code {illegal} is not legal now"):
        play_code(rules, state, illegal)
    others: list[Any] = [-1, len(rules.actions), 0.5, None, "3"]
    for wrong in others:
        with pytest.raises(UnknownAction):
            play_code(rules, state, wrong)
    assert state.state_hash() == before


@pytest.mark.parametrize("name", COMPLETE)
def test_a_finished_game_takes_no_code(name: str) -> None:
    rules, state = begin(name)
    while not state.over:
        play_code(rules, state, state.codes()[-1])
        state.settle(FirstOnes())
    with pytest.raises(IllegalMove, match="the game is over"):
        play_code(rules, state, 0)


def test_rules_are_shared_by_deep_copies() -> None:
    rules = CodedTable("carcassonne", 2, {})
    assert copy.deepcopy(rules) is rules
    assert copy.deepcopy(rules.actions) is rules.actions
