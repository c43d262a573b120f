"""Which seeks are matched with which."""

from __future__ import annotations

from random import Random

import pytest

from cartulary.events.company.seeks import BOTS, LIVE_LIFE_MS, MOST, NewSeek, Seek
from cartulary.events.model.clock import format_time
from cartulary.events.model.errors import Invalid, NotForBots, QuotaExceeded, RateLimited
from cartulary.events.model.table_parts import BOT
from cartulary.events.server import keys
from tests.events.support.seekers import DAYS, LIVE, Seekers, names_of


def test_two_who_seek_the_same_get_a_game_that_has_started(at: Seekers) -> None:
    ada, bob = at.register("Ada", "Bob")
    seek = at.wait(ada, 2, pace=DAYS)
    table = at.match(bob, 2, 3, pace=DAYS)
    assert names_of(table) == ["Ada", "Bob"]
    assert table.running
    assert (table.terms.on_timeout, table.terms.shuffle_seats, table.course.host) == (
        "forfeit",
        True,
        ada.id,
    )
    assert at.list_open(ada) == at.list_open(bob) == []
    (said,) = at.told(ada)
    assert (said["game"], said["seek"]) == (table.id, seek.id)
    assert len(at.told(bob)) == 1


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ({"pace": LIVE}, {"pace": DAYS}),
        ({"pace": LIVE}, {}),
        ({"pace": LIVE}, {"pace": {**LIVE, "bank": 1200}}),
        ({"options": {"goal": 4}}, {}),
    ],
)
def test_other_paces_and_options_are_another_game(
    at: Seekers, mine: dict[str, object], theirs: dict[str, object]
) -> None:
    ada, bob = at.register("Ada", "Bob")
    at.wait(ada, 2, **mine)
    at.wait(bob, 2, **theirs)


def test_a_default_that_is_left_out_is_the_same_as_one_that_is_given(at: Seekers) -> None:
    ada, bob = at.register("Ada", "Bob")
    at.wait(ada, 2, pace=LIVE)
    at.match(bob, 2, pace={**LIVE, "refill": 0}, options={"goal": 9})


def test_the_smallest_set_that_all_sizes_allow_is_taken_the_oldest_first(at: Seekers) -> None:
    ada, bob, cyd, dan, eve = at.register("Ada", "Bob", "Cyd", "Dan", "Eve")
    at.wait(ada, 4)
    at.wait(bob, 3, 4)
    at.wait(cyd, 4)
    assert names_of(at.match(dan, 4, 5)) == ["Ada", "Bob", "Cyd", "Dan"]
    at.wait(ada, 3)
    at.wait(bob, 3)
    at.wait(cyd, 2)
    assert names_of(at.match(eve, 2, 3)) == ["Cyd", "Eve"]
    assert names_of(at.match(eve, 3)) == ["Ada", "Bob", "Eve"]


@pytest.mark.parametrize("blocker", [0, 1])
def test_no_block_ends_up_at_one_table(at: Seekers, blocker: int) -> None:
    ada, bob, cyd, dan = at.register("Ada", "Bob", "Cyd", "Dan")
    pair = (ada, bob)
    at.wait(ada, 2, 3)
    at.store.blocks.add(pair[blocker].id, pair[1 - blocker].id)
    at.wait(bob, 2, 3)
    at.store.blocks.add(cyd.id, ada.id)
    assert names_of(at.match(cyd, 2, 3)) == ["Bob", "Cyd"]
    assert names_of(at.match(dan, 2, 3)) == ["Ada", "Dan"]


def test_a_player_is_matched_with_no_seek_of_the_same_player(at: Seekers) -> None:
    ada, bob = at.register("Ada", "Bob")
    at.wait(ada, 2)
    at.wait(ada, 2, 3)
    assert names_of(at.match(bob, 2)) == ["Ada", "Bob"]
    assert len(at.list_open(ada)) == 1


def test_a_seek_that_wants_the_same_changes_the_terms_of_the_first(at: Seekers) -> None:
    (ada,) = at.register("Ada")
    first = at.wait(ada, 2, pace=LIVE)
    again = at.seek(ada, 2, pace=LIVE, fill="bots", patience=10)
    assert (again.sought.seek.id, again.sought.is_new) == (first.id, False)
    (seek,) = at.store.seeks.list_of(ada.id)
    assert (seek.id, seek.wish.fill, seek.wish.patience) == (first.id, "bots", 10)


