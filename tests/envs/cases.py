"""The games, seats and options that the environments are tested with."""

from __future__ import annotations

from itertools import product
from typing import Any

from cartulary.games import GAMES
from tests.support.games import COMPLETE
from tests.support.night import short_or_long


def variants(name: str) -> list[dict[str, Any]]:
    """Return every choice of all options of a game."""
    options = GAMES[name].options
    chosen = product(*(option.values for option in options))
    return [dict(zip([o.name for o in options], values, strict=True)) for values in chosen]


def _cases() -> list[tuple[str, int, dict[str, Any]]]:
    """Return each number of seats with one choice of options in turn; the night takes all."""
    return [
        (name, seats, options)
        for name in COMPLETE
        for seats in range(2, 6)
        for at, options in enumerate(variants(name))
        if short_or_long(at == seats % len(variants(name)), True)
    ]


CASES = _cases()
GAMES_WITH_ENDS = [(name, seats) for name in COMPLETE for seats in (2, 5)]
