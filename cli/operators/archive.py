"""`cartulary archive` and `cartulary unarchive`: move finished games to the archive, and back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from cartulary.cli.operators.store import data_option, find_archive_url, open_store
from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.cli.shared.progress import progress
from cartulary.events.archive.errors import ArchiveError
from cartulary.events.archiving.archiver import Done
from cartulary.events.model.errors import NotFound
from cartulary.events.model.failures import BrokenHistory
from cartulary.events.settings import ARCHIVE_AFTER_S
from cartulary.events.store import Store


@click.command()
@data_option
@click.option("--now", is_flag=True, help="Archive every game that is over, however recently.")
@click.option("--dry", is_flag=True, help="Say how many games would be archived; change nothing.")
def archive(data: Path, now: bool, dry: bool) -> None:
    """Move finished games from the store to the archive.

    The service may run meanwhile, and does the same by itself. A game that was written to within
    the last minute stays. Exit 1 when the archive does not take the games: they stay in the store.
    """
    with open_archive(data) as store:
        seconds = ARCHIVE_AFTER_S if store.archive_after is None else store.archive_after
        before = store.clock.now_ms() - (0 if now else 1000 * seconds)
        total = store.projections.finished.count_before(before)
        if dry:
            click.echo(f"{total} games would be archived")
            return
        done = archive_all(store, before, total)
    left = f", {done.left} stay in the store for now" if done.left else ""
    click.echo(f"{done.archived} games archived{left}")


def archive_all(store: Store, before: int, total: int) -> Done:
    """Archive games that ended before a moment (ms since the epoch), of which there are `total`."""
    archiver, done = store.make_archiver(), Done()
    archiver.check()
    with progress("archiving") as show:
        while done.looked_at < total and (batch := archiver.run(before)).looked_at:
            done = done.add(batch)
            show(min(done.looked_at, total), total)
    return done


@click.command()
@click.argument("game")
@data_option
def unarchive(game: str, data: Path) -> None:
    """Bring GAME back from the archive to the store.

    It is archived again when it has stayed there as long as a game after its end. Exit 1 when it is
    not in the archive.
    """
    with open_archive(data) as store:
        if not store.archive.heads([game]):
            raise Failed(f"{game} is not in the archive")
        store.bringing_back.unarchive(game)
    click.echo(f"{game} is back in the store")


@contextmanager
def open_archive(data: Path) -> Iterator[Store]:
    """Yield a ledger with an archive. Raises `Unusable`, and `Failed` when the archive fails."""
    if not find_archive_url(data, make=True):
        raise Unusable(
            f"there is no data directory {data} for the archive; set CARTULARY_ARCHIVE_URL"
        )
    try:
        with open_store(data, archive=True) as store:
            yield store
    except ArchiveError as error:
        raise Failed(str(error)) from error
    except (NotFound, BrokenHistory) as error:
        raise Failed(str(error)) from error
