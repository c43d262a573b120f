"""Streams of events: how many are held, at what cost, and what they do to the moves.

Two web processes and the embedded Valkey are loaded with watchers over games. The watchers are held
by processes of their own. Moves are made at a set rate, and the time from the request of a move to
the receipt of its event is measured, for each watcher. Then moves are made as fast as possible, in
turn without watchers and next to them: in games without watchers, and in the watched games.

The keys of `--json`:

* `opened_in_s`, `opened_per_second`; `bytes_each`, resident memory of the web processes for each
  stream; `on_the_fuller_process`, its share of the streams;
* `received`, `p50_ms`, `p99_ms`, and `cpu_us_a_receipt`, the CPU time of the web processes;
* `without`, `beside`, `watched`: `moves` a second, and for each move the CPU time of the web
  processes (`web_us`) and of Valkey (`store_us`), in microseconds; of `beside` and `watched` also
  the `ratio` of moves a second to `without`, and `cpu_ratio`, without ÷ `beside` by the CPU time of
  the service (web and Valkey). `watched` needs 100 games, or the games would soon be over.

The readers, the generator of moves, Valkey and the web processes share the cores. Where there are
only two, `ratio` shows what the readers take as well, and `cpu_ratio` what the service costs.
`--tls` measures the same over HTTPS.
"""

from __future__ import annotations

import resource
import statistics
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from bench.service._crowd import Readers, Receipt
from bench.service._served import CONFIGURATION, ROOT, Served, cpu_seconds, serve
from bench.service.http import BenchConnection, GeneratedTable, Load, open_tables
from cartulary.cli.embedded.embedded import EmbeddedValkey

PROCESSES = 2
READERS = 2
PACE = 50  # moves a second while the latency is measured, in all games
PACE_OF_A_GAME = 2  # and in each game
WARM_UP = 1.0  # seconds
AGAIN = 0.3  # seconds of moves before each slice: the first of them are slow
SETTLE = 2.0  # seconds after the streams have been opened or closed
LAST = 2.0  # seconds in which the last receipts may come
ROUNDS = 5
ENOUGH_GAMES = 100
"""Watched games that are played as fast as possible, without any being over soon."""
CERTIFICATE = ROOT / "tests" / "service" / "localhost.pem"


class MeasuredService(NamedTuple):
    """What is measured: the web processes and their store."""

    served: Served
    store: int
    """The id of the process of Valkey."""

    def read_cpu(self) -> tuple[float, float]:
        """Return the CPU time of the web processes and of Valkey, in seconds."""
        return self.served.cpu_seconds(), cpu_seconds(self.store)


def main(
    seconds: float = 20.0, watchers: int = 500, games: int = 100, tls: bool = False
) -> dict[str, Any]:
    raise_descriptors()
    with ExitStack() as held:
        directory = held.enter_context(tempfile.TemporaryDirectory())
        valkey = held.enter_context(EmbeddedValkey(Path(directory)))
        environment = {
            "CARTULARY_EVENTS_URL": str(valkey.url),
            "CARTULARY_RATE_WRITES": "1000000000/minute",
            "CARTULARY_STREAMS_PER_ADDRESS": "1000000",
            "CARTULARY_LOG_REQUESTS": "0",
        }
        if tls:
            environment["CARTULARY_CERTIFICATE"] = str(CERTIFICATE)
        served = held.enter_context(serve(["-c", CONFIGURATION], environment, PROCESSES))
        assert valkey.pid is not None
        return _measure(MeasuredService(served, valkey.pid), seconds, watchers, games)


def _measure(service: MeasuredService, seconds: float, watchers: int, games: int) -> dict[str, Any]:
    served = service.served
    tables = open_tables(served, games)
    watched = [tables[number % games].id for number in range(watchers)]
    readers = Readers(served.port, watched, served.secure, READERS)
    loads = Loads(service, tables, max(1.0, seconds / 4 / ROUNDS))
    measured: dict[str, Any] = {"watchers": watchers, "games": games, "tls": served.secure}
    try:
        for number in range(ROUNDS):
            loads.measure("without")
            before = read_memory(served)
            with readers.open_streams() as opening:
                time.sleep(SETTLE)
                if not number:
                    measured |= _describe_opening(served, watchers, opening, before)
                    measured |= _follow(served, readers, tables, seconds / 4)
                loads.measure("beside")
                loads.measure("watched")
                readers.take_receipts()
            time.sleep(SETTLE)
    finally:
        readers.end()
    return measured | loads.report()


