"""Drafts: events of a study that are not stored yet, with the study they lead to."""

from __future__ import annotations

from typing import Any

from cartulary.events.model.chain import GENESIS, Sealed, seal
from cartulary.events.model.clock import Clock, format_time
from cartulary.events.model.types import Json, event
from cartulary.studies.events import STUDY_KINDS
from cartulary.studies.fold import evolve
from cartulary.studies.state import StudyTree


class StudyDraft:
    """The events that a command is about to append to a study (None: a new one)."""

    def __init__(
        self,
        study_id: str,
        clock: Clock,
        before: StudyTree | None = None,
        head: str = "",
        size: int = 0,
    ) -> None:
        self.id, self._clock, self._study = study_id, clock, before
        self.head = head or GENESIS
        """The hash of the last event."""
        self.size = size
        """The bytes of all events, those before the draft too."""
        self.expected = 0 if before is None else before.version
        """The version at which the draft was begun."""
        self.sealed: list[Sealed] = []
        """The events as they are appended."""
        self.events: list[Json] = []
        """The events as they are delivered, with their hashes."""

    @property
    def study(self) -> StudyTree:
        """The study after the events so far; there must be one."""
        assert self._study is not None
        return self._study

    def add(self, type_: str, /, **fields: Any) -> None:
        """Add an event and fold it. Raises `Misfit` for what cannot come now."""
        version = self.expected + len(self.events) + 1
        new = event(version, type_, self._now(), prev=self.head, **fields)
        self._study = evolve(self._study, new)
        sealed = seal(new, STUDY_KINDS[type_].schema)
        self.sealed.append(sealed)
        self.head = sealed.hash
        self.size += len(sealed.text)
        self.events.append({**new, "hash": sealed.hash})

    def _now(self) -> str:
        """Return the time of the next event: never before the event before."""
        now = format_time(self._clock.now_ms())
        return now if self._study is None else max(now, self._study.updated_at)
