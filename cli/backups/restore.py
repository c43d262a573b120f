"""`cartulary restore`: a backup into an empty store, which is audited afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

import click

from cartulary.cli.backups.backup import describe
from cartulary.cli.backups.sources import SourceChoice, open_source
from cartulary.cli.operators.store import (
    data_option,
    find_archive_url,
    jobs_option,
    open_by_url,
    refuse_unusable,
    report_audit,
    start_server,
)
from cartulary.cli.shared.data_directory import url_in_use
from cartulary.cli.shared.environment import ARCHIVE_URL, events_url
from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.cli.shared.key_file import (
    NAME,
    VARIABLE,
    find_keys,
    find_or_make_keys,
    make_keyring,
)
from cartulary.cli.shared.progress import progress
from cartulary.events.archive.archive_backup import Carrier
from cartulary.events.backup import load as loading
from cartulary.events.backup.errors import BackupError
from cartulary.events.backup.targets.encryption import read_identities
from cartulary.events.server import keys
from cartulary.events.upkeep.rebuild import rebuild
from cartulary.events.upkeep.renewal import renew_chains, renew_lost


def read_time(text: str | None) -> int | None:
    """Return a time of RFC 3339 in ms since the epoch; raises `click.BadParameter`."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise click.BadParameter(f"{text} is no time: 2026-11-26T12:00:00Z") from error
    if moment.tzinfo is None:
        raise click.BadParameter(f"{text} has no zone: 2026-11-26T12:00:00Z is in UTC")
    return round(moment.timestamp() * 1000)


