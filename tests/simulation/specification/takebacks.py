"""Real players who ask for takebacks, answer, move and withdraw, and a timer, all at once."""

from __future__ import annotations

import random
from contextlib import ExitStack, closing, suppress
from functools import partial

from cartulary.events.commands.commands import Intent
from cartulary.events.model.clock import milliseconds
from cartulary.events.model.errors import LedgerError
from cartulary.events.people.players import Player
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from simulation.specification.model import Model, ModelStep
from simulation.specification.moving import MANY
from simulation.specification.observing.games import AppendReader, TakebackTeller
from simulation.specification.recording import RunRecorder
from simulation.specification.takebacks import Takebacks, build
from tests.conftest import OFFERS
from tests.events.support.bean_games import any_move
from tests.events.support.opened_tables import open_table
from tests.support.fake_clock import FakeClock

NAMES = ("ada", "bob", "eve")
TIMER = "timer"
TURNS = 9


class TakebackScene:
    """One run: what each player does next is drawn by lot, and often refused."""

    def __init__(self, url: str, seed: int) -> None:
        self._url, self._seed, self._clock = url, seed, FakeClock()
        self._aside = Store(connect(url), OFFERS, clock=self._clock)
        self._players = {name: self._aside.players.create(name)[0] for name in NAMES}
        self.table = open_table(self._aside, list(self._players.values()))
        teller = TakebackTeller((*NAMES, TIMER))
        self.recorder = RunRecorder(seed, (*NAMES, TIMER), AppendReader(self.table.id, teller))

    def run(self) -> list[ModelStep]:
        """Run, and return the steps."""
        with ExitStack() as opened:
            opened.enter_context(closing(self._aside))
            stores = {
                name: opened.enter_context(
                    closing(
                        Store(self.recorder.follow(connect(self._url)), OFFERS, clock=self._clock)
                    )
                )
                for name in (*NAMES, TIMER)
            }
            play = {name: partial(self._play, name, stores[name]) for name in NAMES}
            return self.recorder.run({**play, TIMER: partial(self._expire, stores[TIMER])})

    def make_model(self) -> Model[Takebacks]:
        """Return the model of a game without an end."""
        return build(len(NAMES), MANY)

    def _play(self, name: str, store: Store) -> None:
        rng, player = random.Random(f"{self._seed} {name}"), self._players[name]
        for _ in range(TURNS):
            self.recorder.do(("PAUSE",), lambda: None)
            with suppress(LedgerError):
                self._act(store, player, rng)

    def _act(self, store: Store, player: Player, rng: random.Random) -> None:
        with self.recorder.aside():
            table = self._aside.projector.table(self.table.id)
        intent, proposal = Intent(player), table.course.proposal
        wish = rng.random()
        if proposal is None and wish < 0.4:
            store.commands.proposals.propose(intent, table.id, "takeback")
        elif proposal is not None and wish < 0.7:
            mine = table.seats[proposal.seat].is_held_by(player.id)
            if not mine:
                answer = "accept" if rng.random() < 0.8 else "decline"
                store.commands.proposals.answer(intent, table.id, proposal.id, answer)
            elif wish < 0.2:
                store.commands.proposals.withdraw(intent, table.id, proposal.id)
        elif table.running:
            store.commands.move(intent, table.id, any_move(table, rng))

    def _expire(self, store: Store) -> None:
        """Let the time of an open proposal pass now and then, and judge the game."""
        rng = random.Random(f"{self._seed} {TIMER}")
        for _ in range(TURNS):
            self.recorder.do(("PAUSE",), lambda: None)
            with self.recorder.aside():
                proposal = self._aside.projector.table(self.table.id).course.proposal
            if proposal is not None and rng.random() < 0.2:
                self._clock.now = max(self._clock.now, milliseconds(proposal.expires_at))
            with suppress(LedgerError):
                store.commands.expiry.expire(self.table.id)
