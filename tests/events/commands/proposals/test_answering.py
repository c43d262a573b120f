"""Answering: what closes a proposal, and what follows from it."""

from __future__ import annotations

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.model.errors import Invalid, NotAsked, NotFound, NotSeated, ProposalClosed
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.support.opened_tables import At, types_of
from tests.events.support.takeback_tables import KEEP, bot_moves, give, sit
from tests.support.fake_clock import DAY, FakeClock

ACCEPTED = ["proposal_answered", "proposal_closed"]


class TestAnswers:
    def test_the_last_accept_carries_the_takeback_out_in_the_same_append(
        self, at: At, ada: Player, bob: Player, eve: Player
    ) -> None:
        at.propose(ada)  # 4
        assert types_of(at.answer(bob)) == ["proposal_answered"]
        written = at.answer(eve)
        assert types_of(written) == [*ACCEPTED, "moves_taken_back"]
        answered, closed, taken = written.events
        assert (answered["seat"], answered["answer"], answered["auto"]) == (2, "accept", False)
        assert (closed["proposal"], closed["outcome"]) == (4, "accepted")
        assert (taken["seat"], taken["to_version"], taken["moves"]) == (0, 2, [3])
        assert taken["proposal"] == 4
        assert at.asked() == ada
        at.must_hold()

    def test_one_decline_closes_the_proposal(self, at: At, ada: Player, bob: Player) -> None:
        at.propose(ada)
        written = at.answer(bob, "decline")
        assert types_of(written) == ACCEPTED
        assert written.events[1]["outcome"] == "declined"
        assert at.now.course.proposal is None
        at.must_hold()

    def test_the_proposer_may_withdraw_and_nobody_else(
        self, at: At, ada: Player, bob: Player
    ) -> None:
        at.propose(ada)
        commands = at.store.commands.proposals
        with pytest.raises(NotSeated):
            commands.withdraw(Intent(bob), at.id, 4)
        written = commands.withdraw(Intent(ada), at.id, 4)
        assert [event["outcome"] for event in written.events] == ["withdrawn"]
        with pytest.raises(ProposalClosed):
            commands.withdraw(Intent(ada), at.id, 4)

    def test_the_same_answer_again_does_nothing(self, at: At, ada: Player, bob: Player) -> None:
        at.propose(ada)
        at.answer(bob)
        assert at.answer(bob).events == []

    def test_another_answer_comes_too_late(self, at: At, ada: Player, bob: Player) -> None:
        at.propose(ada)
        at.answer(bob)
        with pytest.raises(NotAsked):
            at.answer(bob, "decline")

    def test_who_proposes_is_not_asked(self, at: At, ada: Player) -> None:
        at.propose(ada)
        with pytest.raises(NotAsked):
            at.answer(ada)

    def test_a_closed_proposal_takes_no_answer(
        self, at: At, ada: Player, bob: Player, eve: Player
    ) -> None:
        at.propose(ada)
        at.answer(bob, "decline")
        with pytest.raises(ProposalClosed):
            at.answer(eve, number=4)

    @pytest.mark.parametrize("number", [0, 3, 99])
    def test_what_is_no_proposal_is_not_found(
        self, at: At, ada: Player, bob: Player, number: int
    ) -> None:
        at.propose(ada)
        with pytest.raises(NotFound):
            at.store.commands.proposals.answer(Intent(bob), at.id, number, "accept")

    def test_an_answer_is_accept_or_decline(self, at: At, ada: Player, bob: Player) -> None:
        at.propose(ada)
        with pytest.raises(Invalid):
            at.answer(bob, "perhaps")