def source_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say which backup of a source is meant, and what decrypts it."""
    identity = click.option(
        "--identity",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="File with the key of age that decrypts the backup.",
    )
    installation = click.option(
        "--installation",
        default="",
        metavar="ID",
        help="Of a target with backups of several installations: which of them.",
    )
    return identity(installation(command))


@click.command()
@click.argument("source")
@data_option
@jobs_option
@click.option("--check", is_flag=True, help="Check SOURCE and change nothing.")
@source_options
@click.option(
    "--to-time",
    metavar="TIME",
    callback=lambda _context, _option, text: read_time(text),
    help="Restore what was stored by then (2026-11-26T12:00:00Z), from shipped segments.",
)
@click.option(
    "--renew-draws",
    is_flag=True,
    help="Give unfinished games whose secret is lost a new secret, so that they go on.",
)
def restore(
    source: str,
    data: Path,
    jobs: int,
    check: bool,
    identity: Path | None,
    installation: str,
    to_time: int | None,
    renew_draws: bool,
) -> None:
    """Write the backup in SOURCE into an empty store.

    SOURCE is the file of a backup, a backup in a bucket, or a folder or s3://BUCKET/PREFIX, whose
    newest proven backup is taken with what was shipped after it, or with --to-time what leads to
    that time. Checks all of it before it changes anything. Then it writes
    everything, computes projections and snapshots again, and audits all games. The secrets of
    unfinished games need the key of the service that made the backup (CARTULARY_SECRET, or
    secret.key in the data directory), or --renew-draws. Exit 1 when a game does not hold, 2 when
    SOURCE has no whole backup, the key is missing or the store is not empty.
    """
    choice = SourceChoice(to_time, installation)
    with open_backup(source, choice, identity) as (file, label):
        with refuse_unusable(), progress("checking") as show:
            contents = loading.check_file(file, show)
        click.echo(f"{label}: {describe(contents.counts)}, written {contents.at}", err=True)
        if check:
            click.echo("the backup is whole")
            return
        _check_key(contents, data, renew_draws)
        with open_target(data) as url:
            archive_url = find_archive_url(data, make=bool(contents.archived))
            load(url, file, contents, label, archive_url)
            with refuse_unusable():
                if renew_draws:
                    _renew(url, data)
                _renew_chains(url, data)
                _finish(url, not contents.secrets and not _fits(contents, data))
            games, broken = report_audit(url, jobs, archive_url)
    if broken:
        raise Failed(f"restored, but {broken} of {games} games do not hold")
    click.echo("restored")


@contextmanager
def open_backup(
    address: str, choice: SourceChoice, identity: Path | None, work: Path | None = None
) -> Iterator[tuple[BinaryIO, str]]:
    """Yield a backup, decrypted with the keys in a file, and its name; `work` as in `open_source`.

    Raises `Unusable` for a file or a store that `restore` refuses.
    """
    try:
        if identity is not None:
            choice = choice._replace(identities=read_identities(identity))
        with open_source(address, choice, work) as found, found.file.open("rb") as file:
            yield file, found.label
    except (BackupError, OSError) as error:
        raise Unusable(f"{address}: {error}") from error


@contextmanager
def open_target(data: Path) -> Iterator[str]:
    """Yield the address of the store to fill: that in the environment, or one of a new directory.

    Raises `Unusable`, also while a `serve` runs on the directory.
    """
    url = events_url()
    if url:
        yield url
        return
    if url_in_use(data):
        raise Unusable(
            f"`cartulary serve` runs on {data}: stop it, and restore into an empty directory"
        )
    with start_server(data) as started:
        yield started


def load(
    url: str, file: BinaryIO, contents: loading.Contents, label: str, archive_url: str = ""
) -> None:
    """Fill a store and its archive with a checked backup; raises `Unusable`, `BackupError`."""
    if contents.archived and not archive_url:
        held = f"{contents.archived} archived games and tournaments"
        raise Unusable(f"the backup has {held}: set {ARCHIVE_URL}")
    with refuse_unusable():
        store = open_by_url(url, archive_url)
        try:
            loading.begin(store.redis, contents, label, store.registry)
            if contents.archived:
                # An interrupted restore may have noted another archive.
                store.archive_state.forget_identity()
                store.archive_state.claim(store.archive.archive.identify())
            with progress("restoring") as show:
                carrier = Carrier(store.archive)
                loading.load(store.redis, file, contents, show, carrier.add, store.registry)
                carrier.finish()
            with progress("rebuilding") as show:
                rebuild(store, show)
        finally:
            store.close()


def _fits(contents: loading.Contents, data: Path) -> bool:
    """Return whether the key that is found here decrypts the secrets of a backup."""
    return make_keyring(find_keys(data)).knows(contents.key_check)


def _check_key(contents: loading.Contents, data: Path, renew_draws: bool) -> None:
    """Raise `Unusable` when unfinished games would lose their secret without being asked for it."""
    if renew_draws or not contents.secrets or _fits(contents, data):
        return
    raise Unusable(
        f"{contents.secrets} unfinished games have a secret for their draws, and the key that "
        f"decrypts the secrets is not here. Put the key into {VARIABLE} or {data / NAME} (the "
        "directory may hold that file only). When the key is lost, restore with --renew-draws: "
        "these games go on, and their events say that the draws were renewed"
    )


def _renew(url: str, data: Path) -> None:
    """Give the unfinished games whose secret is lost another one, under the key found here."""
    keyring = make_keyring(find_or_make_keys(data))
    store = open_by_url(url, keyring=keyring)
    try:
        with progress("renewing draws") as show:
            done = renew_lost(store, show)
    finally:
        store.close()
    click.echo(f"{len(done.renewed)} games go on with a new secret", err=True)
    if done.lost:
        click.echo(f"{len(done.lost)} games end without their secret", err=True)
    if done.tournaments:
        click.echo(f"{len(done.tournaments)} tournaments are cancelled", err=True)


def _renew_chains(url: str, data: Path) -> None:
    """Void the open rounds of duplicates: what their draws follow from may be known by now."""
    store = open_by_url(url, keyring=make_keyring(find_keys(data)))
    try:
        found = renew_chains(store)
    finally:
        store.close()
    if found:
        click.echo(f"{len(found)} duplicate tournaments go on with new draws", err=True)


def _finish(url: str, forget_key: bool) -> None:
    """Remove the mark of the restore; `forget_key` where no secret needs the noted key."""
    store = open_by_url(url)
    try:
        if forget_key:
            store.registry.delete(keys.key_check())
        loading.end(store.registry)
    finally:
        store.close()
