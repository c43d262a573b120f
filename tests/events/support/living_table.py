"""A table of the living game on which any story begins, and what always holds there."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import fakeredis
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant

from cartulary.events.audit.audit import Audit
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.ledger.snapshots import freeze, thaw
from cartulary.events.model.effects.fold import fold
from cartulary.events.model.errors import Refused
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.support.bean_games import shown
from tests.support.fake_clock import FakeClock
from tests.support.games import ALL_OFFERS

PEOPLE = 5
people = st.integers(0, PEOPLE - 1)
seats = st.integers(0, 4)
lots = st.integers(0, 10**6)
PACES = (
    {"mode": "live", "delay": 5, "bank": 20, "refill": 3},
    {"mode": "correspondence", "delay": 3_600, "bank": 7_200, "refill": 600},
)
kinds_of_seat = st.sampled_from(["me", "open", "open", "bot", "invite"])


class Answering:
    """A bot that gives this answer."""

    def __init__(self, move: Any) -> None:
        self._move = move

    def __call__(self, _state: Any, _rng: random.Random) -> Any:
        return self._move


class LivingTable(RuleBasedStateMachine):
    """People, bots, and the timers of the service at one table."""

    lags: tuple[int, ...] = (0, 0, 40, 1_900, 9_000)
    """How long a move may wait from its receipt until it is stored, in ms."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = FakeClock()
        self.store = Store(
            fakeredis.FakeRedis(), ALL_OFFERS, rng=random.Random(1), clock=self.clock
        )
        # Another process: it makes each table from snapshots and events.
        self.cold = Store(self.store.redis, ALL_OFFERS, clock=self.clock)
        self.commands = self.store.commands
        self.people = [self.store.players.create(f"Player {n}")[0] for n in range(PEOPLE)]
        self.id = ""

    def teardown(self) -> None:
        for store in (self.store, self.cold):
            store.leases.close()

    # -- a game -----------------------------------------------------------------------------------

    @initialize(
        game=st.sampled_from(["beans", "carcassonne", "caylus"]),
        host=people,
        chosen=st.lists(kinds_of_seat, min_size=2, max_size=4),
        full=st.sampled_from([True, True, True, False]),
        terms=st.fixed_dictionaries(
            {
                "takebacks": st.sampled_from(["consent", "consent", "undo", "none"]),
                "start": st.sampled_from(["full", "host"]),
                "substitutes": st.booleans(),
                "shuffle_seats": st.booleans(),
                "visibility": st.sampled_from(["public", "private"]),
                "pace": st.sampled_from([None, *PACES]),
                "on_timeout": st.sampled_from([None, "claim", "stand_in", "forfeit"]),
            }
        ),
    )
    def open_game(
        self, game: str, host: int, chosen: list[str], full: bool, terms: dict[str, Any]
    ) -> None:
        """Open a game; `full`: the others sit down at once."""
        others = iter(one for one in self.people if one is not self.people[host])
        wanted = [self._seat(kind, others) for kind in chosen]
        if terms["visibility"] == "private":
            wanted = [SeatRequest("bot", "random") if one.kind == "open" else one for one in wanted]
        if terms["pace"] is None:
            terms["on_timeout"] = None
        request = NewGame(game, wanted, **terms)
        self.id = self.commands.create(Intent(self.people[host]), request).table.id
        if full:
            for person in self.people:
                self.do(self.commands.arranging.join, Intent(person), self.id)
            for number in range(len(self.now.seats)):
                self.do(self.commands.time.ready, Intent(self.owner(number)), self.id, number, True)
            self.do(self.commands.arranging.start, Intent(self._host()), self.id, True)

    def _seat(self, kind: str, others: Any) -> SeatRequest:
        if kind == "bot":
            return SeatRequest("bot", "random")
        return (
            SeatRequest("invite", player=next(others).id) if kind == "invite" else SeatRequest(kind)
        )

    @property
    def now(self) -> Table:
        return self.store.projector.table(self.id)

    def someone(self, who: int) -> Player:
        """A person: mostly a player who has a seat."""
        sitting = [seat.player["id"] for seat in self.now.seats if seat.player is not None]
        return self._player(sitting[who % len(sitting)]) if sitting and who else self.people[who]

    def owner(self, seat: int) -> Player:
        """The player of a seat; of an empty seat any player."""
        sitter = self.now.seats[seat].player
        return self.people[0] if sitter is None else self._player(sitter["id"])

    def own_seat(self, who: int) -> int:
        """A seat of a person, 0 without any."""
        return next(iter(self.now.seats_of(self.someone(who).id)), 0)

    def do(self, command: Callable[..., object], *arguments: Any, **more: Any) -> None:
        """Give a command; a refused command stores nothing."""
        before = self.store.ledger.version(self.id)
        try:
            command(*arguments, **more)
        except Refused:
            assert self.store.ledger.version(self.id) == before

    def _host(self) -> Player:
        return next(one for one in self.people if one.id == self.now.course.host)

    def _player(self, player_id: str) -> Player:
        return next(one for one in self.people if one.id == player_id)

    # -- what always holds ------------------------------------------------------------------------

    @invariant()
    def everybody_says_the_same(self) -> None:
        if not self.id:
            return
        table = self.now
        events = self.store.ledger.events(self.id)
        folded = fold(self.store.rules, self.id, None, events, table.head)
        assert folded is not None
        self._must_be_same(folded, table)
        self.cold.projector.forget()
        self._must_be_same(self.cold.projector.table(self.id), table)
        if table.play is not None:
            thawed = thaw(self.store.rules, freeze(table))
            assert thawed is not None
            self._must_be_same(thawed, table)

    def _must_be_same(self, found: Table, table: Table) -> None:
        assert found._replace(play=None) == table._replace(play=None)
        assert shown(found) == shown(table)

    @invariant()
    def the_audit_agrees(self) -> None:
        if self.id:
            assert Audit(self.store.ledger, self.store.rules).game(self.id).problems == []

    @invariant()
    def no_bank_is_negative_or_above_its_start_and_the_gifts(self) -> None:
        if self.id and self.now.clocks is not None and self.now.terms.pace is not None:
            clocks, start = self.now.clocks, 1000 * self.now.terms.pace["bank"]
            most = start + sum(ms for _, ms in clocks.given)
            assert all(0 <= bank <= most for bank in clocks.banks)

    @invariant()
    def the_times_never_go_back(self) -> None:
        if self.id:
            times = [event["at"] for event in self.store.ledger.events(self.id)]
            assert times == sorted(times)
