"""Writing to the stream of a study: a command is judged on what is stored, and again when late."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from cartulary.events.commands.judging.intent import Intent
from cartulary.events.ledger.ledger import Idempotency, VersionConflict
from cartulary.events.ledger.streams import IdempotencyRecord
from cartulary.events.model.clock import Clock
from cartulary.events.model.errors import (
    IdempotencyMismatch,
    Invalid,
    NotAuthor,
    NotFound,
    StaleVersion,
)
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.events.studies.drafts import StudyDraft
from cartulary.events.studies.house import is_of_house
from cartulary.events.studies.listing import is_readable
from cartulary.events.studies.streams import MISSING, StudyStreams
from cartulary.studies.faults import FaultyStudy
from cartulary.studies.state import StudyTree

ATTEMPTS: Final = 10
"""How often a command is judged: again after each append that came too late."""

DecideStudy = Callable[[StudyTree, StudyDraft], None]
"""Judges a command on a study: adds events to the draft, or raises a `Refused`."""


class StudyWritten(NamedTuple):
    """What a command did: the study as of its last event, and its events.

    `replayed`: the key was used before, and this is what the command did then.
    """

    study: StudyTree
    events: list[Json]
    replayed: bool = False


class StudyWriter:
    """Appends what commands decide. Thread-safe. All methods raise `RedisError`, `StaleVersion`."""

    def __init__(self, streams: StudyStreams, clock: Clock) -> None:
        self._streams, self._clock = streams, clock

    def write(
        self, intent: Intent, study_id: str, command: str, body: Any, decide: DecideStudy
    ) -> StudyWritten:
        """Append what a reader of a study decides. Raises `NotFound`, and what `decide` raises.

        Raises `NotAuthor` for a lesson of the house.
        """
        must_not_be_of_house(study_id)

        def decide_as_reader(study: StudyTree, draft: StudyDraft) -> None:
            if not is_readable(study, intent.who.id):
                raise NotFound(MISSING)
            if intent.expected not in (None, study.version):
                raise StaleVersion(study.version)
            decide(study, draft)

        use = intent.identify(command, intent.get_body(body))
        return self.judge(study_id, use, decide_as_reader)

    def judge(self, study_id: str, use: Idempotency | None, decide: DecideStudy) -> StudyWritten:
        """Judge a command on the stored study and append; again when others were faster."""
        current = 0
        for _ in range(ATTEMPTS):
            found = self._streams.read(study_id)
            record = use and self._streams.record(study_id, use.field)
            if use is not None and record:
                return self.replay(study_id, record, use)
            draft = StudyDraft(study_id, self._clock, found.study, found.head, found.size)
            decide(found.study, draft)
            if not draft.events:
                return StudyWritten(found.study, [])
            try:
                return self.append(draft, use)
            except VersionConflict as conflict:
                current = conflict.current_version
        raise StaleVersion(current)

    def append(self, draft: StudyDraft, use: Idempotency | None) -> StudyWritten:
        """Append a draft; raises `VersionConflict`."""
        record = self._streams.append(draft, use)
        if record is not None and use is not None:
            return self.replay(draft.id, record, use)
        return StudyWritten(draft.study, draft.events)

    def replay(self, study_id: str, record: IdempotencyRecord, use: Idempotency) -> StudyWritten:
        """Return what a key led to the first time. Raises `IdempotencyMismatch`."""
        if record.digest != use.digest:
            raise IdempotencyMismatch
        events = self._streams.deliver(study_id, record.first - 1, record.last - record.first + 1)
        return StudyWritten(self._streams.read_at(study_id, record.last), events, replayed=True)


def must_write(study: StudyTree, player: Player) -> None:
    """Raise `NotAuthor` for a player who does not write in a study."""
    if not study.has_author(player.id):
        raise NotAuthor("only its authors write in a study")


def must_not_be_of_house(study_id: str) -> None:
    """Raise `NotAuthor` for a lesson of the house."""
    if is_of_house(study_id):
        raise NotAuthor("a lesson of the house is only read: begin a study with a copy of it")


def must_own(study: StudyTree, player: Player) -> None:
    """Raise `NotAuthor` for a player who does not own a study."""
    if study.owner != player.id:
        raise NotAuthor("only the owner of the study does this")


@contextmanager
def refusing() -> Iterator[None]:
    """Raise `Invalid` for what is wrong with a study."""
    try:
        yield
    except FaultyStudy as error:
        fault = error.fault
        raise Invalid([(fault.pointer, fault.detail, fault.code)]) from error
