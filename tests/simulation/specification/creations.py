"""Real web processes that create a game by one key, and real dispatchers; each may be killed."""

from __future__ import annotations

from contextlib import ExitStack, closing
from functools import partial
from typing import Any

from redis import Redis

from cartulary.events.commands.commands import Intent
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.queues.queues import queues_on
from simulation.specification.creating import Creating, build
from simulation.specification.model import Model, ModelStep
from simulation.specification.moving import MANY
from simulation.specification.observing.creations import CreationReader
from simulation.specification.recording import FaultRates, KilledActor, RunRecorder
from tests.conftest import OFFERS
from tests.events.support.bean_games import beans_game

WEBS = ("web-1", "web-2")
DISPATCHERS = ("dispatcher-1", "dispatcher-2")
ATTEMPTS = 3


class Creations:
    """One run. A process that was killed comes back, and the player sends the request again."""

    def __init__(self, url: str, seed: int) -> None:
        self._url, self._opened = url, ExitStack()
        self._aside = self._opened.enter_context(closing(Store(connect(url), OFFERS)))
        self._aside.redis.flushall()
        self._aside.claim()
        self._player = self._aside.players.create("Ada")[0]
        self._reader = CreationReader(DISPATCHERS, self._probe)
        actors = (*WEBS, *DISPATCHERS)
        self.recorder = RunRecorder(seed, actors, self._reader, FaultRates(killed=25))

    def run(self) -> list[ModelStep]:
        """Run, and return the steps."""
        with self._opened:
            create = {name: partial(self._create, name) for name in WEBS}
            dispatch = {name: partial(self._dispatch, name) for name in DISPATCHERS}
            return self.recorder.run({**create, **dispatch})

    def make_model(self) -> Model[Creating]:
        """Return the model in which any process may die at any time."""
        return build(WEBS, DISPATCHERS, MANY)

    def _open(self) -> Store:
        with self.recorder.aside():
            redis: Redis = self.recorder.follow(connect(self._url))
            return self._opened.enter_context(closing(Store(redis, OFFERS)))

    def _probe(self, game_id: str) -> tuple[bool, bool]:
        """Return whether the secret of a game is stored, and whether an entry leads to it."""
        redis: Any = self._aside.redis
        entries = [fields for shard in keys.outboxes() for _, fields in redis.xrange(shard)]
        has_entry = any(fields[b"game"] == game_id.encode() for fields in entries)
        return bool(redis.exists(keys.secret(game_id))), has_entry

    def _create(self, name: str) -> None:
        for _ in range(ATTEMPTS):
            store = self._open()
            self._reader.begin(name)
            self.recorder.note("ask", name)
            try:
                table = store.commands.create(Intent(self._player, key="one"), beans_game()).table
            except KilledActor:
                self.recorder.note("kill web", name)
                continue
            self.recorder.note("answer", name, self._reader.name(table.id))

    def _dispatch(self, name: str) -> None:
        for _ in range(2 * ATTEMPTS):
            store = self._open()
            # The other one is another process of the same host: they share the consumer.
            dispatcher = Dispatcher(store, queues_on(store.registry), consumer=name)
            try:
                dispatcher.step()
            except KilledActor:
                self.recorder.note("kill dispatcher", name)
