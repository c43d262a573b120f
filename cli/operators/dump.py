"""`cartulary dump`: the public games of a month as files of open data."""

from __future__ import annotations

from pathlib import Path

import click

from cartulary.cli.operators.store import data_option, open_store
from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.cli.shared.progress import progress
from cartulary.events.archive.errors import ArchiveError
from cartulary.events.dumps.choosing import Month
from cartulary.events.dumps.decisions import is_installed
from cartulary.events.dumps.placing import DumpBusy, DumpExists
from cartulary.events.dumps.writing import DumpUnsettled, DumpWriter


@click.command()
@click.option("--month", required=True, metavar="YYYY-MM", help="The month, of UTC; it is over.")
@click.option(
    "--to",
    "folder",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Make the folder YYYY-MM in this one; CARTULARY_DUMPS publishes it.",
)
@click.option("--again", is_flag=True, help="Write a month again that is there.")
@data_option
def dump(month: str, folder: Path, again: bool, data: Path) -> None:
    """Write the public games of a month whose people have all said yes to open data.

    The service may run meanwhile. A month that is there stays as it is, unless you say --again:
    then it is replaced when the new one is whole, without those who have left since. Exit 1 when
    it is there, when the archive fails, or when nothing can be written: nothing is left then.
    """
    try:
        chosen = Month.parse(month)
    except ValueError:
        raise Unusable(f"--month is a month as 2026-10, not {month!r}") from None
    if not is_installed():
        click.echo(
            "no decisions.parquet without pyarrow: pip install 'cartulary-games[dumps]'", err=True
        )
    try:
        with open_store(data) as store, progress("writing games") as show:
            if store.clock.now_ms() < chosen.ends:
                raise Unusable(f"{month} is not over yet")
            written = DumpWriter(store).write(chosen, folder, show, again)
    except DumpExists as error:
        raise Failed(f"{error}: --again writes it again") from error
    except (DumpBusy, DumpUnsettled, ArchiveError) as error:
        raise Failed(str(error)) from error
    except OSError as error:
        raise Failed(f"nothing is written to {folder}: {error}") from error
    click.echo(f"{folder / chosen.name}: {written.games} games of {written.players} players")
