"""The archiver: finished games go from the store into the archive.

For each batch: read every game in one atomic step with a fingerprint; write all of them in one
transaction; read each row back and compare it byte for byte; remove the game from the store, unless
the fingerprint has changed; remove its summary and its entries in the indexes. A process that dies
between two steps leaves each game in the store, in the archive, or in both: the next run compares
and goes on. Two archivers at once write the same rows, and only one of them removes a game.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final, NamedTuple

import orjson

from cartulary.events.archive.errors import (
    ArchiveDamaged,
    ArchiveError,
    ArchiveUnavailable,
    ForeignArchive,
    NotArchivable,
)
from cartulary.events.archive.identity import make_foreign
from cartulary.events.archive.reading import ArchiveReader
from cartulary.events.archive.rows import Archived, ListedPerson, Seals
from cartulary.events.archive.state import ArchiveState
from cartulary.events.archiving.taking import Missing, Release, Taken, Taker, Unfit
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.ledger.projector import Projector
from cartulary.events.lists.projections import FORM, Projections, encode_summary
from cartulary.events.model.clock import Clock
from cartulary.events.model.errors import LedgerError
from cartulary.events.model.types import Json, milliseconds
from cartulary.events.server.servers import is_missing

BATCH: Final = 50
"""Games that are written in one transaction."""

STALE_S: Final = 15.0
"""Seconds after which a game that was read is not written: `unarchive` may have removed its row
meanwhile, and the row would come back."""

LATER_MS: Final = 24 * 3_600_000
"""A game that has to stay in the store counts as if it ended this much later than now."""

SOON_MS: Final = 60_000
"""A game that has changed while it was archived counts as if it ended this much later than now."""

SEALED_MS: Final = 3_600_000
"""A game whose round is open counts as if it ended this much later than now."""

log = logging.getLogger(__name__)


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


class Archiver:
    """Archives games that are over. Thread-safe; several may work at once."""

    def __init__(
        self,
        ledger: Ledger,
        projector: Projector,
        projections: Projections,
        reader: ArchiveReader,
        state: ArchiveState,
        clock: Clock,
        unlist: Callable[[str], object],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Archive with the parts of a store; `unlist` takes archived games off its lists."""
        self._ledger, self._projector = ledger, projector
        self._reader, self._state, self._clock = reader, state, clock
        self._finished = projections.finished
        self._unlist = unlist
        self._taker, self._monotonic = Taker(ledger.redis), monotonic

    def run(self, before: int, limit: int = BATCH) -> Done:
        """Archive the next games that ended before a moment (ms since the epoch).

        Notes in the store what has failed. Raises `ArchiveError`, `RedisError`.
        """
        listed = self._finished.list_before(before, limit)
        ids = [one for one in listed if not self._wait_for_slot(one)]
        if not ids:
            return Done()
        try:
            self._claim()
            done = self._archive(ids)
        except ArchiveError as error:
            self._state.note_failure(error)
            raise
        self._state.note_success(done.archived)
        return done

    def check(self) -> None:
        """Check that the archive answers and is that of this store; note in the store what fails.

        Raises `ArchiveError`, `RedisError`.
        """
        try:
            if self._state.read().archived:
                self._claim()  # an earlier release archived without a note
            else:
                self._reader.archive.identify()
        except ArchiveError as error:
            self._state.note_failure(error)
            raise
        self._state.note_works()

    def _claim(self) -> None:
        """Note which archive gets the games, before the first game leaves the store.

        Raises `ForeignArchive` when another archive has games of this store.
        """
        archive = self._reader.archive
        found, noted = archive.identify(), self._state.find_identity()
        if noted is None:
            gone = self._state.read().archived
            if gone and not archive.count():
                raise ForeignArchive(
                    f"{archive.name} is not the archive of this store: it is empty, and the store"
                    f" notes {gone} archived games: correct CARTULARY_ARCHIVE_URL"
                )
            noted = self._state.claim(found)
        if noted != found:
            raise make_foreign(archive.name, found, noted)

    def rewrite(self, game_id: str) -> None:
        """Write the row of a game again, as the game is in the store, where the game stays.

        For words that must not stay in the row of a game that was brought back. A game that cannot
        be archived keeps the events of its row. A game that is not in the store is left alone:
        readers get the row itself. Raises `ArchiveUnavailable`, `ArchiveDamaged`, `RedisError`.
        """
        looked = self._look([game_id])
        try:
            taken = self._taker.take(game_id)
        except Missing:
            return
        except (Unfit, ValueError, KeyError, TypeError) as error:
            log.warning("game %s cannot be archived as it is in the store: %s", game_id, error)
            self._rewrite_side_keys(game_id, looked)
            return
        if not self._write([taken], looked):
            raise ArchiveUnavailable(f"the row of game {game_id} was not written again")

    def _look(self, ids: Sequence[str]) -> Looked:
        """Look at the rows of games before the games are taken out of the store.

        A row that changes afterwards is newer than the game that was taken: another archiver has
        archived what another process wrote meanwhile.
        """
        return Looked(self._monotonic(), self._reader.archive.seals(ids))

    def _rewrite_side_keys(self, game_id: str, looked: Looked) -> None:
        """Write a row again with its own events and with what the store has next to the stream.

        Raises what `rewrite` raises.
        """
        row = self._reader.archive.read(game_id)
        if row is None:
            return
        row = row._replace(side_keys=self._taker.take_side_keys(game_id))
        if self._monotonic() - looked.at > STALE_S:
            raise ArchiveUnavailable(f"the archive takes too long for the row of game {game_id}")
        written = self._reader.archive.write([row], looked.seals)
        if not self._is_written(row, written):
            raise ArchiveUnavailable(f"the row of game {game_id} was not written again")

    def _archive(self, ids: Sequence[str]) -> Done:
        looked = self._look(ids)
        taken = [one for one in map(self._take, ids) if one is not None]
        written = self._write(taken, looked)
        released = sum(self._release(*one) for one in written)
        absent = self._clear_up(ids, taken)
        return Done(released + absent, len(ids) - released - absent)

    def _wait_for_slot(self, game_id: str) -> bool:
        """Put a game off that lies in a missing slot of the store; return whether it does."""
        waits = is_missing(self._ledger.redis, game_id)
        if waits:
            self._finished.put_off(game_id, self._clock.now_ms() + SOON_MS)
        return waits

    def _take(self, game_id: str) -> Taken | None:
        """Read a game, None when it is not in the store, or has to stay there."""
        try:
            taken = self._taker.take(game_id)
        except Missing:
            return None
        except (Unfit, ValueError, KeyError, TypeError) as error:
            log.warning("game %s stays in the store: %s", game_id, error)
            self._finished.put_off(game_id, self._clock.now_ms() + LATER_MS)
            return None
        if self._is_sealed(taken):
            self._finished.put_off(game_id, self._clock.now_ms() + SEALED_MS)
            return None
        if self._finished.is_told(game_id, taken.version):
            return taken
        # A dispatcher still has to tell the inboxes of the end.
        self._finished.put_off(game_id, self._clock.now_ms() + SOON_MS)
        return None

    def _is_sealed(self, taken: Taken) -> bool:
        """Return whether a duplicate round of the game is open: only the store hides the game."""
        round_ = find_round(taken)
        return round_ is not None and self._ledger.closed_rounds.find(round_) is None

    def _write(self, taken: Sequence[Taken], looked: Looked) -> list[tuple[Taken, Archived]]:
        """Write games in one transaction, and return those that read back as they were given."""
        made = [(one, game) for one in taken if (game := self._make(one)) is not None]
        written: set[str] = set()
        while made:
            if self._monotonic() - looked.at > STALE_S:
                log.warning("the archive is slow: %d games stay in the store for now", len(made))
                return []
            try:
                written = self._reader.archive.write([game for _, game in made], looked.seals)
                break
            except NotArchivable as error:
                log.warning("%s", error)
                self._finished.put_off(error.game_id, self._clock.now_ms() + LATER_MS)
                made = [one for one in made if one[1].id != error.game_id]
        return [one for one in made if self._is_written(one[1], written)]

    def _make(self, taken: Taken) -> Archived | None:
        try:
            return make_archived(taken, *self._find_summary(taken))
        except (LedgerError, ValueError, KeyError, TypeError) as error:
            log.warning("game %s stays in the store: %s", taken.id, error)
            self._finished.put_off(taken.id, self._clock.now_ms() + LATER_MS)
            return None

    def _find_summary(self, taken: Taken) -> tuple[bytes, Sequence[str]]:
        """Return the summary of a game and the players who see it in their lists."""
        found = self._finished.read_summary(taken.id, taken.version, FORM)
        # What is listed of a game of a duplicate round may be from before the round was closed.
        if found is not None and find_round(taken) is None:
            return found
        table = self._projector.table(taken.id)
        return encode_summary(table), sorted(table.people)

    def _is_written(self, game: Archived, written: Collection[str]) -> bool:
        """Read a game back in a new transaction, and compare."""
        if game.id not in written:  # another archiver was faster
            self._finished.put_off(game.id, self._clock.now_ms() + SOON_MS)
            return False
        try:
            found = self._reader.archive.read(game.id)
        except ArchiveDamaged as error:
            found = None
            log.error("%s", error)  # noqa: TRY400 - the error names game and reason
        if found is not None and are_same(found, game):
            return True
        log.error("game %s stays in the store: the archive gives back another game", game.id)
        self._finished.put_off(game.id, self._clock.now_ms() + LATER_MS)
        return False

    def _release(self, taken: Taken, game: Archived) -> int:
        release = self._taker.release(taken)
        if release is Release.STAYS:
            self._finished.put_off(game.id, self._clock.now_ms() + SOON_MS)
            return 0
        self._unlist(game.id)
        return 1

    def _clear_up(self, ids: Sequence[str], taken: Sequence[Taken]) -> int:
        """Finish what a killed archiver has left: games that are in the archive alone."""
        others = set(ids).difference(one.id for one in taken)
        absent = [one for one in others if not self._ledger.stored_version(one)]
        archived = self._reader.heads(absent)
        for game_id in absent:
            if game_id in archived:
                self._unlist(game_id)
            else:  # the store has lost the game
                self._finished.forget(game_id)
        return len(archived)


