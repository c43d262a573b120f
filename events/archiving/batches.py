"""The way of a batch into the archive, which is the same for games and for tournaments.

For each batch: read everything in one atomic step each, with a fingerprint; write all of it in one
transaction; read each row back and compare it byte for byte; remove what was read from the store,
unless the fingerprint has changed; take it off the lists of the store. A process that dies between
two steps leaves each game and each tournament in the store, in the archive, or in both: the next
run compares and goes on. Two archivers at once write the same rows, and only one of them removes.
"""

from __future__ import annotations

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from cartulary.events.archive.errors import ArchiveDamaged, ArchiveError, NotArchivable
from cartulary.events.archive.rows import ArchivedStream, Seals
from cartulary.events.archive.state import ArchiveState
from cartulary.events.archiving.claiming import ArchiveClaim
from cartulary.events.archiving.taking import Missing, Release, Taken, Taker, Unfit
from cartulary.events.lists.waiting import WaitingForArchive
from cartulary.events.model.clock import Clock
from cartulary.events.model.errors import LedgerError

BATCH: Final = 50
"""Games that are written in one transaction."""

STALE_S: Final = 15.0
"""Seconds after which a game that was read is not written: `unarchive` may have removed its row
meanwhile, and the row would come back."""

LATER_MS: Final = 24 * 3_600_000
"""A game that has to stay in the store counts as if it ended this much later than now."""

SOON_MS: Final = 60_000
"""A game that has changed while it was archived counts as if it ended this much later than now."""

log = logging.getLogger(__name__)

A = TypeVar("A", bound=ArchivedStream)


class Done(NamedTuple):
    """What a run has done: games archived; games that stay in the store for now."""

    archived: int = 0
    left: int = 0

    def add(self, other: Done) -> Done:
        """Return the sum."""
        return Done(self.archived + other.archived, self.left + other.left)

    @property
    def looked_at(self) -> int:
        """The number of games that the run has looked at."""
        return self.archived + self.left


class Looked(NamedTuple):
    """The rows of games as they were at a moment of `monotonic`."""

    at: float
    seals: Seals


class Rows(Protocol[A]):
    """The rows to which an archiver writes; each method raises `ArchiveError`."""

    def seals(self, ids: Iterable[str]) -> Seals:
        """Return the seals of some rows."""

    def write(self, rows: Sequence[A], seen: Seals | None = None) -> set[str]:
        """Write rows that have not changed since their seals were seen; return which."""

    def read(self, row_id: str) -> A | None:
        """Read a row."""

    def heads(self, ids: Iterable[str]) -> Mapping[str, tuple[int, str]]:
        """Return version and head of those that are there."""


