"""All commands of the living game in any order: fold, cached table and audit always say the same.

Hypothesis shrinks a failure to the shortest story, prints it, and keeps it in `.hypothesis/`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import fakeredis
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from cartulary.events import keys
from cartulary.events.audit import Audit
from cartulary.events.commands import NewGame, SeatRequest
from cartulary.events.errors import Refused
from cartulary.events.fold import fold
from cartulary.events.players import Player
from cartulary.events.snapshots import freeze, thaw
from cartulary.events.store import Store
from cartulary.events.table import Table
from cartulary.events.types import milliseconds
from tests.clocks import DAY, HOUR, MINUTE, FakeClock
from tests.events.conftest import shown
from tests.games import ALL_OFFERS

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


class LivingGame(RuleBasedStateMachine):
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
            store.hub.close()
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
        self.id = self.commands.create(self.people[host], request).table.id
        if full:
            for person in self.people:
                self.do(self.commands.join, person, self.id)
            for number in range(len(self.now.seats)):
                self.do(self.commands.time.ready, self.owner(number), self.id, number, True)
            self.do(self.commands.arranging.start, self._host(), self.id, True)

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
        """A person: mostly somebody who has a seat."""
        sitting = [seat.player["id"] for seat in self.now.seats if seat.player is not None]
        return self._player(sitting[who % len(sitting)]) if sitting and who else self.people[who]

    def owner(self, seat: int) -> Player:
        """The player of a seat; of an empty seat anybody."""
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

    # -- before the start -------------------------------------------------------------------------

    @precondition(lambda self: self.now.status == "open")
    @rule(who=people, seat=st.none() | seats)
    def join(self, who: int, seat: int | None) -> None:
        self.do(self.commands.join, self.people[who], self.id, seat)

    @precondition(lambda self: self.now.status == "open")
    @rule(who=people, seat=seats)
    def leave(self, who: int, seat: int) -> None:
        self.do(self.commands.leave, self.people[who], self.id, seat)

    @rule(seat=seats, kind=st.sampled_from(["open", "bot", "invite"]), guest=people)
    def change_seat(self, seat: int, kind: str, guest: int) -> None:
        wish = {
            "open": SeatRequest("open"),
            "bot": SeatRequest("bot", "random"),
            "invite": SeatRequest("invite", player=self.people[guest].id),
        }[kind]
        self.do(self.commands.arranging.change_seat, self._host(), self.id, seat, wish)

    @precondition(lambda self: self.now.status == "open")
    @rule(drop=st.booleans())
    def start(self, drop: bool) -> None:
        self.do(self.commands.arranging.start, self._host(), self.id, drop)

    @rule(to=people)
    def hand_over(self, to: int) -> None:
        self.do(self.commands.arranging.hand_over, self._host(), self.id, self.people[to].id)

    def _host(self) -> Player:
        return next(one for one in self.people if one.id == self.now.course.host)

    # -- the play ---------------------------------------------------------------------------------

    @precondition(lambda self: self.now.running)
    @rule(lot=lots)
    def play_a_move(self, lot: int) -> None:
        self.play(1, lot)

    @precondition(lambda self: self.now.running)
    @rule(count=st.integers(2, 12), lot=lots)
    def play_some(self, count: int, lot: int) -> None:
        self.play(count, lot)

    @precondition(lambda self: self.now.running)
    @rule(lot=lots)
    def play_many(self, lot: int) -> None:
        self.play(30, lot)

    def play(self, count: int, lot: int) -> None:
        rng = random.Random(lot)
        for _ in range(count):
            table = self.now
            if not table.running or table.resting or table.state is None:
                return
            found = rng.choice(table.state.moves())
            self.think(rng.choice([0, 300, 5_000, 45_000]))
            owner = table.seats[table.state.seat].player
            if table.bot_to_move is not None:
                self.commands.bot_move(self.id, table.position, Answering(found))
            else:
                assert owner is not None
                move = table.state.move_json(found)
                received = self.clock.now - rng.choice(self.lags)
                self.do(
                    self.commands.move,
                    self._player(owner["id"]),
                    self.id,
                    move,
                    table.version,
                    received=received,
                )

    def think(self, time: int) -> None:
        """Let a player think while the service works: there is a heartbeat all the time."""
        self.clock.advance(time)
        self.store.redis.set(keys.heartbeat(), self.clock.now)

    def _player(self, player_id: str) -> Player:
        return next(one for one in self.people if one.id == player_id)

    @precondition(lambda self: self.now.running)
    @rule(who=people, lot=lots)
    def move_out_of_turn_or_back_at_the_table(self, who: int, lot: int) -> None:
        state = self.now.state
        assert state is not None
        move = state.move_json(random.Random(lot).choice(state.moves()))
        self.do(self.commands.move, self.people[who], self.id, move)

    @rule(who=people, lot=lots, until=st.sampled_from(["game", "game", "round"]))
    def give_standing_answers(self, who: int, lot: int, until: str) -> None:
        """Answer some kinds of questions until further notice; or none of them any more."""
        contract, rng = self.now.rules.contract, random.Random(lot)
        plain = {name for name, one in contract.moves.items() if len(one["properties"]) == 1}
        answers = []
        for kind, question in contract.decisions.items():
            moves = sorted(plain & {*question.moves})
            if moves and rng.random() < 0.3:
                answers.append({"kind": kind, "move": {"type": rng.choice(moves)}, "until": until})
        self.do(self.commands.standing_answers.change, self.someone(who), self.id, answers)

    @precondition(lambda self: self.now.status == "scoring")
    @rule()
    def score(self) -> None:
        self.commands.score(self.id)

    # -- leaving ----------------------------------------------------------------------------------

    @rule(who=people)
    def resign(self, who: int) -> None:
        self.do(self.commands.leaving.resign, self.someone(who), self.id, self.own_seat(who))

    @precondition(lambda self: self.now.running)
    @rule(who=people)
    def go_away(self, who: int) -> None:
        self.do(self.commands.leaving.go_away, self.someone(who), self.id, self.own_seat(who))

    @precondition(lambda self: self.now.running)
    @rule(who=people)
    def come_back(self, who: int) -> None:
        self.do(self.commands.leaving.come_back, self.someone(who), self.id, self.own_seat(who))

    @rule(who=people, lot=st.integers(0, 9))
    def abort(self, who: int, lot: int) -> None:
        if not lot:
            self.do(self.commands.abort, self.someone(who), self.id)

    @precondition(lambda self: self.now.running)
    @rule(
        who=people,
        remedy=st.sampled_from(["stand_in", "forfeit", "abort"]),
        waited=st.booleans(),
    )
    def claim(self, who: int, remedy: str, waited: bool) -> None:
        if waited:
            self.clock.advance(15 * DAY)
        decision = self.now.decision
        asked = 0 if decision is None else decision.seat
        self.do(self.commands.leaving.claim, self.someone(who), self.id, asked, remedy)

    @precondition(lambda self: any(self.now.vacant(n) for n in range(len(self.now.seats))))
    @rule(who=people)
    def take_over(self, who: int) -> None:
        self.do(self.commands.join, self.people[who], self.id)

    # -- time -------------------------------------------------------------------------------------

    @precondition(lambda self: self.now.status == "open")
    @rule(seat=seats, ready=st.booleans())
    def ready(self, seat: int, ready: bool) -> None:
        owner = self.owner(seat % len(self.now.seats))
        self.do(self.commands.time.ready, owner, self.id, seat, ready)

    @precondition(lambda self: self.now.running)
    @rule(who=people, seat=seats, seconds=st.integers(1, 40))
    def give_time(self, who: int, seat: int, seconds: int) -> None:
        self.do(self.commands.time.give, self.someone(who), self.id, seat, seconds)

    @precondition(lambda self: self.now.running)
    @rule(who=people, length=st.sampled_from([MINUTE, HOUR, 20 * DAY]), agreed=st.booleans())
    def pause(self, who: int, length: int, agreed: bool) -> None:
        until = self.clock.now + length
        propose = self.commands.proposals.propose
        self.do(propose, self.someone(who), self.id, "pause", until=until)
        if agreed and self.now.course.proposal is not None:
            self.everybody_accepts()

    @precondition(lambda self: self.now.running)
    @rule(beats=st.booleans())
    def let_the_flag_fall(self, beats: bool) -> None:
        """Wait for the deadline; without heartbeats in between the wait was an outage."""
        said = self.commands.time.describe(self.now).get("deadline_at")
        if said is not None:
            self.clock.now = max(self.clock.now, milliseconds(said) + 2 * MINUTE)
        self.look(beats)

    def look(self, beats: bool) -> None:
        """The service beats, and its timers are judged."""
        if beats:
            self.store.redis.set(keys.heartbeat(), self.clock.now)
        self.store.outages.beat()
        self.commands.expiry.expire(self.id)

    # -- agreeing ---------------------------------------------------------------------------------

    @precondition(lambda self: self.now.running)
    @rule(who=people, kind=st.sampled_from(["takeback", "takeback", "abort", "end"]))
    def propose(self, who: int, kind: str) -> None:
        self.do(self.commands.proposals.propose, self.someone(who), self.id, kind)

    @precondition(lambda self: self.now.running)
    @rule(who=people, back=st.integers(0, 30))
    def take_back(self, who: int, back: int) -> None:
        to = max(1, self.now.version - back)
        propose = self.commands.proposals.propose
        self.do(propose, self.someone(who), self.id, "takeback", to_version=to)

    @precondition(lambda self: self.now.course.proposal is not None)
    @rule(who=people, answer=st.sampled_from(["accept", "accept", "decline"]))
    def answer(self, who: int, answer: str) -> None:
        proposal = self.now.course.proposal
        assert proposal is not None
        do = self.commands.proposals.answer
        self.do(do, self.someone(who), self.id, proposal.id, answer)

    @precondition(lambda self: self.now.running)
    @rule(who=people, back=st.integers(0, 20), kind=st.sampled_from(["takeback"] * 4 + ["end"]))
    def agree(self, who: int, back: int, kind: str) -> None:
        to = max(1, self.now.version - back) if kind == "takeback" else None
        propose = self.commands.proposals.propose
        self.do(propose, self.someone(who), self.id, kind, to_version=to)
        self.everybody_accepts()

    @precondition(lambda self: self.now.course.proposal is not None)
    @rule()
    def everybody_accepts(self) -> None:
        for who in range(PEOPLE):
            proposal = self.now.course.proposal
            if proposal is not None:
                do = self.commands.proposals.answer
                self.do(do, self.people[who], self.id, proposal.id, "accept")

    @precondition(lambda self: self.now.course.proposal is not None)
    @rule(who=people)
    def withdraw(self, who: int) -> None:
        proposal = self.now.course.proposal
        assert proposal is not None
        self.do(self.commands.proposals.withdraw, self.someone(who), self.id, proposal.id)

    # -- the service ------------------------------------------------------------------------------

    @rule(
        wait=st.sampled_from([0, MINUTE, HOUR, HOUR, HOUR, 4 * DAY, 31 * DAY]), beats=st.booleans()
    )
    def let_time_pass(self, wait: int, beats: bool) -> None:
        self.clock.advance(wait)
        self.look(beats)

    @rule(trouble=st.sampled_from(["clock", "secret", "restart", "restart"]))
    def meet_trouble(self, trouble: str) -> None:
        """Set the clock back, renew the secret of the draws, or lose what the process caches."""
        if trouble == "clock":
            self.clock.advance(-HOUR)
        elif trouble == "secret":
            self.commands.renew_draws(self.id)
        else:
            self.store.projector.forget()

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


TestLivingGame = LivingGame.TestCase
TestLivingGame.settings = settings(
    max_examples=15,
    stateful_step_count=40,
    deadline=None,
    print_blob=True,
    suppress_health_check=list(HealthCheck),
)
