"""The chains in a target, and what of them leads to a point of time."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

from cartulary.events.backup.container import read_digest
from cartulary.events.backup.errors import BackupError, DamagedBackup
from cartulary.events.backup.targets.encryption import decrypt
from cartulary.events.backup.targets.naming import (
    FAILED,
    UNPROVEN,
    BackupName,
    SegmentName,
    parse_backup,
    parse_segment,
)
from cartulary.events.backup.targets.target import BackupTarget, open_private
from cartulary.events.model.clock import format_time
from cartulary.events.shipping.history import ShippedHistory
from cartulary.events.shipping.segments import SegmentHead, read_segment


class OutOfReach(BackupError):
    """A time that no backup with its segments leads to."""


class AmbiguousTarget(BackupError):
    """A target has backups of several installations, and none was named."""


class Chain(NamedTuple):
    """A backup in a target, and the segments after it in the order of their numbers."""

    backup: BackupName
    segments: tuple[SegmentName, ...] = ()

    @property
    def reach(self) -> tuple[int, int] | None:
        """Return the first and the last time, in ms, to which the chain can be restored."""
        if not self.segments:
            return None
        return self.segments[0].until, max(name.until for name in self.segments)


class RestoreWay(NamedTuple):
    """What leads to a time: segments that count as they are, and those among which it lies."""

    chain: Chain
    whole: tuple[SegmentName, ...]
    late: tuple[SegmentName, ...] = ()


def list_chains(target: BackupTarget) -> list[Chain]:
    """Return the chains of a target, the newest first; a failed backup has none."""
    backups, segments = list[BackupName](), dict[str, list[SegmentName]]()
    for text in target.list_names():
        if (backup := parse_backup(text)) is not None and backup.state != FAILED:
            backups.append(backup)
        elif (segment := parse_segment(text)) is not None:
            segments.setdefault(segment.stem, []).append(segment)
    return [
        Chain(backup, tuple(sorted(segments.get(backup.stem, ()))))
        for backup in sorted(backups, reverse=True)
    ]


def _list_chains_of(target: BackupTarget, installation: str) -> list[Chain]:
    """Return the chains of an installation, '' for the only one that has any.

    Games of another installation are others: which of two is meant is not guessed. Raises
    `AmbiguousTarget`, and `OutOfReach` where the installation has none.
    """
    chains = list_chains(target)
    newest = {chain.backup.installation: chain.backup for chain in reversed(chains)}
    shown = ", ".join(f"{one} (newest {name})" for one, name in newest.items())
    if not installation and len(newest) > 1:
        raise AmbiguousTarget(
            f"{target.name} has backups of {len(newest)} installations, choose one with "
            f"--installation: {shown}"
        )
    if installation and chains and installation not in newest:
        raise OutOfReach(f"{target.name} has no backup of {installation}; there are {shown}")
    return [one for one in chains if installation in ("", one.backup.installation)]


def find_newest(target: BackupTarget, installation: str = "") -> RestoreWay:
    """Return the way to the newest that is stored after a proven backup.

    Raises `OutOfReach`, `AmbiguousTarget`; `installation` is '' where the target has one only.
    """
    chains = _list_chains_of(target, installation)
    proven = [chain for chain in chains if not chain.backup.state]
    if not proven:
        left = ", ".join(str(chain.backup) for chain in chains) or "no backup at all"
        raise OutOfReach(f"{target.name} has no proven backup; there is {left}")
    chain = max(proven, key=_find_end)
    return RestoreWay(chain, chain.segments)


def _find_end(chain: Chain) -> int:
    """Return until when a chain has everything; the newer of two backups may have less."""
    return chain.backup.at if chain.reach is None else max(chain.backup.at, chain.reach[1])


def find_way(target: BackupTarget, until: int, installation: str = "") -> RestoreWay:
    """Return the way to a time in ms since the epoch; otherwise as `find_newest`.

    A proven backup is preferred to an unproven one.
    """
    chains = _list_chains_of(target, installation)
    leading = [
        chain
        for chain in chains
        if chain.reach is not None and chain.reach[0] <= until <= chain.reach[1]
    ]
    if not leading:
        raise OutOfReach(
            f"no backup leads to {format_time(until)}. These times can be restored: "
            f"{_describe(chains)}"
        )
    chain = min(leading, key=lambda one: one.backup.state == UNPROVEN)
    # The first of them only, also where the clock was set back in between.
    whole = tuple(takewhile(lambda name: name.at <= until, chain.segments))
    late = list[SegmentName]()
    for name in chain.segments[len(whole) :]:
        late.append(name)
        if name.until >= until:
            break
    return RestoreWay(chain, whole, tuple(late))


def _describe(chains: Sequence[Chain]) -> str:
    spans = [chain.reach for chain in reversed(chains) if chain.reach is not None]
    shown = ", ".join(f"{format_time(first)} to {format_time(last)}" for first, last in spans)
    return shown or "none, because nothing was shipped with --follow"


def put_together(
    target: BackupTarget,
    way: RestoreWay,
    until: int | None,
    identities: Sequence[Any],
    work: Path,
    show: Callable[[int, int], None] = lambda _done, _total: None,
) -> Path:
    """Return the file of a backup, in a folder, that has the store at the end of a way.

    The progress is in segments. Raises `BackupError`, `OSError`: `DamagedBackup` where a segment is
    missing or does not fit.
    """
    backup = way.chain.backup
    plain = fetch(target, str(backup), backup.is_encrypted, identities, work / "backup")
    names = (*way.whole, *way.late)
    if not names:
        return plain
    with ExitStack() as opened:
        base = opened.enter_context(plain.open("rb"))
        history = opened.enter_context(ShippedHistory(until))
        before = read_digest(base)
        for number, name in enumerate(names, start=1):
            if name.number != number:
                raise DamagedBackup(
                    f"segment {number} of {backup.stem} is missing: the next one is {name.number}"
                )
            file = fetch(target, str(name), name.is_encrypted, identities, work / "segment")
            with file.open("rb") as source:
                head = SegmentHead(backup.stem, number, before)
                history.add(read_segment(source, head), is_late=number > len(way.whole))
                before = read_digest(source)
            show(number, len(names))
        made = work / "made"
        with open_private(made) as into:
            history.write(base, into, names[-1].until if until is None else until)
    plain.unlink()
    return made


def fetch(
    target: BackupTarget, name: str, is_encrypted: bool, identities: Sequence[Any], file: Path
) -> Path:
    """Write a file of the target, decrypted, to a file and return that.

    A file that is there is replaced. Raises `BackupError`, `OSError`.
    """
    file.unlink(missing_ok=True)
    with open_private(file) as into:
        target.get(name, into)
    if not is_encrypted:
        return file
    packed = file.with_name(f"{file.name}.age")
    shutil.move(file, packed)
    try:
        with packed.open("rb") as source, open_private(file) as into:
            decrypt(source, into, identities)
    finally:
        packed.unlink()
    return file
