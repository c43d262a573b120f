"""A timed game that a test tells step by step, compared with the reckoning."""

from __future__ import annotations

from typing import Any

from cartulary.events.ledger.drafts import Draft
from cartulary.events.model.clock import format_time
from cartulary.events.model.table import Table
from cartulary.events.model.time import timing
from cartulary.events.model.time.intervals import Intervals, clip, join
from tests.events.support.clock_reckoning import (
    PATIENCE,
    Charge,
    Json,
    Moment,
    Reckoning,
    read_time,
)
from tests.events.support.told_streams import CID, DAN, Told
from tests.support.fake_clock import MINUTE, FakeClock
from tests.support.games import ALL_GAMES

ASKING = ("game_started", "move_made", "moves_taken_back", "turn_timed_out")
"""From these events on the time of a decision counts."""

Step = tuple[Any, ...]
"""The name of a step of a `Story`, and what the step is to be given."""


class Calendar:
    """Outages and vacations as a test sets them."""

    def __init__(self) -> None:
        self.outages: list[tuple[int, int]] = []
        self.vacations: dict[str, list[tuple[int, int]]] = {}

    def stops(self, table: Table, seat: int, since: int, until: int) -> Intervals:
        """As `events.model.time.timing.ClockStops`."""
        owner = table.seats[seat].player
        assert owner is not None
        found = list(self.outages)
        if (table.terms.pace or {}).get("vacation"):
            found += self.vacations.get(owner["id"], [])
        return clip(join(found), since, until)


