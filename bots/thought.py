"""What a bot that searches gets and gives: a budget of work, and its thought."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple


class Budget(NamedTuple):
    """How much a bot may think: `iterations`, the positions that it plays out in one decision.

    A count and no time: so the same seed gives the same move on every machine.
    """

    iterations: int


class Value(NamedTuple):
    """What a considered move is expected to bring to the seat that decides.

    `margin` is the lead over the best other seat at the end, in points; `win` the share of wins,
    0 to 1; `samples` says how often the move was played out.
    """

    move: Any
    margin: float
    win: float
    samples: int


class Thought(NamedTuple):
    """What a bot thinks of a position.

    `moves` has the move, and what is planned after it in the same turn, in the state's internal
    form; `iterations` says how many positions were played out; `values` has the considered moves,
    the best first.
    """

    moves: tuple[Any, ...]
    iterations: int
    values: tuple[Value, ...]


Think = Callable[[Any, random.Random, Budget], Thought]
"""A bot that searches: a function of a state, a random generator and a budget; pure as `Bot`."""
