"""Leaving a running game and coming back: the game of the others stays whole."""

from __future__ import annotations

from functools import partial

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.commands.judging.endings import find_stand_in
from cartulary.events.model.errors import (
    Alone,
    GameNotRunning,
    IdempotencyMismatch,
    Invalid,
    NotFound,
    NotSeated,
    NotYourTurn,
    SeatForfeited,
    StaleVersion,
    TooLate,
)
from cartulary.events.store import Store
from tests.conftest import OFFERS
from tests.events.support.bean_games import any_move
from tests.events.support.games_on_a_clock import circle, refuses


class TestResigning:
    def test_of_two_players_one_resigns_and_the_other_wins_in_the_same_append(
        self, store: Store
    ) -> None:
        game = circle(store, "Ada", "Bob")
        done = store.commands.leaving.resign(Intent(game.who(0)), game.id)
        assert [event["type"] for event in done.events] == ["seat_forfeited", "play_ended"]
        left, ended = done.events
        ada = {"id": game.who(0).id, "name": "Ada"}
        assert (left["seat"], left["player"], left["reason"]) == (0, ada, "resigned")
        assert left["stand_in"] is None
        assert ended["reason"] == "forfeits"
        result = store.commands.score(game.id).events[0]["result"]
        assert (result["winners"], result["ranks"], result["ended_by"]) == ([1], [2, 1], "forfeits")
        assert result["outcomes"] == ["resigned", "finished"]
        assert store.audit.game(game.id).valid

    def test_after_forfeits_the_points_on_the_board_are_the_scores_and_nothing_is_counted(
        self, store: Store
    ) -> None:
        game = circle(store, "Ada", "Bob")
        while not any(game.scores):
            game.move()
        points = game.scores
        store.commands.leaving.resign(Intent(game.who(1)), game.id)
        result = store.commands.score(game.id).events[0]["result"]
        assert (result["scores"], result["breakdown"]) == (points, [])

    def test_of_more_players_a_stand_in_plays_on_for_who_resigns(self, store: Store) -> None:
        game = circle(store, "Ada", "Bob", "Cleo")
        seat = game.asked
        done = store.commands.leaving.resign(Intent(game.who(seat)), game.id)
        (left,) = done.events
        assert left["stand_in"] == done.table.bot_to_move == "random"
        (moved,) = game.bot_moves().events
        assert (moved["seat"], moved["by"]) == (seat, "stand_in")

    def test_who_resigned_is_ranked_last_and_never_wins_with_the_most_points(
        self, store: Store
    ) -> None:
        game = circle(store, "Ada", "Bob", "Cleo")
        game.answer_all()
        store.commands.leaving.resign(Intent(game.who(0)), game.id)
        while game.table.status == "running":
            game.bot_moves() if game.table.bot_to_move else game.move()
        result = store.commands.score(game.id).events[0]["result"]
        assert result["ranks"][0] == 3
        assert 0 not in result["winners"]
        assert result["outcomes"] == ["resigned", "finished", "finished"]
        assert result["ended_by"] == "play"
        assert result["stand_in_moves"][0] > 0
        assert result["stand_in_moves"][1:] == [0, 0]
        assert store.audit.game(game.id).valid

    def test_the_last_to_leave_comes_first_among_those_who_left(self, store: Store) -> None:
        game = circle(store, "Ada", "Bob", "Cleo", "Dora")
        for seat in (2, 0, 3):
            store.commands.leaving.resign(Intent(game.who(seat)), game.id)
        result = store.commands.score(game.id).events[0]["result"]
        assert result["ranks"] == [3, 1, 4, 2]
        assert result["winners"] == [1]

    def test_alone_against_bots_the_bots_win(self, store: Store) -> None:
        game = circle(store, "Ada", "bot:random", "bot:random")
        done = store.commands.leaving.resign(Intent(game.who(0)), game.id)
        assert [event["type"] for event in done.events] == ["seat_forfeited", "play_ended"]
        result = store.commands.score(game.id).events[0]["result"]
        assert result["ranks"][0] == 3
        assert result["outcomes"] == ["resigned", "bot", "bot"]

    def test_a_player_with_several_seats_names_the_seat(self, store: Store) -> None:
        game = circle(store, "Ada", "Ada", "Bob")
        ada = game.who(0)
        error = refuses(Invalid, game, lambda: store.commands.leaving.resign(Intent(ada), game.id))
        assert error.errors[0]["pointer"] == "/seat"
        store.commands.leaving.resign(Intent(ada), game.id, 1)
        assert game.table.seats[1].forfeited == "resigned"
        store.commands.leaving.resign(Intent(ada), game.id)
        assert game.table.status == "scoring"

    def test_nobody_resigns_twice_or_for_others_or_in_a_game_that_is_over(
        self, store: Store
    ) -> None:
        game = circle(store, "Ada", "Bob", "Cleo")
        ada, bob, stranger = game.who(0), game.who(1), store.players.create("Zoe")[0]
        leaving = store.commands.leaving
        refuses(NotSeated, game, lambda: leaving.resign(Intent(stranger), game.id))
        refuses(NotSeated, game, lambda: leaving.resign(Intent(ada), game.id, 1))
        refuses(NotFound, game, lambda: leaving.resign(Intent(ada), "01J00000000000000000000000"))
        leaving.resign(Intent(ada), game.id)
        refuses(SeatForfeited, game, lambda: leaving.resign(Intent(ada), game.id))
        refuses(SeatForfeited, game, lambda: leaving.resign(Intent(ada), game.id, 0))
        leaving.resign(Intent(bob), game.id)
        refuses(GameNotRunning, game, lambda: leaving.resign(Intent(game.who(2)), game.id))

    def test_the_version_is_checked_after_the_seat_and_the_status_and_before_the_rule(
        self, store: Store
    ) -> None:
        game = circle(store, "Ada", "Bob", "Cleo")
        ada, stranger = game.who(0), store.players.create("Zoe")[0]
        leaving = store.commands.leaving
        leaving.resign(Intent(ada), game.id)
        refuses(NotSeated, game, lambda: leaving.resign(Intent(stranger, 1), game.id, None))
        refuses(StaleVersion, game, lambda: leaving.resign(Intent(ada, 1), game.id, None))
        refuses(SeatForfeited, game, lambda: leaving.resign(Intent(ada, 3), game.id, None))

    def test_a_repeated_key_resigns_once(self, store: Store) -> None:
        game = circle(store, "Ada", "Bob", "Cleo")
        first = store.commands.leaving.resign(Intent(game.who(0), key="k"), game.id)
        again = store.commands.leaving.resign(Intent(game.who(0), key="k"), game.id)
        assert again.replayed
        assert again.events == first.events
        with pytest.raises(IdempotencyMismatch):
            store.commands.leaving.resign(Intent(game.who(0), key="k"), game.id, 0)

    def test_who_has_resigned_moves_no_more(self, store: Store) -> None:
        game = circle(store, "Ada", "Bob", "Cleo")
        seat = game.asked
        store.commands.leaving.resign(Intent(game.who(seat)), game.id)
        move = any_move(game.table)
        refuses(
            SeatForfeited, game, lambda: store.commands.move(Intent(game.who(seat)), game.id, move)
        )


