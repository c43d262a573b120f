"""Reads archived games for a process: opens the archive when it is needed, caches unpacked streams.

The events of a game that is over never change, so a cached stream is right as long as its game is
not in the store. What lies next to the stream may change (a game is brought back, written to, and
archived again), so it is read from the archive each time.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from cartulary.events.archive.errors import ArchiveDamaged, ArchiveError, ArchiveUnavailable
from cartulary.events.archive.side_keys import unpack_side_keys
from cartulary.events.backup.records import BackupRecord, Flaw
from cartulary.events.model.cache import Cache
from cartulary.events.model.failures import BrokenHistory
from cartulary.events.model.types import Entries

if TYPE_CHECKING:
    from cartulary.events.archive.archive import Archive
    from cartulary.events.archive.identity import Noted
    from cartulary.events.archive.rows import Archived, ArchivedStream

log = logging.getLogger(__name__)

CAPACITY: Final = 8 * 1024 * 1024
"""Bytes of unpacked streams that a process caches."""

TEXT: Final = 50
"""Bytes of an event besides its text: the object, the place in the tuple."""

LOOK_S: Final = 10.0
"""Seconds after which a process without an archive looks again whether the store has noted one."""

AGAIN_S: Final = 1.0
"""Seconds for which an archive that could not be opened is not tried again."""

KNOWN_S: Final = 60.0
"""Seconds for which a process says that it could not open the archive."""


def weigh(texts: Sequence[bytes], _before: int = 0) -> int:
    """Estimate the bytes of a stream in memory."""
    return sum(TEXT + len(text) for text in texts)


def open_by_url(url: str, noted: Noted, *, migrate: bool = True) -> Archive:
    """Open the archive at a URL; `noted` and `migrate` as for `Archive.open`.

    Raises `ArchiveError`.
    """
    # Imported here: SQLAlchemy takes longer than all else that a process imports at its start.
    from cartulary.events.archive.archive import Archive

    return Archive.open(url, migrate=migrate, noted=noted)


def choose_reader(url: str, *, migrate: bool = True) -> MakeReader:
    """Return what makes the reader of the archive at a URL, '' for no archive; opens nothing.

    Without `migrate` an archive of an earlier release is refused and stays as it is.
    """
    if not url:
        return ArchiveReader
    return partial(ArchiveReader, open_=partial(open_by_url, url, migrate=migrate))


class Carried:
    """What lies next to one archived stream, by family. `form` is that of the summary of a game."""

    def __init__(self, stream: ArchivedStream, form: int = 0) -> None:
        self.head, self.form = stream.head, form
        self._id, self._packed = stream.id, stream.side_keys

    def find(self, family: str) -> BackupRecord | None:
        """Return the value of a family, None where the game has none. Raises `BrokenHistory`."""
        packed = self._packed.get(family)
        if packed is None:
            return None
        try:
            return unpack_side_keys(self._id, family, packed, self.head)
        except (Flaw, ValueError, KeyError, TypeError, IndexError) as error:
            raise _make_broken(self._id, f"{family}: {error}") from error

    def read_hash(self, family: str) -> dict[bytes, bytes]:
        """Return the fields of a hash, empty where the game has none."""
        record = self.find(family)
        return {} if record is None else dict(record.items)

    def read_string(self, family: str) -> bytes | None:
        """Return a string, None where the game has none."""
        record = self.find(family)
        return None if record is None else b"".join(record.items)

    def read_stream(self, family: str) -> Entries:
        """Return the entries of a stream, oldest first."""
        record = self.find(family)
        items = [] if record is None else record.items
        return [(one, dict(zip(rest[::2], rest[1::2], strict=True))) for one, *rest in items]


def make_entries(texts: Sequence[bytes]) -> Entries:
    """Return a whole stream as the store gives it, from the texts of its events."""
    return [(b"%d-0" % number, {b"event": text}) for number, text in enumerate(texts, start=1)]


def select_entries(entries: Entries, first: str, last: str, limit: int | None = None) -> Entries:
    """Return what `XRANGE` returns for these entries: `first` is `-`, an id, or `(` and an id."""
    begin = (0, 0) if first == "-" else _read_id(first.removeprefix("("))
    end = (2**64, 0) if last == "+" else _read_id(last)
    found = [
        entry
        for entry in entries
        if begin <= (place := _read_id(entry[0].decode())) <= end
        and not (first.startswith("(") and place == begin)
    ]
    return found[:limit]


def _read_id(text: str) -> tuple[int, int]:
    ms, _, number = text.partition("-")
    return int(ms), int(number or 0)


class ArchiveReader:
    """The archive as the readers of one process need it. Thread-safe.

    `noted` returns the id of the archive that the store has noted. `open_` gets it, and opens the
    archive at the first need, and again after a fork. Without `open_` there is no archive, and
    nothing is ever found. All methods raise `ArchiveUnavailable` while the archive does not answer
    or is not that of the store, and `BrokenHistory` for a game that is damaged.
    """

    def __init__(
        self,
        noted: Noted,
        open_: Callable[[Noted], Archive] | None = None,
        capacity: int = CAPACITY,
    ) -> None:
        self._noted, self._open, self._lock = noted, open_, Lock()
        self._opened: Archive | None = None
        self._process = 0
        self._refused: tuple[float, ArchiveError] | None = None
        self._streams: Cache[str, Sequence[bytes]] = Cache(capacity, weigh)
        self._missed, self._look_again_at = False, 0.0

    @property
    def is_set(self) -> bool:
        """Whether there is an archive: one to open, or one that the store has noted.

        A process without the URL of the archive must not say that archived games do not exist. It
        looks for the note every few seconds.
        """
        if self._open is None and monotonic() >= self._look_again_at:
            self._missed = self._noted() is not None
            self._look_again_at = monotonic() + LOOK_S
        return self._open is not None or self._missed

    def find_problem(self) -> str | None:
        """Return the word for why this process reads no archived game (`ArchiveError.problem`).

        None where nothing is known to fail: the archive is not opened to find out.
        """
        if self._open is None:
            return ArchiveUnavailable.problem if self.is_set else None
        refused = self._refused
        if refused is None or monotonic() > refused[0] + KNOWN_S:
            return None
        return refused[1].problem

    @property
    def archive(self) -> Archive:
        """The open archive. Raises `ArchiveError` when it cannot be opened."""
        with self._lock:
            if self._opened is None or self._process != os.getpid():
                self._opened = self._try_open()
                self._process = os.getpid()
            return self._opened

    def _try_open(self) -> Archive:
        if self._refused is not None and monotonic() < self._refused[0]:
            raise self._refused[1]
        if self._open is None:
            raise ArchiveUnavailable(
                "finished games of this store are in an archive, which is not here: set"
                " CARTULARY_ARCHIVE_URL, or put archive.sqlite back into the data directory"
            )
        try:
            found = self._open(self._noted)
        except ArchiveError as error:
            self._refused = monotonic() + AGAIN_S, error
            raise
        self._refused = None
        return found

    def texts(self, game_id: str) -> Sequence[bytes] | None:
        """Return the events of an archived game as they were stored, None for any other game."""
        if not self.is_set:
            return None
        found = self._streams.get(game_id)
        if found is None:
            with naming_damage(game_id):
                found = self.archive.texts(game_id)
            if found is not None:
                self._streams.put(game_id, found)
        return found

    def entries(self, game_id: str) -> Entries | None:
        """Return the whole stream of an archived game, None for any other game."""
        texts = self.texts(game_id)
        return None if texts is None else make_entries(texts)

    def read(self, game_id: str) -> Archived | None:
        """Return an archived game, None for a game that is not archived."""
        if not self.is_set:
            return None
        with naming_damage(game_id):
            return self.archive.read(game_id)

    def read_side_keys(self, game_id: str) -> Carried | None:
        """Return what lies next to the stream of an archived game, None when it is not archived."""
        game = self.read(game_id)
        return None if game is None else Carried(game, game.form)

    def may_show(self, game_id: str, player_id: str | None) -> bool:
        """Return whether a player may know of an archived game whose events cannot be read."""
        return not self.is_set or self.archive.may_show(game_id, player_id)

    def heads(self, ids: Sequence[str]) -> Mapping[str, tuple[int, str]]:
        """Return version and head of those games that are archived."""
        return self.archive.heads(ids) if self.is_set and ids else {}

    def summaries(self, ids: Sequence[str]) -> Mapping[str, bytes]:
        """Return the summaries of those games that are archived, as JSON.

        A damaged summary is left out, so that it does not spoil a list.
        """
        if not self.is_set or not ids:
            return {}
        found = self.archive.summaries(ids, on_damage=_log_damage)
        return {game_id: one for game_id, one in found.items() if one}

    def page(self, owner: str, **conditions: Any) -> list[tuple[str, bytes]]:
        """Return a page of a list: ids and summaries, newest first (`Archive.page`).

        A damaged summary is empty; its id still says where the next page begins.
        """
        if not self.is_set:
            return []
        return self.archive.page(owner, on_damage=_log_damage, **conditions)

    def ids(self) -> Iterator[str]:
        """Yield the archived games in the order of their ids."""
        after = ""
        while self.is_set and (found := self.archive.ids(after)):
            yield from found
            after = found[-1]

    def count(self) -> int:
        """Return the number of archived games."""
        return self.archive.count() if self.is_set else 0

    def list_aged(self, form: int) -> list[str]:
        """Return the archived games whose summary has an earlier form."""
        return self.archive.list_aged(form) if self.is_set else []

    def forget(self, game_id: str) -> None:
        """Drop the cached stream of a game."""
        self._streams.drop(game_id)

    def close(self) -> None:
        """Close the archive, if this process has opened it."""
        with self._lock:
            opened, self._opened = self._opened, None
            self._refused = None
        if opened is not None and self._process == os.getpid():
            opened.close()


NO_ARCHIVE: Final = ArchiveReader(lambda: None)
"""For a ledger without an archive: nothing is ever found."""

MakeReader = Callable[["Noted"], ArchiveReader]
"""Makes the reader of a store, which hands in what returns the id that it has noted."""


def _log_damage(error: ArchiveDamaged) -> None:
    log.error("not listed: %s", error)


@contextmanager
def naming_damage(game_id: str) -> Iterator[None]:
    """Raise `BrokenHistory` for a damaged row."""
    try:
        yield
    except ArchiveDamaged as damaged:
        raise _make_broken(game_id, damaged.reason) from damaged


def _make_broken(game_id: str, reason: str) -> BrokenHistory:
    return BrokenHistory(game_id, 1, "chain", f"in the archive: {reason}")
