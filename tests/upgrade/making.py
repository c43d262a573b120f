"""Makes the files of the first release from the history: `python -m tests.upgrade.making`.

The sources have no history of their own in a clone that is shallow, so they are kept as a file. The
backup is written by the first release itself, of games that its own service has played.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from tests.support.real_serve import Person, Served
from tests.upgrade.first_release import BACKUP, COMMIT, SOURCES, TODAY, unpack_sources

ROOMS = (
    *("cartulary", "analysis", "bots", "cli", "engine", "events", "games", "league", "locales"),
    *("pictures", "service", "workers"),
)
PACE = {"mode": "correspondence", "delay": 86_400, "bank": 0}
SECRET = "5e" * 32
"""The key of the draws in all tests (`tests.conftest`)."""


def pack_sources() -> None:
    """Write the rooms of the first release, with the same bytes at each time."""
    packed = subprocess.run(
        ["git", "archive", "--format=tar", COMMIT, *ROOMS],
        cwd=TODAY,
        capture_output=True,
        check=True,
    ).stdout
    with (
        tarfile.open(fileobj=io.BytesIO(packed)) as source,
        tarfile.open(SOURCES, "w:xz") as target,
    ):
        for member in source:
            content = source.extractfile(member) if member.isfile() else None
            target.addfile(member, content)


class Table:
    """A game of several persons, who answer at random."""

    def __init__(self, people: list[Person], body: dict[str, Any]) -> None:
        self.people = people
        self.id = people[0].create_from({"seats": [{"kind": "me"}, {"kind": "open"}], **body})
        for person in people[1:]:
            person.post(f"games/{self.id}/seats", {})

    def play(self, turns: int) -> None:
        """Make so many moves, or fewer where the game is over."""
        for _ in range(turns):
            game = self.people[0].get(f"games/{self.id}")
            if game["decision"] is None:
                return
            self.people[game["decision"]["seat"]].answer(self.id, game["version"])


def play_games(served: Served) -> None:
    """Play games of both kinds: finished, running, left, timed, taken back, not begun."""
    ada, bob = Person(served, 1), Person(served, 2)
    for game in ("carcassonne", "caylus"):
        bot = {"kind": "bot", "bot": "random"}
        ada.play(ada.create_from({"game": game, "seats": [{"kind": "me"}, bot]}))
        running = Table([ada, bob], {"game": game})
        running.play(20)
        timed = Table([ada, bob], {"game": game, "pace": PACE, "takebacks": "consent"})
        timed.play(9)
        take_back(timed)
        left = Table([ada, bob], {"game": game, "substitutes": True})
        left.play(7)
        bob.post(f"games/{left.id}/resignation", {})
        ada.create_from({"game": game, "seats": [{"kind": "me"}, {"kind": "open"}]})
        ada.post(f"games/{running.id}/messages", {"room": "players", "phrase": "nice_move"})


def take_back(table: Table) -> None:
    """Make a move and take it back, with the consent of the other player where that is needed."""
    game = table.people[0].get(f"games/{table.id}")
    seat = game["decision"]["seat"]
    mover, other = table.people[seat], table.people[1 - seat]
    mover.answer(table.id, game["version"])
    proposals = f"games/{table.id}/proposals"
    open_ = mover.post(proposals, {"kind": "takeback"})["game"]["proposal"]
    if open_ is not None:
        other.post(f"{proposals}/{open_['id']}/answers", {"answer": "accept"})


def back_up(folder: Path) -> None:
    """Let the first release play and write its backup."""
    release = unpack_sources(folder / "release")
    with Served(
        folder / "data", folder=release, environment={"CARTULARY_SECRET": SECRET}
    ) as served:
        play_games(served)
    for words in (("archive", "--now"), ("backup", str(BACKUP))):
        run(release, *words, f"--data={folder / 'data'}")


def run(release: Path, *words: str) -> None:
    """Run a command of the first release."""
    environment = {**os.environ, "CARTULARY_SECRET": SECRET}
    subprocess.run(
        [sys.executable, "-m", "cartulary.cli", *words], cwd=release, env=environment, check=True
    )


if __name__ == "__main__":
    pack_sources()
    with tempfile.TemporaryDirectory() as made:
        back_up(Path(made))
