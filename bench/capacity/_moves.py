"""What a move costs: CPU of web, store and dispatcher, in boxes that are loaded in turn.

First the moves are made while the dispatcher is stopped, then it does what has gathered, in the
batches of a busy service. So each part is as fast as it can be, and nothing that only waits counts.
The moves go round many tables: in few of them the dispatcher would act upon several moves at once.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from bench.capacity._box import Box, BoxCpu
from bench.service.http import Load, open_tables
from cartulary.cli.shared.progress import progress

CONNECTIONS: Final = 8
"""Of the load, to each web process."""
TABLES: Final = 1000
"""Twice as many as the moves of a slice, so that the dispatcher follows each move by itself."""
SLICE_S: Final = 0.1
WARM_UP: Final = 3.0
"""Moves of each table; some connections are faster than others."""


class MoveCost(NamedTuple):
    """µs of CPU: of a move what the request takes, and of a table what the dispatcher makes of it.

    `moves` and `tables` are their numbers: of several moves of a game in one batch the dispatcher
    follows the last. `reads` and `follow_reads` are how often the servers of the games have read
    from a connection, for each; `games_commands` how often the dispatcher read a stream.
    """

    moves: int
    tables: int
    web_us: float
    append_us: float
    reads: float
    dispatcher_us: float
    follow_games_us: float
    follow_registry_us: float
    follow_reads: float
    games_commands: float
    client_us: float

    @property
    def stores_us(self) -> float:
        """All servers together."""
        return self.append_us + self.follow_games_us + self.follow_registry_us

    @property
    def service_us(self) -> float:
        """The whole service."""
        return self.web_us + self.stores_us + self.dispatcher_us


class MoveProbe:
    """Loads a box in slices, and adds up what they take."""

    def __init__(self, box: Box, idle: BoxCpu, tables: int = TABLES, connections: int = 0) -> None:
        """Open the tables; `idle` is what the processes use a second when nothing happens.

        There are `connections`, by default as many as keep all web processes busy.
        """
        self._box, self._idle = box, idle
        made = open_tables(box.served, tables)
        number = connections or CONNECTIONS * len(box.served.processes)
        self._load = Load(box.served, connections=number, tables=made)
        self._load.run(SLICE_S)
        # When the first connections came, perhaps only one process had begun.
        self._load.reconnect()
        self._load.forget()
        while len(self._load.latencies) < WARM_UP * tables:
            self._load.run(SLICE_S)  # then each process has the tables of its connections
        box.drain()
        self._moves, self._seconds, self._follow_s = 0, 0.0, 0.0
        self._made, self._followed = [BoxCpu(*[0.0] * 6)] * 2
        self._reads = self._follow_reads = self._scripts = self._ranges = 0

    def run(self, moves: int) -> None:
        """Make at least so many moves, then let the dispatcher act upon them."""
        box, load = self._box, self._load
        load.forget()
        with pause_dispatcher(box):
            before, reads, began = box.read_cpu(), box.count_reads(), time.monotonic()
            while len(load.latencies) < moves:
                load.run(SLICE_S)
            made, between = box.read_cpu(), time.monotonic()
            reads_between = box.count_reads()
            scripts, ranges = box.count_scripts(), box.count_ranges()
        box.drain()
        self._scripts += box.count_scripts() - scripts
        self._ranges += box.count_ranges() - ranges
        self._moves += len(load.latencies)
        self._made = self._made.plus(made.since(before))
        self._followed = self._followed.plus(box.read_cpu().since(made))
        self._reads += reads_between - reads
        self._follow_reads += box.count_reads() - reads_between
        self._seconds += between - began
        self._follow_s += time.monotonic() - between

    def report(self) -> MoveCost:
        """Return what a move took in all slices."""
        number, tables = self._moves, max(1, self._scripts)
        made = self._made.spread(number, self._idle, self._seconds)
        followed = self._followed.spread(
            tables, self._idle._replace(dispatcher=0.0), self._follow_s
        )
        return MoveCost(
            number,
            tables,
            made.web,
            made.games + made.registry,
            self._reads / number,
            followed.dispatcher,
            followed.games,
            followed.registry,
            self._follow_reads / tables,
            self._ranges / tables,
            made.client,
        )


def take_turns(probes: Sequence[MoveProbe], rounds: int, moves: int) -> list[MoveCost]:
    """Load boxes in turn, in slices of so many moves: what else the machine does meets all."""
    with progress("rounds of moves") as show:
        for done in range(1, rounds + 1):
            for probe in probes:
                probe.run(moves)
            show(done, rounds)
    return [probe.report() for probe in probes]


@contextmanager
def pause_dispatcher(box: Box) -> Iterator[None]:
    """Stop the dispatcher for a while: what it would do is done afterwards."""
    for pid in box.dispatcher:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in box.dispatcher:
            os.kill(pid, signal.SIGCONT)
