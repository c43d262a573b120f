"""The archive of a run: SQLite as the product uses it, with what goes wrong between statements.

SQLite never waits here: it would hold up the whole world. So a database that another process
writes to is an archive that does not answer, and the product tries again.
"""

from __future__ import annotations

import os
import random
import sqlite3
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Engine, event
from sqlalchemy.exc import OperationalError

from cartulary.events.archive import database
from cartulary.events.chat.talk import Wording
from cartulary.events.model.errors import RateLimited, Refused
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from simulation.faults.schedule import PlannedFault
from simulation.play.people import SimulatedPeople
from simulation.world.world import SECOND, SimulatedWorld, find_strand

ARCHIVED_AFTER_S: Final = 15
"""Seconds after its end after which a game is archived."""

VISITS: Final = 3
"""How often a person writes to a game that is over."""

VISITED_WITHIN_S: Final = 120.0

TAKES_NS: Final = 3_000_000
"""Nanoseconds, at most, that a statement takes."""


class SimulatedArchive:
    """A database in a folder of its own, and the faults of its statements."""

    def __init__(self, world: SimulatedWorld) -> None:
        self.world = world
        self._rng = random.Random(f"{world.seed}/archive")
        self._away_until = 0
        self._skips: list[int] = []
        """After so many statements each, a process dies before one."""
        memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
        self._folder = tempfile.TemporaryDirectory(dir=memory)
        # The name of the file is in the log, which is a part of the run.
        os.chdir(self._folder.name)
        os.environ.update(
            CARTULARY_ARCHIVE_URL="sqlite:///archive.sqlite",
            CARTULARY_ARCHIVE_AFTER=str(ARCHIVED_AFTER_S),
        )
        setattr(database, "BUSY_S", 0)  # noqa: B010
        event.listen(Engine, "connect", self._note_connection)
        event.listen(Engine, "before_cursor_execute", self._before_statement)
        event.listen(Engine, "commit", self._before_commit)

    def close(self) -> None:
        """Remove the folder."""
        os.chdir("/")
        self._folder.cleanup()

    def list_kinds(self) -> dict[str, Callable[[PlannedFault], None]]:
        """Return what inflicts each kind of fault."""
        return {"archive_crash": self._arm, "archive_away": self._go_away}

    def _arm(self, fault: PlannedFault) -> None:
        self._skips.append(fault.skips)

    def _go_away(self, fault: PlannedFault) -> None:
        self._away_until = self.world.now + int((1 + 19 * fault.size) * SECOND)

    def _note_connection(self, raw: Any, _record: Any) -> None:
        """Let a process that ends give back what it has locked."""
        if (strand := find_strand()) is not None:
            strand.process.at_end[raw.close] = None

    def _before_statement(
        self, _connection: Any, _cursor: Any, statement: str, parameters: Any, *_more: Any
    ) -> None:
        self._let_others_go_on()
        if self._away_until > self.world.now:
            raise OperationalError(
                statement, parameters, sqlite3.OperationalError("disk I/O error")
            )

    def _before_commit(self, _connection: Any) -> None:
        self._let_others_go_on()

    def _let_others_go_on(self) -> None:
        strand = find_strand()
        if strand is None:
            return
        if self._skips and not strand.process.name.startswith(("people", "judge", "reader")):
            self._skips[0] -= 1
            if self._skips[0] < 0:
                self._skips.pop(0)
                self.world.trace.note(self.world.now, "world", f"it hits {strand.name}")
                self.world.halt(strand.process)
        self.world.sleep(self._rng.randrange(TAKES_NS) / SECOND)


class Visits:
    """People who come to games that are over, and write there; `open` counts those on their way."""

    def __init__(self, crowd: SimulatedPeople) -> None:
        self.crowd = crowd
        self.rng = random.Random(f"{crowd.world.seed}/visits")
        self.open = 0
        self.said: dict[tuple[str, str], int] = {}
        """How many messages a game (its id) has of a player (the id)."""
        self.notes: dict[tuple[str, str], str] = {}

    def begin(self, game: str, players: list[Player]) -> None:
        """Let the players of a game that is over come back now and then."""
        process = self.crowd.world.must_run().process
        for player in players:
            self.open += 1
            self.crowd.world.spawn(process, f"{player.name}/visit", partial(self._be, game, player))

    def _be(self, game: str, player: Player) -> None:
        for number in range(VISITS):
            self.crowd.world.sleep(VISITED_WITHIN_S * self.rng.random())
            try:
                self._come(game, player, number)
            except RateLimited:
                self.crowd.tell(player.name, f"has said too much lately for {game}")
            except Refused as error:
                self.crowd.report(f"{game}: a visit is refused: {error.code} {error}")
        self.open -= 1

    def _come(self, game: str, player: Player, number: int) -> None:
        crowd, key, place = self.crowd, self.crowd.new_key(), (game, player.id)
        if self.rng.random() < 0.5:
            text = f"visit {number}"
            crowd.insist(lambda store: store.notes.write(player, game, text, key))
            self.notes[place] = text
            crowd.tell(player.name, f"keeps the note {number} on {game}")
        else:
            wording = Wording("players", phrase="hello")
            crowd.insist(lambda store: store.talk.say(player, game, wording, key))
            self.said[place] = self.said.get(place, 0) + 1
            crowd.tell(player.name, f"says something in {game}")

    def check(self, store: Store) -> None:
        """Report what was written and is not there, or is there twice."""
        for (game, player), count in self.said.items():
            found = len(store.talk.written_by(player, game))
            if found != count:
                self.crowd.report(f"{game}: {found} messages in place of {count}")
        for (game, player), text in self.notes.items():
            note = store.notes.find(player, game)
            if note != text:
                self.crowd.report(f"{game}: the note is {note!r}, not {text!r}")


def check_archive(crowd: SimulatedPeople, store: Store) -> int:
    """Report games whose row differs from the game in the store; returns how many have a row."""
    archived = 0
    for game in crowd.journal.games:
        row = store.archive.read(game)
        if row is None:
            continue
        archived += 1
        if not store.ledger.stored_version(game):
            continue
        kept = [fields[b"event"] for _, fields in store.ledger.entries(game)]
        if list(row.texts) != kept:
            crowd.report(f"{game}: the row in the archive has other events than the store")
    return archived
