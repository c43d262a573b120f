"""How a command writes: judge it on a table, append in one atomic step, judge again when late."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import NamedTuple

from redis.exceptions import RedisError

from cartulary.events.ledger.drafts import Draft
from cartulary.events.ledger.ledger import (
    Append,
    Idempotency,
    Ledger,
    StandingChanged,
    VersionConflict,
)
from cartulary.events.ledger.projector import Projector
from cartulary.events.ledger.snapshots import EVERY, Snapshots
from cartulary.events.ledger.standing import ANY_ANSWERS, NO_ANSWERS, Standings
from cartulary.events.ledger.streams import IdempotencyRecord
from cartulary.events.model.chain import GENESIS
from cartulary.events.model.clock import SYSTEM, Clock
from cartulary.events.model.errors import IdempotencyMismatch, NotFound, Refused, StaleVersion
from cartulary.events.model.failures import BrokenHistory, InvariantBroken
from cartulary.events.model.offers import Rules
from cartulary.events.model.table import Table
from cartulary.events.model.time.timing import NO_STOPS, ClockStops
from cartulary.events.model.types import Json
from cartulary.events.server.connection import FellBack
from cartulary.events.server.format import Level

ATTEMPTS = 10
"""How often a command is judged: again after each append that came too late."""

Decide = Callable[[Table, Draft], None]
"""Judges a command on a table: adds events to the draft, or raises a `Refused`."""

log = logging.getLogger(__name__)


class Written(NamedTuple):
    """What a command did: the table as of its last event, and its events (contract form).

    `replayed`: the idempotency key was used before, and this is what the command did then. `events`
    is empty when a command of a worker (`bots.move`, `score`) has nothing left to do.
    """

    table: Table
    events: list[Json]
    replayed: bool = False


class Prepared(NamedTuple):
    """A command that is judged and not stored yet; `expected` is the version it was judged at."""

    draft: Draft
    expected: int
    idempotency: Idempotency | None
    append: Append


class EventWriter:
    """Writes what commands decide. Thread-safe."""

    def __init__(
        self,
        ledger: Ledger,
        projector: Projector,
        snapshots: Snapshots,
        rules: Rules,
        clock: Clock = SYSTEM,
        calendar: ClockStops = NO_STOPS,
    ) -> None:
        self._ledger, self._projector = ledger, projector
        self._snapshots, self._rules, self._clock = snapshots, rules, clock
        self._calendar = calendar
        self.standings = Standings(ledger)
        self.level = Level(ledger.registry, clock)

    def write(self, game_id: str, idempotency: Idempotency | None, decide: Decide) -> Written:
        """Judge a command on the stored game and append; judge it again when others were faster.

        Whether an expected version still holds is for `decide` to say: the event of another player
        may have left the position alone. Raises what `decide` raises, and `StaleVersion` when
        others are faster each time.
        """
        field = None if idempotency is None else idempotency.field
        for attempt in range(ATTEMPTS):
            table, record = self._projector.current(game_id, field)
            if record is not None and idempotency is not None:
                return self.replay(game_id, record, idempotency)
            draft = self.draft(game_id, table)
            if attempt == ATTEMPTS - 1:
                # A player who changes standing answers all the time must not hold up a game.
                draft.standing = ANY_ANSWERS
            decide(table, draft)
            if not draft.events:
                return Written(table, [])
            try:
                return self.append(draft, table.version, idempotency)
            except VersionConflict as conflict:
                current = conflict.current_version
        if current == table.version:
            detail = "the last event is not the event that was appended"
            raise BrokenHistory(game_id, current, "chain", detail)
        raise StaleVersion(current)

    def draft(self, game_id: str, table: Table | None = None, cached: bool = False) -> Draft:
        """Return an empty draft that goes on from a table (None: a new game).

        `cached`: the draft asks no store for what stops clocks, and may raise `NotCached`.
        """
        earlier = self._projector.earlier(game_id)
        find_stops = self._calendar.cached_stops if cached else self._calendar.stops
        standing = self.standings.known.get(game_id, NO_ANSWERS)
        return Draft(
            *(self._rules, game_id, table, earlier, self._clock, find_stops, standing),
            self.level.read,
        )

    def append(self, draft: Draft, expected: int, idempotency: Idempotency | None) -> Written:
        """Append a draft that was judged at the version `expected`; raises `VersionConflict`."""
        _must_follow(draft, expected)
        try:
            record = self._ledger.append(
                *(draft.game_id, expected, draft.sealed, idempotency, draft.side_keys),
                draft.standing.revision,
            )
        except StandingChanged:
            self.standings.read(draft.game_id)
            raise
        return self._conclude(draft, idempotency, record)

    def _conclude(
        self, draft: Draft, idempotency: Idempotency | None, record: IdempotencyRecord | None
    ) -> Written:
        if record is not None and idempotency is not None:
            return self.replay(draft.game_id, record, idempotency)
        return self._remember(draft, self.attempt)

    def _remember(self, draft: Draft, afterwards: Callable[..., object]) -> Written:
        table = draft.after
        assert table is not None
        self._projector.remember(table)
        if is_worth_saving(draft.before, table):
            afterwards(lambda: self._snapshots.save(table))
        return Written(table, draft.events)

    def replay(self, game_id: str, record: IdempotencyRecord, idempotency: Idempotency) -> Written:
        """Return what the key led to the first time; both are made from the stream again.

        Raises `IdempotencyMismatch`, `FellBack`.
        """
        if record.digest != idempotency.digest:
            raise IdempotencyMismatch
        self._ledger.confirm(game_id, idempotency.field)
        try:
            events = self._ledger.deliver(game_id, record.first - 1, record.last - record.first + 1)
            table = self._projector.table(game_id, record.last)
        except NotFound as error:
            raise FellBack from error
        # After a fall-back the same versions may be events of others, or have been missing.
        if len(events) != record.last - record.first + 1:
            raise FellBack
        if self._ledger.record(game_id, idempotency.field) != record:
            raise FellBack
        return Written(table, events, replayed=True)

    def attempt(self, task: Callable[[], object]) -> None:
        """Do what may fail: the events are stored, and the dispatcher or a rebuild repeats it."""
        try:
            task()
        except RedisError as error:
            log.warning("after an append: %s", error)

    # -- for an event loop, which sends the append itself and waits for nothing -------------------

    def prepare(
        self, game_id: str, idempotency: Idempotency | None, decide: Decide
    ) -> Prepared | None:
        """Judge a command on the cached table, and prepare its append.

        None when the table is not cached or the command is refused: only the stored game may refuse
        a command. None as well when the calendar would have to ask the store.
        """
        table = self._projector.newest(game_id)
        if table is None:
            return None
        draft = self.draft(game_id, table, cached=True)
        try:
            decide(table, draft)
        except Refused:
            return None
        expected = table.life.version
        _must_follow(draft, expected)
        append = self._ledger.prepare(
            *(game_id, expected, draft.sealed, idempotency, draft.side_keys),
            draft.standing.revision,
        )
        return Prepared(draft, expected, idempotency, append)

    def finish(self, prepared: Prepared, later: Callable[..., object]) -> Written:
        """Return what a prepared command did: the store has confirmed the append.

        `later` gets a function and its argument where something is left to do that may wait.
        """
        return self._remember(prepared.draft, lambda task: later(self.attempt, task))

    def repeat(self, prepared: Prepared) -> Written | None:
        """Send a prepared append again whose answer was lost: the store does it once.

        None when the game has another version. Raises `IdempotencyMismatch`, `RedisError`.
        """
        try:
            record = self._ledger.send(prepared.append)
        except VersionConflict:
            return None
        return self._conclude(prepared.draft, prepared.idempotency, record)


def _must_follow(draft: Draft, expected: int) -> None:
    """Raise `InvariantBroken` unless a draft goes on from its table, event by event.

    The store compares the first event with its last one. That all events are a chain, and that the
    table which this process will remember ends with the last of them, only the draft can say.
    """
    sealed, before, after = draft.sealed, draft.before, draft.after
    head = GENESIS if before is None else before.life.head
    start = 0 if before is None else before.life.version
    number = start
    for event, one in zip(draft.events, sealed, strict=True):
        number += 1
        if event["version"] != number or one.prev != head:
            break
        head = one.hash
    else:
        end = None if after is None else (after.life.version, after.life.head)
        if expected == start and end == (number, head):
            return
    detail = f"a draft that was judged at version {expected}, of a table at version {start},"
    detail += f" breaks at its event {number - start} of {len(sealed)}"
    raise InvariantBroken(draft.game_id, expected, "draft", detail)


def is_worth_saving(before: Table | None, table: Table) -> bool:
    """Return whether a snapshot of a table is to be saved; `before` is the table of the last look.

    After so many versions, and after a takeback: so reading a version never repeats a takeback.
    """
    if table.play is None:
        return False
    known = 0 if before is None else before.life.version
    if table.life.version // EVERY > known // EVERY:
        return True
    return before is not None and before.course.taken_back != table.course.taken_back
