"""Profiles: how large a world is, how its people play, and how often what goes wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True)
class Profile:
    """Rates are probabilities for each turn; `faults` are numbers for each simulated hour."""

    webs: int = 2
    dispatchers: int = 1
    tables: int = 3
    thinks_s: float = 8.0
    looks_s: float = 4.0
    resigns: float = 0.002
    takes_back: float = 0.04
    has_keys: float = 0.75
    """The share of people whose client sends idempotency keys."""
    taps_twice: float = 0.05
    contradicts: float = 0.03
    timed: float = 0.0
    """The share of games with a clock; with one, web processes note their heartbeats."""
    rated: float = 0.0
    """The share of games of several people that are rated; with one, people have accounts."""
    private: float = 0.0
    """The share of games that are not shown to everybody."""
    forgets: float = 0.0
    """How likely a person forgets a turn of a timed game."""
    notices: bool = False
    """Whether people wait for the message about a turn before they move."""
    archives: bool = False
    """Whether games go into the archive soon after their end, and people write to them there."""
    faults: Mapping[str, float] = field(default_factory=dict)


USUAL_FAULTS: Final = {
    "crash_before": 60.0,
    "crash_after": 60.0,
    "cut_before": 60.0,
    "cut_after": 60.0,
    "lost_answer": 60.0,
    "late": 60.0,
    "pause": 30.0,
}

STORE_FAULTS: Final = {
    "restart": 20.0,
    "scripts_lost": 20.0,
    "partition": 30.0,
    "clock_jump": 20.0,
    "drift": 10.0,
    "full": 20.0,
    "slow": 20.0,
}

PROFILES: Final = {
    "quiet": Profile(),
    "crashes": Profile(faults=USUAL_FAULTS),
    "store": Profile(webs=3, dispatchers=2, faults={**USUAL_FAULTS, **STORE_FAULTS}),
    "fallback": Profile(dispatchers=2, faults={**USUAL_FAULTS, **STORE_FAULTS, "fall_back": 20.0}),
    "storm": Profile(
        tables=2,
        dispatchers=2,
        thinks_s=3.0,
        looks_s=2.0,
        takes_back=0.1,
        taps_twice=0.15,
        contradicts=0.1,
        faults={
            kind: 4 * rate
            for kind, rate in {**USUAL_FAULTS, **STORE_FAULTS, "fall_back": 10.0}.items()
        },
    ),
    "clocks": Profile(
        webs=3,
        dispatchers=2,
        thinks_s=6.0,
        looks_s=3.0,
        timed=0.6,
        rated=0.5,
        private=0.3,
        forgets=0.03,
        resigns=0.004,
        takes_back=0.06,
        faults={**USUAL_FAULTS, **STORE_FAULTS},
    ),
    "notices": Profile(
        dispatchers=2,
        thinks_s=4.0,
        looks_s=2.0,
        resigns=0.0,
        takes_back=0.0,
        notices=True,
        faults={
            **USUAL_FAULTS,
            # A clock that is ahead makes a message wait for its time: that is not tried here.
            **{kind: rate for kind, rate in STORE_FAULTS.items() if "clock" not in kind},
            **dict.fromkeys(("target_away", "target_fails", "target_hangs", "target_slow"), 30.0),
        },
    ),
    "archive": Profile(
        dispatchers=2,
        thinks_s=3.0,
        looks_s=2.0,
        resigns=0.05,
        archives=True,
        faults={
            **{kind: 2 * rate for kind, rate in USUAL_FAULTS.items()},
            **STORE_FAULTS,
            "archive_crash": 120.0,
            "archive_away": 20.0,
        },
    ),
    "slow": Profile(
        tables=2,
        thinks_s=120.0,
        looks_s=30.0,
        faults={kind: rate / 10 for kind, rate in {**USUAL_FAULTS, **STORE_FAULTS}.items()},
    ),
}
"""By name, for the command line."""
