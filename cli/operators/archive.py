"""`cartulary archive` and `cartulary unarchive`: move what is over to the archive, and back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click

from cartulary.cli.operators.store import data_option, find_archive_url, open_store
from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.cli.shared.progress import progress
from cartulary.events.archive.errors import ArchiveError
from cartulary.events.archiving.batches import BatchArchiver, Done
from cartulary.events.archiving.tending import tend_archive
from cartulary.events.lists.waiting import WaitingForArchive
from cartulary.events.model.errors import NotFound
from cartulary.events.model.failures import BrokenHistory
from cartulary.events.settings import ARCHIVE_AFTER_S
from cartulary.events.store import Store


@click.command()
@data_option
@click.option("--now", is_flag=True, help="Archive everything that is over, however recently.")
@click.option("--dry", is_flag=True, help="Say how much would be archived; change nothing.")
def archive(data: Path, now: bool, dry: bool) -> None:
    """Move finished games, and tournaments that have ended, from the store to the archive.

    The service may run meanwhile, and does the same by itself. A game that was written to within
    the last minute stays. Exit 1 when the archive does not take them: they stay in the store.
    """
    with open_archive(data) as store:
        seconds = ARCHIVE_AFTER_S if store.archive_after is None else store.archive_after
        before = store.clock.now_ms() - (0 if now else 1000 * seconds)
        lines = []
        if not dry:
            level = store.commands.writer.level.read()
            tend_archive(store.archive, level, store.clock.now_ms())
        for kind in list_kinds(store):
            total = kind.waiting.count_before(before)
            done = Done(total) if dry else archive_all(kind, before, total)
            if kind.name == "game" or done.looked_at:
                lines.append(_describe(kind.name, done, dry))
    for line in lines:
        click.echo(line)


class Kind(NamedTuple):
    """What is archived: its name, what of it waits, and what archives it."""

    name: str
    waiting: WaitingForArchive
    archiver: BatchArchiver[Any]


def list_kinds(store: Store) -> list[Kind]:
    """Return what goes into the archive of a store."""
    tournaments = store.tournaments
    return [
        Kind("game", store.projections.finished, store.make_archiver()),
        Kind("tournament", tournaments.lists.ended, tournaments.make_archiver()),
    ]


def _describe(name: str, done: Done, dry: bool) -> str:
    if dry:
        return f"{done.archived} {name}s would be archived"
    left = f", {done.left} stay in the store for now" if done.left else ""
    return f"{done.archived} {name}s archived{left}"


def archive_all(kind: Kind, before: int, total: int) -> Done:
    """Archive what ended before a moment (ms since the epoch), of which there are `total`."""
    archiver, done = kind.archiver, Done()
    archiver.check()
    with progress(f"archiving {kind.name}s") as show:
        while done.looked_at < total and (batch := archiver.run(before)).looked_at:
            done = done.add(batch)
            show(min(done.looked_at, total), total)
    return done


@click.command()
@click.argument("id_", metavar="ID")
@data_option
def unarchive(id_: str, data: Path) -> None:
    """Bring the game or the tournament ID back from the archive to the store.

    It is archived again when it has stayed there as long as after its end. Exit 1 when it is not in
    the archive.
    """
    with open_archive(data) as store:
        if store.archive.heads([id_]):
            store.bringing_back.unarchive(id_)
        elif store.tournaments.streams.archived.heads([id_]):
            store.tournaments.bringing_back.unarchive(id_)
        else:
            raise Failed(f"{id_} is not in the archive")
    click.echo(f"{id_} is back in the store")


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
