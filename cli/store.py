"""`cartulary rebuild` and `cartulary audit`: what is stored, made anew or verified."""

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
    """Yield the ledger: of the server that is set, of a running `serve`, or of its directory.

    Raises `Unusable` when there is none, or when its address is none or no server answers there.
    """
    with _events_url(data) as url:
        store = Store.open(Settings(url, url), OFFERS)
        try:
            store.ping()
            yield store
        except RedisError as error:
            raise Unusable(f"the events server does not answer: {error}") from error
        finally:
            store.close()


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
        valkey = start_valkey(data_dir.path)
        try:
            yield str(valkey.url)
        finally:
            valkey.stop()


@click.command()
@data_option
def rebuild(data: Path) -> None:
    """Make projections and snapshots anew.

    All of them are thrown away and made again from the streams, also while the service runs.
    Exit 1 when a game cannot be read: `audit` says why.
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
    """Verify every stored game anew.

    Checks legality, versions, state hashes and results, and lists what does not hold. Exit 1
    when there is anything.
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
