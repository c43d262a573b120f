"""Claiming the seat of a player who is silent for too long."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Barrier, Thread
from typing import Any

import pytest

from cartulary.events.commands.commands import Intent, Written
from cartulary.events.model.clock import format_time, milliseconds
from cartulary.events.model.errors import (
    GameNotRunning,
    NotFound,
    NotOverdue,
    NotSeated,
    ProposalOpen,
    Refused,
    SeatTaken,
    StaleVersion,
)
from cartulary.events.model.time.silence_rules import DAY_MS, SILENT_MS
from cartulary.events.store import Store
from tests.conftest import OFFERS
from tests.events.support.games_on_a_clock import Circle, circle, refuses, vacant_circle
from tests.events.support.takeback_tables import give, sit
from tests.support.fake_clock import FakeClock


def types(done: Any) -> list[str]:
    return [event["type"] for event in done.events]


def silent_three(
    store: Store, clock: FakeClock
) -> tuple[Circle, Callable[..., Written], int, list[int]]:
    """Return a game of three, how one claims, the seat that is silent too long, and the others."""
    game = circle(store, "Ada", "Bob", "Cleo")
    seat, others = game.asked, game.others()
    clock.advance(SILENT_MS)
    return game, store.commands.leaving.claim, seat, others


class TestTheFourteenDays:
    def test_a_seat_is_overdue_after_fourteen_silent_days_and_not_before(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game = circle(timed, "Ada", "Bob")
        (other,), seat = game.others(), game.asked
        claim = partial(
            timed.commands.leaving.claim, Intent(game.who(other)), game.id, seat, "stand_in"
        )
        clock.advance(SILENT_MS - 1)
        error = refuses(NotOverdue, game, claim)
        at = milliseconds(game.table.updated_at) + SILENT_MS
        assert error.members() == {"deadline_at": format_time(at)}
        clock.advance(1)
        (seated,) = claim().events
        assert (seated["type"], seated["seat"], seated["reason"]) == (
            "stand_in_seated",
            seat,
            "timed_out",
        )
        assert seated["by"] == game.who(other).id

    def test_a_game_from_before_these_rules_is_silent_from_the_day_of_the_rules_on(
        self, timed: Store, clock: FakeClock
    ) -> None:
        clock.advance(-400 * DAY_MS)
        game = circle(timed, "Ada", "Bob")
        timed.redis.delete("rules_since")
        clock.advance(400 * DAY_MS)
        upgraded = Store(timed.redis, OFFERS, clock=clock)
        (other,), seat = game.others(), game.asked
        claim = partial(
            upgraded.commands.leaving.claim, Intent(game.who(other)), game.id, seat, "forfeit"
        )
        with pytest.raises(NotOverdue) as refused:
            claim()
        assert refused.value.members()["deadline_at"] == format_time(clock.now_ms() + SILENT_MS)
        clock.advance(SILENT_MS)
        assert types(claim()) == ["seat_forfeited", "play_ended"]

    def test_only_a_person_who_is_asked_is_overdue(self, timed: Store, clock: FakeClock) -> None:
        game = circle(timed, "Ada", "Bob", "Cleo")
        first, second = game.others()
        clock.advance(SILENT_MS)
        claim = timed.commands.leaving.claim
        error = refuses(
            NotOverdue, game, partial(claim, Intent(game.who(first)), game.id, second, "stand_in")
        )
        assert error.members() == {"deadline_at": None}
        claim(Intent(game.who(first)), game.id, game.asked, "stand_in")
        refuses(
            NotOverdue,
            game,
            partial(claim, Intent(game.who(second)), game.id, game.asked, "stand_in"),
        )

    def test_only_people_on_other_seats_claim(self, timed: Store, clock: FakeClock) -> None:
        game, claim, seat, (first, second) = silent_three(timed, clock)
        zoe = timed.players.create("Zoe")[0]
        refuses(NotSeated, game, partial(claim, Intent(zoe), game.id, seat, "stand_in"))
        refuses(NotSeated, game, partial(claim, Intent(game.who(seat)), game.id, seat, "stand_in"))
        timed.commands.leaving.resign(Intent(game.who(first)), game.id)
        clock.advance(SILENT_MS)
        refuses(NotSeated, game, partial(claim, Intent(game.who(first)), game.id, seat, "stand_in"))
        refuses(NotFound, game, partial(claim, Intent(game.who(second)), game.id, 3, "stand_in"))
        refuses(
            StaleVersion, game, partial(claim, Intent(game.who(second), 1), game.id, seat, "abort")
        )
        timed.commands.leaving.resign(Intent(game.who(second)), game.id)
        refuses(
            GameNotRunning, game, partial(claim, Intent(game.who(seat)), game.id, first, "stand_in")
        )


class TestTheRemedies:
    def test_with_one_other_person_a_forfeit_is_done_at_once(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game = circle(timed, "Ada", "Bob", "bot:random")
        while game.table.bot_to_move:
            game.bot_moves()
        (other,), seat = game.others(), game.asked
        clock.advance(SILENT_MS)
        done = timed.commands.leaving.claim(Intent(game.who(other)), game.id, seat, "forfeit")
        (left,) = done.events
        assert (left["type"], left["seat"], left["reason"]) == ("seat_forfeited", seat, "timed_out")

    def test_with_one_other_person_an_abort_is_done_at_once(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game = circle(timed, "Ada", "Bob")
        (other,) = game.others()
        clock.advance(SILENT_MS)
        (done,) = timed.commands.leaving.claim(
            Intent(game.who(other)), game.id, game.asked, "abort"
        ).events
        assert (done["type"], done["code"], done["by"]) == (
            "game_aborted",
            "agreed",
            game.who(other).id,
        )

    def test_with_more_persons_a_forfeit_needs_all_who_are_not_away(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game = circle(timed, "Ada", "Bob", "Cleo", "Dora")
        seat, (first, second, third) = game.asked, game.others()
        timed.commands.leaving.go_away(Intent(game.who(third)), game.id, third)
        clock.advance(SILENT_MS)
        claim = timed.commands.leaving.claim
        (made,) = claim(Intent(game.who(first)), game.id, seat, "forfeit").events
        assert (made["type"], made["kind"], made["target"]) == ("proposal_made", "forfeit", seat)
        assert (made["seat"], made["needs"]) == (first, [second])
        assert claim(Intent(game.who(first)), game.id, seat, "forfeit").events == []
        done = claim(Intent(game.who(second)), game.id, seat, "forfeit")
        assert types(done) == ["proposal_answered", "proposal_closed", "seat_forfeited"]
        assert done.events[1]["outcome"] == "accepted"
        assert timed.audit.game(game.id).valid

    def test_an_abort_that_all_agree_to_ends_the_game_without_a_result(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game, claim, seat, (first, second) = silent_three(timed, clock)
        claim(Intent(game.who(first)), game.id, seat, "abort")
        done = claim(Intent(game.who(second)), game.id, seat, "abort")
        assert types(done) == ["proposal_answered", "proposal_closed", "game_aborted"]

    def test_another_remedy_waits_for_the_open_proposal_but_a_stand_in_does_not(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game, claim, seat, (first, second) = silent_three(timed, clock)
        (made,) = claim(Intent(game.who(first)), game.id, seat, "forfeit").events
        error = refuses(
            ProposalOpen, game, partial(claim, Intent(game.who(second)), game.id, seat, "abort")
        )
        assert error.members() == {"proposal": made["version"]}
        done = claim(Intent(game.who(second)), game.id, seat, "stand_in")
        assert types(done) == ["stand_in_seated", "proposal_closed"]
        assert done.events[1]["outcome"] == "lapsed"

    def test_a_claim_lapses_when_the_claimed_seat_moves(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game = circle(timed, "Ada", "Bob", "Cleo")
        clock.advance(SILENT_MS)
        first, _ = game.others()
        timed.commands.leaving.claim(Intent(game.who(first)), game.id, game.asked, "forfeit")
        assert types(game.move()) == ["proposal_closed", "move_made"]
        assert game.table.course.proposal is None

    def test_a_claim_lapses_when_a_takeback_asks_another_seat(
        self, timed: Store, clock: FakeClock
    ) -> None:
        ada, bob, eve = (timed.players.create(name)[0] for name in ("Ada", "Bob", "Eve"))
        at = sit(timed, ada, bob, eve)
        give(at, 1)
        clock.advance(SILENT_MS)
        timed.commands.leaving.claim(Intent(eve), at.id, 1, "forfeit")
        closed, taken_back = at.propose(ada).events
        assert (closed["type"], closed["outcome"]) == ("proposal_closed", "lapsed")
        assert taken_back["type"] == "moves_taken_back"
        assert (at.now.course.proposal, at.asked()) == (None, ada)
        at.must_hold()

    def test_after_a_claim_that_nobody_answered_the_seat_is_still_overdue(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game, claim, seat, (first, second) = silent_three(timed, clock)
        claim(Intent(game.who(first)), game.id, seat, "forfeit")
        clock.advance(3 * DAY_MS)
        assert types(timed.commands.expiry.expire(game.id)) == ["proposal_closed"]
        assert types(claim(Intent(game.who(second)), game.id, seat, "stand_in")) == [
            "stand_in_seated"
        ]

    def test_a_proposal_whose_time_is_over_stops_no_claim_although_no_timer_has_closed_it(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game, claim, seat, (first, second) = silent_three(timed, clock)
        claim(Intent(game.who(first)), game.id, seat, "forfeit")
        clock.advance(3 * DAY_MS)
        done = claim(Intent(game.who(second)), game.id, seat, "abort")
        assert types(done) == ["proposal_closed", "proposal_made"]

    def test_an_owner_who_returned_after_a_claim_is_given_the_whole_time_again(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game = circle(timed, "Ada", "Bob", "Cleo")
        seat, (first, _) = game.asked, game.others()
        clock.advance(SILENT_MS)
        claim = partial(
            timed.commands.leaving.claim, Intent(game.who(first)), game.id, seat, "stand_in"
        )
        claim()
        timed.commands.leaving.come_back(Intent(game.who(seat)), game.id, seat)
        refuses(NotOverdue, game, claim)


class TestAtOnce:
    """Eight threads ask at the same moment on a real server: exactly one has an effect."""

    def at_once(self, asks: list[Any]) -> list[Any]:
        barrier, found = Barrier(len(asks)), []

        def run(ask: Any) -> None:
            barrier.wait()
            try:
                found.append(ask())
            except Refused as refused:
                found.append(refused)

        threads = [Thread(target=run, args=[ask]) for ask in asks]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return found

    @pytest.fixture
    def store(self, real_store: Store) -> Store:
        return real_store

    def test_eight_claims_seat_one_stand_in(self, timed: Store, clock: FakeClock) -> None:
        game = circle(timed, "Ada", "Bob", "Cleo", "Dora", "Emil")
        clock.advance(SILENT_MS)
        seat, others = game.asked, game.others()
        claim = timed.commands.leaving.claim
        found = self.at_once(
            [partial(claim, Intent(game.who(one)), game.id, seat, "stand_in") for one in others * 2]
        )
        assert game.types().count("stand_in_seated") == 1
        assert sum(isinstance(one, NotOverdue) for one in found) == 7

    def test_all_claims_of_a_forfeit_join_and_it_is_forfeited_once(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game = circle(timed, "Ada", "Bob", "Cleo", "Dora", "Emil")
        clock.advance(SILENT_MS)
        seat, others = game.asked, game.others()
        claim = timed.commands.leaving.claim
        self.at_once(
            [partial(claim, Intent(game.who(one)), game.id, seat, "forfeit") for one in others]
        )
        assert game.types().count("proposal_made") == 1
        assert game.types().count("seat_forfeited") == 1

    def test_eight_returns_return_once(self, timed: Store) -> None:
        game = circle(timed, "Ada", "Bob")
        timed.commands.leaving.go_away(Intent(game.who(0)), game.id, 0)
        back = partial(timed.commands.leaving.come_back, Intent(game.who(0)), game.id, 0)
        found = self.at_once([back] * 8)
        assert game.types().count("seat_returned") == 1
        assert sum(not one.events for one in found) == 7

    def test_eight_substitutes_and_one_sits(self, timed: Store) -> None:
        game = vacant_circle(timed)
        people = [timed.players.create(f"Zoe {number}")[0] for number in range(8)]
        found = self.at_once(
            [partial(timed.commands.arranging.join, Intent(one), game.id, 0) for one in people]
        )
        assert game.types().count("seat_taken_over") == 1
        assert sum(isinstance(one, SeatTaken) for one in found) == 7

    def test_two_who_resign_at_once_leave_one_winner(self, timed: Store) -> None:
        game = circle(timed, "Ada", "Bob")
        resign = timed.commands.leaving.resign
        found = self.at_once(
            [partial(resign, Intent(game.who(seat)), game.id) for seat in (0, 1)] * 4
        )
        assert game.types().count("seat_forfeited") == game.types().count("play_ended") == 1
        assert sum(isinstance(one, GameNotRunning) for one in found) == 7
