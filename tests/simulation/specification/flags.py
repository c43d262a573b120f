"""Real web processes and timers at one game with a clock, which a fake clock moves on."""

from __future__ import annotations

import random
from contextlib import ExitStack, closing, suppress
from functools import partial

from cartulary.events.commands.commands import Intent
from cartulary.events.model.errors import LedgerError
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from simulation.specification.model import Model, ModelStep
from simulation.specification.moving import MANY
from simulation.specification.observing.games import AppendReader, FlagTeller
from simulation.specification.recording import RunRecorder
from simulation.specification.timing_out import FLAG, MOVE, Racing, build
from tests.conftest import OFFERS
from tests.events.support.bean_games import any_move, beans_game
from tests.support.fake_clock import FakeClock

JUDGES = {"web-1": MOVE, "web-2": MOVE, "timer-1": FLAG, "timer-2": FLAG}
CLOCK = "clock"
DELAY, BANK = 10, 30
"""Seconds of the pace: a player who moves does not need the bank."""
LIVE = {"mode": "live", "delay": DELAY, "bank": BANK}
SILENT_S = 16
"""So long no web process works before that is an outage."""


class Flags:
    """One run: some moves, then no player moves, and the flag falls, at last after an outage."""

    def __init__(self, url: str, seed: int) -> None:
        self._url, self._rng, self._clock = url, random.Random(seed), FakeClock()
        self._aside = Store(connect(url), OFFERS, clock=self._clock)
        self._aside.redis.flushall()
        self._aside.outages.beat()
        self._player = self._aside.players.create("Ada")[0]
        request = beans_game(pace=LIVE, on_timeout="stand_in")
        self.table = self._aside.commands.create(Intent(self._player), request).table
        self._is_over, self._asks, self._is_watched = False, False, True
        reader = AppendReader(self.table.id, FlagTeller())
        self.recorder = RunRecorder(seed, (*JUDGES, CLOCK), reader)

    def run(self) -> list[ModelStep]:
        """Run, and return the steps."""
        with ExitStack() as opened:
            opened.enter_context(closing(self._aside))
            parts = {}
            for name, kind in JUDGES.items():
                redis = self.recorder.follow(connect(self._url))
                store = Store(redis, OFFERS, clock=self._clock)
                opened.enter_context(closing(store))
                part = self._move if kind == MOVE else self._expire
                parts[name] = partial(part, store)
            return self.recorder.run({**parts, CLOCK: self._run_clock})

    def make_model(self) -> Model[Racing]:
        """Return the model with the pace of the game, in seconds."""
        return build(JUDGES, DELAY + BANK, MANY, MANY)

    def _pause(self) -> None:
        self.recorder.do(("PAUSE",), lambda: None)

    def _move(self, store: Store) -> None:
        """Move while the clock lets players move."""
        while not self._is_over:
            self._pause()
            if self._asks:
                with self.recorder.aside():
                    table = self._aside.projector.table(self.table.id)
                if not table.running:
                    continue
                with suppress(LedgerError):
                    store.commands.move(Intent(self._player), table.id, any_move(table))

    def _expire(self, store: Store) -> None:
        while not self._is_over:
            self._pause()
            with suppress(LedgerError):
                store.commands.expiry.expire(self.table.id)

    def _run_clock(self) -> None:
        for _ in range(3):
            self._asks = True
            self._wait(lambda: False, 3)
            self._asks = False
            self._wait(lambda: False, self._rng.randrange(1, DELAY - 4))
        if self._rng.random() < 0.7:
            self._wait(lambda: False, self._rng.randrange(DELAY + BANK - SILENT_S))
            self._is_watched = False
            self._wait(lambda: False, SILENT_S)
            self.recorder.note("stop")
            self._wait(lambda: False, self._rng.randrange(1, 60))
            self._is_watched = True
            self._aside.outages.beat()
            self.recorder.note("come back")
        self._wait(self._has_fallen, DELAY + BANK + 200)
        self._is_over = True

    def _has_fallen(self) -> bool:
        return any(step.action == "flag" for step in self.recorder.steps)

    def _wait(self, is_done: object, seconds: int) -> None:
        """Let so many seconds pass, one at a time, and each process come to its turns between."""
        assert callable(is_done)
        for _ in range(seconds):
            for _ in range(self._rng.randrange(2)):
                self._pause()
            if is_done():
                return
            self._clock.advance(1000)
            if self._is_watched:
                with self.recorder.aside():
                    self._aside.outages.beat()
            self.recorder.note("tick")
