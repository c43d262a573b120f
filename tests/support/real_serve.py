"""A real `cartulary serve` and a person who plays on it over HTTP."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import requests

from tests.support.polling import until

Json = dict[str, Any]

_SERVE = (sys.executable, "-m", "cartulary.cli", "serve")
_SERVE_WITH = """
import sys
from importlib import import_module
from cartulary.cli.main import main
for name, value in (argument.split("=") for argument in sys.argv.pop(1).split()):
    module, _, constant = name.rpartition(".")
    assert hasattr(import_module(f"cartulary.cli.{module}"), constant)
    setattr(import_module(f"cartulary.cli.{module}"), constant, float(value))
main()
"""


class Served:
    """`cartulary serve` on a data directory and a port, by default any; a context manager.

    `folder` is where Python starts: the package `cartulary` in it is the one that runs. `client` is
    what browsers get: the built files only while they come from the sources of today, or `built`.
    `seconds` are times of `cartulary.cli` that are other than usual: `{"serve.SILENT_S": 5}`.
    There is no notifier unless `arguments` say `--notices`.
    There is one worker unless `arguments` say `--workers=2`: a start of each takes a second of a
    processor, and few tests need a second worker.
    """

    def __init__(
        self,
        data: Path,
        *arguments: str,
        folder: Path | None = None,
        port: int = 0,
        client: str = "current",
        seconds: Mapping[str, float] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        others = " ".join(f"{name}={value}" for name, value in (seconds or {}).items())
        command = (sys.executable, "-c", _SERVE_WITH, others, "serve") if others else _SERVE
        self.data = data
        self._log = data.with_suffix(".log")
        self._offset = self._log.stat().st_size if self._log.exists() else 0
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [*command, f"--port={port}", f"--data={data}", "--workers=1", *arguments],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=folder,
                env={
                    **os.environ,
                    "CARTULARY_EVENTS_URL": "",
                    "CARTULARY_WEB_PROCESSES": "1",
                    "CARTULARY_CLIENT": client,
                    "CARTULARY_NOTICES": "0",
                    **(environment or {}),
                },
            )
        try:
            self.url = self._await()
        except BaseException:
            self._kill()
            raise

    def _kill(self) -> None:
        """Leave nothing behind: what dies with `serve` does, and its Valkey does not."""
        self.process.kill()
        for pid in self.pids("valkey"):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def _await(self) -> str:
        """Return the address once it says that it is ready."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert re.match(r"ready on https?://127\.0\.0\.1:", line), self.log()
        return line.removeprefix("ready on ").strip()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.stop()
        elif self.process.returncode == -signal.SIGKILL:
            self._kill()

    def stop(self, number: int = signal.SIGTERM, within: float = 60) -> int:
        """Send a signal, wait until it has ended, and return the exit code."""
        self.process.send_signal(number)
        try:
            return self.process.wait(within)
        except subprocess.TimeoutExpired:
            self._kill()
            raise

    def log(self) -> str:
        """Return what this run has written to stderr so far."""
        with self._log.open("rb") as file:
            file.seek(self._offset)
            return file.read().decode()

    def pids(self, name: str) -> list[int]:
        """Return the process ids that a child has had, the newest last."""
        return [int(pid) for pid in re.findall(rf"serve: {name} runs \(pid (\d+)\)", self.log())]

    def kill(self, name: str) -> None:
        """Kill a child with SIGKILL and wait until it has been started again."""
        before = self.pids(name)
        os.kill(before[-1], signal.SIGKILL)
        until(lambda: len(self.pids(name)) > len(before))


class Person:
    """A player with a token who answers at random; `seed` makes the answers the same again."""

    def __init__(self, served: Served, seed: int = 1) -> None:
        self.served = served
        self._random = random.Random(seed)
        # A session keeps its connection: a game takes hundreds of requests.
        self._session = requests.Session()
        self._token = ""
        self._token = self._request("POST", "players", {"name": "Ada"})["token"]

    def _request(self, method: str, path: str, body: Any = None, key: str = "") -> Any:
        """Ask until there is an answer: the web process may be on its way back."""
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        if key:
            headers["Idempotency-Key"] = key
        url = f"{self.served.url}/api/v1/{path}"

        def ask() -> requests.Response | None:
            try:
                answer = self._session.request(method, url, headers=headers, json=body, timeout=60)
            except requests.ConnectionError:
                return None
            return answer if answer.status_code < 500 else None

        answer = until(ask)
        assert answer is not None
        assert answer.ok, answer.text
        return answer.json()

    def create(self, *bots: str) -> str:
        """Open a game of Carcassonne against bots, and return its id."""
        seats = [{"kind": "me"}, *({"kind": "bot", "bot": bot} for bot in bots)]
        return self.create_from({"game": "carcassonne", "seats": seats})

    def create_from(self, body: Json) -> str:
        """Create a game as described, and return its id."""
        game_id: str = self._request("POST", "games", body)["id"]
        return game_id

    def get(self, path: str) -> Any:
        """Return the answer to GET, as JSON."""
        return self._request("GET", path)

    def post(self, path: str, body: Any) -> Any:
        """Return the answer to POST, as JSON."""
        return self._request("POST", path, body)

    def watch(self, game_id: str) -> Any:
        """Return the open stream of a game's events, from the first one on."""
        url = f"{self.served.url}/api/v1/games/{game_id}/events?after=0"
        accept = {"Accept": "text/event-stream"}
        answer = requests.get(url, headers=accept, stream=True, timeout=60)
        assert answer.ok, answer.text
        return answer.raw

    def wait(self, game_id: str, version: int) -> Json:
        """Return the game as soon as its version is greater."""

        def newer() -> Json | None:
            self.get(f"games/{game_id}/events?after={version}&limit=1&wait=5")
            game: Json = self.get(f"games/{game_id}")
            return game if game["version"] > version else None

        found = until(newer)
        assert found is not None
        return found

    def play(self, game_id: str, turns: int | None = None) -> Json:
        """Answer until the game is over, or `turns` times; return the game as it is then."""
        game: Json = self.get(f"games/{game_id}")
        while game["status"] != "over" and turns != 0:
            if game["decision"] is None or game["decision"]["seat"] != 0:
                game = self.wait(game_id, game["version"])
                continue
            game = self.answer(game_id, game["version"])
            turns = turns if turns is None else turns - 1
        return game

    def play_all(self, game_id: str, turns: int | None = None) -> Json:
        """As `play`, for a game in which the person holds several seats."""
        game: Json = self.get(f"games/{game_id}")
        while game["status"] != "over" and turns != 0:
            decision = game["decision"]
            if decision is None or game["seats"][decision["seat"]]["player"] is None:
                game = self.wait(game_id, game["version"])
                continue
            game = self.answer(game_id, game["version"])
            turns = turns if turns is None else turns - 1
        return game

    def answer(self, game_id: str, version: int) -> Json:
        """Make a move at random, once: the key makes asking again safe."""
        moves = self.get(f"games/{game_id}/moves")["moves"]
        body = {"move": self._random.choice(moves), "expected_version": version}
        path, key = f"games/{game_id}/moves", f"answer-{version}"
        written: Json = self._request("POST", path, body, key)["game"]
        return written