@pytest.mark.slow
def test_a_thousand_seeks_of_one_player_are_refused_after_ten(at: Seekers) -> None:
    (ada,) = at.register("Ada")
    for number in range(MOST):
        at.wait(ada, 2, pace={**DAYS, "bank": number})
    for number in range(MOST, 1000):
        with pytest.raises(QuotaExceeded, match="10 open seeks"):
            at.seek(ada, 2, pace={**DAYS, "bank": number})
    assert len(at.list_open(ada)) == MOST
    assert at.store.seeks.withdraw(ada.id, at.list_open(ada)[0])
    at.wait(ada, 2)


def test_a_live_match_ends_the_other_live_seeks_of_its_players(at: Seekers) -> None:
    ada, bob, cyd = at.register("Ada", "Bob", "Cyd")
    at.wait(ada, 3, pace=LIVE)
    kept = at.wait(ada, 3, pace=DAYS)
    at.wait(ada, 2, pace=LIVE)
    at.match(bob, 2, pace=LIVE)
    assert at.list_open(ada) == [kept.id]
    at.wait(cyd, 2, pace=LIVE)


def test_a_withdrawn_seek_is_matched_with_no_other(at: Seekers) -> None:
    ada, bob = at.register("Ada", "Bob")
    seek = at.wait(ada, 2)
    assert not at.store.seeks.withdraw(bob.id, seek.id)
    assert at.store.seeks.withdraw(ada.id, seek.id)
    assert not at.store.seeks.withdraw(ada.id, seek.id)
    at.wait(bob, 2)


class TestLife:
    def test_a_live_seek_ends_half_a_minute_after_its_player_has_left(self, at: Seekers) -> None:
        ada, bob = at.register("Ada", "Bob")
        at.wait(ada, 2, pace=LIVE)
        at.pass_time(60_000, ada)
        at.pass_time(30_000)
        assert len(at.list_open(ada)) == 1
        at.clock.advance(6_000)
        at.wait(bob, 2, pace=LIVE)
        assert at.list_open(ada) == []

    def test_the_sweep_ends_what_no_other_seek_meets(self, at: Seekers) -> None:
        (ada,) = at.register("Ada")
        at.wait(ada, 2, pace=LIVE)
        at.pass_time(50_000)
        assert at.list_open(ada) == []
        assert not at.store.registry.exists("seekers", "seeks_due")

    def test_a_live_seek_ends_after_a_day_and_another_after_a_week(self, at: Seekers) -> None:
        (ada,) = at.register("Ada")
        at.wait(ada, 2, pace=LIVE)
        slow = at.wait(ada, 2, pace=DAYS)
        at.clock.advance(LIVE_LIFE_MS - 2)
        at.attend(ada)
        at.store.matchmaker.step()
        assert len(at.list_open(ada)) == 2
        at.pass_time(11_000, ada)
        assert at.list_open(ada) == [slow.id]
        at.clock.advance(7 * LIVE_LIFE_MS)
        at.store.matchmaker.step()
        assert at.list_open(ada) == []

    def test_who_has_no_live_seek_is_not_attended(self, at: Seekers) -> None:
        ada, bob = at.register("Ada", "Bob")
        at.attend(ada)
        at.wait(ada, 2, pace=LIVE)
        at.match(bob, 2, pace=LIVE)
        at.attend(ada, bob)
        assert not at.store.registry.exists("seekers")


class TestRefusals:
    def test_what_no_game_can_be_is_refused(self, at: Seekers) -> None:
        (ada,) = at.register("Ada")
        for wish, pointer in [
            (NewSeek("chess", {}, (2,)), "/game"),
            (NewSeek("beans", {}, (2, 9)), "/seats"),
            (NewSeek("beans", {"goal": 5}, (2,)), "/options/goal"),
            (NewSeek("beans", {}, (2,), {"mode": "live", "delay": 1, "bank": 0}), "/pace/delay"),
            (NewSeek("beans", {}, (2,), DAYS, "bots"), "/fill"),
        ]:
            with pytest.raises(Invalid) as refused:
                at.store.matchmaker.check(ada, wish)
            assert [error["pointer"] for error in refused.value.errors] == [pointer]

    def test_a_bot_seeks_no_game(self, at: Seekers) -> None:
        (ada,) = at.register("Ada")
        with pytest.raises(NotForBots):
            at.seek(ada._replace(kind=BOT, owner="01EVE"), 2)

    def test_who_has_left_three_games_at_their_start_seeks_none(self, at: Seekers) -> None:
        (ada,) = at.register("Ada")
        for game in ("a", "b", "c"):
            at.store.commands.cooldown.note(ada.id, game)
        with pytest.raises(RateLimited):
            at.seek(ada, 2)


