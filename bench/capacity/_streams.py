"""What an open stream takes: memory, CPU while nothing comes, CPU of each event that it gets."""

from __future__ import annotations

import time
from typing import Final, NamedTuple

from bench.capacity._box import Box
from bench.notices._moving import PacedMoves
from bench.service._crowd import Readers
from bench.service.http import open_tables
from bench.service.streams import raise_descriptors, read_memory

GAMES: Final = 20
READERS: Final = 2
"""Processes that hold the streams."""
WARM_UP_S: Final = 1.0
SETTLE_S: Final = 2.0


class StreamCost(NamedTuple):
    """Of a stream: bytes of a web process, µs of CPU a second while it is held, and a receipt."""

    bytes_each: float
    held_us_per_s: float
    receipt_us: float
    receipts: int


def measure_streams(box: Box, streams: int, rate: float, seconds: float) -> StreamCost:
    """Hold streams of some games, and make moves in these at a rate with and without them."""
    raise_descriptors()
    tables = open_tables(box.served, GAMES)
    moves = PacedMoves(box.served, tables)
    readers = Readers(
        box.served.port, [tables[one % GAMES].id for one in range(streams)], False, READERS
    )
    try:
        moves.offer(rate, WARM_UP_S)
        alone = _offer(box, moves, rate, seconds)
        idle = box.read_idle(seconds).web
        before = read_memory(box.served)
        with readers.open_streams():
            time.sleep(SETTLE_S)
            taken = read_memory(box.served) - before
            held = box.read_idle(seconds).web
            beside = _offer(box, moves, rate, seconds)
            time.sleep(SETTLE_S)
            receipts = len(readers.take_receipts())
    finally:
        readers.end()
    return StreamCost(
        taken / streams,
        1e6 * max(0.0, held - idle) / streams,
        1e6 * max(0.0, beside - alone) / max(1, receipts),
        receipts,
    )


def _offer(box: Box, moves: PacedMoves, rate: float, seconds: float) -> float:
    """Return the seconds of CPU of the web processes while moves are made at a rate."""
    before = box.read_cpu().web
    moves.offer(rate, seconds)
    time.sleep(SETTLE_S / 2)
    return box.read_cpu().web - before
