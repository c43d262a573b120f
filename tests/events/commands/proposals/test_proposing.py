"""Proposing: what needs the consent of others, who is asked, and who is refused."""

from __future__ import annotations

import pytest

from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.commands.game.takebacks import PIECE
from cartulary.events.model.clock import format_time
from cartulary.events.model.errors import (
    AskedBefore,
    GameNotRunning,
    IdempotencyMismatch,
    Invalid,
    NotAsked,
    NotSeated,
    ProposalOpen,
    StaleVersion,
    TakebacksOff,
)
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.support.bean_games import everything_stored
from tests.events.support.opened_tables import At, open_table, types_of
from tests.events.support.takeback_tables import KEEP, give, sit
from tests.support.fake_clock import DAY, FakeClock
from tests.support.practice_games import play_turns

ACCEPTED = ["proposal_answered", "proposal_closed"]


class TestAsking:
    def test_all_other_persons_are_asked(self, at: At, ada: Player, clock: FakeClock) -> None:
        written = at.propose(ada)
        assert types_of(written) == ["proposal_made"]
        event = written.events[0]
        assert (event["seat"], event["kind"], event["needs"]) == (0, "takeback", [1, 2])
        assert (event["to_version"], event["moves"]) == (2, [3])
        assert event["expires_at"] == format_time(clock.now + 3 * DAY)
        assert at.now.course.proposal is not None
        assert at.now.course.proposal.id == event["version"]
        at.must_hold()

    def test_a_person_with_two_seats_is_asked_once_and_bots_never(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        at = sit(store, ada, bob, bob, "random", takebacks="consent")
        at.move(KEEP)
        assert at.propose(ada).events[0]["needs"] == [1]

    def test_to_any_version_also_to_before_moves_of_others(self, at: At, bob: Player) -> None:
        assert at.propose(bob, to_version=2).events[0]["moves"] == [3]

    def test_the_position_stays_and_moves_stay_legal(self, at: At, ada: Player) -> None:
        position = at.now.position
        at.propose(ada)
        assert (at.now.position, at.asked().name) == (position, "Bob")

    def test_a_table_has_one_open_proposal_at_most(self, at: At, ada: Player, bob: Player) -> None:
        at.propose(ada)
        for player, kind in ((ada, "takeback"), (bob, "end"), (bob, "abort")):
            with pytest.raises(ProposalOpen) as refused:
                at.propose(player, kind, **({"to_version": 2} if kind == "takeback" else {}))
            assert refused.value.members() == {"proposal": 4}

    @pytest.mark.parametrize("takebacks", ["none", "undo"])
    def test_nobody_is_asked_where_the_table_knows_no_consent(
        self, store: Store, ada: Player, bob: Player, takebacks: str
    ) -> None:
        at = sit(store, ada, bob, takebacks=takebacks)
        at.move(KEEP)
        with pytest.raises(TakebacksOff):
            at.propose(ada)

    @pytest.mark.parametrize("kind", ["pause", "forfeit", "redo", ""])
    def test_other_kinds_are_invalid(self, at: At, ada: Player, kind: str) -> None:
        with pytest.raises(Invalid):
            at.propose(ada, kind)

    def test_a_version_belongs_to_takebacks_only(self, at: At, ada: Player) -> None:
        with pytest.raises(Invalid) as refused:
            at.propose(ada, "end", to_version=2)
        assert refused.value.errors[0]["pointer"] == "/to_version"


class TestAskingAgain:
    def test_after_a_decline_only_after_another_own_move(
        self, at: At, ada: Player, bob: Player, eve: Player
    ) -> None:
        at.propose(ada)
        at.answer(bob, "decline")
        with pytest.raises(AskedBefore):
            at.propose(ada)
        at.move(KEEP)
        with pytest.raises(AskedBefore):
            at.propose(ada)
        at.propose(bob)  # another seat may ask
        at.answer(eve, "decline")
        at.move(KEEP)
        at.move(KEEP)  # Ada
        assert types_of(at.propose(ada)) == ["proposal_made"]

    def test_a_decline_of_one_kind_says_nothing_of_another(
        self, at: At, ada: Player, bob: Player
    ) -> None:
        at.propose(ada)
        at.answer(bob, "decline")
        assert types_of(at.propose(ada, "end")) == ["proposal_made"]

    def test_three_declines_end_it(self, store: Store, ada: Player, bob: Player) -> None:
        at = At(store, open_table(store, [ada, bob], game="carcassonne"), [ada, bob])
        for _ in range(3):
            at.propose(ada, "end")
            at.answer(bob, "decline")
            while at.asked() != ada:
                at.move()
            at.move()
        with pytest.raises(AskedBefore, match="3 times"):
            at.propose(ada, "end")


class TestPreferences:
    def prefer(self, at: At, player: Player, value: str) -> None:
        at.store.preferences.change(player.id, {"takebacks": value})

    def test_always_answers_by_itself(self, at: At, ada: Player, bob: Player, eve: Player) -> None:
        self.prefer(at, bob, "always")
        written = at.propose(ada)
        assert types_of(written) == ["proposal_made", "proposal_answered"]
        assert (written.events[1]["seat"], written.events[1]["auto"]) == (1, True)
        assert types_of(at.answer(eve)) == [*ACCEPTED, "moves_taken_back"]
        at.must_hold()

    def test_when_all_agree_always_the_takeback_is_done_at_once(
        self, at: At, ada: Player, bob: Player, eve: Player
    ) -> None:
        self.prefer(at, bob, "always")
        self.prefer(at, eve, "always")
        written = at.propose(ada)
        assert types_of(written) == [
            *("proposal_made", "proposal_answered", "proposal_answered"),
            *("proposal_closed", "moves_taken_back"),
        ]
        at.must_hold()

    @pytest.mark.parametrize(("seconds", "agrees"), [(0, True), (15, True), (15.001, False)])
    def test_misclick_agrees_to_the_very_last_move_for_fifteen_seconds(
        self, at: At, ada: Player, bob: Player, clock: FakeClock, seconds: float, agrees: bool
    ) -> None:
        self.prefer(at, bob, "misclick")
        clock.advance(round(seconds * 1000))
        answered = types_of(at.propose(ada))[1:]
        assert answered == (["proposal_answered"] if agrees else [])

    def test_misclick_agrees_to_one_move_only(self, at: At, ada: Player, bob: Player) -> None:
        self.prefer(at, bob, "misclick")
        at.move(KEEP)  # of Bob
        assert types_of(at.propose(ada)) == ["proposal_made"]

    def test_never_means_that_nobody_may_ask(self, at: At, ada: Player, eve: Player) -> None:
        self.prefer(at, eve, "never")
        shown = at.store.commands.proposals.describe(at.now, ada)["may"]["takeback"]
        assert shown == {"free_to": None, "ask": False, "why_not": "takebacks_off", "own": True}
        with pytest.raises(TakebacksOff, match="Eve"):
            at.propose(ada)

    def test_who_never_wants_takebacks_may_ask_for_one(self, at: At, ada: Player) -> None:
        self.prefer(at, ada, "never")
        assert types_of(at.propose(ada)) == ["proposal_made"]

    def test_preferences_answer_takebacks_only(self, at: At, ada: Player, bob: Player) -> None:
        self.prefer(at, bob, "always")
        assert types_of(at.propose(ada, "abort")) == ["proposal_made"]


class TestOrder:
    """Key, visible, seated, status, version, then the rule."""

    def test_a_refused_proposal_stores_nothing(self, at: At, ada: Player, bob: Player) -> None:
        at.propose(ada)
        before = everything_stored(at.store)
        with pytest.raises(ProposalOpen):
            at.propose(bob, "end", key="a key")
        with pytest.raises(NotAsked):
            at.answer(ada)
        assert everything_stored(at.store) == before

    def test_strangers_are_refused_before_anything_else(
        self, at: At, store: Store, ada: Player
    ) -> None:
        stranger = store.players.create("Stranger")[0]
        at.propose(ada)
        with pytest.raises(NotSeated):
            at.propose(stranger, expected=1)
        with pytest.raises(NotSeated):
            at.answer(stranger)

    def test_a_stale_version_is_refused_before_the_rule(self, at: At, ada: Player) -> None:
        with pytest.raises(StaleVersion):
            at.propose(ada, "end", expected=2)

    def test_a_game_that_is_over_is_refused_before_the_version(
        self, at: At, ada: Player, bob: Player, eve: Player
    ) -> None:
        at.propose(ada, "abort")
        at.answer(bob)
        at.answer(eve)
        with pytest.raises(GameNotRunning):
            at.propose(ada, "end", expected=2)

    def test_a_key_repeats_the_answer(self, at: At, ada: Player) -> None:
        first = at.propose(ada, key="once")
        again = at.propose(ada, key="once")
        assert (again.replayed, again.events) == (True, first.events)
        with pytest.raises(IdempotencyMismatch):
            at.propose(ada, "end", key="once")


class TestDescribe:
    def may(self, at: At, player: Player | None) -> dict[str, object]:
        may: dict[str, object] = at.store.commands.proposals.describe(at.now, player)["may"]
        return may

    def test_what_a_player_may(self, at: At, ada: Player) -> None:
        may = self.may(at, ada)
        claim = may.pop("claim")
        assert may == {
            "takeback": {"free_to": None, "ask": True, "why_not": None, "own": True},
            "pause": False,
            "abort": True,
            "end": True,
        }
        assert claim is not None
        assert claim == at.store.commands.leaving.describe_claim(at.now, ada)

    def test_what_a_player_may_is_said_without_reading_a_long_rated_game_to_its_beginning(
        self, store: Store, ada: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        request = NewGame("carcassonne", (SeatRequest("me"), SeatRequest("open")))
        game = store.commands.create(Intent(ada), request).table.id
        table = play_turns(store, store.commands.arranging.join(Intent(bob), game).table, 30)
        rated = table._replace(terms=table.terms._replace(rated=True))
        read, events = list[Json](), store.ledger.events

        def note(game_id: str, *asked: int) -> list[Json]:
            found = events(game_id, *asked)
            read.extend(found)
            return found

        monkeypatch.setattr(store.ledger, "events", note)
        assert store.commands.proposals.describe(rated, ada)["may"]["end"]
        assert len(read) <= 2 * PIECE < table.version

    def test_what_is_free_is_shown_to_its_player(self, at: At, ada: Player, bob: Player) -> None:
        give(at, 2)
        for player, free_to in ((bob, 3), (ada, None)):
            takeback = self.may(at, player)["takeback"]
            assert takeback == {"free_to": free_to, "ask": True, "why_not": None, "own": True}

    def test_strangers_may_nothing(self, at: At, store: Store) -> None:
        for player in (None, store.players.create("Stranger")[0]):
            assert self.may(at, player) == {
                "takeback": {"free_to": None, "ask": False, "why_not": "not_seated", "own": False},
                "pause": False,
                "abort": False,
                "end": False,
                "claim": None,
            }

    def test_an_open_proposal_is_shown_until_it_expires(
        self, at: At, ada: Player, clock: FakeClock
    ) -> None:
        at.propose(ada)
        describe = at.store.commands.proposals.describe
        shown = describe(at.now, ada)
        assert shown["open"] == at.now.summary()["proposal"]
        assert shown["may"]["takeback"]["why_not"] == "proposal_open"
        clock.advance(3 * DAY)
        shown = describe(at.now, ada)
        assert (shown["open"], shown["may"]["end"]) == (None, True)
