"""Claims in timed games, and pauses that end."""

from __future__ import annotations

from functools import partial

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.commands.game.overdue import ABSENT_MS
from cartulary.events.model.clock import format_time, milliseconds
from cartulary.events.model.errors import NotOverdue, NotSeated
from cartulary.events.store import Store
from tests.events.support.games_on_a_clock import Circle, refuses
from tests.events.support.passing_time import (
    LIVE,
    expire,
    find_fall,
    jump,
    pass_time,
    read_due,
    timed_circle,
)
from tests.support.fake_clock import DAY, HOUR, MINUTE, FakeClock


class TestClaims:
    def test_a_claim_lets_a_flag_fall_that_no_timer_has_noticed(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game = timed_circle(timed, "Ada", "Bob", "Eve")
        asked, fall = game.asked, find_fall(game)
        claimant = game.who(game.others()[0])
        claim = partial(timed.commands.leaving.claim, Intent(claimant), game.id, asked, "stand_in")
        jump(timed, clock, fall - 1)
        assert refuses(NotOverdue, game, claim).members() == {"deadline_at": format_time(fall)}
        clock.advance(1)
        assert [one["type"] for one in claim().events] == ["turn_timed_out", "stand_in_seated"]
        assert timed.audit.game(game.id).valid

    def test_a_claim_after_the_flag_appends_the_remedy_only(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game = timed_circle(timed, "Ada", "Bob")
        asked, claimant = game.asked, game.who(game.others()[0])
        jump(timed, clock, find_fall(game))
        expire(game)
        claimed = timed.commands.leaving.claim(Intent(claimant), game.id, asked, "forfeit")
        assert [one["type"] for one in claimed.events] == ["seat_forfeited", "play_ended"]
        assert timed.audit.game(game.id).valid

    def test_where_the_game_says_what_follows_a_claim_gets_that(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game = timed_circle(timed, "Ada", "Bob", "Eve", follows="forfeit")
        asked, claimant = game.asked, game.who(game.others()[0])
        jump(timed, clock, find_fall(game))
        claimed = timed.commands.leaving.claim(Intent(claimant), game.id, asked, "stand_in")
        assert [one["type"] for one in claimed.events] == ["turn_timed_out", "seat_forfeited"]
        assert timed.audit.game(game.id).valid

    def test_a_claim_says_when_it_may_be_made(self, timed: Store, clock: FakeClock) -> None:
        game = timed_circle(timed, "Ada", "Bob")
        asked, claimant = game.asked, game.who(game.others()[0])
        describe = timed.commands.leaving.describe_claim
        fall = find_fall(game)
        found = {
            "seat": asked,
            "from": format_time(fall),
            "remedies": ["stand_in", "forfeit", "abort"],
        }
        assert describe(game.table, claimant) == found
        jump(timed, clock, fall + MINUTE)
        expire(game)
        assert describe(game.table, claimant) == {**found, "from": game.table.updated_at}
        assert describe(game.table, game.who(asked)) is None

    def test_two_claims_at_once_are_one(self, timed: Store, clock: FakeClock) -> None:
        game = timed_circle(timed, "Ada", "Bob", "Eve")
        asked = game.asked
        jump(timed, clock, find_fall(game))
        first, second = (game.who(seat) for seat in game.others())
        timed.commands.leaving.claim(Intent(first), game.id, asked, "stand_in")
        refuses(
            NotOverdue,
            game,
            partial(timed.commands.leaving.claim, Intent(second), game.id, asked, "stand_in"),
        )


class TestAbsentInALiveGame:
    @pytest.fixture
    def seen(self) -> dict[str, int]:
        return {}

    @pytest.fixture
    def game(self, timed: Store, seen: dict[str, int]) -> Circle:
        timed.commands.leaving.silence.last_seen = seen.get
        return timed_circle(timed, "Ada", "Bob", "Eve", pace={**LIVE, "bank": 1200})

    @pytest.mark.slow
    def test_a_player_who_shows_no_sign_of_life_may_be_replaced_for_a_while(
        self, timed: Store, clock: FakeClock, game: Circle
    ) -> None:
        asked, claimant = game.asked, game.who(game.others()[0])
        claim = partial(timed.commands.leaving.claim, Intent(claimant), game.id, asked)
        at = milliseconds(game.table.updated_at) + ABSENT_MS
        pass_time(timed, clock, ABSENT_MS - 1)
        error = refuses(NotOverdue, game, partial(claim, "stand_in"))
        assert error.members() == {"deadline_at": format_time(at)}
        clock.advance(1)
        error = refuses(NotOverdue, game, partial(claim, "forfeit"))
        assert error.members() == {"deadline_at": format_time(find_fall(game))}
        described = timed.commands.leaving.describe_claim(game.table, claimant)
        assert described == {"seat": asked, "from": format_time(at), "remedies": ["stand_in"]}
        (seated,) = claim("stand_in").events
        assert (seated["type"], seated["reason"]) == ("stand_in_seated", "absent")
        assert timed.audit.game(game.id).valid

    def test_a_player_who_was_seen_is_not_absent(
        self, timed: Store, clock: FakeClock, game: Circle, seen: dict[str, int]
    ) -> None:
        asked, claimant = game.asked, game.who(game.others()[0])
        pass_time(timed, clock, 3 * MINUTE)
        seen[game.who(asked).id] = clock.now - MINUTE
        claim = partial(timed.commands.leaving.claim, Intent(claimant), game.id, asked, "stand_in")
        error = refuses(NotOverdue, game, claim)
        assert error.members() == {"deadline_at": format_time(clock.now + MINUTE)}

    def test_nobody_is_absent_while_the_service_is_down(
        self, timed: Store, clock: FakeClock, game: Circle
    ) -> None:
        asked, claimant = game.asked, game.who(game.others()[0])
        clock.advance(10 * MINUTE)
        timed.outages.beat()
        claim = partial(timed.commands.leaving.claim, Intent(claimant), game.id, asked, "stand_in")
        refuses(NotOverdue, game, claim)

    def test_the_player_of_a_correspondence_game_is_never_absent(
        self, timed: Store, clock: FakeClock
    ) -> None:
        timed.commands.leaving.silence.last_seen = lambda _: 0
        game = timed_circle(timed, "Ada", "Bob")
        jump(timed, clock, clock.now + HOUR)
        described = timed.commands.leaving.describe_claim(game.table, game.who(game.others()[0]))
        assert described is not None
        assert described["from"] == format_time(find_fall(game))

    def test_a_spectator_claims_nothing(self, timed: Store, clock: FakeClock, game: Circle) -> None:
        zoe = timed.players.create("Zoe")[0]
        pass_time(timed, clock, 3 * MINUTE)
        claim = partial(timed.commands.leaving.claim, Intent(zoe), game.id, game.asked, "stand_in")
        refuses(NotSeated, game, claim)


class TestPause:
    def test_a_pause_ends_by_itself_and_the_clock_goes_on(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game = timed_circle(timed, "Ada", "Bob")
        fall, begin = find_fall(game), clock.now
        draft = timed.commands.writer.draft(game.id, game.table)
        until = begin + 3 * DAY
        draft.add("game_paused", until=format_time(until), proposal=None, reason="service")
        timed.commands.writer.append(draft, game.table.version, None)
        assert find_fall(game) == fall + 3 * DAY
        jump(timed, clock, until - 1)
        assert expire(game) == []
        assert read_due(game) == until
        jump(timed, clock, until + HOUR)
        assert expire(game) == ["game_resumed"]
        resumed = game.events()[-1]
        assert (resumed["by"], resumed["reason"]) == (None, "due")
        assert find_fall(game) == fall + 3 * DAY
        jump(timed, clock, fall + 3 * DAY)
        assert expire(game) == ["turn_timed_out"]
        assert timed.audit.game(game.id).valid

    def test_a_pause_and_a_clock_that_are_both_over_end_in_one_append(
        self, timed: Store, clock: FakeClock
    ) -> None:
        game = timed_circle(timed, "Ada", "Bob")
        draft = timed.commands.writer.draft(game.id, game.table)
        until = format_time(clock.now + HOUR)
        draft.add("game_paused", until=until, proposal=None, reason="service")
        timed.commands.writer.append(draft, game.table.version, None)
        jump(timed, clock, clock.now + 9 * DAY)
        assert expire(game) == ["game_resumed", "turn_timed_out"]
        assert game.events()[-1]["clock"]["stopped"] == HOUR
        assert timed.audit.game(game.id).valid