class NotYet(Exception):
    """What was taken has to stay in the store until `at` (ms since the epoch)."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class BatchArchiver(ABC, Generic[A]):
    """Archives what has ended, batch by batch. Thread-safe; several may work at once."""

    name = "game"
    """What is archived, for people."""

    def __init__(
        self,
        taker: Taker,
        waiting: WaitingForArchive,
        claim: ArchiveClaim,
        state: ArchiveState,
        clock: Clock,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Archive what waits in a list; `monotonic` measures how long a batch takes."""
        self._taker, self._waiting, self._claim = taker, waiting, claim
        self._state, self._clock, self._monotonic = state, clock, monotonic

    # -- what is archived -------------------------------------------------------------------------

    @property
    @abstractmethod
    def rows(self) -> Rows[A]:
        """The rows of the archive. Raises `ArchiveError`."""

    @abstractmethod
    def must_be_ready(self, taken: Taken) -> None:
        """Raise `NotYet` for what has to stay in the store for now, `Unfit` for what is damaged."""

    @abstractmethod
    def make(self, taken: Taken) -> A:
        """Return what was taken as the archive stores it.

        Raises `LedgerError`, `ValueError`, `KeyError`, `TypeError`.
        """

    @abstractmethod
    def unlist(self, one: str) -> object:
        """Take what only the archive has off the lists of the store."""

    @abstractmethod
    def is_stored(self, one: str) -> bool:
        """Return whether the store has it."""

    @abstractmethod
    def is_away(self, one: str) -> bool:
        """Return whether it lies in a missing slot of the store."""

    @abstractmethod
    def note(self, archived: int) -> None:
        """Note in the store that a run has archived so many."""

    # -- the way ----------------------------------------------------------------------------------

    def run(self, before: int, limit: int = BATCH) -> Done:
        """Archive the next that ended before a moment (ms since the epoch).

        Notes in the store what has failed. Raises `ArchiveError`, `RedisError`.
        """
        listed = self._waiting.list_before(before, limit)
        ids = [one for one in listed if not self._wait_for_slot(one)]
        if not ids:
            return Done()
        try:
            self._claim.claim()
            done = self._archive(ids)
        except ArchiveError as error:
            self._state.note_failure(error)
            raise
        self.note(done.archived)
        return done

    def check(self) -> None:
        """Check that the archive answers and is that of this store (`ArchiveClaim.check`)."""
        self._claim.check()

    def _look(self, ids: Sequence[str]) -> Looked:
        """Look at the rows before anything is taken out of the store.

        A row that changes afterwards is newer than what was taken: another archiver has archived
        what another process wrote meanwhile.
        """
        return Looked(self._monotonic(), self.rows.seals(ids))

    def _archive(self, ids: Sequence[str]) -> Done:
        looked = self._look(ids)
        taken = [one for one in map(self._take, ids) if one is not None]
        written = self._write(taken, looked)
        released = sum(self._release(*one) for one in written)
        absent = self._clear_up(ids, taken)
        return Done(released + absent, len(ids) - released - absent)

    def _put_off(self, one: str, ms: int) -> None:
        self._waiting.put_off(one, self._clock.now_ms() + ms)

    def _wait_for_slot(self, one: str) -> bool:
        """Put off what lies in a missing slot of the store; return whether it does."""
        waits = self.is_away(one)
        if waits:
            self._put_off(one, SOON_MS)
        return waits

    def _take(self, one: str) -> Taken | None:
        """Read a stream, None when it is not in the store, or has to stay there."""
        try:
            taken = self._taker.take(one)
            self.must_be_ready(taken)
        except Missing:
            return None
        except NotYet as wait:
            self._waiting.put_off(one, wait.at)
            return None
        except (Unfit, ValueError, KeyError, TypeError) as error:
            self._leave(one, error)
            return None
        return taken

    def _leave(self, one: str, error: Exception) -> None:
        """Leave in the store what cannot be archived, and look at it a day later again."""
        log.warning("%s %s stays in the store: %s", self.name, one, error)
        self._put_off(one, LATER_MS)

    def _write(self, taken: Sequence[Taken], looked: Looked) -> list[tuple[Taken, A]]:
        """Write a batch in one transaction, and return what reads back as it was given."""
        made = [(one, found) for one in taken if (found := self._make(one)) is not None]
        written: set[str] = set()
        while made:
            if self._monotonic() - looked.at > STALE_S:
                log.warning(
                    "the archive is slow: %d %ss stay in the store for now", len(made), self.name
                )
                return []
            try:
                written = self.rows.write([found for _, found in made], looked.seals)
                break
            except NotArchivable as error:
                log.warning("%s", error)
                self._put_off(error.game_id, LATER_MS)
                made = [one for one in made if one[1].id != error.game_id]
        return [one for one in made if self._is_written(one[1], written)]

    def _make(self, taken: Taken) -> A | None:
        try:
            return self.make(taken)
        except (LedgerError, ValueError, KeyError, TypeError) as error:
            self._leave(taken.id, error)
            return None

    def _is_written(self, given: A, written: Collection[str]) -> bool:
        """Read a row back in a new transaction, and compare."""
        if given.id not in written:  # another archiver was faster
            self._put_off(given.id, SOON_MS)
            return False
        try:
            found = self.rows.read(given.id)
        except ArchiveDamaged as error:
            found = None
            log.error("%s", error)  # noqa: TRY400 - the error names game and reason
        if found == given:
            return True
        log.error("%s %s stays in the store: the archive gives another back", self.name, given.id)
        self._put_off(given.id, LATER_MS)
        return False

    def _release(self, taken: Taken, given: A) -> int:
        release = self._taker.release(taken)
        if release is Release.STAYS:
            self._put_off(given.id, SOON_MS)
            return 0
        self.unlist(given.id)
        return 1

    def _clear_up(self, ids: Sequence[str], taken: Sequence[Taken]) -> int:
        """Finish what a killed archiver has left: what is in the archive alone."""
        others = set(ids).difference(one.id for one in taken)
        absent = [one for one in others if not self.is_stored(one)]
        archived = self.rows.heads(absent) if absent else {}
        for one in absent:
            if one in archived:
                self.unlist(one)
            else:  # the store has lost it
                self._waiting.forget(one)
        return len(archived)
