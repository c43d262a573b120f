"""Processes of two releases on one store, and people who play on both meanwhile."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

import requests

from cartulary.cli.embedded.embedded import EmbeddedValkey
from tests.service.support.gunicorn_process import Gunicorn

Json = dict[str, Any]

DISPATCHER: Final = "cartulary.workers.dispatcher"
WORKER: Final = "cartulary.workers.worker"

PACE: Final = {"mode": "correspondence", "delay": 86_400, "bank": 0}
AWAY: Final = 503
"""The store does not answer: the same request has to be sent again later."""

PAUSE_S: Final = 0.3
"""Between two moves at a table: the test is about minutes, and not about speed."""

STARTED_WITHIN_S: Final = 300.0
"""People play meanwhile, so a busy machine takes longer than usual to start a process."""

BOTS: Final = ("random", None, None)
"""The bot at each table; people play each other at the others."""

OFTEN: Final = 0.2
"""The share of moves that are taken back."""


class Installation:
    """A store with an archive, and how processes of either release are started on it."""

    def __init__(self, data: Path, valkey: EmbeddedValkey, logs: Path) -> None:
        self.url, self._valkey = str(valkey.url), valkey
        self._logs, self._number = logs, count(1)
        self.archive = data / "archive.sqlite"
        self.settings = {
            "CARTULARY_EVENTS_URL": self.url,
            "CARTULARY_ARCHIVE_URL": f"sqlite:///{self.archive}",
            # As docs/operating/upgrades.md says for the time of the upgrade.
            "CARTULARY_ARCHIVE_AFTER": "off",
            "CARTULARY_RATE_PLAYERS": "",
            "CARTULARY_RATE_GAMES": "",
        }

    def serve(self, release: Path) -> Gunicorn:
        """Start a web process of a release and wait until it answers."""
        web = self.make_web(release)
        web.__enter__()
        return web

    def make_web(self, release: Path) -> Gunicorn:
        """Return a web process of a release that does not run yet."""
        own = {name.removeprefix("CARTULARY_"): one for name, one in self.settings.items()}
        own.pop("EVENTS_URL")
        web = Gunicorn(self.url, self._logs / f"web-{next(self._number)}.log", **own)
        web.folder, web.within = release, STARTED_WITHIN_S
        return web

    def restart_store(self) -> None:
        """Stop the server and start it again: what was acknowledged is on its disk."""
        self._valkey.stop()
        assert self._valkey.start() == self.url

    def put_archive_back(self, copy: bytes) -> None:
        """Put a copy of the archive into its place; a process that has it open notices that."""
        fresh = self.archive.with_suffix(".copy")
        fresh.write_bytes(copy)
        for ending in ("-wal", "-shm"):
            self.archive.with_name(self.archive.name + ending).unlink(missing_ok=True)
        fresh.replace(self.archive)

    def start(self, release: Path, module: str) -> subprocess.Popen[bytes]:
        """Start a dispatcher or a worker of a release."""
        with (self._logs / f"{module}-{next(self._number)}.log").open("wb") as log:
            return subprocess.Popen(
                [sys.executable, "-m", module],
                cwd=release,
                env={**os.environ, **self.settings},
                stdout=log,
                stderr=log,
            )

    def run(self, release: Path, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command of a release to its end."""
        return subprocess.run(
            [sys.executable, "-m", "cartulary.cli", *words],
            cwd=release,
            env={**os.environ, **self.settings},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )


