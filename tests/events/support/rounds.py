"""Rounds of a tournament for tests: entrants, a secret that is known, and the games of tables."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

import fakeredis

from cartulary.events.commands.commands import Intent
from cartulary.events.commands.rounds.making import RoundDraws, RoundPlace
from cartulary.events.ledger.closed_rounds import RoundClosing
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.support.fake_clock import FakeClock
from tests.support.games import ALL_OFFERS

TOURNAMENT: Final = "01TOURNAMENT00000000000000"
SECRET: Final = sha256(b"a round").digest()
ENTROPY: Final = sha256(b"entropies of all").hexdigest()
LIVE: Final = {"mode": "live", "delay": 30, "bank": 600}
DAILY: Final = {"mode": "correspondence", "delay": 86_400, "bank": 259_200, "refill": 21_600}
DUPLICATE: Final = RoundDraws(SECRET, ENTROPY)


class Round:
    """A round in a store of its own, with a clock that tests set."""

    def __init__(self, store: Store | None = None) -> None:
        self.clock = FakeClock()
        if store is None:
            store = Store(fakeredis.FakeRedis(), ALL_OFFERS, clock=self.clock)
        self.store = store
        self.store.claim()
        self.players: list[Player] = []

    def enter(self, *names: str) -> list[Player]:
        """Register players."""
        entered = [self.store.players.create(name)[0] for name in names]
        self.players += entered
        return entered

    def make(self, table: int, *players: Player, **more: Any) -> Table:
        """Make the game of a table of round 1."""
        wish: dict[str, Any] = {
            "game_id": self.store.ledger.draw_id(),
            "game": "carcassonne",
            "options": {},
            "pace": DAILY,
            **more,
        }
        place = RoundPlace(TOURNAMENT, 1, table)
        return self.store.round_maker.make(place, players=players, **wish)

    def ready(self, table: Table, *seats: int) -> Table:
        """Let the players of these seats say that they are ready."""
        for seat in seats:
            owner = table.seats[seat].player
            assert owner is not None
            intent = Intent(Player(owner["id"], owner["name"]))
            table = self.store.commands.time.ready(intent, table.id, seat, True).table
        return table

    def play(self, game_id: str, moves: int = 1000, which: int = -1) -> Table:
        """Let the players make one of their legal moves so many times; then count the score."""
        table = self.store.projector.table(game_id)
        while table.running and moves:
            assert table.state is not None
            owner = table.seats[table.state.seat].player
            assert owner is not None
            intent = Intent(Player(owner["id"], owner["name"]))
            move = table.state.legal_moves()[which]
            table = self.store.commands.move(intent, game_id, move).table
            moves -= 1
        if table.status is Status.SCORING:
            table = self.store.commands.score(game_id).table
        return table

    def close(self, *tables: Table) -> None:
        """Close the round, and let the dispatcher follow its games."""
        closing = RoundClosing(self.clock.now_ms(), SECRET.hex())
        ids = [table.id for table in tables]
        self.store.round_commands.unseal(TOURNAMENT, 1, closing, ids)
