"""`cartulary rebuild` and `cartulary audit`: compute projections again, verify streams."""

from __future__ import annotations

import os
import pwd
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import click
from redis import RedisError

from cartulary.cli.processes.valkey import start_valkey
from cartulary.cli.shared.data_directory import DEFAULT, DataDir, is_directory, url_in_use
from cartulary.cli.shared.environment import (
    ARCHIVE_FILE,
    EXPLORER_FILE,
    events_url,
    queue_url,
    read_setting,
)
from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.cli.shared.progress import progress
from cartulary.events.archive.errors import ArchiveError
from cartulary.events.archive.reading import choose_reader
from cartulary.events.draws.keyring import Keyring
from cartulary.events.model.types import Json
from cartulary.events.server.format import UnusableStore
from cartulary.events.server.servers import connect_games
from cartulary.events.settings import read_archive_after
from cartulary.events.store import Store
from cartulary.events.upkeep import rebuild as rebuilding
from cartulary.events.upkeep.auditing import audit_all, verify_studies, verify_tournaments
from cartulary.games import OFFERS
from cartulary.settings.environment import Environment
from cartulary.settings.settings import SettingsError

data_option = click.option(
    "--data",
    default=DEFAULT,
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Data directory of `serve`, used unless CARTULARY_EVENTS_URL is set.",
)


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


jobs_option = click.option(
    "--jobs",
    default=count_cores,
    show_default="one for each core",
    type=click.IntRange(1, 256),
    help="Number of processes that audit.",
)


def open_by_url(url: str, archive_url: str = "", keyring: Keyring | None = None) -> Store:
    """Return the ledger of a server; unlike `open_store`, this checks nothing.

    Next to a cluster everything that belongs to no game is on the server of the queues. `keyring`
    is by default that of the environment.
    """
    games, registry = connect_games(url, queue_url)
    archive = choose_reader(archive_url)
    store = Store(games, OFFERS, keyring=keyring, registry=registry, archive=archive)
    store.archive_after = read_archive_after(Environment.of_process())
    return store


def find_archive_url(data: Path, make: bool = False) -> str:
    """Return the address of the archive: that in the environment, or the file in a directory.

    Without `make` only a file that exists: to read games must not make a file. '' for no archive.
    """
    url = read_setting("ARCHIVE_URL")
    file = data.absolute() / ARCHIVE_FILE
    if url or not is_directory(data) or not (make or file.exists()):
        return url
    return f"sqlite:///{file}"


def find_explorer_url(data: Path) -> str:
    """Return where the counts of the explorer are: as in the environment, or in a directory.

    '' for no explorer.
    """
    url = read_setting("EXPLORER_URL")
    if url or not is_directory(data):
        return url
    return f"sqlite:///{data.absolute() / EXPLORER_FILE}"


@contextmanager
def open_store(
    data: Path, archive: bool = False, keyring: Keyring | None = None, running: bool = False
) -> Iterator[Store]:
    """Yield the ledger: of the server in the environment, of a running `serve`, or of a directory.

    Raises `Unusable` when the directory is missing, the address is invalid, no server answers, or
    this release may not work on the store. `archive`: make the archive of the directory if missing.
    `keyring`: for what ends games that have secret draws; by default that of the environment.
    `running` as for `open_server`.
    """
    with open_server(data, running) as url, refuse_unusable():
        store = open_by_url(url, find_archive_url(data, archive), keyring)
        try:
            store.inspect()
            yield store
        finally:
            store.close()


def inspect(url: str) -> None:
    """Raise `Unusable` when no server answers, or this release may not work on its store."""
    with refuse_unusable():
        store = open_by_url(url)
        try:
            store.inspect()
        finally:
            store.close()


@contextmanager
def refuse_unusable() -> Iterator[None]:
    """Turn what is wrong with a server or a store into `Unusable`."""
    try:
        yield
    except RedisError as error:
        raise Unusable(f"the events server does not answer: {error}") from error
    except (UnusableStore, SettingsError) as error:
        raise Unusable(str(error)) from error
    except ArchiveError as error:
        raise Failed(str(error)) from error


