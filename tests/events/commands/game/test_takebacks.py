"""Takebacks: the rules of `docs/living.md`, "Taking moves back", sentence by sentence.

In the toy game the seat that is asked rolls beans (a draw) and keeps or gives them. A gift asks
another seat, which accepts or declines; who accepts several may pass half of them on. Only the next
roll draws.
"""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.commands.game import takebacks
from cartulary.events.commands.table.transcripts import transcript_of
from cartulary.events.model.effects.fold import fold
from cartulary.events.model.errors import GameNotRunning, Invalid, NothingToTakeBack, TakebacksOff
from cartulary.events.model.failures import BrokenHistory
from cartulary.events.model.types import MOVE_MADE
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.support.opened_tables import At, open_table, types_of
from tests.events.support.takeback_tables import ACCEPT, DECLINE, KEEP, bot_moves, give, sit


def test_past_events_are_read_in_pieces_and_none_is_lost(
    store: Store, ada: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(takebacks, "PIECE", 1)
    at = sit(store, ada, bob)
    for _ in range(6):
        at.move(KEEP)
    last = at.now.version
    past = takebacks.PastEvents(store.ledger, at.now)
    stored = store.ledger.events(at.id)
    assert [past.event(version) for version in range(last, 0, -1)] == stored[::-1]
    assert [past.event(version) for version in range(1, last + 1)] == stored


class TestFree:
    @pytest.mark.parametrize("takebacks", ["undo", "consent"])
    def test_a_move_is_taken_back_at_once_while_another_person_is_asked(
        self, store: Store, ada: Player, bob: Player, takebacks: str
    ) -> None:
        at = sit(store, ada, bob, takebacks=takebacks)
        before = at.now
        give(at, 1)
        assert at.asked() == bob
        written = at.propose(ada)
        assert types_of(written) == ["moves_taken_back"]
        event = written.events[0]
        assert (event["seat"], event["to_version"], event["moves"]) == (0, 2, [3])
        assert (event["proposal"], event["state_hash"]) == (None, before.state_hash)
        after = at.now
        assert (after.view_text(), after.decision) == (before.view_text(), before.decision)
        assert after.position == after.version == 4
        at.must_hold()

    def test_not_once_chance_was_drawn(self, store: Store, ada: Player, bob: Player) -> None:
        at = sit(store, ada, bob)
        assert at.move(KEEP).events[0]["chance"]
        assert at.now.summary()["takeback"] is None
        with pytest.raises(TakebacksOff):
            at.propose(ada)

    def test_not_once_another_person_has_moved(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        at = sit(store, ada, bob)
        give(at, 1)
        at.move(ACCEPT)
        with pytest.raises(TakebacksOff):
            at.propose(ada)

    def test_to_before_any_own_move_of_the_run(
        self, store: Store, ada: Player, bob: Player, eve: Player
    ) -> None:
        for to_version, moves in ((3, [4, 5]), (4, [5]), (None, [5])):
            at = sit(store, ada, bob, eve)
            give(at, 1)  # 3
            at.move(ACCEPT)  # 4
            give(at, 2)  # 5
            assert at.now.summary()["takeback"] == {"seat": 1, "free_to": 3}
            assert at.propose(bob, to_version=to_version).events[0]["moves"] == moves
            at.must_hold()

    def test_not_further_than_the_run(
        self, store: Store, ada: Player, bob: Player, eve: Player
    ) -> None:
        at = sit(store, ada, bob, eve)
        give(at, 1)
        at.move(ACCEPT)
        with pytest.raises(TakebacksOff):
            at.propose(bob, to_version=2)

    def test_moves_of_bots_are_nobodys_moves(self, store: Store, ada: Player, bob: Player) -> None:
        at = sit(store, ada, "random", bob)
        give(at, 1)  # 3
        bot_moves(at, ACCEPT)  # 4: the bot may pass the beans on
        assert at.propose(ada).events[0]["moves"] == [3, 4]
        at.must_hold()

    def test_two_seats_of_one_player_are_one_person(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        at = sit(store, ada, ada, bob)
        give(at, 1)
        at.move(ACCEPT)
        give(at, 2)
        assert at.now.summary()["takeback"] == {"seat": 0, "free_to": 2}
        assert at.propose(ada, to_version=2).events[0]["moves"] == [3, 4, 5]
        at.must_hold()

    def test_any_version_between_means_the_position_before_the_move(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        for to_version in (2, 3, 4, 5, None):
            at = sit(store, ada, bob)
            at.propose(bob, "end")  # 3
            at.answer(ada, "decline")  # 4, 5
            give(at, 1)  # 6
            event = at.propose(ada, to_version=to_version).events[0]
            assert (event["to_version"], event["moves"]) == (2, [6])
            at.must_hold()

    def test_to_the_position_of_an_earlier_takeback(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        for to_version in (2, 4, None):
            at = sit(store, ada, bob)
            give(at, 1)  # 3
            at.propose(ada)  # 4
            at.move({"type": "give", "to": 1})  # 5
            event = at.propose(ada, to_version=to_version).events[0]
            assert (event["to_version"], event["moves"]) == (4, [5])
            at.must_hold()

    def test_no_redo_of_what_was_taken_back(self, store: Store, ada: Player, bob: Player) -> None:
        at = sit(store, ada, bob)
        give(at, 1)  # 3
        at.propose(ada)  # 4
        give(at, 1)  # 5
        with pytest.raises(NothingToTakeBack):
            at.propose(ada, to_version=3)

    def test_nothing_where_the_table_has_no_takebacks(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        at = sit(store, ada, bob, takebacks="none")
        give(at, 1)
        assert at.now.summary()["takeback"] is None
        with pytest.raises(TakebacksOff):
            at.propose(ada)

    def test_nothing_before_the_first_own_move(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        at = sit(store, ada, bob)
        for player in (ada, bob):
            with pytest.raises(NothingToTakeBack):
                at.propose(player)
        give(at, 1)
        with pytest.raises(NothingToTakeBack):
            at.propose(bob)

    @pytest.mark.parametrize("to_version", [0, 1, 9])
    def test_no_version_before_the_start_or_beyond_the_end(
        self, store: Store, ada: Player, bob: Player, to_version: int
    ) -> None:
        at = sit(store, ada, bob)
        give(at, 1)
        with pytest.raises(Invalid) as refused:
            at.propose(ada, to_version=to_version)
        assert refused.value.errors[0]["pointer"] == "/to_version"

    def test_nothing_to_the_position_as_it_is(self, store: Store, ada: Player, bob: Player) -> None:
        at = sit(store, ada, bob)
        give(at, 1)
        with pytest.raises(NothingToTakeBack):
            at.propose(ada, to_version=3)

    def test_never_after_the_end_of_the_play(self, store: Store, ada: Player, bob: Player) -> None:
        at = sit(store, ada, bob, takebacks="consent")
        while at.now.status == "running":
            at.move(KEEP)
        with pytest.raises(GameNotRunning):
            at.propose(ada)


class TestAlone:
    @pytest.mark.parametrize("takebacks", ["none", "undo", "consent"])
    def test_who_plays_against_bots_takes_back_as_far_as_the_start(
        self, store: Store, ada: Player, takebacks: str
    ) -> None:
        at = sit(store, ada, "random", takebacks=takebacks)
        start = at.now
        at.move(KEEP)
        bot_moves(at, KEEP)
        assert at.now.summary()["takeback"] == {"seat": 0, "free_to": 2}
        written = at.propose(ada, to_version=2)
        assert types_of(written) == ["moves_taken_back"]
        assert at.now.view_text() == start.view_text()
        at.must_hold()

    def test_by_default_to_before_the_own_last_move(self, store: Store, ada: Player) -> None:
        at = sit(store, ada, "random")
        at.move(KEEP)
        bot_moves(at, KEEP)
        before = at.now
        at.move(KEEP)
        written = at.propose(ada)
        assert written.events[0]["to_version"] == before.position
        assert (at.now.view_text(), at.asked()) == (before.view_text(), ada)
        at.must_hold()

    def test_without_an_own_move_that_stands_there_is_no_last_move_to_take_back(
        self, store: Store, ada: Player
    ) -> None:
        at = sit(store, "random", ada)
        may = store.commands.proposals.describe
        bot_moves(at, KEEP)
        assert may(at.now, ada)["may"]["takeback"]["own"] is False
        with pytest.raises(NothingToTakeBack):
            at.propose(ada)
        at.move(KEEP)
        assert may(at.now, ada)["may"]["takeback"]["own"] is True
        at.propose(ada)
        assert may(at.now, ada)["may"]["takeback"]["own"] is False

    def test_also_to_before_a_move_of_a_bot(self, store: Store, ada: Player) -> None:
        at = sit(store, ada, "random")
        at.move(KEEP)
        bot_moves(at, KEEP)
        assert at.propose(ada, to_version=3).events[0]["moves"] == [4]
        at.must_hold()

    def test_who_holds_all_seats_is_alone(self, store: Store, ada: Player) -> None:
        at = sit(store, ada, ada, takebacks="none")
        at.move(KEEP)
        at.move(KEEP)
        assert at.propose(ada, to_version=2).events[0]["moves"] == [3, 4]
        at.must_hold()

    def test_a_bot_that_thinks_meanwhile_does_not_play_on_the_old_position(
        self, store: Store, ada: Player
    ) -> None:
        at = sit(store, ada, "random")
        at.move(KEEP)
        thought: list[int] = []

        def choose(state: Any, rng: random.Random) -> Any:
            thought.append(at.propose(ada).table.version)
            return state.moves()[0]

        written = store.commands.bots.move(at.id, 3, choose)
        assert (thought, written.events) == ([4], [])
        assert at.asked() == ada
        at.must_hold()

    def test_the_job_of_a_position_that_was_taken_back_does_nothing(
        self, store: Store, ada: Player
    ) -> None:
        at = sit(store, ada, "random")
        at.move(KEEP)  # 3: the bot is asked
        at.propose(ada)  # 4
        at.move(KEEP)  # 5: the bot is asked again
        assert store.commands.bots.move(at.id, 3, _never).events == []


def _never(state: Any, rng: random.Random) -> Any:
    raise LookupError("the bot was not asked")


class TestKeptChance:
    def test_what_was_drawn_is_drawn_again(self, store: Store, ada: Player) -> None:
        at = sit(store, ada, "random")
        drawn = at.move(KEEP).events[0]["chance"]
        at.propose(ada)
        assert at.now.course.remembered == tuple(drawn)
        assert at.move({"type": "give", "to": 1}).events[0]["chance"] == []
        assert at.now.course.remembered == tuple(drawn)
        at.must_hold()
        bot_moves(at, DECLINE)
        assert store.ledger.events(at.id)[-1]["chance"] == drawn
        assert at.now.course.remembered == ()
        at.must_hold()

    def test_a_kept_draw_takes_no_number(self, store: Store, ada: Player) -> None:
        at = sit(store, ada, ada)
        at.move(KEEP)
        number = at.number
        at.propose(ada)
        assert at.number == number
        at.move(KEEP)
        assert at.number == number
        at.move(KEEP)
        assert at.number == number + 1
        at.must_hold()

    def test_an_event_with_another_outcome_than_the_kept_one_is_a_problem_of_chance(
        self, store: Store, ada: Player
    ) -> None:
        at = sit(store, ada, ada)
        drawn = at.move(KEEP).events[0]["chance"]
        at.propose(ada)
        at.move(KEEP)
        *before, last = store.ledger.events(at.id)
        other = next(roll for roll in "123" if [roll] != drawn)
        with pytest.raises(BrokenHistory) as broken:
            fold(store.rules, at.id, None, [*before, {**last, "chance": [other]}])
        assert (broken.value.version, broken.value.problem) == (5, "chance")

    @pytest.mark.slow
    def test_nobody_gets_another_outcome_by_taking_back(self, store: Store, ada: Player) -> None:
        at = sit(store, ada, ada, ada)
        rng = random.Random(5)
        rolls: list[str] = []
        for _ in range(60):
            table = at.now
            if table.has_moves and rng.random() < 0.4:
                with suppress(NothingToTakeBack):  # taken back before
                    at.propose(ada, to_version=rng.randint(2, table.version - 1))
            else:
                at.move(DECLINE if at.may(DECLINE) else None)
            if at.now.status != "running":
                at.must_hold()
                break
            stands = [one for one in store.ledger.events(at.id) if one["type"] == MOVE_MADE]
            drawn = [
                outcome
                for event in stands
                if at.now.stands(event["version"])
                for outcome in event["chance"]
            ]
            known = drawn + list(at.now.course.remembered)
            assert known[: len(rolls)] == rolls[: len(known)]
            rolls = max(rolls, known, key=len)
            at.must_hold()
        assert len(rolls) > 3


class TestGivenChance:
    def test_what_a_file_gave_is_drawn_again_too(self, store: Store, ada: Player) -> None:
        first = At(store, open_table(store, [ada, ada], game="carcassonne"), [ada])
        for _ in range(8):
            first.move()
        events = store.ledger.events(first.id)
        transcript = transcript_of(first.now, events, {}).to_json()
        table = store.commands.import_transcript(Intent(ada), transcript).table
        at = At(store, table, [ada])
        given = [one for event in store.ledger.events(at.id)[2:] for one in event["chance"]]
        assert (at.number, len(given) > 2) == (0, True)
        at.propose(ada, to_version=2)
        assert at.now.course.remembered == tuple(given)
        drawn: list[str] = []
        while len(drawn) < len(given):
            drawn += at.move().events[-1]["chance"]
        assert (drawn[: len(given)], at.number) == (given, len(drawn) - len(given))
        at.must_hold()
