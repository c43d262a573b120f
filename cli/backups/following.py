"""`cartulary backup TARGET --follow`: a backup, then segments with what changes, without an end.

The loop looks every `EVERY_S` at what has changed and makes a segment, which another thread sends.
A new backup is made and proven in a third thread, while segments of the chain before go on; with
the first segment of the new chain the one before ends, at the same point of time.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

import click
from redis import RedisError

from cartulary.cli.backups.making import (
    MadeBackup,
    Making,
    choose_time,
    clear_away,
    make_backup,
    prove_stored,
)
from cartulary.cli.backups.proving import Refuted
from cartulary.cli.backups.uploading import Uploader
from cartulary.cli.shared.errors import Failed
from cartulary.events.archive.errors import ArchiveError
from cartulary.events.backup.dump import Counts
from cartulary.events.backup.errors import BackupError, DamagedBackup
from cartulary.events.backup.targets.naming import UNPROVEN, BackupName, SegmentName
from cartulary.events.backup.targets.target import TargetError
from cartulary.events.shipping.chains import list_chains
from cartulary.events.shipping.collecting import mark_reading
from cartulary.events.shipping.shipper import Shipper
from cartulary.events.shipping.state import ChainState
from cartulary.events.shipping.tracking import Tracker
from cartulary.events.store import Store

EVERY_S = 2.0
"""Seconds between two looks at what has changed: with the upload at most 5 s are lost."""

AGAIN_MS = 600_000
"""After a new backup that has failed the next one is tried so much later."""

LAST_S = 10.0
"""Seconds for which the end waits for the target."""

Say = Callable[[str], None]

TROUBLE = (BackupError, ArchiveError, RedisError, OSError, sqlite3.Error, click.ClickException)
"""What may go wrong in a turn and be right in the next."""


class _Building:
    """A backup that is made and proven in a thread, and the shipper that goes on from it."""

    def __init__(self, store: Store, making: Making, state: ChainState, jobs: int) -> None:
        self._store, self._making, self._jobs = store, making, jobs
        self.state = state
        self.shipper = make_shipper(store, state, knows_all=True)
        self.is_uploaded = self.is_proven = False
        self.error: BaseException | None = None
        self._thread: Thread | None = None

    def start(self, at: int) -> None:
        """Make a backup whose name has the time `at`, and prove it."""
        self._start(lambda: self._make(at))

    def start_proof(self, name: BackupName) -> None:
        """Prove a backup that an earlier process has made."""
        self.is_uploaded = True
        place = self.state.position
        made = MadeBackup(name, Counts(), 0, "" if place is None else place.digest)
        self._start(lambda: self._prove(made))

    def _start(self, work: Callable[[], None]) -> None:
        self._thread = Thread(target=self._run, args=(work,), daemon=True, name="backup")
        self._thread.start()

    def _run(self, work: Callable[[], None]) -> None:
        try:
            work()
        except TROUBLE as error:
            self.error = error

    def _make(self, at: int) -> None:
        made = make_backup(
            self._store,
            self._making,
            at,
            note=lambda one: self.state.add(one.record.key, mark_reading(one)),
        )
        self.state.begin(made.digest)
        self.is_uploaded = True
        self._prove(made)

    def _prove(self, made: MadeBackup) -> None:
        prove_stored(self._store, self._making, made, self._jobs)
        self.is_proven = True


def make_shipper(store: Store, state: ChainState, knows_all: bool) -> Shipper:
    """Return what makes the segments of a chain."""
    return Shipper(store.redis, store.registry, store.archive, state, store.clock.now_ms, knows_all)


class Follower:
    """Ships what changes in a store. `folder` has the state; `keep` and `every_ms` are the options.

    `say` gets lines for the operator; `has_moved` says whether the store has another address now.
    """

    def __init__(
        self,
        store: Store,
        making: Making,
        folder: Path,
        say: Say,
        *,
        jobs: int = 1,
        keep: int | None = None,
        every_ms: int = 86_400_000,
        has_moved: Callable[[], bool] = lambda: False,
    ) -> None:
        self._store, self._making, self._folder, self._say = store, making, folder, say
        self._jobs, self._keep, self.every_ms = jobs, keep, every_ms
        self._has_moved = has_moved
        self._tracker = Tracker(store.redis, store.registry)
        self._uploader = Uploader(making, say)
        self._active: Shipper | None = None
        self._building: _Building | None = None
        self._left: list[ChainState] = []
        self._due = 0
        self._trouble = self._clears = False
        self._clearing: Thread | None = None

    def run(self, stopping: Event) -> None:
        """Ship until `stopping` is set. Raises `Failed` when the first backup does not hold."""
        self.resume()
        try:
            while not stopping.is_set():
                self.take_turn()
                stopping.wait(EVERY_S)
            if self._active is not None:
                self.take_turn()
        finally:
            self.end()

    def end(self) -> None:
        """End the threads and connections; the target gets what waits, if it takes it soon."""
        self.kill(LAST_S)
        if self._active is not None:
            self._active.close()
            self._active.state.close()

    def kill(self, within: float = 0.0) -> None:
        """End what a killed process leaves behind: the rest is on the disk."""
        self._tracker.close()
        if self._clearing is not None:
            self._clearing.join(within)
        if not self._uploader.end(within):
            self._say("the target lacks the last segments: the next start sends them")

    def resume(self) -> None:
        """Go on with the newest chain of this target that is not too old; forget all others."""
        there = {chain.backup.stem: chain.backup for chain in list_chains(self._making.target)}
        now = self._store.clock.now_ms()
        for stem in ChainState.list_stems(self._folder):
            state, backup = ChainState(self._folder, stem), there.get(stem)
            if state.position is None or backup is None or self._active is not None:
                state.remove()
                continue
            state.sweep()
            for name, file in state.list_waiting():
                self._uploader.send(name, file)
            self._active = make_shipper(self._store, state, knows_all=False)
            self._due = backup.at + self.every_ms
            if backup.state == UNPROVEN:
                self._building = _Building(self._store, self._making, state, self._jobs)
                self._building.start_proof(backup)
            self._clears = True
            self._say(f"going on with {backup}, {(now - backup.at) // 60_000} minutes old")

    @property
    def is_sent(self) -> bool:
        """Whether the target has all segments."""
        return self._uploader.is_idle

    def take_turn(self) -> None:
        """Look at what has changed, and ship it."""
        until = self._store.clock.now_ms()
        try:
            touched = self._tracker.take()
            for shipper in self._list_shippers():
                shipper.note(touched)
            if self._building is None and until >= self._due and touched.is_complete:
                self._begin_backup(until)
            self._look_at_backup(until)
            if self._active is not None:
                self._ship(self._active, until)
            self._clear()
        except TROUBLE as error:
            if isinstance(error, Failed):
                raise
            self._note_trouble(error)
            return
        if self._trouble:
            self._trouble = False
            self._say("shipping goes on")

    def _note_trouble(self, error: BaseException) -> None:
        """Tell what has failed, once; whatever was noted may be incomplete from now on."""
        for shipper in self._list_shippers():
            shipper.lose_track()
        if self._has_moved():
            raise Failed("the store has another address now: start the command again") from error
        if not self._trouble:
            self._trouble = True
            self._say(f"shipping waits, trying again: {error}")

    def _list_shippers(self) -> list[Shipper]:
        found = [self._active] if self._active is not None else []
        building = self._building
        if building is not None and building.shipper.state is not self._state_of_active():
            found.append(building.shipper)
        return found

    def _state_of_active(self) -> ChainState | None:
        return None if self._active is None else self._active.state

    def _ship(self, shipper: Shipper, until: int, always: bool = False) -> None:
        name = shipper.ship(until, always)
        if name is not None:
            self._send(name, shipper.state)

    def _send(self, name: SegmentName, state: ChainState) -> None:
        self._uploader.send(name, state.file_of(name))

    # -- new backups ------------------------------------------------------------------------------

    def _begin_backup(self, now: int) -> None:
        try:
            at = choose_time(self._making, now)
        except TargetError:
            at = now  # the target is away: the backup says so, and shipping goes on
        name = BackupName(at, self._making.installation)
        state = ChainState(self._folder, name.stem)
        self._building = _Building(self._store, self._making, state, self._jobs)
        self._building.start(at)

    def _look_at_backup(self, until: int) -> None:
        building = self._building
        if building is None:
            return
        is_active = building.state is self._state_of_active()
        if building.error is not None:
            self._building = None
            self._give_up(building, is_active)
            self._due = until + AGAIN_MS
            return
        if building.is_uploaded and not is_active and (building.is_proven or self._active is None):
            self._switch(building, until)
        if building.is_proven:
            self._say(f"{building.state.stem} is proven: restored and audited")
            self._building, self._clears = None, True

    def _give_up(self, building: _Building, is_active: bool) -> None:
        error = building.error
        if isinstance(error, Refuted | DamagedBackup) and (is_active or self._active is None):
            raise Failed(f"the backup does not hold and is kept aside: {error}") from error
        reason = error.message if isinstance(error, click.ClickException) else error
        self._say(f"no new backup was proven, trying again in 10 minutes: {reason}")
        if not is_active:
            building.shipper.close()
            building.state.remove()

    def _switch(self, building: _Building, until: int) -> None:
        """Begin the new chain at the same point of time at which the chain before ends."""
        if self._active is not None:
            self._ship(self._active, until, always=True)
            self._active.close()
            self._left.append(self._active.state)
        self._active = building.shipper
        self._due = until + self.every_ms
        self._ship(self._active, until, always=True)
        self._say(f"shipping after {building.state.stem}")

    def _clear(self) -> None:
        """Remove what is not needed any more, once the target has all segments of chains before."""
        if not (self._left or self._clears) or not self._uploader.is_idle:
            return
        while self._left:
            self._left.pop().remove()
        if self._clears and not self.is_clearing:
            self._clears = False
            self._clearing = Thread(target=self._clear_away, daemon=True, name="clearing")
            self._clearing.start()

    @property
    def is_clearing(self) -> bool:
        """Whether older backups are being removed."""
        return self._clearing is not None and self._clearing.is_alive()

    def _clear_away(self) -> None:
        """Remove older backups: a chain of a day has 43 200 segments, and shipping goes on."""
        try:
            for name in clear_away(self._making, self._keep):
                self._say(f"removed {name}")
        except TargetError as error:
            self._say(f"older backups are not removed: {error}")
