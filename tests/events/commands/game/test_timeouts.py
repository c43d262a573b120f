"""Time-outs: when a flag falls, what follows, and who is not flagged."""

from __future__ import annotations

from functools import partial
from threading import Barrier, Thread

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.model.clock import format_time, milliseconds
from cartulary.events.model.errors import SeatForfeited, StaleVersion
from cartulary.events.store import Store
from cartulary.events.time.vacations import NOTICED_MS
from tests.conftest import timed_store
from tests.events.support.bean_games import any_move
from tests.events.support.games_on_a_clock import refuses
from tests.events.support.passing_time import (
    DAILY,
    LIVE,
    SECOND,
    expire,
    find_fall,
    jump,
    pass_time,
    read_due,
    timed_circle,
)
from tests.support.fake_clock import DAY, HOUR, MINUTE, FakeClock


class TestTheFlag:
    def test_it_falls_when_delay_bank_and_grace_are_over_and_not_before(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game = timed_circle(timed, "Ada", "Bob")
        asked, since = game.asked, milliseconds(game.table.updated_at)
        fall = find_fall(game)
        assert fall == since + DAY + 2 * HOUR + MINUTE
        jump(timed, clock, fall - 1)
        assert expire(game) == []
        clock.advance(1)
        assert expire(game) == ["turn_timed_out"]
        flag = game.events()[-1]
        assert flag["seat"] == asked
        assert flag["deadline_at"] == format_time(fall - MINUTE)
        assert flag["clock"] == {"used": fall - since, "stopped": 0, "bank": 0}
        assert game.table.overdue
        assert timed.audit.game(game.id).valid

    def test_it_falls_once(self, timed: Store, clock: FakeClock) -> None:
        game = timed_circle(timed, "Ada", "Bob")
        jump(timed, clock, find_fall(game))
        assert expire(game) == ["turn_timed_out"]
        for _ in range(3):
            jump(timed, clock, clock.now + DAY)
            assert expire(game) == []

    def test_stand_in_lets_a_bot_answer_until_the_owner_returns(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game = timed_circle(timed, "Ada", "Bob", "Eve", pace=LIVE, follows="stand_in")
        asked = game.asked
        jump(timed, clock, find_fall(game))
        assert expire(game) == ["turn_timed_out", "stand_in_seated"]
        seated = game.events()[-1]
        assert (seated["seat"], seated["reason"], seated["by"]) == (asked, "timed_out", None)
        moved = timed.commands.move(Intent(game.who(asked)), game.id, any_move(game.table))
        assert [event["type"] for event in moved.events] == ["seat_returned", "move_made"]
        assert timed.audit.game(game.id).valid

    def test_after_the_third_return_the_seat_is_lost(self, timed: Store, clock: FakeClock) -> None:
        game = timed_circle(timed, "Ada", "Bob", "Eve", pace=LIVE, follows="stand_in")
        asked = game.asked
        for _ in range(3):
            jump(timed, clock, find_fall(game))
            assert expire(game) == ["turn_timed_out", "stand_in_seated"]
            timed.commands.leaving.come_back(Intent(game.who(asked)), game.id, asked)
        jump(timed, clock, find_fall(game))
        assert expire(game) == ["turn_timed_out", "seat_forfeited"]
        assert game.table.seats[asked].forfeited == "timed_out"
        assert timed.audit.game(game.id).valid

    def test_forfeit_ends_a_game_of_two(self, timed: Store, clock: FakeClock) -> None:
        game = timed_circle(timed, "Ada", "Bob", follows="forfeit")
        asked = game.asked
        jump(timed, clock, find_fall(game))
        assert expire(game) == ["turn_timed_out", "seat_forfeited", "play_ended"]
        timed.commands.score(game.id)
        result = game.table.result
        assert result is not None
        assert result["outcomes"][asked] == "timed_out"
        assert result["ranks"][asked] == 2
        assert timed.audit.game(game.id).valid

    def test_forfeit_lets_a_game_of_three_go_on(self, timed: Store, clock: FakeClock) -> None:
        game = timed_circle(timed, "Ada", "Bob", "Eve", follows="forfeit")
        asked = game.asked
        jump(timed, clock, find_fall(game))
        assert expire(game) == ["turn_timed_out", "seat_forfeited"]
        refuses(
            SeatForfeited,
            game,
            partial(timed.commands.move, Intent(game.who(asked)), game.id, any_move(game.table)),
        )
        assert game.table.bot_to_move is not None
        assert timed.audit.game(game.id).valid

    def test_with_claim_the_owner_may_still_move(self, timed: Store, clock: FakeClock) -> None:
        game = timed_circle(timed, "Ada", "Bob")
        asked = game.asked
        jump(timed, clock, find_fall(game))
        assert expire(game) == ["turn_timed_out"]
        jump(timed, clock, clock.now + DAY)
        moved = timed.commands.move(Intent(game.who(asked)), game.id, any_move(game.table))
        assert moved.events[0]["clock"]["bank"] == 0
        assert timed.audit.game(game.id).valid

    def test_flags_are_counted_by_what_has_followed(self, timed: Store, clock: FakeClock) -> None:
        for follows in ("claim", "stand_in", "forfeit"):
            game = timed_circle(timed, "Ada", "Bob", "Eve", follows=follows)
            jump(timed, clock, find_fall(game))
            expire(game)
            expire(game)
        game = timed_circle(timed, "Ada", "Bob", "Eve")
        asked, claimant = game.asked, game.who(game.others()[0])
        jump(timed, clock, find_fall(game))
        timed.commands.leaving.claim(Intent(claimant), game.id, asked, "stand_in")
        for _ in range(2):
            timed.commands.timeouts.store_counts()
        counts = timed.commands.timeouts.read_counts()
        assert counts == {"stand_in": 2, "forfeit": 1, "claim": 1}

    def test_a_bot_has_no_flag(self, timed: Store, clock: FakeClock) -> None:
        game = timed_circle(timed, "Ada", "bot:random", "Bob")
        while game.table.bot_to_move is None:
            game.move()
        jump(timed, clock, clock.now + 50 * DAY)
        assert timed.commands.timeouts.find_fall(game.table) is None
        assert expire(game) == []

    def test_five_dispatchers_drop_one_flag(self, timed: Store, clock: FakeClock) -> None:
        game = timed_circle(timed, "Ada", "Bob")
        jump(timed, clock, find_fall(game))
        stores = [timed_store(timed, clock) for _ in range(5)]
        barrier, found = Barrier(5), []

        def run(store: Store) -> None:
            barrier.wait()
            found.append(store.commands.expiry.expire(game.id).events)

        threads = [Thread(target=run, args=(store,)) for store in stores]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(len(events) for events in found) == [0, 0, 0, 0, 1]
        assert game.types().count("turn_timed_out") == 1


class TestNobodyIsFlaggedWhoCouldNotMove:
    def test_no_flag_falls_while_no_web_process_works(self, timed: Store, clock: FakeClock) -> None:
        game = timed_circle(timed, "Ada", "Bob")
        clock.now = find_fall(game) + HOUR
        assert expire(game) == []
        assert read_due(game) == clock.now + MINUTE

    def test_a_service_that_was_down_for_three_hours_gives_them_back(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game = timed_circle(timed, "Ada", "Bob")
        fall = find_fall(game)
        jump(timed, clock, fall - HOUR)
        clock.advance(3 * HOUR)
        timed.outages.beat()
        assert expire(game) == []
        later = fall + 3 * HOUR + MINUTE
        assert find_fall(game) == later
        assert expire(game) == []
        assert read_due(game) == later
        jump(timed, clock, later - 1)
        assert expire(game) == []
        clock.advance(1)
        assert expire(game) == ["turn_timed_out"]
        assert game.events()[-1]["clock"]["stopped"] == 3 * HOUR + MINUTE
        assert timed.audit.game(game.id).valid

    @pytest.mark.slow
    def test_a_dispatcher_that_was_dead_for_an_hour_judges_with_the_real_receipts(
        self, timed: Store, clock: FakeClock
    ) -> None:
        moved, silent = (timed_circle(timed, "Ada", "Bob") for _ in range(2))
        jump(timed, clock, find_fall(moved) - 2 * MINUTE)
        charged = moved.move().events[0]["clock"]
        assert 0 < charged["bank"] < 2 * HOUR
        pass_time(timed, clock, HOUR)
        assert expire(moved) == []
        assert expire(silent) == ["turn_timed_out"]

    def test_a_clock_that_jumps_forward_flags_nobody(self, timed: Store, clock: FakeClock) -> None:
        game = timed_circle(timed, "Ada", "Bob")
        fall, before = find_fall(game), clock.now
        clock.advance(40 * DAY)
        assert expire(game) == []
        timed.outages.beat()
        assert expire(game) == []
        pass_time(timed, clock, MINUTE)
        assert find_fall(game) == fall + 40 * DAY + MINUTE
        clock.now = before + HOUR  # the operator has set the clock right
        timed.outages.beat()
        assert expire(game) == []
        moved = game.move().events[0]
        assert moved["clock"]["used"] == 0
        assert timed.audit.game(game.id).valid

    def test_a_clock_that_jumps_back_flags_nobody_and_charges_nothing(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game = timed_circle(timed, "Ada", "Bob")
        pass_time(timed, clock, MINUTE)
        clock.advance(-HOUR)
        timed.outages.beat()
        assert expire(game) == []
        assert game.move().events[0]["clock"]["used"] == 0
        assert timed.audit.game(game.id).valid

    def test_a_vacation_stops_the_clock_of_its_player_only(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game = timed_circle(timed, "Ada", "Bob")
        asked, fall = game.asked, find_fall(game)
        (other,) = game.others()
        begin = clock.now
        timed.clock_news.change_vacations(game.who(other).id, [(begin, begin + 9 * DAY)])
        clock.advance(5 * SECOND)
        assert find_fall(game) == fall
        timed.clock_news.change_vacations(game.who(asked).id, [(begin + HOUR, begin + 5 * DAY)])
        clock.advance(5 * SECOND)
        later = find_fall(game)
        assert later == fall + 5 * DAY - HOUR
        jump(timed, clock, fall)
        assert expire(game) == []
        assert read_due(game) == later
        jump(timed, clock, later)
        assert expire(game) == ["turn_timed_out"]
        assert timed.audit.game(game.id).valid

    def test_a_vacation_that_is_cancelled_moves_the_flag_to_its_old_place(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game = timed_circle(timed, "Ada", "Bob")
        player, fall, begin = game.who(game.asked).id, find_fall(game), clock.now + HOUR
        timed.projections.apply(game.table)
        timed.clock_news.change_vacations(player, [(begin, begin + 9 * DAY)])
        jump(timed, clock, fall)
        assert expire(game) == []
        assert read_due(game) == fall + 9 * DAY
        timed.clock_news.change_vacations(player, [])
        assert read_due(game) == clock.now + NOTICED_MS
        stopped = clock.now - begin
        jump(timed, clock, clock.now + 10 * SECOND)
        assert expire(game) == []
        assert read_due(game) == find_fall(game) == fall + stopped

    def test_a_game_whose_pace_has_no_vacation_knows_none(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game = timed_circle(timed, "Ada", "Bob", pace={**DAILY, "vacation": False})
        fall = find_fall(game)
        timed.clock_news.change_vacations(
            game.who(game.asked).id, [(clock.now, clock.now + 9 * DAY)]
        )
        clock.advance(5 * SECOND)
        assert find_fall(game) == fall


class TestAMoveInFlight:
    """The deadline passes while the move is on its way."""

    def test_a_move_that_came_in_before_the_flag_counts_to_its_receipt(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game = timed_circle(timed, "Ada", "Bob")
        asked, fall = game.asked, find_fall(game)
        received = fall - MINUTE - SECOND
        jump(timed, clock, received)
        clock.advance(30 * SECOND)
        timed.outages.beat()
        moved = timed.commands.move(
            Intent(game.who(asked), received=received), game.id, any_move(game.table)
        )
        assert moved.events[0]["clock"]["bank"] == SECOND
        jump(timed, clock, fall)
        assert expire(game) == []
        assert timed.audit.game(game.id).valid

    @pytest.mark.parametrize("follows", ["claim", "stand_in"])
    def test_a_move_after_the_flag_and_before_the_stand_in_moves_is_taken(
        self, timed: Store, clock: FakeClock, follows: str
    ) -> None:
        game = timed_circle(timed, "Ada", "Bob", "Eve", follows=follows)
        asked, version = game.asked, game.table.version
        move, received = any_move(game.table), find_fall(game) - SECOND
        jump(timed, clock, find_fall(game))
        expire(game)
        moved = timed.commands.move(
            Intent(game.who(asked), version, received=received), game.id, move
        )
        assert moved.events[-1]["type"] == "move_made"
        assert timed.audit.game(game.id).valid

    def test_a_move_after_the_stand_in_has_moved_is_stale(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game = timed_circle(timed, "Ada", "Bob", "Eve", follows="stand_in")
        asked, version, move = game.asked, game.table.version, any_move(game.table)
        jump(timed, clock, find_fall(game))
        expire(game)
        game.bot_moves()
        refuses(
            StaleVersion,
            game,
            partial(timed.commands.move, Intent(game.who(asked), version), game.id, move),
        )

    def test_a_move_after_a_forfeit_is_refused(self, timed: Store, clock: FakeClock) -> None:
        game = timed_circle(timed, "Ada", "Bob", "Eve", follows="forfeit")
        asked, version, move = game.asked, game.table.version, any_move(game.table)
        jump(timed, clock, find_fall(game))
        expire(game)
        refuses(
            SeatForfeited,
            game,
            partial(timed.commands.move, Intent(game.who(asked), version), game.id, move),
        )


def test_a_game_whose_clock_runs_is_not_untouched(timed: Store, clock: FakeClock) -> None:
    pace = {**DAILY, "delay": 1_209_600, "bank": 2_592_000}
    game = timed_circle(timed, "Ada", "Bob", pace=pace)
    timed.clock_news.change_vacations(game.who(game.asked).id, [(clock.now, clock.now + 14 * DAY)])
    jump(timed, clock, clock.now + 58 * DAY - MINUTE)
    assert expire(game) == []
    jump(timed, clock, clock.now + 3 * DAY)
    assert expire(game) == ["turn_timed_out"]
    jump(timed, clock, clock.now + 61 * DAY)
    assert expire(game) == []
    jump(timed, clock, clock.now + 31 * DAY)
    assert expire(game) == ["game_aborted"]
