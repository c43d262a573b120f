"""Real archivers, players and an operator at one finished game, on a real store and archive."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from cartulary.events.archive.archive import Archive
from cartulary.events.archive.reading import Carried
from cartulary.events.chat.talk import Wording
from cartulary.events.model.errors import NotFound
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from simulation.specification.archiving import REMOVE, WRITE, Archiving, build
from simulation.specification.model import Model, ModelStep
from simulation.specification.moving import MANY
from simulation.specification.observing.archives import (
    HEADS,
    READ_ROW,
    REMOVE_ROW,
    SEALS,
    WRITE_ROW,
    ArchiveStepReader,
)
from simulation.specification.recording import RunRecorder
from tests.support.store_with_archive import NEVER, add_game, open_with_archive, tell_all

ARCHIVERS = ("archiver-1", "archiver-2")
GUESTS = {"writer-1": WRITE, "writer-2": WRITE, "operator": REMOVE}
TURNS = 5


class Archives:
    """One run. A pin ends, as after a minute, when no actor is at the game."""

    def __init__(self, url: str, seed: int) -> None:
        self._url, self._opened = url, ExitStack()
        # In memory: a run waits for no disk.
        memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
        self._folder = Path(self._opened.enter_context(tempfile.TemporaryDirectory(dir=memory)))
        self._aside = self._opened.enter_context(open_with_archive(connect(url), self._folder))
        self._aside.redis.flushall()
        self.game_id = add_game(self._aside)
        owner = self._aside.projector.table(self.game_id).seats[0].player or {}
        self._player = Player(owner["id"], owner["name"])
        self._busy: set[str] = set()
        names = [*ARCHIVERS, *GUESTS]
        self.recorder = RunRecorder(seed, names, ArchiveStepReader(ARCHIVERS))

    def run(self) -> list[ModelStep]:
        """Run, and return the steps."""
        with self._opened:
            stores = {name: self._open() for name in (*ARCHIVERS, *GUESTS)}
            archive = {name: partial(self._archive, name, stores[name]) for name in ARCHIVERS}
            come = {name: partial(self._come, name, stores[name]) for name in GUESTS}
            return self.recorder.run({**archive, **come})

    def make_model(self) -> Model[Archiving]:
        """Return the model in which everybody may come again."""
        return build(ARCHIVERS, GUESTS, faults=0, visits=MANY, deaths=MANY)

    def _open(self) -> Store:
        redis = self.recorder.follow(connect(self._url))
        store = self._opened.enter_context(open_with_archive(redis, self._folder))
        self._follow_archive(store.archive.archive)
        return store

    def _archive(self, name: str, store: Store) -> None:
        for _ in range(TURNS):
            with self.recorder.aside():
                tell_all(self._aside)
                if not self._busy:
                    self._aside.redis.delete(keys.pin(self.game_id))
            self._busy.add(name)
            store.make_archiver().run(NEVER, 5)
            self._busy.discard(name)
            self.recorder.do(("PAUSE",), lambda: None)

    def _come(self, name: str, store: Store) -> None:
        for _ in range(TURNS):
            self.recorder.do(("PAUSE",), lambda: None)
            self._aside.redis.delete(keys.talked(self._player.id))  # no player says so much so soon
            self._busy.add(name)
            try:
                if GUESTS[name] == WRITE:
                    store.talk.say(self._player, self.game_id, Wording("players", phrase="hello"))
                else:
                    store.bringing_back.unarchive(self.game_id)
            except NotFound:
                self.recorder.note("lost", name)
            self._busy.discard(name)

    # -- the archive, whose calls are operations as well ------------------------------------------

    def _follow_archive(self, archive: Archive) -> None:
        """Record what is asked of an archive, in words of the model."""
        seals, write, read = archive.seals, archive.write, archive.read
        heads, remove = archive.heads, archive.remove
        given: dict[str, int | None] = {}

        def look(ids: Any) -> Any:
            found: list[Any] = []
            self.recorder.do((SEALS,), lambda: self._take(found, seals(ids)))
            return found[0]

        def put(games: Any, seen: Any = None) -> Any:
            found: list[Any] = []
            given["row"] = _count(games[0])

            def call() -> bool:
                found.append(write(games, seen))
                return self.game_id in found[0]

            self.recorder.do((WRITE_ROW, given["row"]), call)
            return found[0]

        def get(game_id: str) -> Any:
            found: list[Any] = []
            words = (READ_ROW, given.get("row"))
            self.recorder.do(words, lambda: self._take(found, read(game_id)))
            return found[0]

        def ask(ids: Any) -> Any:
            found: list[Any] = []

            def call() -> Any:
                found.append(heads(ids))
                return found[0] or None

            self.recorder.do((HEADS,), call)
            return found[0]

        def drop(game_id: str, head: str) -> bool:
            return bool(self.recorder.do((REMOVE_ROW,), lambda: remove(game_id, head)))

        changed: Any = archive
        changed.seals, changed.write, changed.read = look, put, get
        changed.heads, changed.remove = ask, drop

    def _take(self, found: list[Any], answer: Any) -> int | None:
        """Keep an answer for the caller; return the content of the row as it is now."""
        found.append(answer)
        return _count(self._aside.archive.archive.read(self.game_id))


def _count(row: Any) -> int | None:
    """Return the messages in a row, None without a row."""
    return None if row is None else len(Carried(row).read_stream("chat:players"))
