"""The long form of a test, which `script/night` runs, and the short form for every commit."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import product
from typing import Any, TypeVar

T = TypeVar("T")

NIGHT = bool(os.environ.get("CARTULARY_NIGHT"))
"""Whether `script/night` runs the tests."""


def short_or_long(short: T, long: T) -> T:
    """Return `short`, and `long` where `script/night` runs the tests."""
    return long if NIGHT else short


def each_or_all(*lists: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return combinations with each value in them; all combinations where `script/night` runs."""
    diagonal = [
        tuple(values[at % len(values)] for values in lists) for at in range(max(map(len, lists)))
    ]
    return short_or_long(diagonal, [*product(*lists)])
