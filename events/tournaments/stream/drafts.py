"""Drafts: events of a tournament that are not stored yet, with the tournament they lead to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cartulary.events.model.chain import GENESIS, Sealed, has_float, seal
from cartulary.events.model.clock import Clock, format_time
from cartulary.events.model.types import Json, event
from cartulary.tournaments.events import TOURNAMENT_KINDS
from cartulary.tournaments.fold import evolve
from cartulary.tournaments.state import Tournament


class TournamentDraft:
    """The events that a command is about to append to a tournament (None: a new one)."""

    def __init__(
        self, tournament_id: str, clock: Clock, before: Tournament | None = None, head: str = ""
    ) -> None:
        self.id, self._clock, self._tournament = tournament_id, clock, before
        self.head = head or GENESIS
        """The hash of the last event."""
        self.expected = 0 if before is None else before.version
        """The version at which the draft was begun."""
        self.events: list[Json] = []
        """The events as they are delivered, with their hashes."""
        self.sealed: list[Sealed] = []
        """The events as they are appended."""
        self.side_keys: dict[Callable[[str], str], bytes | None] = {}
        """What is stored next to the stream in the same step."""

    @property
    def tournament(self) -> Tournament:
        """The tournament after the events so far; there must be one."""
        assert self._tournament is not None
        return self._tournament

    def add(self, type_: str, /, **fields: Any) -> None:
        """Add an event and fold it.

        Raises `TypeError` for a number that is no integer, `Misfit` for what cannot come now.
        """
        version = self.expected + len(self.events) + 1
        new = event(version, type_, self._now(), prev=self.head, **fields)
        if has_float(new):
            raise TypeError(f"{type_} with a number that is no integer")
        self._tournament = evolve(self._tournament, new)
        sealed = seal(new, TOURNAMENT_KINDS[type_].schema)
        self.sealed.append(sealed)
        self.head = sealed.hash
        self.events.append({**new, "hash": sealed.hash})

    def _now(self) -> str:
        """Return the time of the next event: never before the event before."""
        now = format_time(self._clock.now_ms())
        return now if self._tournament is None else max(now, self._tournament.updated_at)
