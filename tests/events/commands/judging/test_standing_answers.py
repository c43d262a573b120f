"""Standing answers: a player answers questions beforehand, in the append of the move before.

In the toy game a gift asks another seat (`gift`); who accepts several beans is asked whether to
pass half of them on (`pass_on`). Only the next roll draws.
"""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.commands.judging.standing_answers import LONGEST
from cartulary.events.commands.table.transcripts import transcript_of
from cartulary.events.ledger.standing import Given, StandingAnswer
from cartulary.events.model.effects.kinds import KINDS
from cartulary.events.model.errors import (
    GameNotRunning,
    Invalid,
    NotFound,
    NotSeated,
    SeatForfeited,
)
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.support.bean_games import beans_game, everything_stored
from tests.events.support.opened_tables import At, open_table, types_of
from tests.events.support.standing_answers import (
    EVERY_GIFT,
    FOR_ME,
    NO_GIFTS,
    movers,
    said,
    say,
    standing,
)
from tests.events.support.takeback_tables import ACCEPT, DECLINE, KEEP, give, sit

ME, OPEN = SeatRequest("me"), SeatRequest("open")


class TestAnswering:
    def test_the_question_is_answered_in_the_append_of_the_move_before(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        at = sit(store, ada, bob)
        say(at, bob, NO_GIFTS)
        version = at.now.version
        written = at.move({"type": "give", "to": 1})
        assert movers(written) == [(0, None), (1, "standing_answer")]
        assert written.events[1]["move"] == DECLINE
        assert not {"clock", "bot"} & written.events[1].keys()
        assert (written.table.version, at.asked()) == (version + 2, bob)
        assert written.table.decision is not None
        assert written.table.decision.kind == "turn"
        at.must_hold()

    def test_several_questions_in_a_row_are_answered(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        at = sit(store, ada, bob)
        say(at, bob, EVERY_GIFT, FOR_ME, standing("turn", KEEP))
        written = at.move({"type": "give", "to": 1})
        answered = [event["move"]["type"] for event in written.events]
        assert answered == ["give", "accept", "decline", "keep"]
        assert at.asked() == ada
        at.must_hold()

    def test_the_answers_of_several_players_follow_each_other(
        self, store: Store, ada: Player, bob: Player, eve: Player
    ) -> None:
        at = sit(store, ada, bob, eve)
        say(at, bob, NO_GIFTS, standing("turn", KEEP))
        say(at, eve, standing("turn", KEEP))
        written = at.move({"type": "give", "to": 1})
        assert [seat for seat, _ in movers(written)] == [0, 1, 1, 2]
        assert at.asked() == ada
        at.must_hold()

    def test_they_follow_the_move_of_a_bot(self, store: Store, ada: Player) -> None:
        at = sit(store, "random", ada)
        say(at, ada, NO_GIFTS)
        written = store.commands.bots.move(at.id, at.now.position, lambda _state, _rng: 1)
        assert movers(written) == [(0, None), (1, "standing_answer")]
        at.must_hold()

    def test_they_follow_the_start(self, store: Store, ada: Player, bob: Player) -> None:
        waiting = store.commands.create(Intent(ada), beans_game(ME, OPEN)).table
        keep = standing("turn", KEEP)
        store.commands.standing_answers.change(ada, waiting.id, [keep])
        written = store.commands.arranging.join(Intent(bob), waiting.id)
        at = At(store, written.table, [ada, bob])
        assert at.asked() == bob
        started = written.events[types_of(written).index("game_started") :]
        began = started[0]["setup"]["first"] == 0
        assert [event.get("by") for event in started] == [None, *["standing_answer"] * began]
        at.must_hold()

    def test_a_question_that_is_pending_waits_for_its_player(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        at = sit(store, ada, bob)
        give(at, 1)
        say(at, bob, NO_GIFTS)
        assert at.now.decision is not None
        assert at.asked() == bob
        at.propose(ada, "end")
        assert at.asked() == bob

    def test_a_question_of_another_kind_waits_for_its_player(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        at = sit(store, ada, bob)
        say(at, bob, FOR_ME)
        assert len(at.move({"type": "give", "to": 1}).events) == 1

    def test_an_answer_that_is_not_legal_is_left_to_the_player(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        at = sit(store, ada, bob)
        illegal = StandingAnswer("gift", {"type": "keep"})
        store.commands.writer.standings.write(at.id, bob.id, Given(at.now.position, [illegal]))
        assert len(at.move({"type": "give", "to": 1}).events) == 1
        assert at.asked() == bob

    def test_a_stand_in_answers_for_who_is_away(
        self, store: Store, ada: Player, bob: Player, eve: Player
    ) -> None:
        at = sit(store, ada, bob, eve)
        say(at, bob, NO_GIFTS)
        store.commands.leaving.go_away(Intent(bob), at.id, 1)
        assert len(at.move({"type": "give", "to": 1}).events) == 1
        assert at.now.bot_to_move is not None

    def test_who_takes_a_seat_over_gets_no_answers_with_it(
        self, store: Store, ada: Player, bob: Player, eve: Player
    ) -> None:
        cid = store.players.create("Cid")[0]
        at = sit(store, ada, bob, eve, substitutes=True, takebacks="consent")
        say(at, bob, NO_GIFTS)
        store.commands.leaving.resign(Intent(bob), at.id)
        store.commands.arranging.join(Intent(cid), at.id, 1)
        assert len(at.move({"type": "give", "to": 1}).events) == 1
        assert at.now.decision is not None

    def test_they_hold_for_all_seats_of_the_player(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        at = sit(store, ada, bob, bob)
        say(at, bob, NO_GIFTS, standing("turn", KEEP))
        written = at.move({"type": "give", "to": 2})
        assert [seat for seat, _ in movers(written)] == [0, 2, 1, 2]

    def test_an_append_has_so_many_at_most_and_the_game_goes_on(
        self, store: Store, ada: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("cartulary.events.commands.judging.standing_answers.LONGEST", 2)
        assert LONGEST == 100
        at = sit(store, ada, bob)
        for player in (ada, bob):
            say(at, player, standing("turn", KEEP))
        assert len(at.move(KEEP).events) == 3
        assert len(at.move(KEEP).events) == 3
        at.must_hold()

    def test_a_repeated_move_gets_the_same_events(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        at = sit(store, ada, bob)
        say(at, bob, NO_GIFTS)
        move, version = {"type": "give", "to": 1}, at.now.version
        first = store.commands.move(Intent(ada, version, key="key"), at.id, move)
        say(at, bob)
        again = store.commands.move(Intent(ada, version, key="key"), at.id, move)
        assert again.replayed
        assert (again.events, again.table.version) == (first.events, version + 2)

    def test_the_transcript_holds_them_as_moves(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        at = sit(store, ada, bob)
        say(at, bob, NO_GIFTS)
        give(at, 1)
        moves = transcript_of(at.now, store.ledger.events(at.id), {}).moves
        assert [entry.move["type"] for entry in moves] == ["give", "decline"]

    def test_an_open_takeback_of_another_player_lapses(
        self, store: Store, ada: Player, bob: Player, eve: Player
    ) -> None:
        at = sit(store, ada, bob, eve, takebacks="consent")
        say(at, bob, NO_GIFTS)
        at.move(KEEP)
        at.propose(ada)
        # Bob is asked: his turn gives a bean to Eve.
        written = at.move({"type": "give", "to": 2})
        assert types_of(written)[0] == "proposal_closed"
        at.must_hold()


class TestTakebacks:
    def test_they_are_nobodys_moves_and_the_takeback_stays_free(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        at = sit(store, ada, bob)
        say(at, bob, EVERY_GIFT)
        before = at.now
        assert len(at.move({"type": "give", "to": 1}).events) == 2
        written = at.propose(ada)
        assert types_of(written) == ["moves_taken_back"]
        assert len(written.events[0]["moves"]) == 2
        assert at.now.view_text() == before.view_text()
        at.must_hold()

    def test_a_takeback_to_the_question_leaves_the_question_to_its_player(
        self, store: Store, ada: Player, bob: Player, eve: Player
    ) -> None:
        at = sit(store, ada, bob, eve, takebacks="consent")
        say(at, bob, EVERY_GIFT)
        written = at.move({"type": "give", "to": 1})
        asked_at = written.events[0]["version"]
        at.move({"type": "give", "to": 2})
        at.move(ACCEPT if at.may(ACCEPT) else None)
        at.propose(ada, to_version=asked_at)
        for player in (bob, eve):
            at.answer(player)
        assert at.asked() == bob
        assert at.now.decision is not None
        assert at.now.decision.kind == "gift"
        assert said(at, bob) == [EVERY_GIFT]
        at.must_hold()

    def test_answers_that_rest_on_moves_taken_back_are_dropped(
        self, store: Store, ada: Player, bob: Player, eve: Player
    ) -> None:
        at = sit(store, ada, bob, eve)
        say(at, eve, NO_GIFTS)
        give(at, 1)
        say(at, bob, EVERY_GIFT)
        at.propose(ada)
        assert said(at, bob) == []
        assert said(at, eve) == [NO_GIFTS]
        assert len(at.move({"type": "give", "to": 1}).events) == 1

    def test_what_is_given_after_a_takeback_holds_after_another(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        at = sit(store, ada, bob)
        give(at, 1)
        at.propose(ada)
        say(at, bob, EVERY_GIFT)
        assert len(at.move({"type": "give", "to": 1}).events) == 2
        at.propose(ada)
        assert said(at, bob) == [EVERY_GIFT]
        assert len(at.move({"type": "give", "to": 1}).events) == 2
        at.must_hold()

    def test_an_event_that_leaves_the_position_alone_is_no_ground_to_drop_them(
        self, store: Store, ada: Player, bob: Player, eve: Player
    ) -> None:
        at = sit(store, ada, bob, eve)
        at.propose(ada, "end")
        say(at, bob, EVERY_GIFT)
        give(at, 1)
        at.propose(ada)
        assert said(at, bob) == [EVERY_GIFT]

    def test_the_move_of_a_standing_answer_needs_no_consent_of_its_player(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        at = sit(store, ada, bob)
        say(at, bob, EVERY_GIFT)
        at.move({"type": "give", "to": 1})
        free = at.now.summary()["takeback"]
        assert free is not None
        assert free["seat"] == 0


class TestChanging:
    def test_the_answers_replace_those_from_before(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        at = sit(store, ada, bob)
        say(at, bob, NO_GIFTS, FOR_ME)
        say(at, bob, EVERY_GIFT)
        assert said(at, bob) == [EVERY_GIFT]
        say(at, bob)
        assert said(at, bob) == []
        assert len(at.move({"type": "give", "to": 1}).events) == 1

    def test_a_game_without_answers_has_no_trace_of_them(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        at = sit(store, ada, bob)
        before = everything_stored(store)
        say(at, bob, NO_GIFTS)
        say(at, bob)
        assert everything_stored(store) == before

    def test_nobody_else_sees_them(self, store: Store, ada: Player, bob: Player) -> None:
        at = sit(store, ada, bob)
        before = at.now.text(), store.ledger.deliver(at.id)
        say(at, bob, NO_GIFTS)
        assert (at.now.text(), store.ledger.deliver(at.id)) == before
        assert said(at, ada) == []

    @pytest.mark.parametrize(
        ("answers", "pointer"),
        [
            ([standing("bribe", DECLINE)], "/answers/0/kind"),
            ([NO_GIFTS, EVERY_GIFT], "/answers/1/kind"),
            ([standing("turn", {"type": "give", "to": 1})], "/answers/0/move"),
            ([standing("gift", KEEP)], "/answers/0/move"),
            ([standing("gift", {"type": "decline", "to": 1})], "/answers/0/move"),
            ([FOR_ME, standing("gift", {})], "/answers/1/move"),
            ([standing("gift", DECLINE, "tomorrow")], "/answers/0/until"),
            ([standing("gift", DECLINE, "round")], "/answers/0/until"),
        ],
    )
    def test_what_is_no_standing_answer_is_refused(
        self, store: Store, ada: Player, bob: Player, answers: list[Any], pointer: str
    ) -> None:
        at = sit(store, ada, bob)
        before = everything_stored(store)
        with pytest.raises(Invalid) as refused:
            say(at, bob, *answers)
        assert [one["pointer"] for one in refused.value.errors] == [pointer]
        assert everything_stored(store) == before

    def test_only_who_plays_has_them(
        self, store: Store, ada: Player, bob: Player, eve: Player
    ) -> None:
        at = sit(store, ada, bob, eve)
        stranger = store.players.create("Cid")[0]
        for ask in (say, said):
            with pytest.raises(NotSeated):
                ask(at, stranger)
        store.commands.leaving.resign(Intent(bob), at.id)
        with pytest.raises(SeatForfeited):
            say(at, bob, NO_GIFTS)
        private = store.commands.create(Intent(ada), beans_game(ME, ME, visibility="private")).table
        with pytest.raises(NotFound):
            store.commands.standing_answers.show(bob, private.id)

    def test_a_game_that_has_ended_takes_none(self, store: Store, ada: Player, bob: Player) -> None:
        at = sit(store, ada, bob)
        say(at, bob, NO_GIFTS)
        store.commands.leaving.resign(Intent(bob), at.id)
        with pytest.raises(GameNotRunning):
            say(at, ada, NO_GIFTS)

    def test_the_event_may_say_who_has_answered(self) -> None:
        field = next(one for one in KINDS["move_made"].fields if one.name == "by")
        assert "standing_answer" in field.schema["enum"]


class TestRounds:
    @pytest.fixture
    def caylus(self, store: Store, ada: Player, bob: Player) -> At:
        return At(store, open_table(store, [ada, bob], game="caylus"), [ada, bob])

    def test_an_answer_for_the_round_ends_with_the_round(self, caylus: At) -> None:
        first = caylus.asked()
        say(caylus, first, standing("place_worker", {"type": "pass"}, "round"))
        assert (len(said(caylus, first)), caylus.asked()) == (1, first)
        written = caylus.move()
        while not _is_asked_by(caylus, first):
            written = caylus.move({"type": "pass"} if caylus.may({"type": "pass"}) else None)
        begun = _round(caylus)
        assert [event["seat"] for event in written.events].count(_seat(caylus, first)) <= 1
        while _round(caylus) == begun:
            caylus.move({"type": "pass"} if caylus.may({"type": "pass"}) else DECLINE)
        while not _is_asked_by(caylus, first):
            caylus.move({"type": "pass"})
        assert said(caylus, first) == []
        caylus.must_hold()

    def test_before_the_start_no_round_is_played(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        waiting = store.commands.create(Intent(ada), NewGame("caylus", (ME, OPEN))).table
        with pytest.raises(Invalid):
            store.commands.standing_answers.change(
                ada, waiting.id, [standing("bribe", DECLINE, "round")]
            )


def _seat(at: At, player: Player) -> int:
    return at.now.seats_of(player.id)[0]


def _round(at: At) -> int:
    view = at.now.view_text()
    assert view is not None
    return int(orjson.loads(view)["round"])


def _is_asked_by(at: At, player: Player) -> bool:
    return at.now.decision is None or at.asked() == player