def find_round(taken: Taken) -> str | None:
    """Return the duplicate round that a game belongs to, if any."""
    round_: str | None = (taken.first.get("fair") or {}).get("round")
    return round_


def make_archived(taken: Taken, summary: bytes, people: Sequence[str]) -> Archived:
    """Return a game as the archive stores it."""
    shown: Json = orjson.loads(summary)
    first, last = taken.first, taken.last
    pace: Any = shown["pace"]
    return Archived(
        id=taken.id,
        game=shown["game"],
        status=shown["status"],
        visibility=shown["visibility"],
        pace=None if pace is None else pace["mode"],
        created_by=first["created_by"],
        created_at=milliseconds(first["at"]),
        ended_at=milliseconds(last["at"]),
        version=taken.version,
        head=taken.head,
        texts=taken.texts,
        side_keys=dict(taken.side_keys),
        people=tuple(_list_people(shown, people)),
        summary=summary,
        form=FORM,
    )


def _list_people(shown: Json, people: Sequence[str]) -> list[ListedPerson]:
    """Return everybody under whose name a game is listed, with what came of each seat."""
    result = shown["result"] or {}
    found = []
    for player in people:
        seats = [one["seat"] for one in shown["seats"] if (one["player"] or {}).get("id") == player]
        if not seats:
            found.append(ListedPerson(player, None, None, None))
        found += [
            ListedPerson(
                player, seat, _at(result.get("ranks"), seat), _at(result.get("scores"), seat)
            )
            for seat in seats
        ]
    return found


def _at(values: Sequence[int] | None, seat: int) -> int | None:
    return values[seat] if values is not None and seat < len(values) else None


def are_same(found: Archived, given: Archived) -> bool:
    """Return whether a game that was read back is the game that was given."""
    same = found._replace(side_keys=dict(found.side_keys)) == given._replace(
        side_keys=dict(given.side_keys)
    )
    return bool(same)
