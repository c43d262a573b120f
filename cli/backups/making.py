"""A backup in a target: made, stored as unproven, read back, proven, and then given its name."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from cartulary.cli.backups.proving import Refuted, prove
from cartulary.cli.shared.progress import Show
from cartulary.events.archive.archive_backup import read_rows
from cartulary.events.backup.container import read_digest
from cartulary.events.backup.dump import Counts, dump, note_backup, note_new_name
from cartulary.events.backup.errors import DamagedBackup
from cartulary.events.backup.proven import Proven, note_proven
from cartulary.events.backup.reading import Reading
from cartulary.events.backup.targets.encryption import Encryption
from cartulary.events.backup.targets.naming import (
    FAILED,
    UNPROVEN,
    BackupName,
    SegmentName,
    parse_backup,
    parse_segment,
)
from cartulary.events.backup.targets.retention import choose_kept
from cartulary.events.backup.targets.scratch import open_scratch
from cartulary.events.backup.targets.target import BackupTarget, open_private
from cartulary.events.server import keys
from cartulary.events.shipping.chains import fetch
from cartulary.events.store import Store

Note = Callable[[Reading], object]


class Making(NamedTuple):
    """Where backups go, and how they are encrypted. `installation` is the id of this one."""

    target: BackupTarget
    encryption: Encryption
    installation: str


class MadeBackup(NamedTuple):
    """A backup that lies in its target, unproven; `digest` is that in the head of its file."""

    name: BackupName
    counts: Counts
    size: int
    digest: str


def find_installation(store: Store) -> str:
    """Return the id of this installation, which its first backup draws. Raises `RedisError`."""
    registry: Any = store.registry
    registry.set(keys.installation(), secrets.token_hex(6), nx=True)
    return str(registry.get(keys.installation()).decode())


def choose_time(making: Making, now: int) -> int:
    """Return the time for the name of a new backup, in ms: now, but later than all names there.

    The clock may have been set back since; the newest backup is the one that was made last.
    Raises `TargetError`.
    """
    found = [now]
    for text in making.target.list_names():
        if (name := parse_backup(text)) and name.installation == making.installation:
            found.append(name.at + 1)
        elif (segment := parse_segment(text)) and _is_own(making, segment):
            found.append(max(segment.until, segment.at) + 1)
    return max(found)


def _is_own(making: Making, segment: SegmentName) -> bool:
    return segment.stem.endswith(f"-{making.installation}")


def make_backup(
    store: Store,
    making: Making,
    at: int,
    show: Show | None = None,
    note: Note = lambda _reading: None,
) -> MadeBackup:
    """Make a backup and put it into the target, unproven; `note` gets all that is read.

    `at` is the time of `choose_time`: the name of the backup has it.

    Raises `BackupError`, `ArchiveError`, `RedisError`, `OSError`: then nothing is in the target.
    """
    name = BackupName(at, making.installation, making.encryption.is_on, UNPROVEN)
    with _open_work(making) as work:
        plain = work / "plain"
        with open_private(plain) as file:
            archived = read_rows(store.archive)
            counts = dump(store.redis, file, show, archived, store.registry, note)
            digest = read_digest(file)
        size = put(making, str(name), plain)
    note_backup(store.registry, f"{making.target.name}/{name}", size, counts)
    return MadeBackup(name, counts, size, digest)


def _open_work(making: Making) -> AbstractContextManager[Path]:
    """Return a folder for the file before encryption, which no other machine may see."""
    return open_scratch() if making.encryption.is_on else making.target.open_work()


def put(making: Making, name: str, plain: Path) -> int:
    """Put a file into the target, encrypted where that is wanted; return the bytes stored.

    Raises `BackupError`, `OSError`.
    """
    file = plain
    if making.encryption.is_on:
        file = plain.with_name(f"{plain.name}.age")
        with plain.open("rb") as source, open_private(file) as into:
            making.encryption.encrypt(source, into)
        plain.unlink()
    size = file.stat().st_size
    making.target.put(name, file)
    return size


def prove_stored(store: Store, making: Making, made: MadeBackup, jobs: int) -> BackupName:
    """Read a backup back from its target and prove it; return its name from now on.

    A backup that does not hold is kept aside as `.failed` with its reason, and `Refuted` or
    `DamagedBackup` is raised. Where the proof was not possible the backup stays unproven, and
    the error is raised: `BackupError`, `RedisError`, `OSError`, `click.ClickException`.
    """
    target, name = making.target, made.name
    with open_scratch() as work:
        try:
            plain = fetch(
                target,
                str(name),
                name.is_encrypted,
                making.encryption.identities,
                work / "backup",
            )
            with plain.open("rb") as file:
                prove(file, jobs)
        except (Refuted, DamagedBackup) as error:
            _put_aside(store, making, name, str(error), work)
            raise
    proven = name._replace(state="")
    _rename(store, target, name, proven)
    release = version("cartulary-games")
    at = min(name.at, store.clock.now_ms())
    note_proven(store.registry, Proven(at, target.name, made.counts.games, release))
    return proven


def _rename(store: Store, target: BackupTarget, before: BackupName, after: BackupName) -> None:
    target.rename(str(before), str(after))
    note_new_name(store.registry, f"{target.name}/{before}", f"{target.name}/{after}")


def _put_aside(store: Store, making: Making, name: BackupName, reason: str, work: Path) -> None:
    _rename(store, making.target, name, name._replace(state=FAILED))
    text = work / "reason"
    text.write_text(f"{reason}\n", encoding="utf-8")
    making.target.put(f"{name._replace(state=FAILED)}.txt", text)


def clear_away(making: Making, newest: int | None) -> list[str]:
    """Remove the backups of this installation that do not stay, and return their names.

    `newest` is how many of the newest stay (`events.backup.targets.retention`); None: all proven
    ones. Segments go with their backup. Raises `TargetError`.
    """
    names = list(making.target.list_names())
    own = [name for name in map(parse_backup, names) if name is not None]
    own = [name for name in own if name.installation == making.installation]
    kept = choose_kept(own, len(own) if newest is None else newest)
    removed = [name for name in sorted(own) if name not in kept]
    for name in removed:
        making.target.remove(str(name))
        making.target.remove(f"{name}.txt")
    _clear_segments(making, names, {name.stem for name in kept})
    return [str(name) for name in removed]


def _clear_segments(making: Making, names: Sequence[str], kept: set[str]) -> None:
    for text in names:
        segment = parse_segment(text)
        if segment is None or not _is_own(making, segment):
            continue
        if segment.stem not in kept:
            making.target.remove(text)