class TestBeingAway:
    def test_a_stand_in_answers_until_the_owner_returns(self, store: Store) -> None:
        game = circle(store, "Ada", "Bob")
        seat = game.asked
        (away,) = store.commands.leaving.go_away(Intent(game.who(seat)), game.id, seat).events
        assert (away["type"], away["seat"], away["bot"]) == ("stand_in_seated", seat, "random")
        assert (away["reason"], away["by"]) == ("requested", game.who(seat).id)
        assert game.table.bot_to_move == "random"
        (back,) = store.commands.leaving.come_back(Intent(game.who(seat)), game.id, seat).events
        assert (back["type"], back["seat"]) == ("seat_returned", seat)
        assert game.table.bot_to_move is None

    def test_a_move_of_the_owner_returns_and_moves_in_one_append(self, store: Store) -> None:
        game = circle(store, "Ada", "Bob")
        seat = game.asked
        position = game.table.position
        store.commands.leaving.go_away(Intent(game.who(seat)), game.id, seat)
        move = any_move(game.table)
        done = store.commands.move(Intent(game.who(seat), position), game.id, move)
        assert [event["type"] for event in done.events] == ["seat_returned", "move_made"]
        assert "by" not in done.events[1]
        assert store.audit.game(game.id).valid

    def test_a_move_of_the_owner_is_stale_after_the_stand_in_has_moved(self, store: Store) -> None:
        game = circle(store, "Ada", "Bob")
        seat, position = game.asked, game.table.position
        store.commands.leaving.go_away(Intent(game.who(seat)), game.id, seat)
        move = any_move(game.table)
        game.bot_moves()
        with pytest.raises(StaleVersion):
            store.commands.move(Intent(game.who(seat), position), game.id, move)

    def test_an_owner_who_is_away_and_is_not_asked_stays_away_when_refused(
        self, store: Store
    ) -> None:
        game = circle(store, "Ada", "Bob")
        (seat,) = game.others()
        store.commands.leaving.go_away(Intent(game.who(seat)), game.id, seat)
        move = any_move(game.table)
        refuses(
            NotYourTurn, game, lambda: store.commands.move(Intent(game.who(seat)), game.id, move)
        )

    def test_nobody_is_away_from_a_game_without_other_people(self, store: Store) -> None:
        for seats in (["Ada", "bot:random"], ["Ada", "Ada"]):
            game = circle(store, *seats)
            go_away = partial(store.commands.leaving.go_away, Intent(game.who(0)), game.id, 0)
            refuses(Alone, game, go_away)

    def test_a_game_whose_people_are_all_away_rests_and_no_bot_moves(self, store: Store) -> None:
        game = circle(store, "Ada", "Bob", "bot:random")
        store.commands.leaving.go_away(Intent(game.who(0)), game.id, 0)
        assert not game.table.resting
        store.commands.leaving.go_away(Intent(game.who(1)), game.id, 1)
        assert game.table.resting
        assert game.table.bot_to_move is None
        store.commands.leaving.come_back(Intent(game.who(0)), game.id, 0)
        assert not game.table.resting

    def test_a_move_wakes_a_game_that_rests(self, store: Store) -> None:
        game = circle(store, "Ada", "Bob")
        for seat in (0, 1):
            store.commands.leaving.go_away(Intent(game.who(seat)), game.id, seat)
        assert game.table.resting
        assert [event["type"] for event in game.move().events] == ["seat_returned", "move_made"]
        assert not game.table.resting

    def test_who_is_away_already_or_never_was_changes_nothing(self, store: Store) -> None:
        game = circle(store, "Ada", "Bob")
        leaving = store.commands.leaving
        assert leaving.come_back(Intent(game.who(0)), game.id, 0).events == []
        leaving.go_away(Intent(game.who(0)), game.id, 0)
        assert leaving.go_away(Intent(game.who(0)), game.id, 0).events == []

    def test_after_the_third_return_the_next_absence_is_for_good(self, store: Store) -> None:
        game = circle(store, "Ada", "Bob", "Cleo")
        leaving, ada = store.commands.leaving, game.who(0)
        for _ in range(3):
            leaving.go_away(Intent(ada), game.id, 0)
            leaving.come_back(Intent(ada), game.id, 0)
        (left,) = leaving.go_away(Intent(ada), game.id, 0).events
        assert (left["type"], left["reason"]) == ("seat_forfeited", "left")
        refuses(SeatForfeited, game, lambda: leaving.come_back(Intent(ada), game.id, 0))
        refuses(SeatForfeited, game, lambda: leaving.go_away(Intent(ada), game.id, 0))

    def test_away_until_the_end_is_ranked_like_leaving(self, store: Store) -> None:
        game = circle(store, "Ada", "Bob")
        store.commands.leaving.go_away(Intent(game.who(0)), game.id, 0)
        while game.table.status == "running":
            game.bot_moves() if game.table.bot_to_move else game.move()
        result = store.commands.score(game.id).events[0]["result"]
        assert (result["outcomes"], result["ranks"]) == (["stand_in", "finished"], [2, 1])
        assert store.audit.game(game.id).valid

    def test_only_the_owner_of_a_seat_is_away_from_it(self, store: Store) -> None:
        game = circle(store, "Ada", "Bob", "bot:random")
        leaving, ada = store.commands.leaving, game.who(0)
        for act in (leaving.go_away, leaving.come_back):
            refuses(NotSeated, game, partial(act, Intent(ada), game.id, 1))
            refuses(NotSeated, game, partial(act, Intent(ada), game.id, 2))
            refuses(NotFound, game, partial(act, Intent(ada), game.id, 3))


