"""All commands of the living game in any order: fold, cached table and audit always say the same.

Hypothesis shrinks a failure to the shortest story, prints it, and keeps it in `.hypothesis/`.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from cartulary.events.commands.commands import Intent, SeatRequest
from cartulary.events.model.clock import milliseconds
from cartulary.events.server import keys
from tests.events.support.living_table import (
    PEOPLE,
    Answering,
    LivingTable,
    lots,
    people,
    seats,
)
from tests.support.fake_clock import DAY, HOUR, MINUTE
from tests.support.night import short_or_long


class LivingGame(LivingTable):
    """People, bots, and the timers of the service at one table."""

    # -- before the start -------------------------------------------------------------------------

    @precondition(lambda self: self.now.status == "open")
    @rule(who=people, seat=st.none() | seats)
    def join(self, who: int, seat: int | None) -> None:
        self.do(self.commands.arranging.join, Intent(self.people[who]), self.id, seat)

    @precondition(lambda self: self.now.status == "open")
    @rule(who=people, seat=seats)
    def leave(self, who: int, seat: int) -> None:
        self.do(self.commands.arranging.leave, Intent(self.people[who]), self.id, seat)

    @rule(seat=seats, kind=st.sampled_from(["open", "bot", "invite"]), guest=people)
    def change_seat(self, seat: int, kind: str, guest: int) -> None:
        wish = {
            "open": SeatRequest("open"),
            "bot": SeatRequest("bot", "random"),
            "invite": SeatRequest("invite", player=self.people[guest].id),
        }[kind]
        self.do(self.commands.arranging.change_seat, Intent(self._host()), self.id, seat, wish)

    @precondition(lambda self: self.now.status == "open")
    @rule(drop=st.booleans())
    def start(self, drop: bool) -> None:
        self.do(self.commands.arranging.start, Intent(self._host()), self.id, drop)

    @rule(to=people)
    def hand_over(self, to: int) -> None:
        self.do(
            self.commands.arranging.hand_over, Intent(self._host()), self.id, self.people[to].id
        )

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
                self.commands.bots.move(self.id, table.position, Answering(found))
            else:
                assert owner is not None
                move = table.state.move_json(found)
                received = self.clock.now - rng.choice(self.lags)
                self.do(
                    self.commands.move,
                    Intent(self._player(owner["id"]), table.version, received=received),
                    self.id,
                    move,
                )

    def think(self, time: int) -> None:
        """Let a player think while the service works: there is a heartbeat all the time."""
        self.clock.advance(time)
        self.store.redis.set(keys.heartbeat(), self.clock.now)

    @precondition(lambda self: self.now.running)
    @rule(who=people, lot=lots)
    def move_out_of_turn_or_back_at_the_table(self, who: int, lot: int) -> None:
        state = self.now.state
        assert state is not None
        move = state.move_json(random.Random(lot).choice(state.moves()))
        self.do(self.commands.move, Intent(self.people[who]), self.id, move)

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
        self.do(
            self.commands.leaving.resign, Intent(self.someone(who)), self.id, self.own_seat(who)
        )

    @precondition(lambda self: self.now.running)
    @rule(who=people)
    def go_away(self, who: int) -> None:
        self.do(
            self.commands.leaving.go_away, Intent(self.someone(who)), self.id, self.own_seat(who)
        )

    @precondition(lambda self: self.now.running)
    @rule(who=people)
    def come_back(self, who: int) -> None:
        self.do(
            self.commands.leaving.come_back, Intent(self.someone(who)), self.id, self.own_seat(who)
        )

    @rule(who=people, lot=st.integers(0, 9))
    def abort(self, who: int, lot: int) -> None:
        if not lot:
            self.do(self.commands.abort, Intent(self.someone(who)), self.id)

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
        self.do(self.commands.leaving.claim, Intent(self.someone(who)), self.id, asked, remedy)

    @precondition(lambda self: any(self.now.vacant(n) for n in range(len(self.now.seats))))
    @rule(who=people)
    def take_over(self, who: int) -> None:
        self.do(self.commands.arranging.join, Intent(self.people[who]), self.id)

    # -- time -------------------------------------------------------------------------------------

    @precondition(lambda self: self.now.status == "open")
    @rule(seat=seats, ready=st.booleans())
    def ready(self, seat: int, ready: bool) -> None:
        owner = self.owner(seat % len(self.now.seats))
        self.do(self.commands.time.ready, Intent(owner), self.id, seat, ready)

    @precondition(lambda self: self.now.running)
    @rule(who=people, seat=seats, seconds=st.integers(1, 40))
    def give_time(self, who: int, seat: int, seconds: int) -> None:
        self.do(self.commands.time.give, Intent(self.someone(who)), self.id, seat, seconds)

    @precondition(lambda self: self.now.running)
    @rule(who=people, length=st.sampled_from([MINUTE, HOUR, 20 * DAY]), agreed=st.booleans())
    def pause(self, who: int, length: int, agreed: bool) -> None:
        until = self.clock.now + length
        propose = self.commands.proposals.propose
        self.do(propose, Intent(self.someone(who)), self.id, "pause", until=until)
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
        self.do(self.commands.proposals.propose, Intent(self.someone(who)), self.id, kind)

    @precondition(lambda self: self.now.running)
    @rule(who=people, back=st.integers(0, 30))
    def take_back(self, who: int, back: int) -> None:
        to = max(1, self.now.version - back)
        propose = self.commands.proposals.propose
        self.do(propose, Intent(self.someone(who)), self.id, "takeback", to_version=to)

    @precondition(lambda self: self.now.course.proposal is not None)
    @rule(who=people, answer=st.sampled_from(["accept", "accept", "decline"]))
    def answer(self, who: int, answer: str) -> None:
        proposal = self.now.course.proposal
        assert proposal is not None
        do = self.commands.proposals.answer
        self.do(do, Intent(self.someone(who)), self.id, proposal.id, answer)

    @precondition(lambda self: self.now.running)
    @rule(who=people, back=st.integers(0, 20), kind=st.sampled_from(["takeback"] * 4 + ["end"]))
    def agree(self, who: int, back: int, kind: str) -> None:
        to = max(1, self.now.version - back) if kind == "takeback" else None
        propose = self.commands.proposals.propose
        self.do(propose, Intent(self.someone(who)), self.id, kind, to_version=to)
        self.everybody_accepts()

    @precondition(lambda self: self.now.course.proposal is not None)
    @rule()
    def everybody_accepts(self) -> None:
        for who in range(PEOPLE):
            proposal = self.now.course.proposal
            if proposal is not None:
                do = self.commands.proposals.answer
                self.do(do, Intent(self.people[who]), self.id, proposal.id, "accept")

    @precondition(lambda self: self.now.course.proposal is not None)
    @rule(who=people)
    def withdraw(self, who: int) -> None:
        proposal = self.now.course.proposal
        assert proposal is not None
        self.do(self.commands.proposals.withdraw, Intent(self.someone(who)), self.id, proposal.id)

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


TestLivingGame = pytest.mark.slow(LivingGame.TestCase)
TestLivingGame.settings = settings(
    max_examples=short_or_long(6, 15),
    stateful_step_count=40,
    deadline=None,
    print_blob=True,
    suppress_health_check=list(HealthCheck),
)
