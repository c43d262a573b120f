"""What `cartulary restore` reads: a file, a backup of a target, or the newest one there."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from cartulary.cli.backups.making import fetch
from cartulary.events.backup.errors import BackupError
from cartulary.events.backup.targets.encryption import decrypt, is_encrypted
from cartulary.events.backup.targets.naming import BackupName, parse_backup
from cartulary.events.backup.targets.opening import is_target, open_target
from cartulary.events.backup.targets.target import SCHEME, Target, open_private


class Found(NamedTuple):
    """A backup, decrypted, in a file; `label` is what people call it."""

    file: Path
    label: str


@contextmanager
def open_source(address: str, identities: Sequence[Any]) -> Iterator[Found]:
    """Yield the backup of an address. Raises `BackupError`, `OSError`."""
    with tempfile.TemporaryDirectory(prefix="cartulary-restore-") as folder:
        yield _find(address, identities, Path(folder))


def _find(address: str, identities: Sequence[Any], work: Path) -> Found:
    before, _, last = address.rstrip("/").rpartition("/")
    named = parse_backup(last) if address.startswith(SCHEME) else None
    if named is not None:
        return _fetch(open_target(before), named, identities, work)
    if not is_target(address):
        return Found(_open_file(Path(address), identities, work), address)
    target = open_target(address)
    return _fetch(target, choose_newest(target), identities, work)


def _fetch(target: Target, name: BackupName, identities: Sequence[Any], work: Path) -> Found:
    file = fetch(target, str(name), name.is_encrypted, identities, work)
    return Found(file, f"{target.name}/{name}")


def _open_file(file: Path, identities: Sequence[Any], work: Path) -> Path:
    with file.open("rb") as source:
        if not is_encrypted(source):
            return file
        plain = work / "decrypted"
        with open_private(plain) as into:
            decrypt(source, into, identities)
    return plain


def choose_newest(target: Target) -> BackupName:
    """Return the newest proven backup of a target; raises `BackupError` when there is none."""
    names = [name for name in map(parse_backup, target.list_names()) if name is not None]
    proven = [name for name in names if not name.state]
    if not proven:
        left = ", ".join(map(str, names)) or "no backup at all"
        raise BackupError(f"{target.name} has no proven backup; there is {left}")
    return max(proven)