class TestCrowds:
    """The script looks at so many seeks at once; the sweep goes on behind them."""

    @pytest.mark.slow
    def test_those_behind_many_who_do_not_fit_are_met_a_moment_later(self, at: Seekers) -> None:
        ada, bob = at.register("Ada", "Bob")
        for one in at.register(*(f"P{number}" for number in range(100))):
            at.store.blocks.add(one.id, ada.id)
            at.store.blocks.add(bob.id, one.id)
            # They exclude each other as well: no two of them are to make a match.
            at.wait(one, 2, rating_range=(9_000, 9_999))
        first = at.wait(bob, 2)
        at.wait(ada, 2)
        assert at.told(bob) == []
        at.pass_time(4_000)
        (said,) = at.told(bob)
        assert said["seek"] == first.id
        assert len(at.told(ada)) == 1

    @pytest.mark.slow
    def test_no_crowd_that_stays_apart_keeps_others_apart_for_ever(self, at: Seekers) -> None:
        crowd = at.register(*(f"P{number}" for number in range(40)))
        for one in crowd:
            others = [other.id for other in crowd if other != one]
            at.store.registry.sadd(keys.blocked_by(one.id), *others)
            at.wait(one, 3)
        ada, bob = at.register("Ada", "Bob")
        for one in crowd[1:]:
            at.store.blocks.add(bob.id, one.id)
        at.wait(bob, 3)
        at.wait(ada, 3)
        # Only with the first of the crowd: chance may have left that one out at first.
        at.pass_time(600_000)
        assert len(at.told(ada)) == len(at.told(bob)) == len(at.told(crowd[0])) == 1

    @pytest.mark.slow
    def test_new_terms_begin_the_walk_again(self, at: Seekers) -> None:
        ada, bob, *crowd = at.register("Ada", "Bob", *(f"P{number}" for number in range(60)))
        at.wait(bob, 2, min_reliability=100)
        for one in crowd:
            at.wait(one, 2, rating_range=(9_000, 9_999))
        at.rate(bob, 1000)
        at.wait(ada, 2, rating_range=(1_400, 1_600))
        assert names_of(at.match(ada, 2)) == ["Ada", "Bob"]


def test_waits_are_counted_for_a_day(at: Seekers) -> None:
    ada, bob, cyd = at.register("Ada", "Bob", "Cyd")
    at.wait(ada, 2)
    at.clock.advance(9_999)
    at.match(bob, 2)
    at.wait(cyd, 2, pace=DAYS)
    live, days, untimed = at.store.seeks.count_waiting("beans")
    assert (live.waiting, live.median_ms) == (0, None)
    assert (days.waiting, days.median_ms) == (1, None)
    assert (untimed.waiting, untimed.median_ms) == (0, 5_000)
    at.clock.advance(LIVE_LIFE_MS + 1)
    assert at.store.seeks.count_waiting("beans")[2].median_ms is None


@pytest.mark.slow
def test_many_seeks_meet_and_none_is_served_twice(at: Seekers) -> None:
    rng = Random(32)
    people = at.register(*(f"P{number}" for number in range(60)))
    for one in people:
        if rng.random() < 0.2:
            at.store.blocks.add(one.id, rng.choice(people).id)
    games = []
    for one in people:
        sizes = rng.sample([2, 3, 4], rng.randint(1, 3))
        if (table := at.seek(one, *sizes).table) is not None:
            games.append(table)
    seated = [seat.player["id"] for table in games for seat in table.seats if seat.player]
    assert len(seated) == len(set(seated)) > 40
    for table in games:
        ids = [seat.player["id"] for seat in table.seats if seat.player]
        assert not any(at.store.blocks.find_apart(one, ids) for one in ids)
    waiting = {one.id for one in people if at.list_open(one)}
    assert waiting.isdisjoint(seated)
    assert len(waiting) + len(seated) == 60


def test_a_seek_says_when_it_ends_and_is_looked_at_no_earlier_than_later() -> None:
    seek = Seek("s", "p", NewSeek("beans", {}, (2,), fill=BOTS, patience=10), 1_000, 61_000)
    assert seek.describe()["created_at"] == format_time(1_000)
    assert seek.describe()["expires_at"] == format_time(61_000)
    assert seek.find_next_look(1_000) == 11_000  # bots may fill it then
    assert seek.find_next_look(11_000) > 11_000