class TestLapse:
    def test_a_move_of_another_seat_lets_a_takeback_lapse_in_its_own_append(
        self, at: At, ada: Player, bob: Player
    ) -> None:
        at.propose(ada)  # 4
        written = at.move(KEEP)
        assert types_of(written) == ["proposal_closed", "move_made"]
        assert written.events[0]["outcome"] == "lapsed"
        with pytest.raises(ProposalClosed):
            at.answer(bob, number=4)
        at.must_hold()

    def test_a_move_of_a_bot_as_well(self, store: Store, ada: Player, bob: Player) -> None:
        at = sit(store, ada, "random", bob, takebacks="consent")
        at.move(KEEP)
        at.propose(ada)
        bot_moves(at, KEEP)
        assert at.now.course.proposal is None
        at.must_hold()

    def test_a_move_of_the_proposer_does_not_and_is_taken_back_too(
        self, at: At, ada: Player, bob: Player, eve: Player
    ) -> None:
        at.propose(bob, to_version=2)  # 4
        assert types_of(at.move(KEEP)) == ["move_made"]  # 5
        at.answer(ada)
        assert at.answer(eve).events[-1]["moves"] == [3, 5]
        assert at.now.course.place(at.now.position) == 2
        at.must_hold()

    def test_a_free_takeback_of_a_move_in_question_lets_the_proposal_lapse(
        self, at: At, ada: Player, bob: Player
    ) -> None:
        give(at, 2)  # 4, of Bob
        at.propose(ada, to_version=2)  # 5
        written = at.propose(bob)
        assert types_of(written) == ["proposal_closed", "moves_taken_back"]
        at.must_hold()

    def test_an_offer_to_end_outlasts_moves(self, at: At, ada: Player) -> None:
        at.propose(ada, "end")
        assert types_of(at.move(KEEP)) == ["move_made"]
        assert at.now.course.proposal is not None

    def test_no_proposal_outlasts_the_play(self, store: Store, ada: Player, bob: Player) -> None:
        at = sit(store, ada, bob, takebacks="consent")
        at.propose(ada, "end")
        while at.now.status == "running":
            written = at.move(KEEP)
        assert types_of(written) == ["proposal_closed", "move_made"]
        at.must_hold()

    def test_an_expired_proposal_takes_no_answer_and_makes_room(
        self, at: At, ada: Player, bob: Player, clock: FakeClock
    ) -> None:
        at.propose(ada)  # 4
        clock.advance(3 * DAY)
        with pytest.raises(ProposalClosed):
            at.answer(bob, number=4)
        written = at.propose(ada)
        assert types_of(written) == ["proposal_closed", "proposal_made"]
        assert written.events[0]["outcome"] == "expired"
        at.must_hold()

    def test_it_takes_answers_until_it_expires(
        self, at: At, ada: Player, bob: Player, clock: FakeClock
    ) -> None:
        at.propose(ada)
        clock.advance(3 * DAY - 1)
        assert types_of(at.answer(bob)) == ["proposal_answered"]


class TestEndings:
    def test_all_agree_to_abort(self, at: At, ada: Player, bob: Player, eve: Player) -> None:
        at.propose(ada, "abort")
        at.answer(bob)
        written = at.answer(eve)
        assert types_of(written) == [*ACCEPTED, "game_aborted"]
        event = written.events[-1]
        assert (event["code"], event["by"]) == ("agreed", ada.id)
        assert len(event["secret"]) == 64
        assert at.now.status == "aborted"
        at.must_hold()

    def test_all_agree_to_end_the_game_as_it_stands(
        self, at: At, ada: Player, bob: Player, eve: Player
    ) -> None:
        at.propose(ada, "end")
        at.answer(bob)
        written = at.answer(eve)
        assert types_of(written) == [*ACCEPTED, "play_ended"]
        assert written.events[-1]["reason"] == "agreement"
        assert at.now.status == "scoring"

    @pytest.mark.parametrize(("kind", "status"), [("abort", "aborted"), ("end", "scoring")])
    def test_who_plays_against_bots_asks_nobody(
        self, store: Store, ada: Player, kind: str, status: str
    ) -> None:
        at = sit(store, ada, "random")
        assert at.propose(ada, kind).table.status == status
