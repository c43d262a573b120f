"""What ends by itself: one command judges a game with the clock, and may be repeated at will."""

from __future__ import annotations

from threading import Thread
from typing import Any

import orjson
import pytest

from cartulary.events.commands.commands import Intent, NewGame
from cartulary.events.commands.table.inviting import offer_seat
from cartulary.events.model.clock import format_time, milliseconds
from cartulary.events.model.errors import SeatOffered
from cartulary.events.model.table import Table
from cartulary.events.model.time.silence_rules import DAY_MS
from cartulary.events.model.types import SEAT_OFFERED
from cartulary.events.store import Store
from tests.conftest import timed_store
from tests.events.support.bean_games import ME, OPEN, beans_game, everything_stored
from tests.events.support.games_on_a_clock import circle
from tests.support.fake_clock import DAY, FakeClock


def waiting(store: Store, request: NewGame | None = None) -> Table:
    """A game that waits for its second player."""
    ada = store.players.create("Ada")[0]
    return store.commands.create(Intent(ada), request or beans_game(ME, OPEN)).table


def test_a_game_that_waits_too_long_for_its_start_is_aborted(
    timed: Store, clock: FakeClock
) -> None:
    table = waiting(timed)
    clock.advance(14 * DAY - 1)
    assert timed.commands.expiry.expire(table.id).events == []
    clock.advance(1)
    (aborted,) = timed.commands.expiry.expire(table.id).events
    assert (aborted["type"], aborted["code"]) == ("game_aborted", "unstarted")
    assert "by" not in aborted
    assert timed.audit.game(table.id).valid


def test_an_offer_that_nobody_took_ends_and_the_seat_is_open_again(
    timed: Store, clock: FakeClock
) -> None:
    table = waiting(timed)
    zoe = timed.players.create("Zoe")[0]
    draft = timed.commands.writer.draft(table.id, table)
    ends = format_time(clock.now_ms() + DAY)
    player = {"id": zoe.id, "name": "Zoe"}
    draft.add(SEAT_OFFERED, seat=1, player=player, by=table.created_by, expires_at=ends)
    timed.commands.writer.append(draft, table.version, None)
    clock.advance(DAY)
    (opened,) = timed.commands.expiry.expire(table.id).events
    assert (opened["type"], opened["reason"]) == ("seat_opened", "offer_expired")
    assert (opened["seat"], opened["was"]) == (1, {"player": player})
    assert timed.commands.expiry.expire(table.id).events == []


def test_an_offer_that_is_over_holds_nobody_up_even_before_the_timer_has_come(
    timed: Store, clock: FakeClock
) -> None:
    table = waiting(timed)
    zoe, max_ = (timed.players.create(name)[0] for name in ("Zoe", "Max"))
    draft = timed.commands.writer.draft(table.id, table)
    offer_seat(draft, 1, zoe, timed.players.create("Eve")[0])
    timed.commands.writer.append(draft, table.version, None)
    with pytest.raises(SeatOffered):
        timed.commands.arranging.join(Intent(max_), table.id, 1)
    clock.advance(14 * DAY)
    events = timed.commands.arranging.join(Intent(max_), table.id, 1).events
    assert [event["type"] for event in events[:2]] == ["seat_opened", "seat_taken"]
    assert events[0]["reason"] == "offer_expired"


def test_a_game_that_rested_for_thirty_days_is_aborted(timed: Store, clock: FakeClock) -> None:
    game = circle(timed, "Ada", "Bob")
    for seat in (0, 1):
        timed.commands.leaving.go_away(Intent(game.who(seat)), game.id, seat)
    clock.advance(30 * DAY)
    (aborted,) = timed.commands.expiry.expire(game.id).events
    assert (aborted["type"], aborted["code"]) == ("game_aborted", "empty")


def test_a_game_that_rested_and_that_somebody_has_left_for_good_has_a_result(
    timed: Store, clock: FakeClock
) -> None:
    game = circle(timed, "Ada", "Bob", "Cleo")
    timed.commands.leaving.resign(Intent(game.who(2)), game.id)
    for seat in (0, 1):
        timed.commands.leaving.go_away(Intent(game.who(seat)), game.id, seat)
    clock.advance(30 * DAY)
    (ended,) = timed.commands.expiry.expire(game.id).events
    assert (ended["type"], ended["reason"]) == ("play_ended", "forfeits")
    result = timed.commands.score(game.id).events[0]["result"]
    assert 2 not in result["winners"]
    assert timed.audit.game(game.id).valid


def test_a_game_that_nobody_touches_or_looks_at_is_aborted_after_sixty_days(
    timed: Store, clock: FakeClock
) -> None:
    game = circle(timed, "Ada", "Bob")
    timed.commands.looks.note(game.id)
    clock.advance(60 * DAY - 1)
    assert timed.commands.expiry.expire(game.id).events == []
    clock.advance(1)
    (aborted,) = timed.commands.expiry.expire(game.id).events
    assert (aborted["type"], aborted["code"]) == ("game_aborted", "empty")