class TestTheStandIn:
    @pytest.mark.parametrize(
        ("asked", "seated", "chosen"),
        [
            ("medium", [], "medium"),
            ("greedy", [], "greedy"),
            ("random", [], "random"),
            ("medium", ["random"], "random"),
            ("deep_blue", [], "medium"),
        ],
    )
    def test_it_is_the_bot_asked_for_and_never_stronger_than_the_weakest_bot(
        self, store: Store, asked: str, seated: list[str], chosen: str
    ) -> None:
        seats = ["Ada", "Bob", *(f"bot:{bot}" for bot in seated)]
        table = circle(store, *seats, stand_in=asked).table
        table = table._replace(terms=table.terms._replace(game="carcassonne"))
        assert find_stand_in(table, OFFERS) == chosen


class TestEndingAGameAtItsStart:
    def test_of_two_persons_either_ends_the_game_before_both_have_answered(
        self, store: Store
    ) -> None:
        game = circle(store, "Ada", "Bob", "bot:random")
        (aborted,) = store.commands.abort(Intent(game.who(1)), game.id).events
        assert (aborted["type"], aborted["code"]) == ("game_aborted", "early")
        assert aborted["by"] == game.who(1).id
        assert store.audit.game(game.id).valid

    def test_of_more_persons_who_aborts_leaves_a_vacant_seat(self, store: Store) -> None:
        game = circle(store, "Ada", "Bob", "Cleo")
        (left,) = store.commands.abort(Intent(game.who(1)), game.id).events
        assert (left["type"], left["reason"]) == ("seat_forfeited", "left")
        assert game.table.vacant(1)
        assert game.table.status == "running"

    def test_all_seats_of_who_aborts_are_vacant_also_those_that_have_answered(
        self, store: Store
    ) -> None:
        asked = None
        while asked != 0:  # the lot decides who begins
            game = circle(store, "Ada", "Ada", "Bob", "Cleo")
            while len(game.table.course.answered) < 3:
                game.move()
            asked = game.asked
        store.commands.abort(Intent(game.who(0)), game.id)
        assert [game.table.vacant(seat) for seat in range(4)] == [True, True, False, False]
        assert store.audit.game(game.id).valid

    def test_who_resigned_leaves_no_vacant_seat_unless_substitutes_are_welcome(
        self, store: Store
    ) -> None:
        for welcome in (False, True):
            game = circle(store, "Ada", "Bob", "Cleo", substitutes=welcome)
            store.commands.leaving.resign(Intent(game.who(1)), game.id)
            assert game.table.vacant(1) is welcome

    def test_it_is_too_late_when_everybody_has_answered_once(self, store: Store) -> None:
        game = circle(store, "Ada", "Bob")
        game.answer_all()
        refuses(TooLate, game, lambda: store.commands.abort(Intent(game.who(0)), game.id))

    def test_nobody_aborts_without_a_seat_or_after_leaving(self, store: Store) -> None:
        game = circle(store, "Ada", "Bob", "Cleo")
        stranger = store.players.create("Zoe")[0]
        refuses(NotSeated, game, lambda: store.commands.abort(Intent(stranger), game.id))
        store.commands.abort(Intent(game.who(0)), game.id)
        refuses(SeatForfeited, game, lambda: store.commands.abort(Intent(game.who(0)), game.id))


class TestPrivateGames:
    def test_a_stranger_does_not_learn_that_a_private_game_exists(self, store: Store) -> None:
        game = circle(store, "Ada", "Bob", visibility="private")
        leaving, zoe = store.commands.leaving, store.players.create("Zoe")[0]
        asks = [
            lambda: leaving.resign(Intent(zoe), game.id),
            lambda: store.commands.abort(Intent(zoe), game.id),
            lambda: leaving.go_away(Intent(zoe), game.id, 0),
            lambda: leaving.come_back(Intent(zoe), game.id, 0),
            lambda: leaving.claim(Intent(zoe), game.id, 0, "forfeit"),
        ]
        for ask in asks:
            refuses(NotFound, game, ask)
