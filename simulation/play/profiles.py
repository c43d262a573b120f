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
    ends_early: float = 0.0
    """The share of proposals that are about an early end, in place of a takeback."""
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
    patience_s: float = 15.0
    """Seconds that a client waits for an answer."""
    commits: float = 0.0
    """The share of games that are opened with a commitment that was made beforehand."""
    reuses: float = 0.0
    """How often a key comes again with another request, which must be refused."""
    bot_delay_ms: int = 0
    """How long bots wait before they move, in half of the games."""
    bots_think_s: float = 0.0
    """Seconds, at most, that a bot thinks about a position."""
    bots_fail: float = 0.0
    """The share of positions at which a bot raises."""
    is_watched: bool = False
    """Whether people look at what goes on: auditors, readers of the past, intruders."""
    lists_s: float = 0.0
    """Seconds, at most, between two looks at lists that are compared with streams, 0: none."""
    renews_s: float = 0.0
    """Seconds between two renewals of the draws of a game, 0: none."""
    watchers: int = 0
    """The number of people who follow games live, over the app of a web process."""
    cups: int = 0
    """The number of groups of people that play tournaments, one after the other."""
    releases: bool = False
    """Whether dispatcher and workers begin as the first release."""
    in_cluster: bool = False
    """Whether the games are in a cluster, where an append counts when a replica has it."""
    faults: Mapping[str, float] = field(default_factory=dict)

    @property
    def follows_commands(self) -> bool:
        """Whether what web processes do for a game has to be a run of the model of a move.

        The model knows one store, and no game that comes back from an archive.
        """
        return not (self.archives or self.releases or self.in_cluster)


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
    "odd": Profile(
        tables=2,
        dispatchers=2,
        thinks_s=2.0,
        looks_s=2.0,
        resigns=0.01,
        takes_back=0.2,
        taps_twice=0.15,
        contradicts=0.1,
        commits=0.5,
        reuses=0.1,
        bot_delay_ms=3000,
        bots_fail=0.02,
        is_watched=True,
        renews_s=60.0,
        faults={kind: 2 * rate for kind, rate in {**USUAL_FAULTS, **STORE_FAULTS}.items()}
        | {"load": 20.0},
    ),
    "cluster": Profile(
        tables=2,
        dispatchers=2,
        thinks_s=2.0,
        looks_s=2.0,
        in_cluster=True,
        faults={
            **USUAL_FAULTS,
            "slot_moves": 120.0,
            "master_fails": 40.0,
            "master_apart": 40.0,
            "replica_lags": 120.0,
        },
    ),
    "releases": Profile(
        tables=2,
        thinks_s=3.0,
        looks_s=3.0,
        takes_back=0.1,
        timed=0.3,
        releases=True,
        # A process that stands still shows no heartbeat, so no process would wait for it.
        faults={
            **{kind: rate for kind, rate in USUAL_FAULTS.items() if kind not in ("pause", "late")},
            "other_release": 120.0,
        },
    ),
    "tournaments": Profile(
        tables=0,
        dispatchers=2,
        thinks_s=1.0,
        looks_s=1.0,
        takes_back=0.0,
        cups=1,
        faults={**USUAL_FAULTS, **STORE_FAULTS},
    ),
    "taps": Profile(
        tables=2,
        thinks_s=0.5,
        looks_s=0.5,
        taps_twice=0.6,
        has_keys=1.0,
        faults={"fall_back": 300.0, "late": 300.0, "slow": 300.0},
    ),
    "cuts": Profile(
        tables=1, webs=2, thinks_s=0.5, looks_s=1.0, has_keys=0.0, faults={"cut_after": 4000.0}
    ),
    "falls": Profile(
        webs=4,
        tables=1,
        dispatchers=2,
        thinks_s=0.5,
        looks_s=0.5,
        is_watched=True,
        faults={"fall_back": 400.0, "pause": 60.0},
    ),
    "lists": Profile(
        tables=2,
        thinks_s=200.0,
        looks_s=10.0,
        takes_back=0.0,
        lists_s=20.0,
        faults={"fall_back_between": 600.0},
    ),
    "asleep": Profile(
        tables=3,
        thinks_s=300.0,
        looks_s=5.0,
        takes_back=0.0,
        lists_s=10.0,
        faults={"fall_back_asleep": 120.0},
    ),
    "relief": Profile(
        tables=1,
        dispatchers=2,
        thinks_s=300.0,
        looks_s=5.0,
        takes_back=0.0,
        lists_s=10.0,
        faults={"fall_back_asleep": 240.0},
    ),
    "branches": Profile(
        tables=2, webs=3, thinks_s=1.0, looks_s=2.0, takes_back=0.0, faults={"fall_back": 400.0}
    ),
    "bots": Profile(tables=2, thinks_s=0.5, looks_s=4.0, bots_fail=0.05),
    "audits": Profile(tables=2, thinks_s=0.3, looks_s=0.3, is_watched=True, faults={"slow": 400.0}),
    "hasty": Profile(
        tables=2,
        webs=3,
        thinks_s=0.5,
        looks_s=0.5,
        has_keys=0.0,
        patience_s=1.0,
        faults={"fall_back": 400.0, "late": 1500.0, "slow": 100.0},
    ),
    "tables": Profile(
        tables=2,
        thinks_s=0.2,
        looks_s=0.2,
        commits=1.0,
        resigns=1.0,
        faults={"cut_after": 3000.0, "crash_before": 600.0, "full": 120.0, "restart": 120.0},
    ),
    "full": Profile(tables=1, thinks_s=1.0, looks_s=1.0, faults={"full": 120.0}),
    "loads": Profile(tables=1, is_watched=True, faults={"load": 60.0, "crash_before": 60.0}),
    "quarrels": Profile(
        tables=3,
        thinks_s=1.0,
        looks_s=1.0,
        resigns=0.1,
        takes_back=0.4,
        reuses=0.5,
        faults={"pause": 30.0},
    ),
    "leavings": Profile(
        thinks_s=0.5,
        looks_s=6.0,
        resigns=0.3,
        takes_back=0.6,
        ends_early=0.9,
        taps_twice=0.0,
        contradicts=0.0,
    ),
    "renewals": Profile(
        tables=2,
        thinks_s=1.0,
        looks_s=1.0,
        bots_think_s=6.0,
        bot_delay_ms=3000,
        is_watched=True,
        renews_s=5.0,
    ),
    "streams": Profile(
        tables=2,
        dispatchers=2,
        thinks_s=3.0,
        looks_s=3.0,
        takes_back=0.1,
        private=0.3,
        watchers=4,
        faults={**USUAL_FAULTS, **STORE_FAULTS, "fall_back": 20.0, "line_cut": 600.0},
    ),
    "silence": Profile(tables=3, thinks_s=1.0, looks_s=1.0, faults={"partition": 400.0}),
    "slow": Profile(
        tables=2,
        thinks_s=120.0,
        looks_s=30.0,
        faults={kind: rate / 10 for kind, rate in {**USUAL_FAULTS, **STORE_FAULTS}.items()},
    ),
}
"""By name, for the command line."""
