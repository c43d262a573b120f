"""Real processes that make moves in one game; answers get lost, and the store falls back."""

from __future__ import annotations

import random
from contextlib import closing
from typing import Any

from redis.exceptions import RedisError

from cartulary.events.commands.commands import Intent
from cartulary.events.ledger.ledger import VersionConflict
from cartulary.events.ledger.writer import Written
from cartulary.events.model.errors import LedgerError
from cartulary.events.model.table import Table
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from simulation.specification.model import Model, ModelStep
from simulation.specification.moving import MANY, Event, KeyedRequest, MovingState, build
from simulation.specification.observing.moves import MoveReader
from simulation.specification.recording import FaultRates, RunRecorder
from tests.conftest import OFFERS
from tests.events.support.bean_games import any_move, beans_game

PLAYERS = {"web-1": "ada", "web-2": "bob", "web-3": "ada"}
REQUESTS = 4


class Moves:
    """One run of three processes and of the disk of the store."""

    def __init__(self, url: str, seed: int, *, falls: bool = True) -> None:
        self._url, self._seed = url, seed
        # The draws decide when the game is over, so the seed decides them.
        self._aside = Store(connect(url), OFFERS, rng=random.Random(seed))
        self.player = self._aside.players.create("Ada")[0]
        self.table = self._aside.commands.create(Intent(self.player), beans_game()).table
        self._names = [*PLAYERS, *(["disk"] if falls else [])]
        reader = MoveReader(self.table.id)
        self.recorder = RunRecorder(seed, self._names, reader, FaultRates(lost=250))
        self._moves: dict[tuple[str, int], dict[str, Any]] = {}
        self._sent: dict[str, int] = dict.fromkeys(PLAYERS.values(), 0)

    def run(self) -> list[ModelStep]:
        """Run, and return the steps."""
        parts: dict[str, Any] = {name: self._play_as(name, self._open()) for name in PLAYERS}
        if "disk" in self._names:
            parts["disk"] = self._fall_back
        with closing(self._aside):
            return self.recorder.run(parts)

    def make_model(self) -> Model[MovingState]:
        """Return the model of the game of this run, whose first events are there already."""
        begins = [Event(KeyedRequest("", n), "", 0) for n in range(self.table.version)]
        return build(PLAYERS, MANY, MANY, MANY, begins)

    def _open(self) -> Store:
        """Return the store of a process that has the game cached as it begins."""
        followed = self.recorder.follow(connect(self._url))
        store = Store(followed, OFFERS, rng=random.Random(self._seed))
        store.projector.table(self.table.id)
        return store

    def _play_as(self, name: str, store: Store) -> Any:
        def play() -> None:
            rng = random.Random(f"{self._seed} {name}")
            with closing(store):
                for _ in range(REQUESTS):
                    self._request(store, name, rng)

        return play

    def _request(self, store: Store, name: str, rng: random.Random) -> None:
        """Send a new request, or one that its player has sent before; again where it fails."""
        player = PLAYERS[name]
        number = self._sent[player] + 1
        if number > 1 and rng.random() < 0.3:
            number = rng.randrange(1, number)
        self._sent[player] = max(number, self._sent[player])
        for _ in range(3):
            self.recorder.note("ask", name, number)
            if self._serve(store, name, number, rng):
                return

    def _serve(self, store: Store, name: str, number: int, rng: random.Random) -> bool:
        """Serve a request as a web process does; return whether its outcome is known."""
        try:
            written = self._move(store, name, number, rng.random() < 0.5)
        except RedisError:
            self.recorder.note("fail", name)
            return False
        except LedgerError:
            self.recorder.note("refuse", name)
        else:
            found = written.events[-1]["version"] if written.events else 0
            self.recorder.note("answer" if found else "fail", name, *([found] if found else []))
        return True

    def _move(self, store: Store, name: str, number: int, soon: bool) -> Written:
        key = f"{PLAYERS[name]}-{number}"
        with self.recorder.aside():
            move = self._moves.setdefault((PLAYERS[name], number), self._choose())
        intent, game_id = Intent(self.player, key=key), self.table.id
        prepared = store.commands.prepare_move(intent, game_id, move) if soon else None
        if prepared is None:
            return store.commands.move(intent, game_id, move)
        # What the event loop of a web process does (`service.api.fast_moves`).
        try:
            record = store.ledger.send(prepared.append)
        except VersionConflict:
            return store.commands.move(intent, game_id, move)
        except RedisError:
            done = store.commands.writer.repeat(prepared)
            return done or store.commands.move(intent, game_id, move)
        if record is not None and prepared.idempotency is not None:
            return store.commands.writer.replay(game_id, record, prepared.idempotency)
        return store.commands.writer.finish(prepared, lambda do, task: do(task))

    def _choose(self) -> dict[str, Any]:
        table: Table = self._aside.projector.table(self.table.id)
        return any_move(table, random.Random(table.version)) if table.running else {"type": "keep"}

    def _fall_back(self) -> None:
        """Copy the keys of the game, and bring them back a while later."""
        redis: Any = self._aside.redis
        names = [name for name in redis.keys(f"{{{self.table.id}}}:*") if b":live" not in name]
        kept: dict[bytes, bytes] = {}

        def copy() -> None:
            kept.update({name: redis.dump(name) for name in names if redis.exists(name)})
            self.recorder.note("copy")

        def restore() -> None:
            pipe = redis.pipeline(transaction=True)
            for name in redis.keys(f"{{{self.table.id}}}:*"):
                pipe.delete(name)
            for name, value in kept.items():
                pipe.restore(name, 0, value)
            pipe.execute()
            self.recorder.note("fall back")

        for nothing in range(4):
            self.recorder.do(("PAUSE", nothing), lambda: None)
        self.recorder.do(("COPY",), copy)
        for nothing in range(6):
            self.recorder.do(("PAUSE", nothing), lambda: None)
        self.recorder.do(("RESTORE",), restore)
