"""A past fault: what it was, where it was mended, and how the simulator finds it again."""

from __future__ import annotations

from typing import NamedTuple

from simulation.known.patches import CodePatch


class KnownRun(NamedTuple):
    """A run that finds a fault; `only` are the faults of its schedule that happen, None: all."""

    seed: str
    profile: str
    hours: float
    only: tuple[int, ...] | None = None


class KnownFault(NamedTuple):
    """A fault of the past as patches of today's code.

    `was` says what people met, `mended` the commit that mended it (its subject), or where it stood.
    `check` is a text of the finding that tells it. `profile` and `hours` are those with which new
    seeds are tried; `stored` is a run that finds it, None while none is known.
    """

    name: str
    was: str
    mended: str
    patches: tuple[CodePatch, ...]
    check: str
    profile: str
    hours: float
    stored: KnownRun | None
    changed: str = ""
    """How the code around differs from that of the time."""
