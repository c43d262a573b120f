"""What a person waits for a bot while another client has opened many games of bots only."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from bench.service._served import CONFIGURATION, ROOT, SECRET, post, run_service
from cartulary.cli.embedded.embedded import EmbeddedValkey

WORKERS = 2
CROWD = {"game": "caylus", "seats": [{"kind": "bot", "bot": "medium"}] * 4}
MINE = {
    "game": "carcassonne",
    "seats": [{"kind": "me"}, {"kind": "bot", "bot": "medium"}],
    "visibility": "private",
}


def measure_crowd(seconds: float, games: int) -> dict[str, Any]:
    """Return how long bots take to answer a person: alone, and next to `games` games of bots."""
    with run_house({}) as port:
        person = CrowdPlayer(port)
        person.answer_for(2.0)  # warms caches up
        alone = person.answer_for(seconds / 2)
        crowd = post(port, "/players", {"name": "crowd"})["token"]
        opened = [post(port, "/games", CROWD, crowd)["id"] for _ in range(games)]
        crowded = person.answer_for(seconds / 2)
        left = sum(_get(port, f"/games/{one}")["status"] == "running" for one in opened)
    if not left:
        raise RuntimeError("the games of bots were over before the measurement: open more of them")
    p95_alone, p95_crowded = (statistics.quantiles(found, n=20)[18] for found in (alone, crowded))
    return {
        "bot_answers": len(alone) + len(crowded),
        "still_running": left,
        "alone": {"p50_ms": statistics.median(alone) * 1000, "p95_ms": p95_alone * 1000},
        "beside": {"p50_ms": statistics.median(crowded) * 1000, "p95_ms": p95_crowded * 1000},
        "slowest_beside_ms": max(crowded) * 1000,
        "ratio": p95_crowded / p95_alone,
    }


@contextmanager
def run_house(more: dict[str, str]) -> Iterator[int]:
    """Run a store, a web process, a dispatcher and the workers; yields the port.

    `more` are variables of the environment in addition to those of every house.
    """
    with (
        tempfile.TemporaryDirectory() as directory,
        EmbeddedValkey(Path(directory)) as valkey,
        run_house_on(str(valkey.url), more) as port,
    ):
        yield port


@contextmanager
def run_house_on(url: str, more: dict[str, str]) -> Iterator[int]:
    """Run the same on a store that is there."""
    environment = {
        **SECRET,
        "CARTULARY_EVENTS_URL": url,
        "CARTULARY_QUEUE_URL": "",
        "CARTULARY_LOG_REQUESTS": "0",
        "CARTULARY_LOG_LEVEL": "ERROR",
        **more,
    }
    with (
        run_service(["-c", CONFIGURATION], environment) as port,
        run_background(environment),
    ):
        yield port


@contextmanager
def run_background(environment: dict[str, str]) -> Iterator[None]:
    """Run a dispatcher and the workers."""
    modules = ["dispatcher", *["worker"] * WORKERS]
    running = [
        subprocess.Popen(
            [sys.executable, "-m", f"cartulary.workers.{module}"],
            env={**os.environ, **environment},
            cwd=ROOT,
        )
        for module in modules
    ]
    try:
        yield
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait(timeout=60)


class CrowdPlayer:
    """A player who plays against a bot, one game after another."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._token = post(port, "/players", {"name": "person"})["token"]
        self._game: Any = None

    def answer_for(self, seconds: float) -> list[float]:
        """Make moves for a while; return the seconds from each move until the bot has answered."""
        taken: list[float] = []
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            took = self._move()
            if took is not None:
                taken.append(took)
        return taken

    def _move(self) -> float | None:
        """Make the first legal move; return how long the bot took, None when it was not asked."""
        if self._game is None or self._game["status"] != "running":
            self._game = self._until_asked(post(self._port, "/games", MINE, self._token))
        path = f"/games/{self._game['id']}"
        moves = _get(self._port, f"{path}/moves", self._token)["moves"]
        began = time.perf_counter()
        answer = post(self._port, f"{path}/moves", {"move": moves[0]}, self._token)["game"]
        decision = answer["decision"]
        self._game = self._until_asked(answer)
        time.sleep(0.02)
        if decision is None or decision["seat"] == 0:
            return None
        return time.perf_counter() - began - 0.02

    def _until_asked(self, game: Any) -> Any:
        """Return the game as soon as it asks the person, or its play is over."""
        while game["status"] == "running" and game["decision"]["seat"] != 0:
            path = f"/games/{game['id']}"
            _get(self._port, f"{path}/events?after={game['version']}&wait=30", self._token)
            game = _get(self._port, path, self._token)
        return game


def _get(port: int, path: str, token: str = "") -> Any:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1{path}", headers=headers)
    with urllib.request.urlopen(request, timeout=120) as answer:
        return orjson.loads(answer.read())
