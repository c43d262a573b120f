"""All commands of a timed game in any order, with outages and vacations, against the reckoning.

What `test_living_machine` drives goes on here under a pace, on a real calendar: every charge that
is stored, every deadline, and what `GET …/clock` answers is as reckoned. No flag falls too early.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.model.clock import format_time
from cartulary.events.model.time import timing
from cartulary.events.model.types import MOVES_TAKEN_BACK
from cartulary.events.server import keys
from tests.events.commands.test_living_machine import LivingGame
from tests.events.support.clock_reckoning import Charge, Reckoning, Span, read_time
from tests.events.support.living_table import lots, people
from tests.events.time.test_clocks import PACES
from tests.support.fake_clock import DAY, HOUR, MINUTE
from tests.support.games import ALL_GAMES

GRACE = {"live": 2_000, "correspondence": 60_000}
LATER = 6_000
"""Longer than a process caches the calendar."""
WAITS = [0, 1_000, 4_999, 5_000, 30_000, 20 * MINUTE, HOUR, 7 * HOUR, DAY, 4 * DAY, 15 * DAY]


class TimedGame(LivingGame):
    """A living game with clocks."""

    lags = (0,)
    """The reckoning is not given the receipts."""

    @initialize(
        game=st.sampled_from(["beans", "carcassonne", "caylus"]),
        host=people,
        others=st.lists(st.sampled_from(["open", "open", "bot"]), min_size=1, max_size=3),
        pace=st.sampled_from(PACES),
        terms=st.fixed_dictionaries(
            {
                "takebacks": st.sampled_from(["consent", "undo"]),
                "substitutes": st.booleans(),
                "shuffle_seats": st.booleans(),
                "on_timeout": st.sampled_from(["stand_in", "forfeit", "claim", None]),
            }
        ),
    )
    def open_game(
        self, game: str, host: int, others: list[str], pace: Any, terms: dict[str, Any]
    ) -> None:
        """Open a timed game at which everybody sits."""
        self.beat()
        seats = [
            SeatRequest("bot", "random") if one == "bot" else SeatRequest(one) for one in others
        ]
        request = NewGame(game, [SeatRequest("me"), *seats], pace=pace, **terms)
        self.id = self.commands.create(Intent(self.people[host]), request).table.id
        self.pace = pace
        for person in self.people:
            self.do(self.commands.arranging.join, Intent(person), self.id)

    # -- time -------------------------------------------------------------------------------------

    def beat(self) -> None:
        """Show that a web process has worked all the time."""
        self.store.redis.set(keys.heartbeat(), self.clock.now)

    def wait(self, ms: int) -> None:
        """Let time pass while the service works."""
        self.clock.advance(ms)
        self.beat()

    @rule(wait=st.sampled_from(WAITS), beats=st.booleans())
    def let_time_pass(self, wait: int, beats: bool) -> None:
        self.wait(wait)
        if beats:
            self.judge()

    @rule(tenths=st.integers(1, 14))
    def let_much_of_the_delay_pass(self, tenths: int) -> None:
        self.wait(100 * self.pace["delay"] * tenths)

    @precondition(lambda self: self.reckon().look().deadline is not None)
    @rule(offset=st.integers(-2, 2), grace=st.booleans())
    def wait_for_the_flag(self, offset: int, grace: bool) -> None:
        at = self.reckon().look().deadline
        assert at is not None
        at += offset + (GRACE[self.pace["mode"]] if grace else 0)
        if at > self.clock.now:
            self.wait(at - self.clock.now)
        self.judge()

    def look(self, beats: bool) -> None:
        """Let the timers judge; what has passed is no outage (`break_down` is), `beats` or not."""
        self.beat()
        self.judge()

    def judge(self) -> None:
        """Let the timers judge the game: a flag falls after deadline and grace only."""
        look = self.reckon().look()
        known = self.store.ledger.version(self.id)
        events = self.commands.expiry.expire(self.id).events
        flags = [event for event in events if event["type"] == "turn_timed_out"]
        late = (
            look.deadline is not None
            and not look.overdue
            and self.clock.now >= look.deadline + GRACE[self.pace["mode"]]
        )
        types = [event["type"] for event in events]
        ended = {"game_aborted", "play_ended"} & set(types)
        assert bool(flags) == late or (late and ended), (known, types, look)
        for flag in flags:
            assert look.deadline is not None
            assert read_time(flag["deadline_at"]) == look.deadline

    @rule(silence=st.sampled_from([10_000, 16_000, HOUR, 3 * HOUR, DAY]))
    def break_down(self, silence: int) -> None:
        self.beat()
        self.clock.advance(silence)
        # No player is flagged before the service has shown that it works.
        events = self.commands.expiry.expire(self.id).events if self.id else []
        if silence > 15_000:
            assert "turn_timed_out" not in [event["type"] for event in events]
        self.store.outages.beat()
        self.wait(LATER)

    @rule(trouble=st.sampled_from(["secret", "restart"]))
    def meet_trouble(self, trouble: str) -> None:
        """No clock is set back: then an outage covers a time that has been charged."""
        super().meet_trouble(trouble)

    @rule(
        who=people,
        begin=st.sampled_from([0, HOUR, 2 * DAY]),
        length=st.sampled_from([MINUTE, HOUR, DAY, 5 * DAY]),
    )
    def take_vacation(self, who: int, begin: int, length: int) -> None:
        begin += self.clock.now
        player = self.someone(who).id
        kept = [one for one in self.store.vacations.read(player) if one[1] <= begin]
        try:
            self.store.clock_news.change_vacations(player, [*kept, (begin, begin + length)])
        except ValueError:
            return
        except Exception as error:
            if type(error).__name__ != "Invalid":
                raise
        self.wait(LATER)

    # -- commands ---------------------------------------------------------------------------------

    @precondition(lambda self: self.now.running)
    @rule(lot=lots, tenths=st.integers(0, 14))
    def answer_after_a_while(self, lot: int, tenths: int) -> None:
        self.wait(100 * self.pace["delay"] * tenths)
        self.play(1, lot)

    def do(self, command: Callable[..., object], *arguments: Any, **more: Any) -> None:
        before = self.store.ledger.version(self.id) if self.id else 0
        super().do(command, *arguments, **more)
        for event in self.store.ledger.deliver(self.id, before, 10):
            if event["type"] == "move_made" and "received" in more:
                self.received()[event["version"]] = more["received"]

    def received(self) -> dict[int, int]:
        """When the moves came in."""
        found: dict[int, int] = self.__dict__.setdefault("_received", {})
        return found

    # -- what always holds ------------------------------------------------------------------------

    def reckon(self) -> Reckoning:
        """The reckoning of all events, with what is known of outages and vacations by now."""
        vacations: dict[str, list[Span]] = {
            person.id: list(self.store.vacations.read(person.id)) for person in self.people
        }
        reader = Reckoning(ALL_GAMES, self.store.outages.read(), vacations, self.received())
        events = self.store.ledger.deliver(self.id, 0, 100_000)
        self.moments = list(zip(events, reader.read(events), strict=True))
        return reader

    @invariant()
    def the_clock_is_as_reckoned(self) -> None:
        if not self.id:
            return
        look = self.reckon().look()
        for event, moment in self.moments:
            if event["type"] != MOVES_TAKEN_BACK:
                stored = event.get("clock")
                assert (None if stored is None else Charge(**stored)) == moment.charge, event
        table = self.now
        clocks = table.clocks
        assert clocks is not None
        assert timing.find_timed_seat(table) == look.seat
        assert (clocks.banks, table.overdue) == (look.banks, look.overdue)
        told = self.commands.time.describe(table)
        assert told["seat"] == look.seat
        deadline = None if look.deadline is None else format_time(look.deadline)
        assert told["deadline_at"] == deadline
        assert all(bank >= 0 for bank in clocks.banks)


TestTimedGame = pytest.mark.slow(TimedGame.TestCase)
TestTimedGame.settings = settings(
    max_examples=6,
    stateful_step_count=40,
    deadline=None,
    print_blob=True,
    suppress_health_check=list(HealthCheck),
)
