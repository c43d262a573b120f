"""`cartulary backup`: to a file, or to a target where each backup is proven before it counts."""

from __future__ import annotations

import os
import signal
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from threading import Event
from typing import BinaryIO

import click
from redis import RedisError

from cartulary.cli.backups.following import Follower
from cartulary.cli.backups.making import (
    Making,
    choose_time,
    clear_away,
    find_installation,
    make_backup,
    prove_stored,
)
from cartulary.cli.backups.proving import Refuted
from cartulary.cli.operators.store import data_option, open_store
from cartulary.cli.shared.data_directory import url_in_use
from cartulary.cli.shared.environment import events_url
from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.cli.shared.numbers import NumberRange
from cartulary.cli.shared.progress import progress
from cartulary.events.archive.archive_backup import read_rows
from cartulary.events.archive.errors import ArchiveError
from cartulary.events.backup.dump import Counts, dump, note_backup
from cartulary.events.backup.errors import BackupError, DamagedBackup
from cartulary.events.backup.targets.encryption import Encryption, InvalidAgeKey
from cartulary.events.backup.targets.folder import sync_path
from cartulary.events.backup.targets.opening import is_target, open_target
from cartulary.events.backup.targets.target import TargetError
from cartulary.events.store import Store


@click.command()
@click.argument("target")
@data_option
@click.option("--keep", type=click.IntRange(1), help="Keep the newest N, and some older ones.")
@click.option(
    "--encrypt-for",
    multiple=True,
    metavar="RECIPIENT",
    help="Public key of age (age1…), or a file of them; may be repeated.",
)
@click.option("--follow", is_flag=True, help="Go on and ship what changes, without an end.")
@click.option(
    "--full-every",
    default=24.0,
    show_default=True,
    type=NumberRange(0.01),
    metavar="HOURS",
    help="With --follow: hours from one full backup to the next.",
)
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1, 256))
def backup(
    target: str,
    data: Path,
    keep: int | None,
    encrypt_for: tuple[str, ...],
    follow: bool,
    full_every: float,
    jobs: int,
) -> None:
    """Write everything that cannot be made again to TARGET.

    The service may run meanwhile, and moves may be made. TARGET is a file, which is replaced when
    the new backup is complete; or a folder (named with a slash at the end where it is missing) or
    s3://BUCKET/PREFIX. There each backup is restored and audited in a scratch store, with --jobs
    processes, before it counts. --keep removes older backups of this installation there: the newest
    N stay, and the newest of each of 4 weeks and 12 months. --follow ships every change after it,
    so that at most 5 s are lost with the machine. Exit 1 when no backup was made, or its proof has
    failed.
    """
    if is_target(target):
        with _open_target(target, data, encrypt_for, running=follow) as (store, making):
            if follow:
                _follow(store, making, data, jobs, keep, full_every)
            else:
                _make_proven(store, making, jobs)
                for name in clear_away(making, keep):
                    click.echo(f"removed {name}", err=True)
    elif keep or encrypt_for or follow:
        raise Unusable(
            f"{target} would be a file: name a folder, with a slash at its end where it is missing,"
            " or s3://BUCKET/PREFIX"
        )
    else:
        _back_up_to_file(Path(target), data)


def _back_up_to_file(file: Path, data: Path) -> None:
    with open_store(data) as store:
        try:
            with open_atomically(file) as into, progress("backing up") as show:
                counts = dump(store.redis, into, show, read_rows(store.archive), store.registry)
        except (BackupError, ArchiveError, OSError, sqlite3.Error) as error:
            raise Failed(f"no backup was made: {error}") from error
        note_backup(store.registry, str(file.absolute()), file.stat().st_size, counts)
    _tell(str(file), counts, file.stat().st_size)


def _tell(file: str, counts: Counts, size: int) -> None:
    if counts.unknown:
        click.echo(f"{counts.unknown} keys of unknown families are in the backup", err=True)
    click.echo(f"{file}: {describe(counts)}, {size} bytes")


def describe(counts: Counts) -> str:
    """Return what a backup contains, for people."""
    return f"{counts.games} games, {counts.events} events, {counts.players} players"


@contextmanager
def _open_target(
    address: str, data: Path, encrypt_for: tuple[str, ...], running: bool
) -> Iterator[tuple[Store, Making]]:
    """Yield the store, and the target, which is held meanwhile. Raises `Unusable`, `Failed`."""
    try:
        encryption = Encryption.parse(encrypt_for)
        target = open_target(address)
    except (InvalidAgeKey, TargetError) as error:
        raise Unusable(str(error)) from error
    with open_store(data, running=running) as store:
        making = Making(target, encryption, find_installation(store))
        try:
            with target.hold():
                yield store, making
        except TargetError as error:
            raise Failed(str(error)) from error


def _follow(
    store: Store, making: Making, data: Path, jobs: int, keep: int | None, full_every: float
) -> None:
    """Ship changes until the process is asked to end."""
    address = url_in_use(data)
    stopping = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stopping.set())
    digest = sha256(making.target.name.encode()).hexdigest()[:16]
    Follower(
        store,
        making,
        data.absolute() / "shipping" / digest,
        lambda line: click.echo(line, err=True),
        jobs=jobs,
        keep=keep,
        every_ms=round(full_every * 3_600_000),
        has_moved=lambda: not events_url() and url_in_use(data) not in (None, address),
    ).run(stopping)


def _make_proven(store: Store, making: Making, jobs: int) -> None:
    try:
        with progress("backing up") as show:
            at = choose_time(making, store.clock.now_ms())
            made = make_backup(store, making, at, show)
    except (BackupError, ArchiveError, OSError, sqlite3.Error) as error:
        raise Failed(f"no backup was made: {error}") from error
    try:
        name = prove_stored(store, making, made, jobs)
    except (Refuted, DamagedBackup) as error:
        raise Failed(f"the backup does not hold and is kept aside: {error}") from error
    except (BackupError, RedisError, OSError, click.ClickException) as error:
        reason = error.message if isinstance(error, click.ClickException) else error
        raise Failed(f"the backup {made.name} is there, but it is not proven: {reason}") from error
    _tell(f"{making.target.name}/{name}", made.counts, made.size)
    click.echo("proven: restored and audited", err=True)


@contextmanager
def open_atomically(path: Path) -> Iterator[BinaryIO]:
    """Yield a new file of mode 0600 that takes the name `path` when the block ends without error.

    Raises `OSError`; the file that had the name before stays then.
    """
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(name)
        raise
    sync_path(path.parent)