class SliceFigures(NamedTuple):
    """One slice: moves a second, and the microseconds of CPU time for each move."""

    moves: float
    web_us: float
    store_us: float

    @property
    def service_us(self) -> float:
        """The CPU time of the web processes and of Valkey."""
        return self.web_us + self.store_us


class Loads:
    """Moves as fast as possible: the same moves without watchers and next to them."""

    def __init__(
        self, service: MeasuredService, tables: list[GeneratedTable], slice_seconds: float
    ) -> None:
        self._service, self._seconds = service, slice_seconds
        self._elsewhere = Load(service.served)
        self._watched = None
        if len(tables) >= ENOUGH_GAMES:
            self._watched = Load(service.served, tables=tables)
        self._found: dict[str, list[SliceFigures]] = {}
        self._elsewhere.run(WARM_UP)

    def measure(self, name: str) -> None:
        """Make moves for a slice, in the watched games or elsewhere."""
        load = self._watched if name == "watched" else self._elsewhere
        if load is None:
            return
        load.reconnect()  # an idle connection is closed after a while
        load.run(AGAIN)
        load.forget()
        web, store = self._service.read_cpu()
        rate = load.run(1.0 if name == "watched" else self._seconds)
        web_after, store_after = self._service.read_cpu()
        each = 1e6 / len(load.latencies)
        found = SliceFigures(rate, (web_after - web) * each, (store_after - store) * each)
        self._found.setdefault(name, []).append(found)

    def report(self) -> dict[str, dict[str, float]]:
        """Return the medians of all slices, and of their ratios to the slice of the same round."""
        alone = self._found["without"]
        return {
            name: {
                **SliceFigures(*map(statistics.median, zip(*found, strict=True)))._asdict(),
                **(compare(alone, found) if found is not alone else {}),
            }
            for name, found in self._found.items()
        }


def compare(alone: Sequence[SliceFigures], loaded: Sequence[SliceFigures]) -> dict[str, float]:
    """Return the median ratios of slices next to watchers to those of the same rounds without."""
    pairs = list(zip(alone, loaded, strict=True))
    return {
        "ratio": statistics.median(with_them.moves / without.moves for without, with_them in pairs),
        "cpu_ratio": statistics.median(
            without.service_us / with_them.service_us for without, with_them in pairs
        ),
    }


def _describe_opening(
    served: Served, watchers: int, opening: float, before: int
) -> dict[str, float]:
    held = [len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in served.processes]
    return {
        "opened_in_s": opening,
        "opened_per_second": watchers / opening,
        "bytes_each": (read_memory(served) - before) / watchers,
        "on_the_fuller_process": max(held) / sum(held),
    }


# -- latency ------------------------------------------------------------------------------------


def _follow(
    served: Served, readers: Readers, tables: list[GeneratedTable], seconds: float
) -> dict[str, float]:
    """Make moves at a set pace; measure the time from a move's request to each receipt."""
    busy = served.cpu_seconds()
    sent = _move_at_pace(served, tables, seconds)
    time.sleep(LAST)
    busy = served.cpu_seconds() - busy
    found = find_latencies(sent, readers.take_receipts())
    hundredths = statistics.quantiles(found, n=100)
    return {
        "received": len(found),
        "cpu_us_a_receipt": busy / len(found) * 1e6,
        "p50_ms": hundredths[49] * 1000,
        "p99_ms": hundredths[98] * 1000,
    }


def find_latencies(sent: dict[tuple[str, int], float], receipts: Iterable[Receipt]) -> list[float]:
    return [at - sent[game, version] for game, version, at in receipts if (game, version) in sent]


def _move_at_pace(
    served: Served, tables: list[GeneratedTable], seconds: float
) -> dict[tuple[str, int], float]:
    """Return when the request of each version of a game was sent."""
    sent = {}
    connection = BenchConnection(served, tables)
    began = time.monotonic()
    pace = min(PACE, PACE_OF_A_GAME * len(tables))
    for number in range(int(seconds * pace)):
        if connection.table.over:
            break
        delay = began + number / pace - time.monotonic()
        if delay > 0:
            time.sleep(delay)
        table = connection.table
        sent[table.id, table.version + 1] = time.monotonic()
        connection.send()
        body = None
        while body is None:
            body = connection.receive()
        answer = orjson.loads(body)
        connection.follow(answer["event"]["chance"], answer["version"])
    connection.socket.close()
    return sent


def read_memory(served: Served) -> int:
    """Return the resident memory of the web processes."""
    total = 0
    for pid in served.processes:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                total += int(line.split()[1]) * 1024
    return total


def raise_descriptors() -> None:
    """Let this process and its children open as many files as the machine allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
