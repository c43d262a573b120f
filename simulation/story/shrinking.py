"""The fewest faults and the shortest run that still lead to what a run has found.

Each attempt is a run of its own, in an interpreter of its own, with some of the faults of the
schedule left out. A smaller run that finds the same replaces the larger one.
"""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from simulation.faults.schedule import HOUR, PlannedFault
from simulation.play.report import RunReport
from simulation.world.trace import FINDING
from simulation.world.world import SECOND

SCRIPT: Final = Path(__file__).resolve().parents[2] / "script" / "simulate-faults"

_CHANGES: Final = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}|[0-9a-f]{16,}|\d+(?:\.\d+)?")
"""What differs between two runs that find the same: ids, hashes, numbers."""

Attempt = Callable[[Sequence[int], float], Sequence[str]]
"""Runs some faults for so many hours; returns the findings."""


class SmallerRun(NamedTuple):
    """The faults that are left, the hours, and how many runs it took."""

    faults: list[int]
    hours: float
    attempts: int


def sign(finding: str) -> str:
    """Return what two findings of the same kind have in common."""
    return _CHANGES.sub("#", finding)[:60]


def shrink(
    attempt: Attempt, faults: Sequence[int], hours: float, finding: str, most: int
) -> SmallerRun:
    """Leave out faults, and end earlier, as long as the same is found; `most` runs at most."""
    wanted, left, tried = sign(finding), list(faults), 0

    def finds(chosen: Sequence[int], length: float) -> bool:
        nonlocal tried
        tried += 1
        return any(sign(found) == wanted for found in attempt(chosen, length))

    while tried < most and finds(left, hours / 2):
        hours /= 2
    parts = 2
    while left and tried < most:
        size = -(-len(left) // parts)
        for first in range(0, len(left), size):
            rest = left[:first] + left[first + size :]
            if tried < most and finds(rest, hours):
                left, parts = rest, max(2, parts - 1)
                break
        else:
            if size == 1:
                break
            parts = min(len(left), 2 * parts)
    return SmallerRun(left, hours, tried)


def cut_off(
    schedule: Sequence[PlannedFault], hours: float, report: RunReport
) -> tuple[list[int], float]:
    """Return the faults until the first finding, and the hours until then: the rest is too late.

    What is found when all games are over may need the whole run.
    """
    line = FINDING + report.findings[0]
    found = next((one.at for one in report.lines if one.what == line), None)
    if found is None or found >= hours * HOUR:
        return [fault.number for fault in schedule], hours
    numbers = [fault.number for fault in schedule if fault.at <= found]
    return numbers, math.ceil(found / SECOND + 1) / 3600


def attempt_with(seed: str, profile: str, known: str | None = None) -> Attempt:
    """Return what runs faults of a seed in an interpreter of its own, up to the first finding.

    `known` is a past fault of the product that is put back.
    """

    def attempt(chosen: Sequence[int], hours: float) -> Sequence[str]:
        only = ",".join(map(str, chosen))
        words = [seed, f"--profile={profile}", f"--hours={hours}", f"--only={only}", "--json"]
        words += ["--first"] if known is None else ["--first", f"--with={known}"]
        ran = subprocess.run(
            [sys.executable, str(SCRIPT), *words], capture_output=True, text=True, check=False
        )
        if ran.returncode not in (0, 1):
            return [f"the run fails: {ran.stderr.strip().splitlines()[-1:]}"]
        found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
        return list(found["findings"])

    return attempt
