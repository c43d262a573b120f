"""Seeks for rated games, and seeks with conditions: who is matched with whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.company.seeks import CHOOSY_LOOK_MS, NewSeek
from cartulary.events.model.errors import AccountNeeded, Invalid, RatedGame
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.server.format import FORMAT
from tests.events.support.bean_games import ME, OPEN, beans_game
from tests.events.support.seekers import DAYS, LIVE, Seekers, names_of

RATED: dict[str, Any] = {"pace": DAYS, "rated": True}


@pytest.fixture
def register(at: Seekers) -> Callable[..., list[Player]]:
    """Register accounts."""

    def register(*names: str) -> list[Player]:
        people = at.register(*names)
        at.claim(*people)
        return people

    return register


Register = Callable[..., list[Player]]


def test_a_matched_rated_seek_makes_a_game_that_counts_for_people(
    at: Seekers, register: Register
) -> None:
    ada, bob = register("Ada", "Bob")
    seek = at.wait(ada, 2, **RATED)
    assert seek.describe()["rated"] is True
    table = at.match(bob, 2, **RATED)
    assert (table.course.ladder, table.terms.rated) == ("people", True)
    assert (table.terms.on_timeout, table.terms.takebacks) == ("forfeit", "undo")
    assert not at.store.audit.game(table.id).problems


def test_rated_and_casual_seeks_do_not_meet(at: Seekers, register: Register) -> None:
    ada, bob, cyd = register("Ada", "Bob", "Cyd")
    at.wait(ada, 2, **RATED)
    at.wait(bob, 2, pace=DAYS)
    assert names_of(at.match(cyd, 2, pace=DAYS)) == ["Bob", "Cyd"]


class TestConditions:
    def test_a_guest_seeks_no_rated_game(self, at: Seekers) -> None:
        (ada,) = at.register("Ada")
        with pytest.raises(AccountNeeded):
            at.seek(ada, 2, **RATED)
        assert at.list_open(ada) == []

    def test_a_rated_seek_has_a_pace_and_no_bots(self, at: Seekers, register: Register) -> None:
        (ada,) = register("Ada")
        for wish, pointer in [
            (NewSeek("beans", {}, (2,), rated=True), "/pace"),
            (NewSeek("beans", {}, (2,), LIVE, "bots", rated=True), "/fill"),
        ]:
            with pytest.raises(Invalid) as refused:
                at.store.matchmaker.check(ada, wish)
            assert [error["pointer"] for error in refused.value.errors] == [pointer]

    def test_no_rated_game_is_sought_while_an_earlier_release_runs(
        self, at: Seekers, register: Register, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (ada,) = register("Ada")
        monkeypatch.setattr(at.store.commands.rated, "_read_level", lambda: 7)
        assert FORMAT > 7
        with pytest.raises(RatedGame, match="upgrade"):
            at.seek(ada, 2, **RATED)

    @pytest.mark.slow
    @pytest.mark.parametrize("link", ["first", "second", "a guest of both"])
    def test_two_accounts_of_one_person_are_matched_for_casual_games_only(
        self, at: Seekers, register: Register, link: str
    ) -> None:
        ada, bob, cyd = register("Ada", "Bob", "Cyd")
        linked = {"first": [(ada, bob.id)], "second": [(bob, ada.id)]}
        for one, guest in linked.get(link, [(ada, "01GUEST"), (bob, "01GUEST")]):
            at.store.registry.sadd(keys.guests_of(one.id), guest)
        at.wait(ada, 2, **RATED)
        at.wait(bob, 2, **RATED)
        assert names_of(at.match(cyd, 2, **RATED)) == ["Ada", "Cyd"]
        at.wait(ada, 2, pace=DAYS)
        assert names_of(at.match(bob, 2, pace=DAYS)) == ["Ada", "Bob"]

    def test_accounts_that_merge_after_their_match_get_no_rated_game(
        self, at: Seekers, register: Register, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ada, bob, cyd = register("Ada", "Bob", "Cyd")
        at.wait(ada, 2, **RATED)
        with monkeypatch.context() as patched:
            patched.setattr(at.store.matchmaker, "_open", lambda _match: None)
            at.wait(bob, 2, **RATED)
        at.store.registry.sadd(keys.guests_of(ada.id), bob.id)
        at.pass_time(6_000)
        assert (len(at.list_open(ada)), at.list_open(bob)) == (1, [])
        assert names_of(at.match(cyd, 2, **RATED)) == ["Ada", "Cyd"]


class TestRatings:
    def test_each_takes_the_rating_of_the_other(self, at: Seekers, register: Register) -> None:
        ada, bob, cyd, dan = register("Ada", "Bob", "Cyd", "Dan")
        at.rate(ada, 1700)
        at.rate(bob, 1900)
        at.rate(cyd, 1650)
        at.wait(ada, 2, rating_range=(1600, 1800), **RATED)
        at.wait(bob, 2, **RATED)
        at.wait(dan, 2, rating_range=(1000, 1600), **RATED)
        assert names_of(at.match(cyd, 2, **RATED)) == ["Ada", "Cyd"]
        assert len(at.list_open(bob)) == len(at.list_open(dan)) == 1

    def test_who_has_no_rating_counts_as_average(self, at: Seekers, register: Register) -> None:
        ada, bob = register("Ada", "Bob")
        at.wait(ada, 2, rating_range=(1500, 1500), **RATED)
        at.match(bob, 2, **RATED)

    def test_the_size_of_the_table_says_which_rating_counts(
        self, at: Seekers, register: Register
    ) -> None:
        ada, bob, cyd = register("Ada", "Bob", "Cyd")
        at.rate(bob, 2100)
        at.wait(ada, 2, 3, rating_range=(1400, 1600), **RATED)
        at.wait(bob, 2, 3, **RATED)
        assert names_of(at.match(cyd, 3, **RATED)) == ["Ada", "Bob", "Cyd"]

    def test_new_terms_of_a_seek_may_match_it_at_once(
        self, at: Seekers, register: Register
    ) -> None:
        ada, bob = register("Ada", "Bob")
        at.rate(bob, 1900)
        at.wait(ada, 2, rating_range=(1400, 1600), **RATED)
        at.wait(bob, 2, **RATED)
        again = at.seek(ada, 2, **RATED)
        assert not again.sought.is_new
        assert again.table is not None
        assert names_of(again.table) == ["Ada", "Bob"]

    def test_ratings_that_move_while_two_wait_match_them_at_the_next_look(
        self, at: Seekers, register: Register
    ) -> None:
        ada, bob = register("Ada", "Bob")
        at.rate(bob, 1900)
        at.wait(ada, 2, rating_range=(1400, 1600), **RATED)
        at.wait(bob, 2, **RATED)
        at.rate(bob, 1590)
        at.clock.advance(CHOOSY_LOOK_MS)
        at.store.matchmaker.step()
        assert len(at.told(ada)) == len(at.told(bob)) == 1

    @pytest.mark.slow
    def test_conditions_that_exclude_many_leave_room_for_those_behind(
        self, at: Seekers, register: Register
    ) -> None:
        strong = register(*(f"P{number}" for number in range(40)))
        for one in strong:
            at.rate(one, 2400)
            at.wait(one, 2, rating_range=(2500, 2600), **RATED)
        ada, bob = register("Ada", "Bob")
        at.wait(ada, 2, rating_range=(1400, 1600), **RATED)
        assert names_of(at.match(bob, 2, rating_range=(1400, 1600), **RATED)) == ["Ada", "Bob"]

    def test_bots_hold_no_seats_for_those_whom_the_player_does_not_want(
        self, at: Seekers, register: Register
    ) -> None:
        ada, bob, cyd = register("Ada", "Bob", "Cyd")
        at.rate(bob, 1900)
        wish = {"pace": LIVE, "fill": "bots", "patience": 5}
        at.wait(ada, 2, rating_range=(1400, 1600), **wish)
        at.pass_time(5_000, ada)
        seek = at.wait(bob, 2, pace=LIVE)
        at.store.seeks.withdraw(bob.id, seek.id)
        assert names_of(at.match(cyd, 2, pace=LIVE)) == ["Ada", "Cyd"]


def test_a_player_who_leaves_too_many_games_is_not_met(at: Seekers) -> None:
    ada, bob, cyd, dan = at.register("Ada", "Bob", "Cyd", "Dan")
    known: list[tuple[Player, Any]] = [
        (bob, {"g": 10, "f": 5, "q": 3, "x": 2}),
        (cyd, {"g": 10, "f": 9}),
    ]
    for player, endings in known:
        at.store.registry.hset(f"{keys.PROJECTIONS}reliability:{player.id}", mapping=endings)
    at.wait(ada, 2, min_reliability=90)
    at.wait(bob, 2)
    assert names_of(at.match(cyd, 2)) == ["Ada", "Cyd"]
    at.store.commands.create(Intent(dan), beans_game(ME, OPEN))
    table = at.store.commands.create(Intent(bob), beans_game(ME, OPEN)).table
    for least, found in [(80, 2), (81, 1)]:
        wish = at.store.matchmaker.check(ada, NewSeek("beans", {}, (2,), min_reliability=least))
        tables = [game["id"] for game in at.store.matchmaker.find_tables(ada, wish)]
        assert (len(tables), table.id in tables) == (found, found == 2)


def test_open_tables_fit_by_what_they_count_for_and_by_who_sits_there(
    at: Seekers, register: Register
) -> None:
    ada, bob, cyd = register("Ada", "Bob", "Cyd")
    at.rate(ada, 1900)
    rated = at.store.commands.create(Intent(ada), beans_game(ME, OPEN, **RATED)).table
    casual = at.store.commands.create(Intent(bob), beans_game(ME, OPEN, pace=DAYS)).table

    def find(player: Player, **more: Any) -> list[str]:
        wish = at.store.matchmaker.check(player, NewSeek("beans", {}, (2,), **more))
        return [game["id"] for game in at.store.matchmaker.find_tables(player, wish)]

    assert find(cyd, **RATED) == [rated.id]
    assert find(cyd, pace=DAYS) == [casual.id]
    assert find(cyd, rating_range=(1400, 1600), **RATED) == []
    assert find(cyd, rating_range=(1800, 2000), **RATED) == [rated.id]
    at.store.registry.sadd(keys.guests_of(cyd.id), ada.id)
    assert find(cyd, **RATED) == []
