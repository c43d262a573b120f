"""Moves through HTTP while other clients ask for pictures that no client has asked for before.

One web process; its painter is a process of its own with the lowest priority. Slices with picture
requests and slices without take turns, and a slice without them begins when the last picture is
painted. `ratio` is moves per second with the requests ÷ without, the median of the pairs;
`cpu_ratio` is the CPU time of a move in the web process without them ÷ with them, which also counts
what the pictures themselves cost there. `painted` and `busy` are the answers to the requests.
"""

from __future__ import annotations

import itertools
import statistics
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import requests

from bench.service._served import CONFIGURATION, Served, serve
from bench.service.http import GeneratedTable, Load, open_tables
from cartulary.cli.embedded.embedded import EmbeddedValkey

SLICE = 2.0  # seconds
CLIENTS = 12
"""Clients that ask for pictures at the same time: more than the process lets wait."""

PATIENCE = 120
"""Seconds: on a busy machine a process of the lowest priority hardly gets a core."""


def main(seconds: float = 20.0) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as directory, EmbeddedValkey(Path(directory)) as valkey:
        environment = {
            "CARTULARY_EVENTS_URL": str(valkey.url),
            "CARTULARY_RATE_WRITES": "1000000000/minute",
        }
        with serve(["-c", CONFIGURATION], environment) as service:
            return _measure(service, max(2, round(seconds / SLICE / 2)))


def _measure(service: Served, pairs: int) -> dict[str, Any]:
    crowd = _Crowd(service)
    alone, beside = Load(service), Load(service)
    for load in (alone, beside):
        load.run(SLICE / 4)
        load.forget()
    ratios = []
    for _ in range(pairs):
        without = alone.run(SLICE)
        with crowd.asks():
            ratios.append(beside.run(SLICE) / without)
    reports = {"alone": alone.report(), "beside": beside.report()}
    return {
        **reports,
        "ratio": statistics.median(ratios),
        "cpu_ratio": reports["alone"]["cpu_us"] / reports["beside"]["cpu_us"],
        "painted": crowd.answers[200],
        "busy": crowd.answers[503],
    }


class _Crowd:
    """Clients that each ask for one picture after the other, each of another width."""

    def __init__(self, service: Served) -> None:
        self.answers: Counter[int] = Counter()
        tables = open_tables(service, CLIENTS)
        self._addresses = [_locate(service, table) for table in tables]
        self._widths = itertools.cycle(range(200, 2401))

    @contextmanager
    def asks(self) -> Iterator[None]:
        """Ask for pictures until the end of the block, and until all answers are there."""
        stopped = Event()
        threads = [Thread(target=self._ask, args=(address, stopped)) for address in self._addresses]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            stopped.set()
            for thread in threads:
                thread.join()

    def _ask(self, address: str, stopped: Event) -> None:
        with requests.Session() as session:
            while not stopped.is_set():
                wish = f"{address}?width={next(self._widths)}"
                answer = session.get(wish, timeout=PATIENCE)
                self.answers[answer.status_code] += 1
                if answer.status_code == 503:
                    stopped.wait(float(answer.headers["Retry-After"]))


def _locate(service: Served, table: GeneratedTable) -> str:
    return f"http://127.0.0.1:{service.port}/api/v1/games/{table.id}/board.png"
