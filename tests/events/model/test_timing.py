"""The arithmetic of the clocks: what a decision costs, and when a flag falls."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartulary.engine.chance import RandomSource
from cartulary.events.ledger.drafts import Draft
from cartulary.events.ledger.snapshots import freeze, thaw
from cartulary.events.model.clock import format_time, milliseconds
from cartulary.events.model.effects.fold import fold
from cartulary.events.model.failures import BrokenHistory
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import Clocks
from cartulary.events.model.time import timing
from cartulary.events.model.time.intervals import Interval, join
from tests.support.fake_clock import FakeClock
from tests.support.games import ALL_OFFERS

RULES = {name: offer.rules for name, offer in ALL_OFFERS.items()}
START = 1_800_000_000_000
ADA, BOB = {"id": "ada", "name": "Ada"}, {"id": "bob", "name": "Bob"}
PACE = {"mode": "correspondence", "delay": 3_600, "bank": 7_200, "refill": 600, "vacation": True}
LIVE = {"mode": "live", "delay": 30, "bank": 100, "refill": 10}
HOUR = 3_600_000

times = st.integers(0, 20 * HOUR)
spans = st.tuples(times, times).map(lambda span: (START + min(span), START + max(span)))
stops = st.lists(spans, max_size=4)


class Game:
    """A game of Carcassonne of Ada and Bob: each turn has two decisions or one."""

    def __init__(self, pace: dict[str, Any] | None, *stopped: Interval) -> None:
        self.clock = FakeClock(START)
        self.draft = Draft(
            RULES, "G", clock=self.clock, find_stops=lambda *_: timing.list_stops(Clocks(), stopped)
        )
        self.draft.add(
            "game_created",
            game="carcassonne",
            options={"tiny_city": 4},
            seats=[{"seat": n, "player": one, "bot": None} for n, one in enumerate((ADA, BOB))],
            visibility="public",
            created_by="ada",
            takebacks="undo",
            **({} if pace is None else {"pace": pace}),
        )
        self.draft.start(lambda _: RandomSource(random.Random(4)))

    @property
    def table(self) -> Table:
        return self.draft.table

    @property
    def clocks(self) -> Clocks:
        assert self.table.clocks is not None
        return self.table.clocks

    def move(self, after: int, received: int | None = None) -> dict[str, Any]:
        """The seat that is asked moves after so many ms; returns the clock of the event."""
        self.clock.advance(after)
        self.draft.received = received
        assert self.table.state is not None
        move = self.table.state.moves()[0]
        self.draft.play(move, lambda _: RandomSource(random.Random(4)))
        clock: dict[str, Any] = self.draft.events[-1].get("clock", {})
        return clock


def table_with(clocks: Clocks, pace: dict[str, Any] = PACE) -> Table:
    """A table of that pace with these clocks, in which seat 0 is asked."""
    table = Game(pace).table
    assert table.state is not None
    assert table.state.seat == 0
    return table._replace(clocks=clocks)


def test_a_move_of_an_untimed_game_has_no_clock() -> None:
    game = Game(None)
    game.move(HOUR)
    assert "clock" not in game.draft.events[-1]
    assert (game.table.clocks, timing.deadline(game.table)) == (None, None)


def test_the_delay_is_free_and_what_goes_beyond_leaves_the_bank() -> None:
    game = Game(PACE)
    assert game.move(HOUR // 2) == {"used": HOUR // 2, "stopped": 0, "bank": 2 * HOUR}
    assert game.move(HOUR) == {"used": HOUR, "stopped": 0, "bank": 2 * HOUR - HOUR // 2 + 600_000}


def test_what_comes_back_never_lifts_a_bank_above_its_start() -> None:
    game = Game({**PACE, "refill": 3_600})
    game.move(HOUR)
    assert game.move(60_000)["bank"] == 2 * HOUR


@pytest.mark.slow
@given(st.lists(st.integers(0, 2 * HOUR), min_size=1, max_size=6))
def test_a_turn_in_pieces_costs_what_it_costs_in_one(pieces: list[int]) -> None:
    bank, turn_used = 20 * HOUR, 0
    for used in pieces:
        clocks = Clocks((bank, 0), START, turn_used, (0, 1))
        charged = timing.charge(table_with(clocks), START + used)
        bank, turn_used = charged.bank, turn_used + charged.used
    whole = timing.charge(table_with(Clocks((20 * HOUR, 0), START, 0, (0, 1))), START + sum(pieces))
    assert (bank, turn_used) == (whole.bank, whole.used)


@pytest.mark.slow
@given(times, stops)
def test_used_and_stopped_are_the_time_since_the_question(after: int, stopped: Any) -> None:
    table = table_with(Clocks((2 * HOUR, 0), START))
    charged = timing.charge(table, START + after, stopped)
    assert charged.used + charged.stopped == after
    assert 0 <= charged.bank <= 2 * HOUR
    assert min(charged.used, charged.stopped) >= 0


@pytest.mark.slow
@given(st.integers(0, 2 * HOUR), st.integers(0, 3 * HOUR), stops)
def test_the_deadline_is_the_moment_at_which_all_is_used(
    bank: int, turn_used: int, stopped: Any
) -> None:
    table = table_with(Clocks((bank, 0), START, turn_used, (0, 1)))
    left = max(0, HOUR - turn_used) + bank
    end = timing.deadline(table, stopped)
    assert end is not None
    assert timing.charge(table, end, stopped).used == left
    if left:
        assert timing.charge(table, end - 1, stopped).used == left - 1


def test_a_clock_that_was_set_back_charges_nothing() -> None:
    game = Game(PACE)
    game.clock.advance(-HOUR)
    assert game.move(0) == {"used": 0, "stopped": 0, "bank": 2 * HOUR}
    assert milliseconds(game.table.updated_at) == START


def test_the_clock_counts_to_the_receipt() -> None:
    game = Game(PACE)
    game.clock.advance(10_000)
    assert game.move(0, received=START + 9_000)["used"] == 9_000


def test_what_a_request_waits_inside_the_service_is_stopped() -> None:
    game = Game(PACE)
    game.clock.advance(60_000)
    clock = game.move(0, received=START + 10_000)
    assert (clock["used"], clock["stopped"]) == (10_000, 48_000)


def test_outages_and_vacations_stop_the_clock_once() -> None:
    game = Game(PACE, (START + 1_000, START + 5_000), (START + 3_000, START + 6_000))
    assert game.move(10_000) == {"used": 5_000, "stopped": 5_000, "bank": 2 * HOUR}


def test_the_first_turn_of_a_seat_at_a_live_table_has_a_minute() -> None:
    game = Game(LIVE)
    assert timing.deadline(game.table) == START + 160_000
    game.move(60_000)
    assert game.clocks.banks[0] == 100_000
    game.move(0)
    game.move(60_000)
    game.move(0)
    assert timing.deadline(game.table) == milliseconds(game.table.updated_at) + 130_000


def test_a_takeback_refunds_nothing_and_flags_nobody() -> None:
    game = Game(PACE)
    game.move(HOUR + HOUR // 2)
    bank = game.clocks.banks[0]
    game.clock.advance(HOUR)
    history = game.draft.events
    taken = {
        "version": 4,
        "type": "moves_taken_back",
        "at": format_time(game.clock.now),
        "seat": 0,
        "to_version": 2,
        "moves": [3],
        "proposal": None,
        "state_hash": history[1]["state_hash"],
    }
    table = fold(RULES, "G", None, [*history, taken])
    assert table is not None
    assert table.clocks is not None
    assert (table.clocks.banks[0], table.clocks.turn_used) == (bank, 0)
    assert timing.deadline(table) == game.clock.now + HOUR + bank
    assert timing.charge(table, game.clock.now + HOUR) == timing.Charge(HOUR, 0, bank)


def test_a_flag_empties_the_bank_and_a_gift_raises_it() -> None:
    game = Game(PACE)
    game.clock.advance(4 * HOUR)
    charged = game.draft.charge(game.draft.now())
    clock = {"used": charged.used, "stopped": charged.stopped, "bank": 0}
    deadline_at = format_time(START + 3 * HOUR)
    game.draft.add("turn_timed_out", seat=0, clock=clock, deadline_at=deadline_at)
    assert game.table.overdue
    assert game.table.seats_json()[0]["state"] == "overdue"
    game.clock.advance(HOUR)
    game.draft.add("time_given", seat=0, by="bob", ms=HOUR)
    assert not game.table.overdue
    assert game.clocks.given == ((1, HOUR),)
    assert timing.deadline(game.table) == game.clock.now + HOUR
    assert game.move(HOUR // 2) == {"used": HOUR // 2, "stopped": HOUR, "bank": HOUR // 2}


def test_an_answer_after_the_flag_is_charged_and_leaves_no_debt() -> None:
    game = Game(PACE)
    game.clock.advance(3 * HOUR)
    clock = {"used": 3 * HOUR, "stopped": 0, "bank": 0}
    game.draft.add("turn_timed_out", seat=0, clock=clock, deadline_at=game.draft.now())
    assert game.move(HOUR)["bank"] == 0
    assert not game.table.overdue


def test_a_pause_stops_the_clock_until_it_ends() -> None:
    game = Game(PACE)
    game.clock.advance(1_000)
    until = START + 10_000
    game.draft.add("game_paused", until=format_time(until), proposal=None, reason="agreed")
    assert game.table.paused_until == format_time(until)
    assert timing.deadline(game.table) == START + 3 * HOUR + 9_000
    game.clock.advance(60_000)
    game.draft.add("game_resumed", by=None, reason="due")
    assert game.move(0) == {"used": 52_000, "stopped": 9_000, "bank": 2 * HOUR}


def test_folding_and_snapshots_keep_the_clocks() -> None:
    game = Game(PACE)
    for after in (HOUR, 2 * HOUR, 5_000):
        game.move(after)
    until = format_time(game.clock.now + HOUR)
    game.draft.add("game_paused", until=until, proposal=None, reason="agreed")
    folded = fold(RULES, "G", None, game.draft.events, game.table.head)
    assert folded is not None
    assert folded.clocks == game.clocks
    thawed = thaw(RULES, freeze(game.table))
    assert thawed is not None
    assert thawed.clocks == game.clocks
    assert thawed.text() == game.table.text()


def test_intervals_without_a_length_are_left_out() -> None:
    assert join([(3, 3), (5, 6)], [(7, 7), (1, 2)]) == ((1, 2), (5, 6))


def test_a_paused_game_is_not_paused_again() -> None:
    game = Game(PACE)
    until = format_time(START + 10_000)
    game.draft.add("game_paused", until=until, proposal=None, reason="agreed")
    with pytest.raises(BrokenHistory, match=r"the game is paused already$"):
        game.draft.add("game_paused", until=until, proposal=None, reason="agreed")
