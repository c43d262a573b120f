"""Time-outs: the flag of a player who has used up the time falls, and what follows from it.

A flag falls in one append with its consequence (`on_timeout` of the game): a bot answers for the
player (`stand_in`), the player is out for good (`forfeit`), or nothing but that the others may
claim the seat (`claim`). The timer of the game and a claim lead to the same events. The rules are
in `docs/living.md`, "Time-outs".
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from redis import Redis

from cartulary.events.commands.judging.endings import forfeit_seat, put_stand_in
from cartulary.events.ledger.drafts import Draft
from cartulary.events.ledger.writer import Written
from cartulary.events.model.clock import Clock, format_time
from cartulary.events.model.offers import Offers
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import BOT_FAILED, is_person
from cartulary.events.model.time.due import find_asked_bot, find_fall
from cartulary.events.model.time.intervals import NOTHING, Intervals, find_end
from cartulary.events.model.time.silence_rules import BOT_MS
from cartulary.events.model.time.timing import FOREVER, ClockStops, deadline, find_timed_seat
from cartulary.events.model.types import SEAT_FORFEITED, STAND_IN_SEATED, TURN_TIMED_OUT
from cartulary.events.server import keys

RETURNS: Final = 3
"""An owner who has come back so often leaves for good at the next absence."""

STAND_IN, FORFEIT, CLAIM = CONSEQUENCES = ("stand_in", "forfeit", "claim")
"""What may follow from a flag."""


class Timeouts:
    """Judges clocks, and lets flags fall. Thread-safe."""

    def __init__(self, offers: Offers, clock: Clock, calendar: ClockStops, redis: Redis) -> None:
        self._offers, self._clock, self._calendar = offers, clock, calendar
        self._redis = redis
        self._counts: Counter[str] = Counter()

    def find_fall(self, table: Table) -> int | None:
        """Return when the flag of the seat that is asked falls, in ms since the epoch.

        Vacations and outages count as far as they are known. None when no clock runs, or the flag
        has fallen. Raises `RedisError`.
        """
        return find_fall(table, self.list_stops(table)) if table.clocks is not None else None

    def is_over(self, table: Table) -> bool:
        """Return whether the flag of the seat that is asked falls now. Raises `RedisError`.

        No flag falls while no web process works: no player could move.
        """
        fall = self.find_fall(table)
        return fall is not None and fall <= self._clock.now_ms() and self._calendar.is_fresh()

    def drop_flag(self, draft: Draft) -> None:
        """Let the flag of the seat that is asked fall, with what follows from it."""
        table = draft.table
        seat, end = find_timed_seat(table), deadline(table, self.list_stops(table))
        assert seat is not None
        assert end is not None
        charged = draft.charge(draft.now())
        clock = {"used": charged.used, "stopped": charged.stopped, "bank": 0}
        draft.add(TURN_TIMED_OUT, seat=seat, clock=clock, deadline_at=format_time(end))
        follows = table.terms.on_timeout
        if not is_person(table.seats[seat].player):
            put_stand_in(draft, seat, BOT_FAILED, None, self._offers)
        elif follows == FORFEIT or (follows == STAND_IN and table.seats[seat].returns >= RETURNS):
            forfeit_seat(draft, seat, "timed_out", self._offers)
        elif follows == STAND_IN:
            put_stand_in(draft, seat, "timed_out", None, self._offers)

    def find_end_of_bot(self, table: Table) -> int | None:
        """Return when the bot of a player that is asked in an untimed game is late.

        In ms since the epoch; outages count as far as they are known. None when no such bot is
        asked. Raises `RedisError`.
        """
        since = find_asked_bot(table)
        if since is None or table.play is None:
            return None
        stops = self._calendar.stops(table, table.play.state.seat, since, FOREVER)
        return find_end(since, BOT_MS, stops)

    def is_bot_late(self, table: Table) -> bool:
        """Return whether such a bot is late now. Raises `RedisError`.

        No bot is late while no web process works: no bot could move.
        """
        end = self.find_end_of_bot(table)
        return end is not None and end <= self._clock.now_ms() and self._calendar.is_fresh()

    def replace_late_bot(self, draft: Draft) -> None:
        """Let a stand-in answer for the bot of a player that is asked."""
        play = draft.table.play
        if find_asked_bot(draft.table) is not None and play is not None:
            put_stand_in(draft, play.state.seat, BOT_FAILED, None, self._offers)

    def count(self, done: Written) -> None:
        """Count a flag that has fallen, by what has followed, until `store_counts`."""
        if done.replayed or not any(one["type"] == TURN_TIMED_OUT for one in done.events):
            return
        types = {one["type"] for one in done.events}
        follows = FORFEIT if SEAT_FORFEITED in types else STAND_IN
        if types.isdisjoint((SEAT_FORFEITED, STAND_IN_SEATED)):
            follows = CLAIM
        self._counts[follows] += 1

    def store_counts(self) -> None:
        """Add what was counted to the counts in the store. Raises `RedisError`.

        Many flags fall at the same time after an outage, so not each of them waits for the store.
        """
        if not self._counts:
            return
        counts, self._counts = self._counts, Counter()
        pipe = self._redis.pipeline(transaction=False)
        for follows, number in counts.items():
            pipe.hincrby(keys.timeouts(), follows, number)
        pipe.execute()

    def read_counts(self) -> dict[str, int]:
        """Return how many flags have fallen here, by what has followed. Raises `RedisError`."""
        found: Any = self._redis.hmget(keys.timeouts(), CONSEQUENCES)
        return {name: int(one or 0) for name, one in zip(CONSEQUENCES, found, strict=True)}

    def list_stops(self, table: Table) -> Intervals:
        """Return what stops the clock of the seat that is asked, without an event.

        From the moment on at which the seat was asked. Raises `RedisError`.
        """
        seat = find_timed_seat(table)
        if seat is None or table.clocks is None:
            return NOTHING
        return self._calendar.stops(table, seat, table.clocks.since, FOREVER)
