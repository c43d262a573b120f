"""The archiver of games: finished games go from the store into the archive (`batches`)."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import orjson

from cartulary.events.archive.archive import Archive
from cartulary.events.archive.errors import ArchiveUnavailable
from cartulary.events.archive.reading import ArchiveReader
from cartulary.events.archive.rows import Archived, ListedPerson
from cartulary.events.archive.state import ArchiveState
from cartulary.events.archiving.batches import SOON_MS, STALE_S, BatchArchiver, Looked, NotYet
from cartulary.events.archiving.claiming import ArchiveClaim
from cartulary.events.archiving.taking import Missing, Taken, Taker, Unfit
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.ledger.projector import Projector
from cartulary.events.lists.projections import FORM, Projections, encode_summary
from cartulary.events.model.clock import Clock, milliseconds
from cartulary.events.model.types import Json
from cartulary.events.server.servers import is_missing

SEALED_MS: Final = 3_600_000
"""A game whose round is open counts as if it ended this much later than now."""

log = logging.getLogger(__name__)


class Archiver(BatchArchiver[Archived]):
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
        super().__init__(
            *(Taker(ledger.redis), projections.finished, ArchiveClaim(reader, state)),
            *(state, clock, monotonic),
        )
        self._ledger, self._projector, self._reader = ledger, projector, reader
        self._finished, self._unlist = projections.finished, unlist

    @property
    def rows(self) -> Archive:
        """The games of the archive."""
        return self._reader.archive

    def is_stored(self, one: str) -> bool:
        """Return whether the store has a game."""
        return bool(self._ledger.stored_version(one))

    def is_away(self, one: str) -> bool:
        """Return whether a game lies in a missing slot of the store."""
        return is_missing(self._ledger.redis, one)

    def unlist(self, one: str) -> object:
        """Take a game that only the archive has off the lists of the store."""
        return self._unlist(one)

    def note(self, archived: int) -> None:
        """Note in the store that games were archived."""
        self._state.note_success(archived)

    def must_be_ready(self, taken: Taken) -> None:
        """Raise `NotYet` for a game of an open round, and for one whose end is not told."""
        now = self._clock.now_ms()
        if self._is_sealed(taken):
            raise NotYet(now + SEALED_MS)
        if not self._finished.is_told(taken.id, taken.version):
            # A dispatcher still has to tell the inboxes of the end.
            raise NotYet(now + SOON_MS)

    def make(self, taken: Taken) -> Archived:
        """Return a game as the archive stores it."""
        return make_archived(taken, *self._find_summary(taken))

    def _is_sealed(self, taken: Taken) -> bool:
        """Return whether a duplicate round of the game is open: only the store hides the game."""
        round_ = find_round(taken)
        return round_ is not None and self._ledger.closed_rounds.find(round_) is None

    def _find_summary(self, taken: Taken) -> tuple[bytes, Sequence[str]]:
        """Return the summary of a game and the players who see it in their lists."""
        found = self._finished.read_summary(taken.id, taken.version, FORM)
        # What is listed of a game of a duplicate round may be from before the round was closed.
        if found is not None and find_round(taken) is None:
            return found
        table = self._projector.table(taken.id)
        return encode_summary(table), sorted(table.people)

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
