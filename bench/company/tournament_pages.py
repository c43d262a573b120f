"""The page of a large tournament: how long its parts take, and many who watch the standings.

A Swiss of Carcassonne with `--entrants`, two of its three rounds played, the third one paired. Two
web processes and the embedded Valkey. First each part of the page is asked for, one request after
the other. Then `--watchers` hold the stream of the tournament, which readers in processes of their
own read, while entrants accept times for their tables, `PACE` a second: the time from such a
command to each receipt is measured. Last moves are made elsewhere as fast as possible, in turn
without the watchers and next to them.

The keys of `--json`: for each part of the page `p50_ms`, `p95_ms`, `max_ms`, the CPU time of the
web processes (`web_ms`) and of Valkey (`store_us`); `slowest_p95_ms`; `pair_ms`, the longest
pairing of a round; `watchers` with `received`, `p50_ms`, `p99_ms`; `without` and `beside` as in
`bench streams`. `ratio` is 50 ms ÷ `slowest_p95_ms`.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final

from bench.company.profiles import LIMIT_MS, AskingClient
from bench.company.tournament import Evening
from bench.service._crowd import TOURNAMENT, Readers
from bench.service._served import CONFIGURATION, serve
from bench.service.streams import (
    Loads,
    MeasuredService,
    find_latencies,
    raise_descriptors,
)
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.cli.shared.progress import progress
from cartulary.events.commands.commands import Intent
from cartulary.events.people.players import Player
from cartulary.events.server.connection import connect

PLAYED: Final = 2
"""Rounds that are played before anything is measured."""

PACE: Final = 4.0
"""Events of the tournament a second."""

PROCESSES: Final = 2
READERS: Final = 2
SLICES: Final = 5
SETTLE_S: Final = 2.0
HOUR_MS: Final = 3_600_000

ENVIRONMENT: Final = {
    "CARTULARY_STREAMS_PER_ADDRESS": "1000000",
    "CARTULARY_RATE_WRITES": "1000000000/minute",
    "CARTULARY_LOG_REQUESTS": "0",
}


def main(
    seconds: float = 20.0, entrants: int = 200, watchers: int = 500, requests: int = 400
) -> dict[str, Any]:
    """Make the tournament and measure its page and its watchers."""
    raise_descriptors()
    with tempfile.TemporaryDirectory() as folder, EmbeddedValkey(Path(folder)) as valkey:
        assert valkey.url is not None
        assert valkey.pid is not None
        evening = Evening(partial(connect, valkey.url), entrants, "swiss", faults=0, seed=1)
        evening.play(PLAYED)
        evening.faults.end()
        environment = {"CARTULARY_EVENTS_URL": valkey.url, **ENVIRONMENT}
        with serve(["-c", CONFIGURATION], environment, PROCESSES) as served:
            asking = AskingClient(served, evening.store)
            page = {
                name: asking.measure(lambda path=path: path, requests)  # type: ignore[misc]
                for name, path in list_parts(evening).items()
            }
            slowest = max(part["p95_ms"] for part in page.values())
            service = MeasuredService(served, valkey.pid)
            watched = _measure_watchers(service, evening, seconds, watchers)
    return {
        "entrants": entrants,
        **page,
        "slowest_p95_ms": slowest,
        "pair_ms": max(evening.pairings),
        **watched,
        "ratio": LIMIT_MS / slowest,
    }


def list_parts(evening: Evening) -> dict[str, str]:
    """Return the paths of what the page of a tournament reads."""
    path = f"/tournaments/{evening.id}"
    return {
        "tournament": path,
        "standings": f"{path}/standings",
        "entries": f"{path}/entrants",
        "closed_round": f"{path}/rounds/{PLAYED}",
        "open_round": f"{path}/rounds/{PLAYED + 1}",
        "tables": f"{path}/games",
    }


def _measure_watchers(
    service: MeasuredService, evening: Evening, seconds: float, number: int
) -> dict[str, Any]:
    served = service.served
    readers = Readers(served.port, [TOURNAMENT + evening.id] * number, served.secure, READERS)
    loads = Loads(service, [], max(1.0, seconds / 4 / SLICES))
    watched: dict[str, Any] = {"number": number}
    try:
        with progress("slices") as show:
            for done in range(1, SLICES + 1):
                loads.measure("without")
                with readers.open_streams() as opening:
                    time.sleep(SETTLE_S)
                    if done == 1:
                        watched["opened_in_s"] = opening
                        watched |= _follow(evening, readers, seconds / 2)
                    loads.measure("beside")
                    readers.take_receipts()
                time.sleep(SETTLE_S)
                show(done, SLICES)
    finally:
        readers.end()
    return {"watchers": watched, **loads.report()}


def _follow(evening: Evening, readers: Readers, seconds: float) -> dict[str, float]:
    """Let entrants accept times at a pace; measure the time from each command to each receipt."""
    sent = {}
    tournament, began = evening.now, time.monotonic()
    entrants = [tournament.entrant(table.seats[0]) for table in tournament.playing_tables()]
    tables = [table.number for table in tournament.playing_tables()]
    for number in count():
        due = began + number / PACE
        if due > began + seconds:
            break
        time.sleep(max(0.0, due - time.monotonic()))
        place = number % len(tables)
        who = Intent(Player(entrants[place].player["id"], entrants[place].player["name"]))
        version = evening.now.version + 1
        sent[evening.id, version] = time.monotonic()
        at = evening.clock.now + HOUR_MS + 60_000 * (1 + number // len(tables))
        evening.store.tournaments.commands.accept_time(who, evening.id, tables[place], at)
    time.sleep(SETTLE_S)
    found = find_latencies(sent, readers.take_receipts())
    hundredths = statistics.quantiles(found, n=100)
    return {
        "events": len(sent),
        "received": len(found),
        "p50_ms": hundredths[49] * 1000,
        "p99_ms": hundredths[98] * 1000,
    }