def test_who_looks_at_a_game_keeps_it_for_thirty_days(timed: Store, clock: FakeClock) -> None:
    game = circle(timed, "Ada", "Bob")
    clock.advance(50 * DAY)
    timed.commands.looks.note(game.id)
    clock.advance(10 * DAY)
    assert timed.commands.expiry.expire(game.id).events == []
    clock.advance(20 * DAY)
    assert timed.commands.expiry.expire(game.id).events[0]["code"] == "empty"


def test_when_nobody_knows_who_looked_the_thirty_days_begin_now(
    timed: Store, clock: FakeClock
) -> None:
    game = circle(timed, "Ada", "Bob")
    clock.advance(60 * DAY)
    assert timed.commands.expiry.expire(game.id).events == []
    clock.advance(30 * DAY)
    assert timed.commands.expiry.expire(game.id).events[0]["code"] == "empty"


def test_a_game_that_is_looked_at_is_judged_again_when_the_look_is_thirty_days_old(
    timed: Store, clock: FakeClock
) -> None:
    game = circle(timed, "Ada", "Bob")
    timed.projections.apply(game.table)
    clock.advance(60 * DAY)
    timed.commands.expiry.expire(game.id)
    # The first look of any player is noted now; the warning comes a week before the end.
    assert timed.projections.due_games(clock.now_ms() + 23 * DAY_MS - 1) == []
    assert timed.projections.due_games(clock.now_ms() + 23 * DAY_MS) == [game.id]
    clock.advance(23 * DAY)
    assert timed.commands.expiry.expire(game.id).events == []
    assert timed.projections.due_games(clock.now_ms() + 7 * DAY_MS - 1) == []
    assert timed.projections.due_games(clock.now_ms() + 7 * DAY_MS) == [game.id]


def read_warnings(store: Store, player_id: str) -> list[dict[str, Any]]:
    items = [orjson.loads(entry.text) for entry in store.inbox.read(player_id).entries]
    return [item["data"] for item in items if item["type"] == "turn_reminder"]


def test_the_host_learns_a_day_before_that_a_game_is_not_started(
    timed: Store, clock: FakeClock
) -> None:
    table = waiting(timed)
    end = format_time(milliseconds(table.updated_at) + 14 * DAY_MS)
    clock.advance(13 * DAY - 1)
    timed.commands.expiry.expire(table.id)
    assert read_warnings(timed, table.created_by) == []
    clock.advance(1)
    for _ in range(3):
        assert timed.commands.expiry.expire(table.id).events == []
    (told,) = read_warnings(timed, table.created_by)
    assert (told["game"], told["deadline_at"], told["code"]) == (table.id, end, "unstarted")
    assert timed.projections.due_games(clock.now_ms() + DAY - 1) == []


def test_a_game_that_soon_begins_or_ends_warns_nobody(timed: Store, clock: FakeClock) -> None:
    table = waiting(timed, beans_game(ME, OPEN, expires_in=3600))
    clock.advance(DAY)
    (aborted,) = timed.commands.expiry.expire(table.id).events
    assert aborted["code"] == "unstarted"
    assert read_warnings(timed, table.created_by) == []


def test_the_players_learn_a_week_before_that_a_game_nobody_touches_ends(
    timed: Store, clock: FakeClock
) -> None:
    game = circle(timed, "Ada", "Bob")
    timed.commands.looks.note(game.id)
    end = format_time(milliseconds(game.table.updated_at) + 60 * DAY_MS)
    clock.advance(53 * DAY)
    for _ in range(2):
        assert timed.commands.expiry.expire(game.id).events == []
    for seat in (0, 1):
        (told,) = read_warnings(timed, game.who(seat).id)
        assert (told["deadline_at"], told["code"], told["seat"]) == (end, "empty", seat)
    clock.advance(7 * DAY)
    (aborted,) = timed.commands.expiry.expire(game.id).events
    assert aborted["code"] == "empty"


def test_looks_are_written_once_a_day(timed: Store, clock: FakeClock) -> None:
    game = circle(timed, "Ada", "Bob")
    timed.commands.looks.note(game.id)
    before = everything_stored(timed)
    clock.advance(1000)
    timed.commands.looks.note(game.id)
    assert everything_stored(timed).keys() == before.keys()
    first = timed.commands.looks.read(game.id)
    clock.advance(DAY)
    timed.commands.looks.note(game.id)
    assert timed.commands.looks.read(game.id) == first + DAY + 1000


def test_nothing_ends_in_a_game_that_is_over_or_unknown_timers_do_no_harm(
    timed: Store, clock: FakeClock
) -> None:
    game = circle(timed, "Ada", "Bob")
    timed.commands.leaving.resign(Intent(game.who(0)), game.id)
    clock.advance(400 * DAY)
    assert timed.commands.expiry.expire(game.id).events == []


def test_five_processes_end_a_game_once(real_store: Store) -> None:
    clock = FakeClock()
    stores = [timed_store(real_store, clock) for _ in range(5)]
    stores[0].since.read()
    table = waiting(stores[0])
    clock.advance(14 * DAY)
    threads = [Thread(target=one.commands.expiry.expire, args=[table.id]) for one in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    events = real_store.ledger.deliver(table.id, 0, 100)
    assert [event["type"] for event in events] == ["game_created", "game_aborted"]
    for one in stores:
        one.leases.close()
