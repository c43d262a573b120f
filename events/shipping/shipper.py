"""Makes the segments of one chain, as what is stored changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Final

from redis import Redis

from cartulary.events.archive.reading import ArchiveReader
from cartulary.events.backup.reading import StoreSource, open_source
from cartulary.events.backup.targets.naming import SegmentName
from cartulary.events.backup.targets.target import open_private
from cartulary.events.server import keys
from cartulary.events.server.key_catalogue import is_carried
from cartulary.events.shipping.collecting import Collector, list_all
from cartulary.events.shipping.marks import Change
from cartulary.events.shipping.segments import SegmentHead, write_segment
from cartulary.events.shipping.state import ChainState
from cartulary.events.shipping.tracking import Touched

QUIET_MS: Final = 60_000
"""While nothing changes but the heartbeat there is a segment a minute, which says that."""

_HEARTBEAT: Final = keys.heartbeat().encode()


class Shipper:
    """Makes segments of what changes after the backup of a chain. One thread may use it at a time.

    `now_ms` is the clock; `knows_all` is whether each change since the backup will be noted: not
    so in a process that goes on with a chain, whose first segment compares everything.
    """

    def __init__(
        self,
        redis: Redis,
        registry: Redis,
        archive: ArchiveReader,
        state: ChainState,
        now_ms: Callable[[], int],
        knows_all: bool,
    ) -> None:
        self._redis, self._registry, self._archive = redis, registry, archive
        self.state, self._now = state, now_ms
        self._knows_all = knows_all
        self._pending, self._again = set[bytes](), set[bytes]()
        self._shipped = 0
        self._opened = ExitStack()
        self._source: StoreSource | None = None

    def note(self, touched: Touched) -> None:
        """Take what has changed; nothing is read yet."""
        self._pending |= touched.names
        self._knows_all &= touched.is_complete

    def lose_track(self) -> None:
        """Take note that anything may have changed."""
        self._knows_all = False

    def ship(self, until: int, always: bool = False) -> SegmentName | None:
        """Make the next segment and return its name, None where nothing asks for one.

        With `always` there is one in any case.

        `until` is a time before the changes were noted last: what was stored by then is in it.
        Raises `BackupError`, `ArchiveError`, `RedisError`, `OSError`: then nothing has happened.
        """
        if self._knows_all and not always and not self._is_due(until):
            return None
        try:
            name = self._make_segment(until)
        except BaseException:
            self.close()
            raise
        self._again, self._pending, self._knows_all = self._pending, set(), True
        self._shipped = until
        return name

    def _is_due(self, until: int) -> bool:
        if until - self._shipped >= QUIET_MS:
            return True
        fresh = self._pending - {_HEARTBEAT}
        return any(is_carried(name.decode(errors="surrogateescape")) for name in fresh)

    def _make_segment(self, until: int) -> SegmentName:
        place = self.state.position
        if place is None:
            raise ValueError("the backup of the chain is not complete")
        head = SegmentHead(self.state.stem, place.number + 1, place.digest)
        collector = Collector(self._open(), self._archive, self.state)
        made = self.state.folder / "next.segment-made"
        made.unlink(missing_ok=True)
        with open_private(made) as file:
            digest = write_segment(file, head, self._collect(collector))
        name = SegmentName(self.state.stem, head.number, until, self._now())
        self.state.commit(name, made, digest, collector.marks)
        return name

    def _collect(self, collector: Collector) -> Iterator[Change]:
        source = self._open()
        if self._knows_all:
            # A row of the archive may be written after the keys of its game: looked at twice.
            yield from collector.collect(self._pending | self._again)
            return
        with source.check_slots():
            yield from collector.collect(list_all(source, self._archive, self.state))

    def _open(self) -> StoreSource:
        if self._source is None:
            self._source = self._opened.enter_context(open_source(self._redis, self._registry))
        return self._source

    def close(self) -> None:
        """Close the connections; the next segment opens them again."""
        self._opened.close()
        self._source = None
