"""How a command writes to a tournament: judge it, append in one step, judge again when late."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import NamedTuple

from cartulary.events.ledger.ledger import Idempotency, VersionConflict
from cartulary.events.ledger.streams import IdempotencyRecord
from cartulary.events.model.clock import Clock
from cartulary.events.model.errors import IdempotencyMismatch, StaleVersion
from cartulary.events.model.failures import BrokenHistory
from cartulary.events.model.types import Json
from cartulary.events.server.connection import FellBack
from cartulary.events.tournaments.stream.drafts import TournamentDraft
from cartulary.events.tournaments.stream.listing import TournamentLists
from cartulary.events.tournaments.stream.streams import KnownTournament, TournamentStreams
from cartulary.tournaments.state import Tournament

ATTEMPTS = 10
"""How often a command is judged: again after each append that came too late."""

log = logging.getLogger(__name__)

DecideTournament = Callable[[Tournament, TournamentDraft], None]
"""Judges a command on a tournament: adds events to the draft, or raises a `Refused`."""


DecideDraft = Callable[[TournamentDraft], None]
"""The same on a draft that was begun on the tournament."""


class TournamentWritten(NamedTuple):
    """What a command did: the tournament as of its last event, and its events.

    `replayed`: the key was used before, and this is what the command did then. `events` is empty
    where nothing had to be done.
    """

    tournament: Tournament
    events: list[Json]
    replayed: bool = False


class TournamentWriter:
    """Writes what commands decide. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, streams: TournamentStreams, lists: TournamentLists, clock: Clock) -> None:
        self._streams, self._lists, self._clock = streams, lists, clock

    def write(
        self, tournament_id: str, use: Idempotency | None, decide: DecideTournament
    ) -> TournamentWritten:
        """Judge a command on the stored tournament and append; again when others were faster.

        Raises `NotFound`, what `decide` raises, and `StaleVersion` when others are faster each
        time.
        """
        for _ in range(ATTEMPTS):
            known = self._streams.read(tournament_id)
            record = use and self._streams.record(tournament_id, use.field)
            if use is not None and record:
                return self.replay(tournament_id, record, use)
            draft = TournamentDraft(tournament_id, self._clock, known.tournament, known.head)
            decide(known.tournament, draft)
            if not draft.events:
                return TournamentWritten(known.tournament, [])
            try:
                return self.append(draft, use)
            except VersionConflict as conflict:
                current = conflict.current_version
        if current == known.version:
            detail = "the last event is not the event that was appended"
            raise BrokenHistory(tournament_id, current, "chain", detail)
        raise StaleVersion(current)

    def write_at(self, known: KnownTournament, decide: DecideDraft) -> bool:
        """Append what `decide` adds to a tournament as it was read; return whether it added.

        Where others were faster nothing is stored: the caller looks again.
        Raises what `decide` raises.
        """
        draft = TournamentDraft(known.id, self._clock, known.tournament, known.head)
        decide(draft)
        if not draft.events:
            return False
        try:
            self.append(draft, None)
        except VersionConflict:
            log.info("tournament %s has changed meanwhile", known.id)
        return True

    def append(self, draft: TournamentDraft, use: Idempotency | None) -> TournamentWritten:
        """Append a draft, and show it in the lists at once. Raises `VersionConflict`."""
        record = self._streams.append(draft, use)
        if record is not None and use is not None:
            return self.replay(draft.id, record, use)
        self._lists.show_soon(draft.id, draft.tournament)
        return TournamentWritten(draft.tournament, draft.events)

    def replay(
        self, tournament_id: str, record: IdempotencyRecord, use: Idempotency
    ) -> TournamentWritten:
        """Return what a key led to the first time. Raises `IdempotencyMismatch`."""
        if record.digest != use.digest:
            raise IdempotencyMismatch
        count = record.last - record.first + 1
        events = self._streams.deliver(tournament_id, record.first - 1, count)
        then = self._streams.at(tournament_id, record.last)
        # After a fall-back the same versions may be other events, or none.
        if then is None or self._streams.record(tournament_id, use.field) != record:
            raise FellBack
        return TournamentWritten(then, events, replayed=True)
