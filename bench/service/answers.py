"""How long a person waits for a bot: real `cartulary serve`, several games at once, over HTTP.

Each game has a person and a bot of `--level`, half of the games are Carcassonne and half Caylus.
The person answers `--pause` seconds after the bot (0: at once) with a legal move by chance. The
time of an answer is that from the request of the person, or from the event before in a row of the
bot's decisions, to the arrival of the bot's event; moves that were planned count as no answer.

The keys of `--json`, for each game and for all: `answers`, their number; `p50_s`, `p95_s`, `max_s`;
`used`, the share of the level's iterations that the bot has used, on average (less than 1 where a
person had waited, or where the time of the level was over before).

    python -m bench answers --level hard --pause 8 --seconds 60
    python -m bench answers --level expert --pause 8 --seconds 60
    python -m bench answers --level expert --pause 0 --seconds 60
"""

from __future__ import annotations

import http.client
import random
import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from bench.faults.service import ServiceProcess
from cartulary.games import OFFERS

NAMES = ("carcassonne", "caylus")
TIMEOUT_S = 60.0
WAIT_S = 25
"""How long a page of events waits for an event."""


class BotReply(NamedTuple):
    """An answer of a bot: the game, the seconds, and the share of its iterations that it used."""

    game: str
    seconds: float
    used: float


def main(
    seconds: float = 60.0,
    level: str = "hard",
    games: int = 10,
    pause: float = 8.0,
    workers: int = 2,
) -> dict[str, Any]:
    """Measure; raises `RuntimeError` when a client gets a refusal."""
    with tempfile.TemporaryDirectory() as folder:
        data, log = Path(folder) / "data", Path(folder) / "log"
        with ServiceProcess(data, f"--workers={workers}", log=log) as service:
            people = [
                BotOpponent(service.port, NAMES[number % len(NAMES)], level, pause, number)
                for number in range(games)
            ]
            return _measure(people, seconds)


def _measure(people: list[BotOpponent], seconds: float) -> dict[str, Any]:
    deadline = time.monotonic() + seconds
    threads = [threading.Thread(target=one.run, args=(deadline,)) for one in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems := [one.problem for one in people if one.problem]:
        raise RuntimeError("; ".join(problems))
    answers = [answer for one in people for answer in one.answers]
    found = {name: _describe([one for one in answers if one.game == name]) for name in NAMES}
    return {**found, "all": _describe(answers)}


def _describe(answers: list[BotReply]) -> dict[str, float]:
    if not answers:
        return {"answers": 0}
    times = sorted(answer.seconds for answer in answers)
    return {
        "answers": len(times),
        "p50_s": times[len(times) // 2],
        "p95_s": times[min(len(times) - 1, int(0.95 * len(times)))],
        "max_s": times[-1],
        "used": statistics.mean(answer.used for answer in answers),
    }


class BotOpponent:
    """A person who plays one game after another against a bot; `run` is for a thread."""

    def __init__(self, port: int, game: str, level: str, pause: float, seed: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S)
        self._game, self._level, self._pause = game, level, pause
        self._random = random.Random(seed)
        budget = OFFERS[game].bots[level].budget
        self._full = 1 if budget is None or budget.iterations is None else budget.iterations
        self._token = ""
        self.answers: list[BotReply] = []
        self.problem = ""

    def run(self, deadline: float) -> None:
        """Play until `deadline` (of `time.monotonic`)."""
        try:
            self._token = self._ask("POST", "/players", {"name": "Ada"})["token"]
            # Not all at the same moment, as people would not either.
            time.sleep(self._random.random() * self._pause)
            while time.monotonic() < deadline:
                self._play(deadline)
        except (OSError, http.client.HTTPException, RuntimeError) as error:
            self.problem = f"{type(error).__name__}: {error}"
        finally:
            self._connection.close()

    def _play(self, deadline: float) -> None:
        seats = [{"kind": "me"}, {"kind": "bot", "bot": self._level}]
        self._random.shuffle(seats)
        mine = seats.index({"kind": "me"})
        game = self._ask("POST", "/games", {"game": self._game, "seats": seats})
        path, version, began = f"/games/{game['id']}", game["version"], time.monotonic()
        while time.monotonic() < deadline:
            page = self._ask("GET", f"{path}/moves")
            if page["decision"] is None:
                return
            if page["decision"]["seat"] != mine:
                version, began = self._await_bot(path, version, began)
                continue
            time.sleep(self._pause)
            body = {"move": self._random.choice(page["moves"]), "expected_version": page["version"]}
            began = time.monotonic()
            version = self._ask("POST", f"{path}/moves", body)["version"]

    def _await_bot(self, path: str, version: int, began: float) -> tuple[int, float]:
        """Wait for events after a version; returns the last version and when its event came."""
        page = self._ask("GET", f"{path}/events?after={version}&wait={WAIT_S}")
        now = time.monotonic()
        for event in page["events"]:
            version, bot = event["version"], event.get("bot")
            if bot is not None and not bot.get("planned"):
                used = bot["iterations"] / self._full
                self.answers.append(BotReply(self._game, now - began, used))
        return version, now

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        text = None if body is None else orjson.dumps(body)
        self._connection.request(method, f"/api/v1{path}", text, headers)
        answer = self._connection.getresponse()
        found = orjson.loads(answer.read())
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {found.get('detail')}")
        return found