def _report(line: str) -> None:
    """Write a line about the loading of the data for the operator."""
    click.echo(f"the store loads its data: {line}", err=True)


@contextmanager
def open_server(data: Path, running: bool = False) -> Iterator[str]:
    """Yield the address of the events server, which is started when no `serve` runs on `data`.

    With `running` it is not started: the directory is left to a `serve` that starts meanwhile.
    Raises `Unusable`.
    """
    url = events_url() or url_in_use(data)
    if url:
        yield url
        return
    if running:
        raise Unusable(f"nothing changes while no `cartulary serve` runs on {data}: start it first")
    if not is_directory(data):
        raise Unusable(
            f"there is no data directory {data}; name it with --data or set CARTULARY_EVENTS_URL"
        )
    with start_server(data) as url:
        yield url


def _refuse_root(data: Path) -> None:
    """Raise `Unusable` where root would leave files that the user of the service cannot write."""
    if os.geteuid() != 0 or not is_directory(data) or (owner := data.stat().st_uid) == 0:
        return
    try:
        name = pwd.getpwuid(owner).pw_name
    except KeyError:
        name = f"#{owner}"
    raise Unusable(
        f"{data} belongs to {name}, and no `cartulary serve` runs on it: run the command as that "
        f"user (runuser -u {name} -- …)"
    )


@contextmanager
def start_server(data: Path) -> Iterator[str]:
    """Start the embedded server of a directory, which is made when missing; yield its address.

    Raises `Unusable`, also when another process holds the directory or it is that of another user.
    """
    _refuse_root(data)
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
@jobs_option
def audit(data: Path, jobs: int) -> None:
    """Verify every stored game.

    Checks legality, versions, state hashes and results, and lists the problems in the order of the
    ids of the games. Exit 1 when there is a problem.
    """
    with open_server(data) as url:
        inspect(url)
        games, broken = report_audit(url, jobs, find_archive_url(data))
    if broken:
        raise Failed(f"{broken} of {games} games do not hold")


def report_audit(url: str, jobs: int, archive_url: str = "") -> tuple[int, int]:
    """Audit all games, tournaments and studies of a server and write the problems to stdout.

    Returns how many games there are, and how many games, tournaments and studies do not hold.
    Raises `Unusable`, and `Failed` when a process that audits is killed.
    """
    games = broken = 0
    with refuse_unusable(), progress("auditing") as show:
        try:
            for report in audit_all(partial(open_by_url, url, archive_url), jobs, show):
                games += 1
                broken += not report.valid
                for found in report.problems:
                    where = f"{report.game_id}, version {found['version']}"
                    click.echo(f"{where}: {found['problem']}: {found['detail']}")
        except BrokenExecutor as error:
            raise Failed("a process that audits was killed; try again with --jobs 1") from error
    click.echo(f"{games - broken} of {games} games hold")
    broken += _report_streams(url, archive_url, ("study", "studies"), verify_studies)
    names = ("tournament", "tournaments")
    return games, broken + _report_streams(url, archive_url, names, _verify_tournaments)


def _report_streams(
    url: str,
    archive_url: str,
    names: tuple[str, str],
    verify: Callable[[Store], Iterator[tuple[str, list[Json]]]],
) -> int:
    """Verify all streams of a kind; write the problems to stdout, and return how many do not hold.

    `names` are those of one stream and of several, `verify` yields the id and the problems of each.
    """
    found = broken = 0
    with refuse_unusable():
        store = open_by_url(url, archive_url)
        try:
            for stream_id, problems in verify(store):
                found += 1
                broken += bool(problems)
                for fault in problems:
                    where = f"{names[0]} {stream_id}, version {fault['version']}"
                    click.echo(f"{where}: {fault['problem']}: {fault['detail']}")
        finally:
            store.close()
    if found:
        click.echo(f"{found - broken} of {found} {names[1]} hold")
    return broken


def _verify_tournaments(store: Store) -> Iterator[tuple[str, list[Json]]]:
    return ((id_, report.problems) for id_, report in verify_tournaments(store))
