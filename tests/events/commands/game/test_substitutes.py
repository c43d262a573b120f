"""Substitutes take over a vacant seat, unless they left too many games themselves."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.model.errors import (
    AlreadyStarted,
    Invalid,
    NothingToTakeBack,
    RateLimited,
    SeatForfeited,
    SeatTaken,
)
from cartulary.events.store import Store
from tests.events.support.games_on_a_clock import circle, draft_game, refuses, vacant_circle
from tests.support.fake_clock import HOUR, MINUTE, FakeClock


class TestSubstitutes:
    def test_a_substitute_takes_over_a_vacant_seat_and_answers_for_it(self, timed: Store) -> None:
        game, zoe = vacant_circle(timed), timed.players.create("Zoe")[0]
        (taken,) = timed.commands.arranging.join(Intent(zoe), game.id, 0).events
        assert (taken["type"], taken["seat"]) == ("seat_taken_over", 0)
        assert taken["player"] == {"id": zoe.id, "name": "Zoe"}
        ada = game.who(0)
        assert taken["from"] == {"player": {"id": ada.id, "name": "Ada"}, "reason": "resigned"}
        assert game.table.seats_of(zoe.id) == [0]
        assert game.table.bot_to_move is None

    def test_a_proposal_that_asks_no_substitute_lapses_when_a_substitute_comes(
        self, timed: Store
    ) -> None:
        game, zoe = vacant_circle(timed), timed.players.create("Zoe")[0]
        timed.commands.proposals.propose(Intent(game.who(1)), game.id, "end")
        closed, _taken = timed.commands.arranging.join(Intent(zoe), game.id).events
        assert (closed["type"], closed["outcome"]) == ("proposal_closed", "lapsed")

    def test_a_player_who_takes_the_seat_of_a_bot_has_not_made_its_moves(
        self, timed: Store
    ) -> None:
        game, zoe = circle(timed, "Ada", "bot:random", fill="bots"), timed.players.create("Zoe")[0]
        while 1 not in game.table.course.answered:
            game.move() if game.table.bot_to_move is None else game.bot_moves()
        timed.commands.arranging.join(Intent(zoe), game.id)
        proposals = timed.commands.proposals
        assert proposals.describe(game.table, zoe)["may"]["takeback"]["own"] is False
        refuses(
            NothingToTakeBack, game, partial(proposals.propose, Intent(zoe), game.id, "takeback")
        )

    def test_a_substitute_is_ranked_like_everybody_who_stayed(self, timed: Store) -> None:
        game, zoe = vacant_circle(timed), timed.players.create("Zoe")[0]
        timed.commands.arranging.join(Intent(zoe), game.id)
        game.players[0] = zoe
        while game.table.status == "running":
            game.move()
        result = timed.commands.score(game.id).events[0]["result"]
        assert result["outcomes"] == ["finished"] * 3
        best = max(result["scores"])
        assert result["winners"] == [s for s, one in enumerate(result["scores"]) if one == best]
        assert timed.audit.game(game.id).valid

    def test_who_left_is_no_substitute_and_neither_is_who_sits_there(self, timed: Store) -> None:
        game = vacant_circle(timed)
        join = timed.commands.arranging.join
        refused = refuses(SeatForfeited, game, partial(join, Intent(game.who(0)), game.id, 0))
        assert str(refused) == "you have left this game: only an offer of the host lets you back"
        refuses(SeatTaken, game, partial(join, Intent(game.who(1)), game.id, 0))

    def test_a_seat_that_is_not_vacant_has_started(self, timed: Store) -> None:
        game, zoe = vacant_circle(timed), timed.players.create("Zoe")[0]
        refuses(
            AlreadyStarted, game, partial(timed.commands.arranging.join, Intent(zoe), game.id, 1)
        )
        refuses(Invalid, game, partial(timed.commands.arranging.join, Intent(zoe), game.id, 3))
        other = circle(timed, "Ada", "Bob")
        refuses(
            AlreadyStarted, other, partial(timed.commands.arranging.join, Intent(zoe), other.id)
        )

    def test_the_second_substitute_finds_the_seat_taken(self, timed: Store) -> None:
        game = vacant_circle(timed)
        zoe, yan = timed.players.create("Zoe")[0], timed.players.create("Yan")[0]
        timed.commands.arranging.join(Intent(zoe), game.id, 0)
        refuses(SeatTaken, game, partial(timed.commands.arranging.join, Intent(yan), game.id, 0))

    def test_a_substitute_wakes_a_game_that_rests(self, timed: Store) -> None:
        game = vacant_circle(timed)
        for seat in (1, 2):
            timed.commands.leaving.go_away(Intent(game.who(seat)), game.id, seat)
        assert game.table.resting
        timed.commands.arranging.join(Intent(timed.players.create("Zoe")[0]), game.id)
        assert not game.table.resting


class TestLeavingTooOften:
    def test_after_three_early_leaves_within_an_hour_the_tables_of_others_are_closed(
        self, timed: Store, clock: FakeClock
    ) -> None:
        ada = timed.players.create("Ada")[0]
        for _ in range(3):
            game = circle(timed, "Bob", "Cleo")
            game.players[0] = ada
            self.leave_early(timed, ada)
            clock.advance(MINUTE)
        table = vacant_circle(timed)
        with pytest.raises(RateLimited) as refused:
            timed.commands.arranging.join(Intent(ada), table.id, 0)
        assert 0 < refused.value.retry_after <= 3600
        clock.advance(HOUR)
        timed.commands.arranging.join(Intent(ada), table.id, 0)

    def test_three_within_more_than_an_hour_close_nothing(
        self, timed: Store, clock: FakeClock
    ) -> None:
        ada = timed.players.create("Ada")[0]
        for _ in range(3):
            self.leave_early(timed, ada)
            clock.advance(HOUR // 2 + MINUTE)
        timed.commands.arranging.join(Intent(ada), vacant_circle(timed).id, 0)

    def leave_early(self, store: Store, player: Any) -> None:
        table = draft_game(store, [store.players.create("Host")[0], player])
        store.commands.abort(Intent(player), table.id)
