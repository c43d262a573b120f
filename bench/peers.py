"""Moves a second beside boardgame.io: one game, and twenty games at the same time.

boardgame.io 0.50 holds its games in memory and stores nothing. Its bots are its own clients on
WebSockets, in a process of their own; a move counts when the client of the other seat has it. The
service runs in two web processes, stores every move (embedded Valkey, a file on disk, `appendfsync
everysec`) and is asked over REST, each game on a connection of its own; the bots ask for the event
only (`Prefer: return=minimal`). The two sides run in turn,
in short slices of one run, so that both see the same machine.

Their game appends a number to a list. Ours is Carcassonne, with all its rules on both ends: the
time in which our generator chooses a move counts against us, above all with one game. A match of
either ends after about 140 moves; their clients then connect again, which makes some of their
slices with twenty games much slower than others.

Needs node and npm, which installs boardgame.io once into `bench/peers/`; without them the bench
says why it is skipped. The keys of `--json`: `one_game` and `twenty_games`, each with the moves a
second of `cartulary` and `boardgame_io` (the medians of the slices) and the median `ratio` of the
pairs of slices; or `skipped` with the reason.
"""

from __future__ import annotations

import os
import shutil
import socket
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench._served import CONFIGURATION, Served, serve
from bench.http import Load
from cartulary.events.embedded import EmbeddedValkey

PLACE = Path(__file__).parent / "peers"
INSTALLED_WITHIN = 180
"""Seconds for npm."""
SLICE = 2.0
"""Seconds; the clients of boardgame.io need a moment to reach their speed."""
WARM_UP = 6.0
"""Seconds for the just-in-time compiler of node."""
GAMES = {"one_game": 1, "twenty_games": 20}


def main(seconds: float) -> dict[str, Any]:
    reason = _install()
    if reason:
        return {"skipped": reason}
    with tempfile.TemporaryDirectory() as directory, EmbeddedValkey(Path(directory)) as valkey:
        environment = {
            "CARTULARY_EVENTS_URL": str(valkey.url),
            "CARTULARY_RATE_WRITES": "1000000000/minute",
        }
        with (
            serve(["-c", CONFIGURATION], environment, processes=2) as service,
            _serve_peer() as peer,
        ):
            pairs = max(2, round(seconds / SLICE / 2 / len(GAMES)))
            return {name: _measure(service, peer, games, pairs) for name, games in GAMES.items()}


def _measure(service: Served, peer: int, games: int, pairs: int) -> dict[str, float]:
    ours = Load(service, connections=games, more="Prefer: return=minimal\r\n")
    with _play_peer(peer, games) as theirs:
        ours.run(WARM_UP / 6)
        theirs(WARM_UP)
        return compare([(ours.run(SLICE), theirs(SLICE)) for _ in range(pairs)])


def compare(pairs: list[tuple[float, float]]) -> dict[str, float]:
    """Return the medians of pairs of moves a second, and the median of their ratios."""
    return {
        "cartulary": statistics.median(ours for ours, _ in pairs),
        "boardgame_io": statistics.median(theirs for _, theirs in pairs),
        "ratio": statistics.median(ours / theirs for ours, theirs in pairs),
    }


# -- boardgame.io -------------------------------------------------------------------------------


def _install() -> str:
    """Install boardgame.io; return why that is impossible, "" when it is there."""
    npm = shutil.which("npm")
    if shutil.which("node") is None or npm is None:
        return "node or npm is missing"
    if (PLACE / "node_modules" / "boardgame.io").is_dir():
        return ""
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    try:
        subprocess.run(
            command, cwd=PLACE, check=True, capture_output=True, timeout=INSTALLED_WITHIN
        )
    except (subprocess.SubprocessError, OSError) as error:
        return f"npm cannot install boardgame.io: {error}"
    return ""


@contextmanager
def _node(script: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """Run a script of node, with pipes."""
    process = subprocess.Popen(
        ["node", script, *map(str, arguments)],
        cwd=PLACE,
        env={**os.environ, "NODE_ENV": "production"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def _read_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"node has ended with {process.wait()}")
    return line


@contextmanager
def _serve_peer() -> Iterator[int]:
    """Serve boardgame.io; yields the port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    with _node("server.js", port) as process:
        _read_line(process)
        yield port


@contextmanager
def _play_peer(port: int, games: int) -> Iterator[Callable[[float], float]]:
    """Open games of boardgame.io; yields a function that plays them and returns moves a second."""
    with _node("bots.js", port, games) as process:

        def play(seconds: float) -> float:
            assert process.stdin is not None
            process.stdin.write(f"{seconds}\n")
            process.stdin.flush()
            return float(_read_line(process))

        yield play
