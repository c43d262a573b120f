"""A store whose changes are shipped to a folder, turn by turn, and what is restored from there."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from cartulary.cli.backups.following import Follower
from cartulary.cli.backups.making import Making, find_installation
from cartulary.events.archive.archive_backup import Carrier
from cartulary.events.backup import load as loading
from cartulary.events.backup.targets.encryption import Encryption
from cartulary.events.backup.targets.folder import BackupFolder
from cartulary.events.server.connection import connect
from cartulary.events.shipping.chains import find_newest, find_way, put_together
from cartulary.events.store import Store
from cartulary.events.upkeep.rebuild import rebuild
from tests.support.polling import until
from tests.support.store_with_archive import open_with_archive


class Shipping:
    """A follower whose turns a test takes; `lines` is what it has said."""

    def __init__(self, store: Store, folder: Path) -> None:
        self.store, self.folder = store, folder
        self.lines: list[str] = []
        self.target = BackupFolder(folder / "target")
        self.target.path.mkdir()
        self.making = Making(self.target, Encryption(), find_installation(store))
        self.follower = self.start()

    def start(self, every_ms: int = 86_400_000, keep: int | None = None) -> Follower:
        """A process that goes on from what is on the disk; the one before is gone."""
        self.follower = Follower(
            self.store,
            self.making,
            self.folder / "state",
            self.lines.append,
            every_ms=every_ms,
            keep=keep,
        )
        self.follower.resume()
        return self.follower

    def turn(self) -> int:
        """Ship what has changed, and wait until the target has it; return the time before."""
        now = self.store.clock.now_ms()
        self.follower.take_turn()
        until(lambda: self.follower.is_sent and not self.follower.is_clearing)
        return now

    def begin(self) -> None:
        """Take turns until a new backup is proven."""
        said = len(self.lines)

        def is_proven() -> bool:
            self.turn()
            return any("is proven" in line for line in self.lines[said:])

        until(is_proven, every=0.05)
        self.turn()

    def segments(self) -> list[str]:
        return [name for name in self.target.list_names() if name.endswith(".segment")]

    @contextmanager
    def restored_values(self, url: str) -> Iterator[Store]:
        """An empty store with the newest values alone, whatever they are."""
        with self._filled(url, None, load_values) as store:
            yield store

    @contextmanager
    def restored(self, url: str, moment: int | None = None) -> Iterator[Store]:
        """An empty store and an archive, filled from the target as it was at a moment."""
        with self._filled(url, moment, fill) as store:
            yield store

    @contextmanager
    def _filled(
        self, url: str, moment: int | None, load: Callable[[Store, Path], object]
    ) -> Iterator[Store]:
        with tempfile.TemporaryDirectory() as folder:
            way = find_newest(self.target) if moment is None else find_way(self.target, moment)
            file = put_together(self.target, way, moment, (), Path(folder))
            with open_with_archive(connect(url), Path(folder)) as store:
                try:
                    load(store, file)
                    yield store
                finally:
                    store.redis.flushall()
                    store.redis.close()


def fill(store: Store, file: Path) -> None:
    """Do what `cartulary restore` does with the file of a backup."""
    load_values(store, file)
    assert rebuild(store) == []


def load_values(store: Store, file: Path) -> None:
    """Write the keys of a backup into a store and its archive."""
    with file.open("rb") as source:
        contents = loading.check_file(source)
        loading.begin(store.redis, contents, "test")
        if contents.archived:
            store.archive_state.claim(store.archive.archive.identify())
        carrier = Carrier(store.archive)
        loading.load(store.redis, source, contents, put_archived=carrier.add)
        carrier.finish()
    loading.end(store.redis)
