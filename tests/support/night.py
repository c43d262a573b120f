"""The long form of a test, which `script/night` runs, and the short form for every commit."""

from __future__ import annotations

import os
from typing import TypeVar

T = TypeVar("T")

NIGHT = bool(os.environ.get("CARTULARY_NIGHT"))
"""Whether `script/night` runs the tests."""


def short_or_long(short: T, long: T) -> T:
    """Return `short`, and `long` where `script/night` runs the tests."""
    return long if NIGHT else short
