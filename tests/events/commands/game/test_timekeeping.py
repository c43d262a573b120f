"""Time at the table: who is ready, gifts of time, pauses, and what a new game says about time."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.events.commands.commands import Intent, NewGame, SeatRequest, Written
from cartulary.events.commands.table.branching import NewBranch
from cartulary.events.commands.table.transcripts import transcript_of
from cartulary.events.model.clock import format_time
from cartulary.events.model.errors import (
    AlreadyStarted,
    Invalid,
    NotReady,
    NotSeated,
    ProposalOpen,
    StaleVersion,
    Untimed,
)
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.locales import LANGUAGES
from cartulary.locales.story import StoryTeller
from tests.events.support.bean_games import BOT, ME, OPEN, any_move, beans_game
from tests.support.fake_clock import DAY, HOUR, MINUTE, FakeClock

LIVE = {"mode": "live", "delay": 30, "bank": 600}
DAILY = {"mode": "correspondence", "delay": 86_400, "bank": 259_200, "refill": 21_600}


@pytest.fixture
def ada(timed: Store) -> Player:
    return timed.players.create("Ada")[0]


@pytest.fixture
def bob(timed: Store) -> Player:
    return timed.players.create("Bob")[0]


def open_timed(store: Store, ada: Player, *others: Player, **more: Any) -> Table:
    """A game of Ada and others, who have sat down; by default a daily one."""
    seats = [ME, *(OPEN for _ in others)]
    request = beans_game(*seats, **{"pace": DAILY, **more})
    table = store.commands.create(Intent(ada), request).table
    for other in others:
        table = store.commands.arranging.join(Intent(other), table.id).table
    return table


def move(store: Store, table: Table, *players: Player) -> Written:
    """The player of the seat that is asked makes a move."""
    assert table.state is not None
    owner = table.seats[table.state.seat].player
    assert owner is not None
    mover = next(player for player in players if player.id == owner["id"])
    return store.commands.move(Intent(mover), table.id, any_move(table))


def words(done: Written) -> list[str]:
    """The types of what a command has stored."""
    return [event["type"] for event in done.events]


class TestCreation:
    def test_a_pace_is_stored_complete(self, timed: Store, ada: Player, bob: Player) -> None:
        table = open_timed(timed, ada, bob)
        created = timed.ledger.events(table.id, 0, 1)[0]
        assert created["pace"] == {**DAILY, "vacation": True}
        assert created["on_timeout"] == "claim"
        assert table.clocks is not None
        assert table.clocks.banks == (259_200_000, 259_200_000)

    @pytest.mark.parametrize(
        ("seats", "pace", "expected"),
        [
            ((ME, OPEN, OPEN), LIVE, "stand_in"),
            ((ME, OPEN, BOT), LIVE, "claim"),
            ((ME, OPEN, OPEN), DAILY, "claim"),
        ],
    )
    def test_what_follows_a_flag_depends_on_pace_and_seats(
        self,
        timed: Store,
        ada: Player,
        seats: tuple[SeatRequest, ...],
        pace: dict[str, Any],
        expected: str,
    ) -> None:
        table = timed.commands.create(Intent(ada), beans_game(*seats, pace=pace)).table
        assert table.terms.on_timeout == expected

    def test_a_live_table_waits_for_two_hours(self, timed: Store, ada: Player) -> None:
        live = timed.commands.create(Intent(ada), beans_game(ME, OPEN, pace=LIVE)).table
        assert live.terms.expires_in == 7_200

    @pytest.mark.parametrize(
        ("pace", "pointer"),
        [
            ({"mode": "blitz", "delay": 30, "bank": 600}, "/pace/mode"),
            ({**LIVE, "delay": 4}, "/pace/delay"),
            ({**LIVE, "delay": 301}, "/pace/delay"),
            ({**LIVE, "bank": 7_201}, "/pace/bank"),
            ({**LIVE, "bank": -1}, "/pace/bank"),
            ({**LIVE, "refill": 301}, "/pace/refill"),
            ({**LIVE, "vacation": True}, "/pace/vacation"),
            ({**LIVE, "grace": 3}, "/pace/grace"),
            ({**DAILY, "delay": 3_599}, "/pace/delay"),
            ({**DAILY, "delay": 1_209_601}, "/pace/delay"),
            ({**DAILY, "bank": 2_592_001}, "/pace/bank"),
            ({**DAILY, "refill": 86_401}, "/pace/refill"),
            ({**DAILY, "vacation": "yes"}, "/pace/vacation"),
            ({**DAILY, "delay": True}, "/pace/delay"),
            ({"mode": "live", "delay": 30}, "/pace/bank"),
        ],
    )
    def test_a_pace_out_of_range_is_refused_with_its_place(
        self, timed: Store, ada: Player, pace: dict[str, Any], pointer: str
    ) -> None:
        with pytest.raises(Invalid) as refused:
            timed.commands.create(Intent(ada), beans_game(ME, ME, pace=pace))
        assert pointer in [error["pointer"] for error in refused.value.errors]

    def test_an_untimed_game_has_only_claims(self, timed: Store, ada: Player) -> None:
        with pytest.raises(Invalid, match="only claim"):
            timed.commands.create(Intent(ada), beans_game(ME, ME, on_timeout="forfeit"))
        game = timed.commands.create(Intent(ada), beans_game(ME, ME, on_timeout="claim")).table
        assert (game.terms.pace, game.clocks) == (None, None)


class TestReadiness:
    def open(self, store: Store, ada: Player, bob: Player) -> Table:
        request = beans_game(ME, OPEN, pace=LIVE, start="host")
        table = store.commands.create(Intent(ada), request).table
        return store.commands.arranging.join(Intent(bob), table.id).table

    def test_a_live_game_starts_when_everybody_is_ready(
        self, timed: Store, ada: Player, bob: Player
    ) -> None:
        table = self.open(timed, ada, bob)
        timed.commands.time.ready(Intent(ada), table.id, 0, True)
        with pytest.raises(NotReady) as refused:
            timed.commands.arranging.start(Intent(ada), table.id)
        assert refused.value.members() == {"seats": [1]}
        done = timed.commands.time.ready(Intent(bob), table.id, 1, True)
        assert [seat["ready"] for seat in done.table.seats_json()] == [True, True]
        assert timed.commands.arranging.start(Intent(ada), table.id).table.running

    def test_who_is_ready_may_take_it_back_and_a_repetition_stores_nothing(
        self, timed: Store, ada: Player, bob: Player
    ) -> None:
        table = self.open(timed, ada, bob)
        ready = timed.commands.time.ready
        assert words(ready(Intent(bob), table.id, 1, True)) == ["seat_readied"]
        assert words(ready(Intent(bob), table.id, 1, True)) == []
        assert not ready(Intent(bob), table.id, 1, False).table.seats[1].ready

    def test_who_sits_down_later_is_not_ready(self, timed: Store, ada: Player, bob: Player) -> None:
        table = self.open(timed, ada, bob)
        timed.commands.time.ready(Intent(bob), table.id, 1, True)
        timed.commands.arranging.leave(Intent(bob), table.id, 1)
        assert not timed.commands.arranging.join(Intent(bob), table.id).table.seats[1].ready

    def test_a_seat_is_readied_by_its_player_only(
        self, timed: Store, ada: Player, bob: Player
    ) -> None:
        table = self.open(timed, ada, bob)
        with pytest.raises(NotSeated):
            timed.commands.time.ready(Intent(ada), table.id, 1, True)
        with pytest.raises(StaleVersion):
            timed.commands.time.ready(Intent(ada, 1), table.id, 0, True)

    def test_only_an_open_live_table_asks(self, timed: Store, ada: Player, bob: Player) -> None:
        waiting = timed.commands.create(Intent(ada), beans_game(ME, OPEN, pace=DAILY)).table
        with pytest.raises(Untimed):
            timed.commands.time.ready(Intent(ada), waiting.id, 0, True)
        running = open_timed(timed, ada, bob, pace=LIVE)
        with pytest.raises(AlreadyStarted):
            timed.commands.time.ready(Intent(ada), running.id, 0, True)


class TestGifts:
    def test_a_gift_fills_the_bank_above_its_start(
        self, timed: Store, ada: Player, bob: Player
    ) -> None:
        table = open_timed(timed, ada, bob)
        done = timed.commands.time.give(Intent(bob), table.id, 0, 86_400)
        assert done.table.clocks is not None
        assert done.table.clocks.banks == (345_600_000, 259_200_000)
        assert done.events[0]["ms"] == 86_400_000

    def test_a_gift_is_at_most_a_delay_and_all_gifts_three_banks(
        self, timed: Store, ada: Player, bob: Player
    ) -> None:
        table = open_timed(timed, ada, bob)
        with pytest.raises(Invalid, match="at most 86400"):
            timed.commands.time.give(Intent(bob), table.id, 0, 86_401)
        for _ in range(9):
            timed.commands.time.give(Intent(bob), table.id, 0, 86_400)
        with pytest.raises(Invalid, match="at most 0"):
            timed.commands.time.give(Intent(bob), table.id, 0, 1)

    def test_nobody_gives_to_oneself_to_a_bot_or_in_an_untimed_game(
        self, timed: Store, ada: Player, bob: Player
    ) -> None:
        table = open_timed(timed, ada, bob)
        with pytest.raises(Invalid, match="yours"):
            timed.commands.time.give(Intent(bob), table.id, 1, 60)
        with_bot = timed.commands.create(Intent(ada), beans_game(ME, BOT, pace=DAILY)).table
        with pytest.raises(Invalid, match="no player"):
            timed.commands.time.give(Intent(ada), with_bot.id, 1, 60)
        untimed = open_timed(timed, ada, bob, pace=None)
        with pytest.raises(Untimed):
            timed.commands.time.give(Intent(ada), untimed.id, 1, 60)


class TestPauses:
    def test_a_pause_that_everybody_agrees_to_stops_the_clocks(
        self, timed: Store, clock: FakeClock, ada: Player, bob: Player
    ) -> None:
        table = open_timed(timed, ada, bob)
        before = timed.commands.time.describe(table)["deadline_at"]
        clock.advance(HOUR)
        until = clock.now + 10 * DAY
        asked = timed.commands.proposals.propose(Intent(bob), table.id, "pause", until=until)
        assert words(asked) == ["proposal_made"]
        clock.advance(HOUR)
        done = timed.commands.proposals.answer(Intent(ada), table.id, asked.table.version, "accept")
        assert words(done) == ["proposal_answered", "proposal_closed", "game_paused"]
        assert done.table.paused_until == format_time(until)
        said = timed.commands.time.describe(done.table)
        assert said["stopped_by"] == "pause"
        assert before < said["deadline_at"]
        clock.advance(DAY)
        moved = move(timed, done.table, ada, bob)
        assert words(moved) == ["game_resumed", "move_made"]
        clocked = moved.events[1]["clock"]
        assert (clocked["used"], clocked["stopped"]) == (2 * HOUR, DAY)
        assert moved.table.paused_until is None
        assert timed.audit.game(table.id).problems == []

    def test_alone_with_bots_a_pause_begins_at_once(
        self, timed: Store, clock: FakeClock, ada: Player
    ) -> None:
        table = timed.commands.create(Intent(ada), beans_game(ME, BOT, pace=DAILY)).table
        until = clock.now + DAY
        done = timed.commands.proposals.propose(Intent(ada), table.id, "pause", until=until)
        assert words(done) == ["proposal_made", "proposal_closed", "game_paused"]
        longer = clock.now + 2 * DAY
        again = timed.commands.proposals.propose(Intent(ada), table.id, "pause", until=longer)
        assert words(again) == ["proposal_made", "game_resumed", "proposal_closed", "game_paused"]
        assert again.table.paused_until == format_time(longer)
        assert timed.audit.game(table.id).problems == []

    @pytest.mark.parametrize("after", [0, 30 * DAY + 1, -DAY, 10**15])
    def test_a_pause_ends_in_the_future_within_thirty_days(
        self, timed: Store, clock: FakeClock, ada: Player, bob: Player, after: int
    ) -> None:
        table = open_timed(timed, ada, bob)
        until = clock.now + after
        with pytest.raises(Invalid) as refused:
            timed.commands.proposals.propose(Intent(ada), table.id, "pause", until=until)
        assert refused.value.errors[0]["pointer"] == "/until"

    def test_a_clock_that_was_set_back_begins_no_pause_that_is_over(
        self, timed: Store, clock: FakeClock, ada: Player, bob: Player
    ) -> None:
        table = open_timed(timed, ada, bob)
        clock.advance(-HOUR)
        until = clock.now + MINUTE
        with pytest.raises(Invalid):
            timed.commands.proposals.propose(Intent(ada), table.id, "pause", until=until)

    def test_a_pause_needs_an_end_and_nothing_else_has_one(
        self, timed: Store, clock: FakeClock, ada: Player, bob: Player
    ) -> None:
        table = open_timed(timed, ada, bob)
        with pytest.raises(Invalid):
            timed.commands.proposals.propose(Intent(ada), table.id, "pause")
        until = clock.now + DAY
        with pytest.raises(Invalid):
            timed.commands.proposals.propose(Intent(ada), table.id, "end", until=until)

    def test_an_untimed_game_has_no_pause(
        self, timed: Store, clock: FakeClock, ada: Player, bob: Player
    ) -> None:
        table = open_timed(timed, ada, bob, pace=None)
        until = clock.now + DAY
        with pytest.raises(Untimed):
            timed.commands.proposals.propose(Intent(ada), table.id, "pause", until=until)
        assert not timed.commands.proposals.describe(table, ada)["may"]["pause"]

    @pytest.mark.parametrize(
        ("pace", "wait"), [(LIVE, 5 * MINUTE), (DAILY, 2 * DAY), (None, 3 * DAY)]
    )
    def test_a_proposal_waits_as_long_as_the_pace_says(
        self,
        timed: Store,
        clock: FakeClock,
        ada: Player,
        bob: Player,
        pace: dict[str, Any] | None,
        wait: int,
    ) -> None:
        table = open_timed(timed, ada, bob, pace=pace)
        done = timed.commands.proposals.propose(Intent(ada), table.id, "end")
        assert done.events[0]["expires_at"] == format_time(clock.now + wait)

    def test_a_proposal_of_a_pause_expires_with_the_pause(
        self, timed: Store, clock: FakeClock, ada: Player, bob: Player
    ) -> None:
        table = open_timed(timed, ada, bob)
        until = clock.now + HOUR
        done = timed.commands.proposals.propose(Intent(ada), table.id, "pause", until=until)
        assert done.events[0]["expires_at"] == format_time(until)
        with pytest.raises(ProposalOpen):
            timed.commands.proposals.propose(Intent(bob), table.id, "end")


class TestClock:
    def test_an_untimed_game_has_no_clock(self, timed: Store, ada: Player) -> None:
        table = timed.commands.create(Intent(ada), NewGame("beans", (ME, ME))).table
        assert timed.commands.time.describe(table) == {"mode": None}

    def test_the_clock_says_whose_time_runs_and_until_when(
        self, timed: Store, clock: FakeClock, ada: Player, bob: Player
    ) -> None:
        table = open_timed(timed, ada, bob)
        start = clock.now
        clock.advance(HOUR)
        assert table.state is not None
        assert timed.commands.time.describe(table) == {
            "mode": "correspondence",
            "seat": table.state.seat,
            "since": format_time(start),
            "turn_used": 0,
            "banks": [259_200_000, 259_200_000],
            "deadline_at": format_time(start + 4 * DAY),
            "stopped_by": None,
            "overdue": False,
            "now": format_time(start + HOUR),
        }

    def test_a_rematch_has_the_same_pace_and_a_branch_its_own(
        self, timed: Store, ada: Player
    ) -> None:
        table = timed.commands.create(Intent(ada), beans_game(ME, ME, pace=LIVE)).table
        while table.running:
            table = move(timed, table, ada).table
        over = timed.commands.score(table.id).table
        again = timed.commands.again.open_rematch(Intent(ada), over.id).table
        assert (again.terms.pace, again.terms.on_timeout) == (
            over.terms.pace,
            over.terms.on_timeout,
        )

    def test_a_branch_is_untimed_unless_it_names_a_pace(self, timed: Store, ada: Player) -> None:
        request = beans_game(ME, ME, pace=LIVE, on_timeout="forfeit")
        table = timed.commands.create(Intent(ada), request).table
        table = move(timed, table, ada).table
        branch = timed.commands.again.branch
        untimed = branch(Intent(ada), table.id, NewBranch(table.version)).table
        assert (untimed.terms.pace, untimed.terms.on_timeout) == (None, "claim")
        done = branch(Intent(ada), table.id, NewBranch(table.version, pace=DAILY)).table
        assert done.terms.pace == {**DAILY, "vacation": True}
        assert timed.audit.game(done.id).problems == []
        with pytest.raises(Invalid):
            branch(Intent(ada), table.id, NewBranch(table.version, pace={**LIVE, "delay": 1}))

    def test_a_timed_game_has_a_transcript_and_a_story(
        self, timed: Store, clock: FakeClock, ada: Player
    ) -> None:
        request = NewGame("carcassonne", (ME, ME), pace=LIVE)
        table = timed.commands.create(Intent(ada), request).table
        until = clock.now + DAY
        timed.commands.proposals.propose(Intent(ada), table.id, "pause", until=until)
        table = move(timed, table, ada).table
        events = timed.ledger.events(table.id)
        again = timed.commands.import_transcript(
            Intent(ada), transcript_of(table, events, {}).to_json()
        ).table
        assert again.terms.pace is None
        words = OFFERS["carcassonne"].words
        for lang in LANGUAGES:
            teller = StoryTeller(lang, words, ["Ada", "Ada"])
            told = [line for event in events for line in teller.tell(event)]
            assert len(told) == len(events), told
