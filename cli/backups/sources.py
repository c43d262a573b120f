"""What `cartulary restore` reads: a file, a backup of a target, or the newest that is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, Final, NamedTuple

from cartulary.cli.shared.progress import progress
from cartulary.events.backup.errors import BackupError
from cartulary.events.backup.targets.encryption import decrypt, is_encrypted
from cartulary.events.backup.targets.naming import BackupName, parse_backup
from cartulary.events.backup.targets.opening import is_target, open_target
from cartulary.events.backup.targets.scratch import open_scratch
from cartulary.events.backup.targets.target import SCHEME, BackupTarget, open_private
from cartulary.events.shipping.chains import RestoreWay, fetch, find_newest, find_way, put_together


class SourceChoice(NamedTuple):
    """Which backup of an address is meant, and what decrypts it.

    `until` is a time (ms since the epoch), None for the newest; `installation` is the id of the
    installation, '' where a target has one only; `identities` are keys of age.
    """

    until: int | None = None
    installation: str = ""
    identities: Sequence[Any] = ()


NEWEST: Final = SourceChoice()


class Found(NamedTuple):
    """A backup, decrypted, in a file; `label` is what people call it."""

    file: Path
    label: str


@contextmanager
def open_source(address: str, choice: SourceChoice, work: Path | None = None) -> Iterator[Found]:
    """Yield the backup of an address, or of a target as it was at a time.

    What is fetched or decrypted is in the folder `work`, by default a temporary one. Raises
    `BackupError`, `OSError`.
    """
    with open_scratch() if work is None else nullcontext(work) as folder:
        yield _find(address, choice, folder)


def _find(address: str, choice: SourceChoice, work: Path) -> Found:
    before, _, last = address.rstrip("/").rpartition("/")
    named = parse_backup(last) if address.startswith(SCHEME) else None
    if named is None and is_target(address):
        return _put_together(open_target(address), choice, work)
    if choice.until is not None:
        raise BackupError("a time can be restored from a folder or s3://BUCKET/PREFIX only")
    if named is not None:
        return _fetch(open_target(before), named, choice.identities, work)
    return Found(_open_file(Path(address), choice.identities, work), address)


def _put_together(target: BackupTarget, choice: SourceChoice, work: Path) -> Found:
    until, installation = choice.until, choice.installation
    way: RestoreWay = (
        find_newest(target, installation)
        if until is None
        else find_way(target, until, installation)
    )
    with progress("reading segments") as show:
        file = put_together(target, way, until, choice.identities, work, show)
    number = len(way.whole) + len(way.late)
    more = f" and {number} segments" if number else ""
    return Found(file, f"{target.name}/{way.chain.backup}{more}")


def _fetch(target: BackupTarget, name: BackupName, identities: Sequence[Any], work: Path) -> Found:
    file = fetch(target, str(name), name.is_encrypted, identities, work / "backup")
    return Found(file, f"{target.name}/{name}")


def _open_file(file: Path, identities: Sequence[Any], work: Path) -> Path:
    with file.open("rb") as source:
        if not is_encrypted(source):
            return file
        plain = work / "decrypted"
        with open_private(plain) as into:
            decrypt(source, into, identities)
    return plain
