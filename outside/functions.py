"""A bot that is a function of a module: `think(state, rng, budget)`."""

from __future__ import annotations

import random
import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cartulary.bots import Budget, Thought
from cartulary.bots.base import find_listed
from cartulary.engine.core import State
from cartulary.outside.faults import ILLEGAL, RAISED, BotFault
from cartulary.outside.seats import BotChoice, BotSeat, Record
from cartulary.outside.spelling import InvalidName, Spelling

Function = Callable[[Any, random.Random, Budget], Any]
"""As `cartulary.bots.Think`; a function that plans nothing may return the move alone."""


def load_function(spelling: Spelling) -> Function:
    """Return the function of a name; modules of the working directory are found as well.

    Raises `InvalidName` when the module cannot be imported or has no such function.
    """
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        module = import_module(spelling.module)
    except Exception as error:  # the module of a stranger may raise anything
        raise InvalidName(
            f"{spelling.name!r}: {spelling.module} cannot be imported: {describe_error(error)}"
        ) from error
    function = getattr(module, spelling.function, None)
    if not callable(function):
        raise InvalidName(
            f"{spelling.name!r}: {spelling.module} has no function {spelling.function!r}"
        )
    return function  # type: ignore[no-any-return]


def find_file(module: str) -> Path | None:
    """Return the file of a module that was loaded, None for a module without one."""
    spec = find_spec(module)
    return None if spec is None or spec.origin is None else Path(spec.origin)


class FunctionSeat(BotSeat):
    """A function at a table. It gets a copy of the position, so it may try moves on it."""

    def __init__(self, name: str, function: Function) -> None:
        self._name, self._function = name, function

    def think(
        self, state: State[Any], record: Record, rng: random.Random, budget: Budget
    ) -> BotChoice:
        """Return what the function returns; raises `BotFault`."""
        try:
            found = self._function(state.copy(), rng, budget)
        except (Exception, SystemExit) as error:
            raise BotFault(RAISED, self._name, describe_error(error)) from error
        moves = tuple(found.moves) if isinstance(found, Thought) else (found,)
        move = find_listed(state.moves(), moves[0]) if moves else None
        if move is None:
            returned = moves[0] if moves else found
            raise BotFault(
                ILLEGAL,
                self._name,
                f"returned {_show(returned)}, which is not one of state.moves()",
            )
        return BotChoice((move, *moves[1:]))

    def close(self) -> None:
        """Close nothing: a function holds no process and no file."""


def describe_error(error: BaseException) -> str:
    """Return an error in a line, with the place where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    at = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {_show(error, str)}{at}"


def _show(value: Any, show: Callable[[Any], str] = repr) -> str:
    """Return a short text of a value of a stranger, whose `__repr__` may raise as well."""
    try:
        text = show(value)
    except Exception as error:
        return f"a {type(value).__name__} that cannot be shown ({type(error).__name__})"
    return text if len(text) <= 200 else f"{text[:200]}…"
