"""Moves through HTTP: `POST …/moves` against a bare Flask endpoint that returns a small JSON.

Both run under gunicorn with the same worker (one event loop), threads and settings, one process
each, and are loaded by the same generator with the same requests, in turn, in short slices, so that
both see the same machine. The event loop of the worker makes the moves itself; the bare endpoint
runs in its threads, as every view of Flask does. The generator plays: it holds the state of each of
its games and answers with a legal move, which takes a few microseconds. The service writes to the
embedded Valkey (a file on disk, `appendfsync everysec`).

The keys of `--json`:

* `moves`, `bare_flask`: `per_second`, `p50_ms`, `p99_ms`, and `cpu_us`, the CPU time of the web
  process (user and system) for each request;
* `ratio`: moves ÷ bare by requests a second, the median of the pairs of slices;
* `cpu_ratio`: bare ÷ moves by CPU time, which depends little on what else the machine does;
* `move_5_events_ms`, `move_140_events_ms`, `long_game_ratio`: the median of a move early and late
  in a game;
* `two_processes`: the same moves on two web processes; `ratio` is to one process in the same run.

Generator, Valkey and web processes share the cores: on two cores the second web process has no core
of its own, so `two_processes` shows the machine as much as the service.
"""

from __future__ import annotations

import random
import selectors
import ssl
import statistics
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import orjson

from bench.service._served import CONFIGURATION, Served, post, serve
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.engine.chance import RecordedSource
from cartulary.engine.core import State
from cartulary.games import GAMES
from cartulary.service.process import gunicorn_conf

SLICE = 0.5  # seconds
CONNECTIONS = 8
YOUNG, OLD = range(5, 15), range(135, 1000)


def main(seconds: float = 20.0) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as directory, EmbeddedValkey(Path(directory)) as valkey:
        # The limit is counted as always, and never reached.
        environment = {
            "CARTULARY_EVENTS_URL": str(valkey.url),
            "CARTULARY_RATE_WRITES": "1000000000/minute",
        }
        with serve(["-c", CONFIGURATION], environment) as service:
            with serve([*_LIKE_THE_SERVICE, "bench.service._bare:app"], environment) as bare:
                measured = _measure(service, bare, seconds * 0.6)
            measured |= _by_length(service, seconds * 0.2)
            with serve(["-c", CONFIGURATION], environment, processes=2) as two:
                measured["two_processes"] = _compare(service, two, seconds * 0.2)
            return measured


def _measure(service: Served, bare: Served, seconds: float) -> dict[str, Any]:
    moves, answers = Load(service), Load(bare, service.port)
    ratio = take_turns(moves, answers, seconds)
    measured = {"moves": moves.report(), "bare_flask": answers.report()}
    cpu_ratio = measured["bare_flask"]["cpu_us"] / measured["moves"]["cpu_us"]
    return {**measured, "ratio": ratio, "cpu_ratio": cpu_ratio}


def _compare(one: Served, two: Served, seconds: float) -> dict[str, float]:
    """Return what two processes do, and the ratio to one process."""
    on_two = Load(two)
    on_two.run(SLICE)
    on_two.reconnect()  # when the first connections came, perhaps only one process had begun
    ratio = take_turns(on_two, Load(one), seconds)
    return {**on_two.report(), "ratio": ratio}


def take_turns(first: Load, second: Load, seconds: float) -> float:
    """Run two loads in turn; return the median ratio of their requests per second."""
    for load in (first, second):
        load.run(SLICE)
        load.forget()
    pairs = max(2, round(seconds / SLICE / 2))
    # The median of the pairs: what else the machine does for a moment spoils one of them.
    return statistics.median(first.run(SLICE) / second.run(SLICE) for _ in range(pairs))


# -- servers ------------------------------------------------------------------------------------


_LIKE_THE_SERVICE = [
    f"--worker-class={gunicorn_conf.worker_class}",
    f"--threads={gunicorn_conf.threads}",
    f"--keep-alive={gunicorn_conf.keepalive}",
]


