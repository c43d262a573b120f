"""A bot of others at a table of a real service: the file that plays in a league plays here."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cartulary.match import read_transcript, verify_transcript
from tests.outside.test_examples import JAVASCRIPT, PYTHON, ROOT
from tests.support.missing_tools import missing
from tests.support.night import short_or_long
from tests.support.polling import until
from tests.support.real_serve import Person, Served

pytestmark = [pytest.mark.process, pytest.mark.slow]

STORED = re.compile(r" v(\d+) seat \d+: .+ \d+ ms")


class RunningBot:
    """`cartulary bot run` with the token of a new bot, connected; a context manager."""

    def __init__(self, served: Served, folder: Path, *arguments: str) -> None:
        self._log, self._served = folder / "bot.log", Person(served)
        token = folder / "bot.token"
        self.player = self._served.post("players/me/bots", {"name": "Bot"})
        token.write_text(self.player["token"])
        token.chmod(0o600)
        self._command = [sys.executable, "-m", "cartulary.cli", "bot", "run", *arguments]
        self._command += ["--url", served.url, "--token-file", str(token)]
        self.start()

    def start(self) -> None:
        """Start the process, again after an end."""
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(self._command, stderr=log, cwd=ROOT)

    def __enter__(self) -> RunningBot:
        until(lambda: any(line.endswith("listens") for line in self.log))
        until(lambda: self.player["id"] in {one["id"] for one in self._served.get("bots")["bots"]})
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    @property
    def log(self) -> list[str]:
        """The lines so far."""
        return self._log.read_text().splitlines()

    @property
    def moves(self) -> list[int]:
        """The versions of the moves that were logged as stored, each with the time that it took.

        A resignation may overtake a thought: that line says "not stored", at the version before.
        """
        return [int(found[1]) for line in self.log if (found := STORED.search(line))]


def open_table(ada: Person, game: str, bot: RunningBot) -> str:
    seats = [{"kind": "me"}, {"kind": "invite", "player": bot.player["id"]}]
    return ada.create_from({"game": game, "seats": seats})


def finish(ada: Person, game: str) -> dict[str, Any]:
    """Play on and resign, at night to the end; return the game as it is then."""
    if (turns := short_or_long(4, None)) is not None:
        ada.play(game, turns=turns)
        ada.post(f"games/{game}/resignation", {})
    return ada.play(game)


def check_game(ada: Person, game: str, over: dict[str, Any], bot: RunningBot) -> None:
    """Check that the game is valid, and that each logged move is one event of the bot's seat."""
    assert over["status"] == "over", bot.log
    transcript = ada.get(f"games/{game}/transcript")
    assert verify_transcript(read_transcript(json.dumps(transcript))).valid
    events = ada.get(f"games/{game}/events?limit=1000")["events"]
    mine = {one["version"] for one in events if one["type"] == "move_made" and one["seat"] == 1}
    logged = Counter(bot.moves)
    assert set(logged) <= mine
    assert max(logged.values()) == 1
    assert len(mine - set(logged)) <= 2  # a kill comes between a move and its line at worst


def test_a_bot_that_is_killed_goes_on_with_its_game(shared_service: Served, tmp_path: Path) -> None:
    ada = Person(shared_service)
    with RunningBot(shared_service, tmp_path, PYTHON) as bot:
        game = open_table(ada, "carcassonne", bot)
        ada.play(game, turns=short_or_long(3, 6))
        for _ in range(2):
            bot.process.send_signal(signal.SIGKILL)
            bot.process.wait()
            bot.start()
            ada.play(game, turns=short_or_long(3, 8))
        over = finish(ada, game)
        check_game(ada, game, over, bot)
        until(lambda: any(f"{game}: over" in line for line in bot.log))
        bot.process.terminate()
        assert bot.process.wait(60) == 0
        assert bot.log[-1].endswith("ends; its games wait for its return")


def test_an_engine_plays_on_while_the_service_starts_again(
    shared_service: Served, tmp_path: Path
) -> None:
    if shutil.which("node") is None:
        missing("the engine in JavaScript needs node")
    ada = Person(shared_service)
    command = JAVASCRIPT.removeprefix("command:")
    with RunningBot(shared_service, tmp_path, "--command", command, "--games", "caylus") as bot:
        game = open_table(ada, "caylus", bot)
        ada.play(game, turns=3)
        shared_service.kill("web")
        over = finish(ada, game)
        check_game(ada, game, over, bot)
        declined = ada.get(f"games/{open_table(ada, 'carcassonne', bot)}/events")["events"][-1]
        assert (declined["type"], declined["reason"]) == ("seat_declined", "game")
