"""What a bot is: a function of what a player may see, and of a random generator for ties."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

Bot = Callable[[Any, random.Random], Any]
"""Takes a `State` of its game that waits for a decision, and a random generator for ties; returns
one of `state.moves()`.

A bot is pure: it changes nothing, keeps nothing between two calls, reads no clock, and looks at
the state only, which never knows the draws to come. So the same state and the same seed of the
generator always give the same move.
"""


class Entry(NamedTuple):
    """A bot of the catalogue, with a line for people.

    `version` rises whenever the same state and the same seed may give another move.
    """

    bot: Bot
    line: str
    version: int = 1
