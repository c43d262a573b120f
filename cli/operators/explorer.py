"""`cartulary explorer build`: count what was played in archived games, by position."""

from __future__ import annotations

from pathlib import Path

import click

from cartulary.cli.operators.store import (
    data_option,
    find_archive_url,
    find_explorer_url,
    open_store,
)
from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.cli.shared.progress import progress
from cartulary.events.archive.errors import ArchiveError


@click.group()
def explorer() -> None:
    """Count what was played in which position, for the explorer."""


@explorer.command()
@data_option
@click.option("--again", is_flag=True, help="Forget what was counted, and count all games again.")
def build(data: Path, again: bool) -> None:
    """Count all games of the archive that are not counted yet.

    The service may run meanwhile, and counts newly archived games by itself. A build that was
    stopped goes on where it was. Exit 1 when the archive or the database of the counts fails.
    """
    url = find_explorer_url(data)
    if not url:
        raise Unusable(
            f"there is no data directory {data} for the counts; set CARTULARY_EXPLORER_URL"
        )
    if not find_archive_url(data):
        raise Unusable("there is no archive yet: `cartulary archive` makes it")
    try:
        with open_store(data) as store, progress("counting games") as show:
            store.explorer.url = url
            book = store.explorer.book
            if again:
                book.clear()
            built = store.explorer.make_builder().build(book, show)
    except ArchiveError as error:
        raise Failed(str(error)) from error
    broken = f", {built.broken} could not be read" if built.broken else ""
    click.echo(f"{built.added} games counted, {built.skipped} do not count{broken}")
