"""How a bot of others is called: `MODULE:NAME` or `command:./engine --flag`, with a budget.

`my_bot:think@0.5s` gives half a second a move, `my_bot:think@96` gives 96 iterations.
"""

from __future__ import annotations

import re
import shlex
from typing import Final, NamedTuple

from cartulary.bots import Budget

COMMAND: Final = "command:"
"""What the name of an engine begins with."""

USUAL: Final = Budget(seconds=1.0)
"""What a bot gets whose name says no budget."""

_FUNCTION: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*:[^\W\d]\w*")
_AMOUNT: Final = re.compile(r"(\d{1,9})|(\d{1,4}(?:\.\d{1,6})?)s")
_BUDGETED: Final = re.compile(rf"(.*)@(?:{_AMOUNT.pattern})", re.DOTALL)


class InvalidName(ValueError):
    """A name that cannot be read."""


class Spelling(NamedTuple):
    """A name that was read: `words` of a command, or else `module` and `function`."""

    name: str
    budget: Budget
    words: tuple[str, ...] = ()
    module: str = ""
    function: str = ""


def is_outside(name: str) -> bool:
    """Return whether a name may be that of a bot of others."""
    return ":" in name


def read_name(name: str) -> Spelling:
    """Return what a name says; raises `InvalidName`."""
    found = _BUDGETED.fullmatch(name)
    target = found[1] if found else name
    budget = read_budget(name, name[len(target) + 1 :]) if found else USUAL
    if target.startswith(COMMAND):
        return Spelling(name, budget, words=split_command(target.removeprefix(COMMAND)))
    if _FUNCTION.fullmatch(target) is None:
        raise InvalidName(
            f"{name!r} is no bot: write MODULE:FUNCTION, or {COMMAND}PROGRAM for an engine"
        )
    module, _, function = target.partition(":")
    return Spelling(name, budget, module=module, function=function)


def split_command(text: str) -> tuple[str, ...]:
    """Return the words of a command, as a shell splits them; raises `InvalidName`."""
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise InvalidName(f"the command {text!r} cannot be read: {error}") from error
    if not words:
        raise InvalidName("the command of an engine is empty")
    return words


def read_budget(name: str, amount: str) -> Budget:
    """Return a budget: `96` iterations, `0.5s` seconds; raises `InvalidName`."""
    found = _AMOUNT.fullmatch(amount)
    if found is None:
        raise InvalidName(f"{name!r}: a budget is a number of iterations, or seconds as in 0.5s")
    try:
        return Budget(int(found[1])) if found[1] else Budget(seconds=float(found[2]))
    except ValueError as error:
        raise InvalidName(f"{name!r}: {error}") from error
