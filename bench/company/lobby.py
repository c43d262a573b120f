"""The stream of the lobby for many readers: what it does to the moves of others.

A real `cartulary serve` with two web processes. Tables are opened and called off all the time, at
`--pace` a second, so that the lobby changes at each look of the dispatcher. Moves are made as fast
as possible, in turn without readers and next to `--readers` readers of the lobby, which processes
of their own hold.

The keys of `--json`: `opened_in_s`; `lines_each`, the lines that a reader has got, and
`lines_per_second`, of which the contract allows two; `without` and `beside`: `moves` a second, and
for each move the CPU time of the web processes (`web_us`) and of Valkey (`store_us`); of `beside`
also the `ratio` of moves a second to `without`, and `cpu_ratio`, without ÷ `beside` by the CPU time
of the service.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.faults.service import ServiceProcess
from bench.service._crowd import LOBBY, Readers
from bench.service._served import Served, post
from bench.service.streams import Loads, MeasuredService, raise_descriptors
from cartulary.cli.shared.progress import progress

PROCESSES = 2
READERS = 2
ROUNDS = 5
SETTLE = 2.0  # seconds after the streams have been opened or closed
UNLIMITED = {
    "CARTULARY_STREAMS_PER_ADDRESS": "1000000",
    **{f"CARTULARY_QUOTA_{name}": "0" for name in ("OPEN", "RUNNING", "SEATS")},
}


def main(seconds: float = 20.0, readers: int = 500, pace: float = 4.0) -> dict[str, Any]:
    """Measure so many readers."""
    raise_descriptors()
    with tempfile.TemporaryDirectory() as folder:
        data, log = Path(folder) / "data", Path(folder) / "log"
        arguments = f"--workers={PROCESSES}"
        with ServiceProcess(data, arguments, log=log, environment=UNLIMITED) as service:
            served = Served(service.port, service.pids("web")[0])
            measured = MeasuredService(served, service.pids("valkey")[0])
            with change_lobby(service.port, pace):
                return _measure(measured, seconds, readers)


def _measure(service: MeasuredService, seconds: float, number: int) -> dict[str, Any]:
    served = service.served
    readers = Readers(served.port, [LOBBY] * number, served.secure, READERS)
    loads = Loads(service, [], max(1.0, seconds / 2 / ROUNDS))
    measured: dict[str, Any] = {"readers": number}
    lines, held_s = 0, 0.0
    try:
        with progress("rounds") as show:
            for done in range(1, ROUNDS + 1):
                loads.measure("without")
                with readers.open_streams() as opening:
                    measured.setdefault("opened_in_s", opening)
                    began = time.monotonic()
                    time.sleep(SETTLE)
                    loads.measure("beside")
                    lines += len(readers.take_receipts())
                    held_s += time.monotonic() - began
                time.sleep(SETTLE)
                show(done, ROUNDS)
    finally:
        readers.end()
    measured["lines_each"] = lines / number
    measured["lines_per_second"] = lines / number / held_s
    return measured | loads.report()


@contextmanager
def change_lobby(port: int, pace: float) -> Iterator[None]:
    """Open and call off tables at a pace, by a thread of its own."""
    token = post(port, "/players", {"name": "host"})["token"]
    stopping = threading.Event()
    body = {"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "open"}]}

    def change() -> None:
        while not stopping.wait(1 / pace):
            game = post(port, "/games", body, token)
            post(port, f"/games/{game['id']}/abort", {}, token)

    thread = threading.Thread(target=change, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join()
