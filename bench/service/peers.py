"""Moves a second next to boardgame.io: one game, and twenty games at the same time.

boardgame.io 0.50 holds its games in memory and stores nothing. Its bots are its own clients on
WebSockets; a move counts when the client of the other seat has it. The service runs in two web
processes, stores every move (embedded Valkey, a file on disk, `appendfsync everysec`) and is asked
over REST; a move counts when it is answered, and the bots ask for the event only
(`Prefer: return=minimal`). The two sides run in turn, in short slices of one run, so that both see
the same machine.

Both sides have two connections for each game, one of each player, and bots that do not think: their
game appends a number to a list, and ours is Caylus, whose moves are known before the time is
measured, because all its chance is in the setup. Before each slice both sides get as many games
ready as they will need, so no game is created and no client connects in the measured time; a match
of theirs has 140 moves, a game of ours about 130. The service checks each move by the rules.

Needs node and npm, which installs boardgame.io once into `bench/peers/`; without them the bench
says why it is skipped. The keys of `--json`: `one_game` and `twenty_games`, each with the moves a
second of `cartulary` and `boardgame_io` (the medians of the slices) and the median `ratio` of the
pairs of slices; or `skipped` with the reason.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from bench.ports import find_free_port
from bench.service._duels import Duels
from bench.service._served import CONFIGURATION, Served, serve
from cartulary.cli.embedded.embedded import EmbeddedValkey

PLACE = Path(__file__).parents[1] / "peers"
INSTALLED_WITHIN = 180
"""Seconds for npm."""
SLICE = 2.0
"""Seconds."""
WARM_UPS = 3
"""Slices for the just-in-time compiler of node."""
FIRST_GUESS = 1500.0
"""Moves a second that a side prepares for before its first slice."""
RESERVE = 1.5
"""How many moves are prepared for each move that is expected."""
LENGTH = 140
"""Moves of a match of boardgame.io; `bots.js` has the same number."""
GAMES = {"one_game": 1, "twenty_games": 20}


def main(seconds: float = 20.0) -> dict[str, Any]:
    reason = _install()
    if reason:
        return {"skipped": reason}
    with tempfile.TemporaryDirectory() as directory, EmbeddedValkey(Path(directory)) as valkey:
        environment = make_environment(str(valkey.url))
        with (
            serve(["-c", CONFIGURATION], environment, processes=2) as service,
            _serve_peer() as peer,
        ):
            pairs = max(2, round(seconds / SLICE / 2 / len(GAMES)))
            return {name: _measure(service, peer, games, pairs) for name, games in GAMES.items()}


def make_environment(events_url: str) -> dict[str, str]:
    """Return the settings of the service: its limit of moves is counted and never reached."""
    return {"CARTULARY_EVENTS_URL": events_url, "CARTULARY_RATE_WRITES": "1000000000/minute"}


def _measure(service: Served, peer: int, games: int, pairs: int) -> dict[str, float]:
    with _play_peer(peer, games) as theirs:
        sides = [Side(Duels(service, games)), Side(theirs)]
        for side in sides:
            side.warm_up()
        return compare([(sides[0].run(), sides[1].run()) for _ in range(pairs)])


class PeerSide(Protocol):
    """One side of the comparison."""

    def prepare(self, moves: int) -> None:
        """Have so many moves ready in all games together."""

    def run(self, seconds: float) -> float:
        """Play; return the moves a second."""


class Side:
    """One side of the comparison, which has enough games ready for each slice."""

    def __init__(self, player: PeerSide) -> None:
        self._player, self._fastest = player, FIRST_GUESS

    def warm_up(self) -> None:
        """Play until the side has reached its speed."""
        for _ in range(WARM_UPS):
            self.run()

    def run(self) -> float:
        """Prepare, then play for a slice; return the moves a second."""
        self._player.prepare(int(RESERVE * self._fastest * SLICE))
        rate = self._player.run(SLICE)
        self._fastest = max(self._fastest, rate)
        return rate


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
    port = find_free_port()
    with _node("server.js", port) as process:
        _read_line(process)
        yield port


class Peer:
    """The bots of boardgame.io, in a process of their own."""

    def __init__(self, process: subprocess.Popen[str], games: int) -> None:
        self._process, self._games = process, games

    def prepare(self, moves: int) -> None:
        """Have so many moves ready in all games together."""
        self._ask(f"prepare {moves // self._games // LENGTH + 2}")

    def run(self, seconds: float) -> float:
        """Play; return the moves a second."""
        return float(self._ask(f"play {seconds}"))

    def _ask(self, command: str) -> str:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()
        return _read_line(self._process)


@contextmanager
def _play_peer(port: int, games: int) -> Iterator[Peer]:
    """Open games of boardgame.io; yields what plays them."""
    with _node("bots.js", port, games) as process:
        yield Peer(process, games)
