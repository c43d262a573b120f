"""`cartulary rebuild` and `cartulary audit`: compute projections again, verify streams."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from redis import RedisError

from cartulary.cli.datadir import DEFAULT, DataDir, url_in_use
from cartulary.cli.environment import events_url
from cartulary.cli.errors import Failed, Unusable
from cartulary.cli.progress import progress
from cartulary.cli.valkey import start_valkey
from cartulary.events import rebuild as rebuilding
from cartulary.events.errors import NewerStore
from cartulary.events.settings import Settings
from cartulary.events.store import Store
from cartulary.games import OFFERS

data_option = click.option(
    "--data",
    default=DEFAULT,
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Data directory of `serve`, used unless CARTULARY_EVENTS_URL is set.",
)


@contextmanager
def open_store(data: Path) -> Iterator[Store]:
    """Yield the ledger: of the server in the environment, of a running `serve`, or of a directory.

    Raises `Unusable` when the directory is missing, the address is invalid or no server answers.
    """
    with _events_url(data) as url:
        store = Store.open(Settings(url, url), OFFERS)
        try:
            store.inspect()
            yield store
        except RedisError as error:
            raise Unusable(f"the events server does not answer: {error}") from error
        except NewerStore as error:
            raise Unusable(str(error)) from error
        finally:
            store.close()


def _report(line: str) -> None:
    """Write a line about the loading of the data for the operator."""
    click.echo(f"the store loads its data: {line}", err=True)


@contextmanager
def _events_url(data: Path) -> Iterator[str]:
    url = events_url() or url_in_use(data)
    if url:
        yield url
        return
    if not data.is_dir():
        raise Unusable(
            f"there is no data directory {data}; name it with --data or set CARTULARY_EVENTS_URL"
        )
    with DataDir(data) as data_dir:
        valkey = start_valkey(data_dir.path, _report)
        try:
            yield str(valkey.url)
        finally:
            valkey.stop()


@click.command()
@data_option
def rebuild(data: Path) -> None:
    """Compute projections and snapshots again.

    Deletes all of them and computes them from the streams; the service may run meanwhile. Exit 1
    when a game is unreadable: `audit` says why.
    """
    with open_store(data) as store, progress("rebuilding") as show:
        broken = rebuilding.rebuild(store, show)
    for game_id in broken:
        click.echo(f"{game_id}: cannot be rebuilt")
    if broken:
        raise Failed(f"{len(broken)} games cannot be rebuilt; `cartulary audit` says why")
    click.echo("rebuilt")


@click.command()
@data_option
def audit(data: Path) -> None:
    """Verify every stored game.

    Checks legality, versions, state hashes and results, and lists the problems. Exit 1 when there
    is a problem.
    """
    games = broken = 0
    with open_store(data) as store, progress("auditing") as show:
        for report in store.audit.all(show):
            games += 1
            broken += not report.valid
            for found in report.problems:
                where = f"{report.game_id}, version {found['version']}"
                click.echo(f"{where}: {found['problem']}: {found['detail']}")
    click.echo(f"{games - broken} of {games} games hold")
    if broken:
        raise Failed(f"{broken} of {games} games do not hold")
