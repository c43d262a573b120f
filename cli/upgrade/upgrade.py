"""`cartulary upgrade --rehearse`: try an upgrade on a copy, and change nothing."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import click

from cartulary.cli.backups.restore import source_options
from cartulary.cli.backups.sources import SourceChoice
from cartulary.cli.operators.store import (
    data_option,
    find_archive_url,
    inspect,
    jobs_option,
    open_by_url,
    open_server,
    refuse_unusable,
)
from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.cli.upgrade.copying import LIVE, Copied, copy_backup, copy_live
from cartulary.cli.upgrade.rehearsal import Rehearsal, rehearse
from cartulary.cli.upgrade.report import describe, write_lines
from cartulary.cli.upgrade.scratch import open_scratch
from cartulary.events.backup.targets.opening import is_target


@click.command()
@click.option(
    "--rehearse",
    "of",
    metavar="BACKUP|live",
    help="Read this backup, or the live store, with this release in a store next to it.",
)
@data_option
@jobs_option
@source_options
@click.option(
    "--scratch",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="Where the copy may be; it needs room.",
)
@click.option("--json", "as_json", is_flag=True, help="Write the report as JSON.")
def upgrade(
    of: str | None,
    data: Path,
    jobs: int,
    identity: Path | None,
    installation: str,
    scratch: Path | None,
    as_json: bool,
) -> None:
    """Say what an upgrade to this release will do, tried on a copy.

    BACKUP is what `cartulary restore` takes: a file, a backup in a bucket, or a folder or
    s3://BUCKET/PREFIX, whose newest proven backup is taken with what was shipped after it.
    Folds every game, tournament and study, compares the hash of each state and the stored
    summaries, says how long the upgrade takes on this machine and what cannot be undone. Nothing is
    changed, and nothing is left behind. Exit 1 when a game, a tournament or a study does not hold
    or a summary differs, 2 when there is nothing to read: a damaged backup, one of a newer release,
    a store that does not answer.

    The upgrade itself needs no command: exchange the processes (docs/operating/upgrades.md).
    """
    if of is None:
        raise Unusable("name what to rehearse: `cartulary upgrade --rehearse BACKUP` or `… live`")
    with _refuse_stop():
        copied, found = (
            _rehearse_live(data, jobs, scratch)
            if of == LIVE
            else _rehearse_backup(of, SourceChoice(None, installation), identity, jobs, scratch)
        )
    report = describe(copied, found)
    if as_json:
        click.echo(json.dumps(report, indent=2))
    else:
        for line in write_lines(report):
            click.echo(line)
    if not found.holds:
        raise Failed("this release does not read all of it as it was written")


def _rehearse_backup(
    source: str, choice: SourceChoice, identity: Path | None, jobs: int, within: Path | None
) -> tuple[Copied, Rehearsal]:
    if not (is_target(source) or Path(source).exists()):
        raise Unusable(f"{source}: there is no such backup")
    with open_scratch(within) as scratch, _refuse_broken():
        return copy_backup(source, scratch, choice, identity), rehearse(scratch, jobs)


def _rehearse_live(data: Path, jobs: int, within: Path | None) -> tuple[Copied, Rehearsal]:
    with open_server(data) as url:
        inspect(url)
        # Without the archive, which would be migrated where it is opened.
        live = open_by_url(url)
        try:
            with open_scratch(within) as scratch, _refuse_broken():
                copied = copy_live(live, find_archive_url(data), scratch)
                return copied, rehearse(scratch, jobs, live)
        finally:
            live.close()


@contextmanager
def _refuse_broken() -> Iterator[None]:
    """Turn what may end a rehearsal into a word."""
    try:
        with refuse_unusable():
            yield
    except BrokenExecutor as error:
        raise Failed("a process that folds was killed; try again with --jobs 1") from error
    except OSError as error:
        raise Failed(f"the rehearsal cannot go on: {error}") from error


@contextmanager
def _refuse_stop() -> Iterator[None]:
    """End at Ctrl-C and SIGTERM in order: the copy is removed."""
    before = signal.signal(signal.SIGTERM, _stop)
    try:
        yield
    except KeyboardInterrupt:
        raise Failed("stopped: nothing was changed, and nothing is left behind") from None
    finally:
        signal.signal(signal.SIGTERM, before)


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