def end(process: subprocess.Popen[bytes]) -> int:
    """Ask a process to end, and wait for that; returns its exit code."""
    process.send_signal(signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        return process.wait(60)
    process.kill()
    return process.wait()


def list_children(pid: int) -> list[int]:
    """Return the processes that a process has started, as Linux knows them."""
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


class Front:
    """What stands before the web processes: each request goes to the next of them."""

    def __init__(self) -> None:
        self._webs: list[str] = []
        self._turn = count()

    def show(self, *webs: Gunicorn) -> None:
        """Send all further requests to these."""
        self._webs = [web.api for web in webs]

    def choose(self) -> str:
        """Return the address for the next request."""
        webs = self._webs
        return webs[next(self._turn) % len(webs)]


class Refused(NamedTuple):
    """A request that was answered with anything but success."""

    request: str
    status: int
    text: str


class Ended(Exception):
    """A person is answered no more, or was refused."""


class Load:
    """People at tables of their own, who move, ask to take moves back and agree, until `stop`."""

    def __init__(self, front: Front, seed: int) -> None:
        self._front, self._stopping, self._ended = front, threading.Event(), threading.Event()
        self.refused: list[Refused] = []
        self.kept: list[tuple[str, int, str]] = []
        """Each event that an answer has promised: game, version, hash."""
        self.moves = self.takebacks = 0
        self.store_restarts = False
        """Whether a person sends what was answered with 503 again, with the same key."""
        self.failures: list[BaseException] = []
        self._threads = [
            threading.Thread(target=self._play, args=(10 * seed + table, bot), daemon=True)
            for table, bot in enumerate(BOTS)
        ]

    def __enter__(self) -> Load:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self.stop()

    def stop(self) -> None:
        """Let the people finish what they do."""
        self._stopping.set()
        for thread in self._threads:
            thread.join()

    def _play(self, seed: int, bot: str | None) -> None:
        rng = random.Random(seed)
        try:
            people = [Visitor(self, rng) for _ in range(2)]
            while not self._stopping.is_set():
                Table(self, people[:1] if bot else people, rng, bot).play(self._stopping)
        except Ended:
            pass
        except BaseException as error:  # told by the test, which runs in another thread
            self.failures.append(error)

    def ask(self, session: requests.Session, method: str, path: str, key: str, body: Any) -> Json:
        """Ask the next web process; one that is ending is asked again, with the same key."""
        headers = {"Idempotency-Key": key} if key else {}
        while not self._ended.is_set():
            url = f"{self._front.choose()}/{path}"
            try:
                answer = session.request(method, url, headers=headers, json=body, timeout=60)
            except requests.ConnectionError:
                continue
            if answer.status_code == AWAY and self.store_restarts:
                time.sleep(PAUSE_S)
                continue
            if answer.ok:
                return self._note(answer.json())
            self.refused.append(Refused(f"{method} {path}", answer.status_code, answer.text))
            break
        raise Ended

    def _note(self, found: Json) -> Json:
        """Keep what an answer promises, and return the answer."""
        for event in found.get("events", [found["event"]] if "event" in found else []):
            self.kept.append((found["game"]["id"], event["version"], event["hash"]))
            self.moves += event["type"] == "move_made"
            self.takebacks += event["type"] == "moves_taken_back"
        return found


class Visitor:
    """A player with a token."""

    def __init__(self, load: Load, rng: random.Random) -> None:
        self._load, self._rng = load, rng
        self._session = requests.Session()
        token = self.post("players", {"name": "Ada"})["token"]
        self._session.headers["Authorization"] = f"Bearer {token}"

    def get(self, path: str) -> Json:
        """Return the answer to GET."""
        return self._load.ask(self._session, "GET", path, "", None)

    def post(self, path: str, body: Any) -> Json:
        """Return the answer to POST, which is made once."""
        key = f"{self._rng.getrandbits(128):032x}"
        return self._load.ask(self._session, "POST", path, key, body)


class Table:
    """A timed game of two people, or an untimed one with a bot."""

    def __init__(
        self, load: Load, people: list[Visitor], rng: random.Random, bot: str | None
    ) -> None:
        self._load, self._people, self._rng = load, people, rng
        other = {"kind": "bot", "bot": bot} if bot else {"kind": "open"}
        body = {"game": "carcassonne", "seats": [{"kind": "me"}, other], "takebacks": "consent"}
        self.id = people[0].post("games", {**body, **({} if bot else {"pace": PACE})})["id"]
        if not bot:
            people[1].post(f"games/{self.id}/seats", {})

    def play(self, stopping: threading.Event) -> None:
        """Play to the end, or until it is time to stop."""
        while not stopping.wait(PAUSE_S):
            game = self._people[0].get(f"games/{self.id}")
            decision = game["decision"]
            if game["status"] in ("over", "scoring"):
                return  # a score waits for a worker, and for a while none works
            if decision is None or decision["seat"] >= len(self._people):
                continue  # a bot thinks
            written = self._move(decision["seat"], game["version"])
            is_over = written["game"]["decision"] is None
            if len(self._people) > 1 and not is_over and self._rng.random() < OFTEN:
                self._take_back(decision["seat"])

    def _move(self, seat: int, version: int) -> Json:
        mover = self._people[seat]
        moves = mover.get(f"games/{self.id}/moves")["moves"]
        body = {"move": self._rng.choice(moves), "expected_version": version}
        return mover.post(f"games/{self.id}/moves", body)

    def _take_back(self, seat: int) -> None:
        proposals = f"games/{self.id}/proposals"
        asked = self._people[seat].post(proposals, {"kind": "takeback"})["game"]["proposal"]
        if asked is not None:
            self._people[1 - seat].post(f"{proposals}/{asked['id']}/answers", {"answer": "accept"})
