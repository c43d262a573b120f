"""Moves at a set rate, over several connections: an offer that does not wait for the answers."""

from __future__ import annotations

import selectors
import time
from collections import deque
from collections.abc import Sequence
from typing import Final, NamedTuple

import orjson

from bench.service._served import Served
from bench.service.http import BenchConnection, GeneratedTable

CONNECTIONS: Final = 8

Sent = dict[tuple[str, int], float]
"""Game and version of the moves by which a turn began -> when the request was sent (monotonic)."""


class OfferedMoves(NamedTuple):
    """What became of an offer: moves in all, seconds until the last answer, turns that began.

    `latencies` are in seconds from the moment at which a move was due to its answer.
    """

    moves: int
    seconds: float
    turns: Sent
    latencies: Sequence[float] = ()

    @property
    def per_second(self) -> float:
        """Moves a second."""
        return self.moves / self.seconds


class PacedMoves:
    """Moves in turn at some tables; each connection has its own."""

    def __init__(self, served: Served, tables: Sequence[GeneratedTable]) -> None:
        self._connections = [
            BenchConnection(served, tables[number::CONNECTIONS]) for number in range(CONNECTIONS)
        ]

    def offer(self, rate: float, seconds: float) -> OfferedMoves:
        """Send `rate` moves a second for some seconds, and wait for all answers.

        A move for which no connection is free is sent as soon as one is.
        """
        for connection in self._connections:
            connection.reconnect()  # An idle connection is closed after a while.
        idle, turns = deque(self._connections), Sent()
        due, late = dict[BenchConnection, float](), list[float]()
        total, number, began = int(rate * seconds), 0, time.monotonic()
        with selectors.DefaultSelector() as ready:
            for connection in idle:
                ready.register(connection.socket, selectors.EVENT_READ, connection)
            while number < total or len(idle) < CONNECTIONS:
                left = began + number / rate - time.monotonic()
                if number < total and idle and left <= 0:
                    due[idle[0]] = began + number / rate
                    self._send(idle.popleft())
                    number += 1
                    continue
                waits = left if number < total and idle else 1.0
                for key, _ in ready.select(waits):
                    if self._receive(key.data, turns):
                        late.append(time.monotonic() - due.pop(key.data))
                        idle.append(key.data)
        return OfferedMoves(total, time.monotonic() - began, turns, late)

    def _send(self, connection: BenchConnection) -> None:
        connection.send()
        connection.sent = time.monotonic()

    def _receive(self, connection: BenchConnection, turns: Sent) -> bool:
        """Read the answer; returns whether it is complete."""
        body = connection.receive()
        if body is None:
            return False
        answer, table = orjson.loads(body), connection.table
        seat = table.seat
        connection.follow(answer["event"]["chance"], answer["version"])
        if not table.over and table.seat != seat:
            turns[table.id, answer["version"]] = connection.sent
        return True