class Story:
    """A timed game that a test tells step by step; what cannot happen now is passed over."""

    def __init__(self, pace: Json, sitting: list[Json | str | None], game: str) -> None:
        self.clock, self.calendar = FakeClock(), Calendar()
        self.told = Told(
            ALL_GAMES,
            sitting,
            game,
            self.clock,
            self.calendar.stops,
            pace=pace,
            takebacks="consent",
            substitutes=True,
        )
        self.received: dict[int, int] = {}
        self.reader = Reckoning(
            ALL_GAMES, self.calendar.outages, self.calendar.vacations, self.received
        )
        self.pace, self.bank = pace, 1000 * pace["bank"]
        self.gifts = 0
        self.told.start()
        self.last: list[Moment] = self.reader.read(self.told.events)
        self.must_agree()

    @property
    def table(self) -> Table:
        return self.told.table

    @property
    def draft(self) -> Draft:
        return self.told.draft

    @property
    def asked(self) -> int:
        """The seat whose clock runs, -1 when no clock runs."""
        found = timing.find_timed_seat(self.table)
        return -1 if found is None else found

    def run(self, step: Step) -> None:
        """Do a step, and compare."""
        if not self.table.running:
            return
        name, *arguments = step
        known = len(self.told.events)
        getattr(self, f"_{name}")(*arguments)
        self.last = self.reader.read(self.told.events[known:])
        self.must_agree()

    # -- steps ------------------------------------------------------------------------------------

    def _wait(self, ms: int) -> None:
        self.clock.advance(ms)

    def _wait_for_deadline(self, offset: int) -> None:
        at = self.reader.look().deadline
        if at is not None and at + offset > self.clock.now:
            self.clock.now = at + offset

    def _wait_for_delay(self, tenths: int) -> None:
        """Wait for some tenths of the delay."""
        self.clock.advance(100 * self.pace["delay"] * tenths)

    def _move(self, lot: int, lag: int) -> None:
        state = self.table.state
        assert state is not None
        if self.table.resting:
            return
        if self.table.clocks is not None and self.table.clocks.paused is not None:
            self._resume()
        moves = state.moves()
        move = state.move_json(moves[lot % len(moves)])
        self.received[self.draft.table.version + 1] = self.clock.now - lag
        self.draft.received = self.clock.now - lag
        self.told.move(move, stand_in=self.table.seats[state.seat].stand_in is not None)
        self.draft.received = None

    def _turn(self, lot: int, tenths: int) -> None:
        """Answer until another seat is asked, and wait before each answer."""
        asked = self.table.decision
        while self.table.running and self.table.decision and asked:
            if self.table.decision.seat != asked.seat or self.table.resting:
                return
            self._wait_for_delay(tenths)
            self._move(lot, 0)

    def _give(self, seat: int, ms: int) -> None:
        seat %= len(self.table.seats)
        givers = [one.player for n, one in enumerate(self.table.seats) if one.player and n != seat]
        if self.table.seats[seat].player is not None:
            self.gifts += ms
            self.told.add("time_given", seat=seat, by=givers[0]["id"], ms=ms)

    def _pause(self, length: int) -> None:
        assert self.table.clocks is not None
        if self.table.clocks.paused is None:
            until = format_time(self.clock.now + length)
            self.told.add("game_paused", until=until, proposal=None, reason="agreed")

    def _resume(self) -> None:
        assert self.table.clocks is not None
        if self.table.clocks.paused is not None:
            self.told.add("game_resumed", by=None, reason="due")

    def _flag(self) -> None:
        seat = self.asked
        if seat < 0 or self.table.overdue:
            return
        at = timing.deadline(self.table, self._stops())
        assert at is not None
        charge = self.draft.charge(self.draft.now())
        clock = {"used": charge.used, "stopped": charge.stopped, "bank": 0}
        self.told.add("turn_timed_out", seat=seat, clock=clock, deadline_at=format_time(at))

    def _raise_flag(self, wait: int, ms: int) -> None:
        """Let the flag fall, and let a player give time after a while."""
        seat = self.asked
        self._flag()
        self.clock.advance(wait)
        if seat >= 0:
            self._give(seat, ms)

    def _go_away(self, seat: int) -> None:
        seat %= len(self.table.seats)
        held = self.table.seats[seat]
        if held.player is not None and held.contending and held.away is None:
            self.told.add("stand_in_seated", seat=seat, bot="random", reason="requested", by=None)

    def _come_back(self, seat: int) -> None:
        seat %= len(self.table.seats)
        held = self.table.seats[seat]
        if held.away is not None:
            self.told.add("seat_returned", seat=seat, player=held.player)

    def _forfeit(self, seat: int) -> None:
        seat %= len(self.table.seats)
        held = self.table.seats[seat]
        if held.player is not None and held.contending:
            self.told.add(
                "seat_forfeited", seat=seat, player=held.player, reason="left", stand_in="random"
            )

    def _take_over(self, seat: int) -> None:
        seat %= len(self.table.seats)
        held = self.table.seats[seat]
        free = next(one for one in (CID, DAN) if one != held.player)
        if self.table.vacant(seat):
            left = {"player": held.player, "reason": held.forfeited}
            self.told.add("seat_taken_over", seat=seat, player=free, **{"from": left})

    def _take_back(self, back: int) -> None:
        places = [
            one["version"]
            for one in self.told.events
            if one["type"] in ("game_started", "move_made") and self.table.stands(one["version"])
        ]
        if len(places) > back:
            self.told.take_back(0, places[-1 - back])

    def _outage(self, length: int) -> None:
        """An outage lasts a minute longer than the silence."""
        self.calendar.outages.append((self.clock.now, self.clock.now + length + MINUTE))
        self.clock.advance(length)

    def _vacation(self, seat: int, begin: int, length: int) -> None:
        owner = self.table.seats[seat % len(self.table.seats)].player
        if owner is not None:
            begin += self.clock.now
            self.calendar.vacations.setdefault(owner["id"], []).append((begin, begin + length))

    # -- what holds -------------------------------------------------------------------------------

    def _stops(self) -> Intervals:
        clocks = self.table.clocks
        assert clocks is not None
        return self.calendar.stops(self.table, self.asked, clocks.since, clocks.since + 10**12)

    def must_agree(self) -> None:
        """Compare table and events with the reckoning."""
        table, clocks, moment = self.table, self.table.clocks, self.reader.look()
        assert clocks is not None
        assert timing.find_timed_seat(table) == moment.seat
        assert clocks.banks == moment.banks
        assert table.overdue == moment.overdue
        if moment.seat is not None:
            assert (clocks.since, clocks.turn_used) == (moment.since, moment.turn_used)
            assert timing.deadline(table, self._stops()) == moment.deadline
        for event, found in zip(self.told.events[-len(self.last) :], self.last, strict=False):
            stored = event.get("clock")
            assert (None if stored is None else Charge(**stored)) == found.charge
        assert all(0 <= bank <= self.bank + self.gifts for bank in clocks.banks)

    def must_add_up(self) -> None:
        """Hold that each charge and the time that was stopped are the span of the stream."""
        since = None
        for event in self.told.events:
            at = read_time(event["at"])
            if "clock" in event:
                assert since is not None
                spent = event["clock"]["used"] + event["clock"]["stopped"]
                assert at - since - PATIENCE <= spent <= at - since
            if event["type"] in ASKING or self._asks_again(event):
                since = at

    def _asks_again(self, event: Json) -> bool:
        """Whether an event lets a person answer the question that is pending."""
        if event["type"] not in ("seat_returned", "seat_taken_over"):
            return False
        reader = Reckoning(ALL_GAMES)
        reader.read(self.told.events[: event["version"]])
        return bool(event["seat"] == reader.asked)
