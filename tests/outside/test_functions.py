"""Functions of a module as bots."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import pytest

from cartulary.bots import Budget, Thought
from cartulary.match import new_game
from cartulary.outside import faults
from cartulary.outside.bots import find_bot
from cartulary.outside.faults import BotFault
from cartulary.outside.functions import FunctionSeat
from cartulary.outside.seats import BotChoice
from cartulary.outside.spelling import InvalidName, is_outside, read_name

MATCH = new_game("carcassonne", 2, seed=1)


def ask(function: Any) -> BotChoice:
    seat = FunctionSeat("m:f", function)
    return seat.think(MATCH.state, MATCH.transcript, random.Random(1), Budget(1))


def test_a_function_returns_a_move_or_a_thought() -> None:
    first, last = MATCH.state.moves()[0], MATCH.state.moves()[-1]
    assert ask(lambda state, rng, budget: state.moves()[0]) == BotChoice((first,))
    thought = Thought((last, "planned"), 5, ())
    assert ask(lambda state, rng, budget: thought) == BotChoice((last, "planned"))


class ForeignNumber:
    """Equals an int and has another type: an integer of numpy, for example."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        return self.number == other

    def __hash__(self) -> int:
        return hash(self.number)


@pytest.mark.parametrize("kind", [float, ForeignNumber])
def test_a_number_that_equals_a_move_is_taken_as_the_listed_move(kind: Any) -> None:
    """`numpy.random.choice(state.moves())` is such a number: no JSON holds it."""
    choice = ask(lambda state, rng, budget: Thought((kind(state.moves()[0]),), 1, ()))
    assert choice.moves == (MATCH.state.moves()[0],)
    assert type(choice.moves[0]) is int


def test_a_function_gets_a_position_of_its_own() -> None:
    before = MATCH.state.identity()

    def play_on(state: Any, rng: random.Random, budget: Budget) -> Any:
        move = state.moves()[0]
        state.play(move)
        return move

    ask(play_on)
    assert MATCH.state.identity() == before


class Unshowable:
    def __repr__(self) -> str:
        raise RuntimeError


class Incomparable:
    """An array of numpy raises as well when it is taken for true or false."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise ValueError("ambiguous")


@pytest.mark.parametrize(
    "returned",
    [None, 7, {"type": "castle"}, Thought((), 1, ()), Unshowable(), Incomparable()],
)
def test_what_is_no_legal_move_is_a_fault(returned: Any) -> None:
    with pytest.raises(BotFault, match=r"which is not one of state\.moves") as caught:
        ask(lambda state, rng, budget: returned)
    assert caught.value.kind == faults.ILLEGAL


def test_an_error_of_a_function_is_a_fault_that_names_the_place() -> None:
    def divide(state: Any, rng: random.Random, budget: Budget) -> Any:
        return 1 / 0

    with pytest.raises(
        BotFault, match=r"ZeroDivisionError: division by zero \(test_functions"
    ) as one:
        ask(divide)
    assert one.value.kind == faults.RAISED
    with pytest.raises(BotFault, match="SystemExit: 3"):
        ask(lambda state, rng, budget: sys.exit(3))


def test_a_module_of_the_working_directory_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_test_bot.py").write_text("def think(state, rng, budget): return 1\nx = 3\n")
    (tmp_path / "my_broken_bot.py").write_text("import nothing_like_this\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    bot = find_bot("my_test_bot:think@96")
    assert (bot.budget.iterations, bot.budget.seconds) == (96, None)
    for name, reason in {
        "my_test_bot:other": "has no function 'other'",
        "my_test_bot:x": "has no function 'x'",
        "my_missing_bot:think": "cannot be imported",
        "my_broken_bot:think": "cannot be imported: ModuleNotFoundError: No module named 'nothing",
    }.items():
        with pytest.raises(InvalidName, match=reason):
            find_bot(name)


def test_a_name_is_a_function_or_a_command_with_a_budget() -> None:
    assert not is_outside("hard@96")
    assert read_name("a.b:think").budget.seconds == 1.0
    assert read_name("a.b:think@0.25s")[1:].__len__() == 4
    found = read_name("command:node 'my bot.js' --name a@b@50")
    assert found.words == ("node", "my bot.js", "--name", "a@b")
    assert found.budget.iterations == 50
    assert read_name("command:./engine a@b").words == ("./engine", "a@b")
    for name in ["command:", "command:'x", "a:", ":b", "a:b:c", "1:b", "a b:c", "a:b@0", "a:b@x"]:
        with pytest.raises(InvalidName):
            read_name(name)
