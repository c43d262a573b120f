"""Faults: a real `serve` is played on while its parts are killed, stopped, cut off and filled up.

Prints each fault as it happens and a table of their kinds at the end. A run with the same seed has
the same order of faults and of the clients' choices; what happens in between is up to the machine.
`--faults N` ends the faults after N of them, `--minutes M` after M minutes in any case; then the
clients finish their games. `--leave P` and `--takeback P` say how likely it is, before each move of
a person, that the person leaves or goes away, and that moves are taken back, `--timed P` which
share of the games with people has a clock, `--rated P` which share of the games of two people is
rated. At the end `cartulary audit` and `cartulary ratings --replay` must agree with the store.
`--cluster` puts the games into a cluster of three masters and three replicas, whose nodes die, hang
and change places; the service has the durability `replicated` then, and `--durability` is that of
the nodes. Finished games are archived after `--archive` seconds, 0 for not at all. With `--notices`
people move when a webhook has notified them of their turn; the notifier and the target of the
messages have faults as well, and each turn must lead to one message, while it is true. Then no
person leaves or takes moves back, and no game has a clock, so that the turns can be read off the
moves. `--directory DIR` keeps the journal and the log there.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import click

from bench.faults.people import Habits
from bench.faults.run import FaultRun, Inflicted, RunOutcome
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.model.chain import CHAINED, GENESIS, seal
from cartulary.events.server.connection import connect

NOTIFIED = Habits(leave=0.0, takeback=0.0, timed=0.0, bots=("random",), seats=3, keyed=1.0)
"""What people do who move when they are notified."""

BARE_S = 3.0
"""Seconds for which bare appends are measured."""


def main(
    seconds: float = 20.0,
    minutes: float = 0.0,
    seed: int = 0,
    faults: int = 0,
    clients: int = 6,
    durability: str = "everysec",
    cluster: bool = False,
    archive: int = 3,
    directory: str = "",
    leave: float = 0.01,
    takeback: float = 0.05,
    timed: float = 0.3,
    rated: float = 0.4,
    notices: bool = False,
) -> dict[str, Any]:
    seed = seed or int(time.time())
    say(f"seed {seed}")
    habits = NOTIFIED if notices else Habits(leave, takeback, timed, rated=rated)
    minutes = minutes or seconds / 60
    run = FaultRun(
        minutes,
        seed,
        faults,
        clients,
        durability=durability,
        habits=habits,
        cluster=cluster,
        archive_after=archive if archive > 0 else None,
        notices=notices,
        say=say,
    )
    outcome = run.main(Path(directory) if directory else None)
    for problem in outcome.problems():
        say(problem)
    return describe(outcome, measure_bare_appends())


def say(line: str) -> None:
    click.echo(line, file=sys.stderr)


def describe(outcome: RunOutcome, bare: float) -> dict[str, Any]:
    """Return the result of a run as nested objects."""
    found = outcome.reckoning
    per_second = found.moves / outcome.played_s
    times = [fault.recovered for fault in outcome.faults if fault.recovered is not None]
    return {
        "seed": outcome.seed,
        "minutes": outcome.played_s / 60,
        "faults": len(outcome.faults),
        "kinds": _table(outcome.faults),
        "skipped": outcome.skipped,
        "games": found.games,
        "finished": found.games - len(found.unfinished),
        "events": found.events,
        "moves": found.moves,
        "archived": found.archived,
        "rated": found.rated,
        "leavings": found.leavings,
        "takebacks": found.takebacks,
        "timed": found.timed,
        "flagged": len(found.flagged),
        "acknowledged": found.acknowledged,
        "retries": outcome.retries,
        "lost": len(found.lost),
        "changed": len(found.changed),
        "doubled": len(found.doubled),
        "gaps": len(found.gaps),
        "unchained": len(found.unchained),
        "unfinished": len(found.unfinished),
        "streams_watched": found.watched,
        "misshown": len(found.misshown),
        "trouble": len(found.trouble),
        "taken_by_fallbacks": found.taken,
        "games_taken_by_fallbacks": found.games_taken,
        "slowest_recovery_s": max(times, default=0.0),
        "longest_wait_for_an_answer_s": outcome.longest_wait,
        "longest_wait_for_the_bots_s": outcome.longest_round,
        "moves_per_second": per_second,
        "bare_appends_per_second": bare,
        "ratio": per_second / bare,
        **({} if outcome.notices is None else {"notices": outcome.notices.describe()}),
        "clean": not any(outcome.problems()),
    }


def _table(faults: list[Inflicted]) -> dict[str, Any]:
    """Return for each kind its number, and the seconds until the play went on."""
    kinds = defaultdict(list)
    for fault in faults:
        kinds[fault.kind].append(fault)
    return {kind: _row(of_kind) for kind, of_kind in sorted(kinds.items())}


def _row(faults: list[Inflicted]) -> dict[str, Any]:
    times = [fault.recovered for fault in faults if fault.recovered is not None]
    return {
        "count": len(faults),
        "median_s": statistics.median(times) if times else 0.0,
        "slowest_s": max(times, default=0.0),
    }


def measure_bare_appends() -> float:
    """Return how many small events a second one client appends to the store, without a service."""
    with tempfile.TemporaryDirectory() as directory, EmbeddedValkey(Path(directory)) as valkey:
        redis = connect(str(valkey.url))
        ledger = Ledger(redis)
        event = {"type": "seat_left", "version": 1, "at": "2026-01-01T00:00:00Z", "seat": 0}
        began, count, head = time.perf_counter(), 0, GENESIS
        while time.perf_counter() - began < BARE_S:
            sealed = seal({**event, "prev": head}, CHAINED)
            ledger.append("bare", count, [sealed])
            count, head = count + 1, sealed.hash
        redis.close()
    return count / BARE_S