# -- the generator ------------------------------------------------------------------------------


class GeneratedTable:
    """A game that the generator plays on both seats: knows the next request."""

    def __init__(self, port: int, token: str, secure: bool = False) -> None:
        self._port, self._token, self._secure = port, token, secure
        self._random = random.Random(1)
        self._stock: list[Any] = []
        self.open()

    def prepare(self, number: int = 2) -> None:
        """Have games ready, so that no game is created while moves are measured."""
        while len(self._stock) < number:
            seats = [{"kind": "me"}, {"kind": "me"}]
            body = {"game": "carcassonne", "seats": seats}
            self._stock.append(post(self._port, "/games", body, self._token, self._secure))

    def open(self) -> None:
        """Begin a new game."""
        if not self._stock:
            self.prepare(1)
        game = self._stock.pop()
        self.id, self.version = game["id"], game["version"]
        self._state: State[Any] = GAMES["carcassonne"].new(2, game["options"], {})
        self._state.settle(RecordedSource([game["view"]["tile"]]))

    @property
    def over(self) -> bool:
        """True when the play has ended."""
        return self._state.over

    @property
    def seat(self) -> int:
        """The seat that is asked."""
        return self._state.seat

    def request(self) -> bytes:
        """Return the request that makes a random legal move.

        Followers are kept back mostly: so the question is asked each turn and the game is long.
        """
        moves = self._state.moves()
        keep = self._state.kind == "place_follower" and self._random.random() < 0.9
        self._move = moves[-1] if keep else self._random.choice(moves)
        move = self._state.move_json(self._move)
        body = orjson.dumps({"move": move, "expected_version": self.version})
        return (
            f"POST /api/v1/games/{self.id}/moves HTTP/1.1\r\nHost: bench\r\n"
            f"Authorization: Bearer {self._token}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        ).encode() + body

    def follow(self, chance: list[str], version: int) -> None:
        """Play the move that the service has accepted, with its draws."""
        self._state.play(self._move)
        self._state.settle(RecordedSource(chance))
        self.version = version


class BenchConnection:
    """A connection that is kept, with at most one request under way.

    It plays its tables in turn: one move here, the next move there.
    """

    def __init__(self, served: Served, tables: Iterable[GeneratedTable]) -> None:
        self._served, self._tables = served, deque(tables)
        self._buffer = b""
        self.socket = served.connect()

    def reconnect(self) -> None:
        """Open the connection again."""
        self.socket.close()
        self.socket = self._served.connect()

    def prepare(self) -> None:
        """Have games ready for the time when the last game of this connection is over."""
        if len(self._tables) == 1:
            self.table.prepare()

    @property
    def table(self) -> GeneratedTable:
        """The table whose turn it is."""
        return self._tables[0]

    def follow(self, chance: list[str], version: int) -> None:
        """Play the move that the service has accepted, and go to the next table."""
        table = self.table
        table.follow(chance, version)
        if table.over and len(self._tables) > 1:
            self._tables.popleft()
        elif table.over:
            table.open()
        else:
            self._tables.rotate(-1)

    def send(self) -> None:
        """Send the next request."""
        self.socket.sendall(self.table.request())
        self.sent = time.perf_counter()

    def receive(self) -> bytes | None:
        """Return the body of the answer once it is complete."""
        received = self.socket.recv(262144)
        if not received:
            raise ConnectionError("the server has closed the connection")
        if isinstance(self.socket, ssl.SSLSocket) and (more := self.socket.pending()):
            received += self.socket.recv(more)  # it would not make the socket ready
        self._buffer += received
        body = read_answer(self._buffer)
        if body is not None:
            self._buffer = b""
        return body


def read_answer(received: bytes) -> bytes | None:
    """Return the body of an answer, None while it is not complete.

    Raises `RuntimeError` for an answer that is a refusal.
    """
    head, found, body = received.partition(b"\r\n\r\n")
    if not found or len(body) < int(_header(head, b"Content-Length")):
        return None
    if head.split(b" ", 2)[1] not in (b"200", b"201"):
        raise RuntimeError(body.decode())
    return body


def _header(head: bytes, name: bytes) -> bytes:
    return head.partition(b"\r\n" + name + b": ")[2].partition(b"\r\n")[0]


def open_tables(served: Served, number: int, games_of: int | None = None) -> list[GeneratedTable]:
    """Open so many games of one player; `games_of` is the port of the service that has them."""
    owner = served.port if games_of is None else games_of
    secure = served.secure and games_of is None
    token = post(owner, "/players", {"name": "bench"}, secure=secure)["token"]
    return [GeneratedTable(owner, token, secure=secure) for _ in range(number)]


class Load:
    """Several connections to one server, each busy with a game of its own.

    Answers of the bare endpoint do not move a game on: the same request is sent again.
    """

    def __init__(
        self,
        served: Served,
        games_of: int | None = None,
        connections: int = CONNECTIONS,
        tables: Sequence[GeneratedTable] = (),
    ) -> None:
        """Load a server; `games_of` is the port of the service whose moves the requests are.

        `tables` are shared out among the connections; without them each connection opens its own.
        """
        self._plays, self._served = games_of is None, served
        if not tables:
            tables = open_tables(served, connections, games_of)
        self._connections = [
            BenchConnection(served, tables[number::connections]) for number in range(connections)
        ]
        self.forget()

    def reconnect(self) -> None:
        """Open all connections again."""
        for connection in self._connections:
            connection.reconnect()

    def forget(self) -> None:
        """Set the count to zero."""
        self._seconds = self._cpu = 0.0
        self.latencies: list[float] = []
        self.versions: list[int] = []

    def run(self, seconds: float) -> float:
        """Load the server for a while, until all is answered; returns the requests per second."""
        for connection in self._connections if self._plays else ():
            connection.prepare()
        started, before = time.perf_counter(), len(self.latencies)
        used = self._served.cpu_seconds()
        with selectors.DefaultSelector() as ready:
            for connection in self._connections:
                ready.register(connection.socket, selectors.EVENT_READ, connection)
                connection.send()
            waiting = len(self._connections)
            while waiting:
                for key, _ in ready.select():
                    waiting -= self._receive(key.data, time.perf_counter() - started < seconds)
        lasted = time.perf_counter() - started
        self._seconds += lasted
        self._cpu += self._served.cpu_seconds() - used
        return (len(self.latencies) - before) / lasted

    def _receive(self, connection: BenchConnection, go_on: bool) -> bool:
        """Read the answer if it is complete; return True when this connection falls silent."""
        body = connection.receive()
        if body is None:
            return False
        self.latencies.append(time.perf_counter() - connection.sent)
        self.versions.append(connection.table.version)
        if self._plays:
            answer = orjson.loads(body)
            connection.follow(answer["event"]["chance"], answer["version"])
        if go_on:
            connection.send()
        return not go_on

    def report(self) -> dict[str, float]:
        """Return requests per second, their latencies, and their CPU time in the web process."""
        hundredths = statistics.quantiles(self.latencies, n=100)
        return {
            "per_second": len(self.latencies) / self._seconds,
            "p50_ms": hundredths[49] * 1000,
            "p99_ms": hundredths[98] * 1000,
            "cpu_us": self._cpu / len(self.latencies) * 1e6,
        }


def _by_length(served: Served, seconds: float) -> dict[str, float]:
    """Play whole games one request at a time; compare late moves with early ones."""
    load = Load(served, connections=1)
    early: list[float] = []
    late: list[float] = []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until or not late:
        load.forget()
        load.run(SLICE)
        for version, latency in zip(load.versions, load.latencies, strict=True):
            if version in YOUNG:
                early.append(latency)
            elif version in OLD:
                late.append(latency)
    medians = [statistics.median(found) * 1000 for found in (early, late)]
    return {
        "move_5_events_ms": medians[0],
        "move_140_events_ms": medians[1],
        "long_game_ratio": medians[1] / medians[0],
    }
