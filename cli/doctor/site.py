"""The installation that the doctor looks at: what its checks ask for, read once and never written.

Nothing is opened before a check asks for it, so what needs no store works without one.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple, Self, TypeVar

from redis import Redis, RedisError
from redis.exceptions import ResponseError

from cartulary.cli.operators.survey import answers, list_reporting
from cartulary.cli.shared.environment import queue_url
from cartulary.cli.shared.errors import Unusable
from cartulary.cli.shared.key_file import find_keys, make_keyring
from cartulary.cli.shared.progress import Show, progress
from cartulary.events.archive.errors import ArchiveError
from cartulary.events.archive.reading import choose_reader
from cartulary.events.model.clock import SYSTEM, Clock
from cartulary.events.server.conditions import is_local
from cartulary.events.server.connection import connect
from cartulary.events.server.format import UnusableStore, check_format, read_level
from cartulary.events.server.heartbeat import Backlog, Sign
from cartulary.events.server.servers import connect_games, find_missing, list_servers
from cartulary.events.settings import read_archive_after
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.settings.environment import Environment
from cartulary.settings.settings import SettingsError
from cartulary.workers.queues.queues import Queues, queues_on

T = TypeVar("T")

WORKS_WITHIN_S: Final = 15.0
"""A web process shows itself every 5 s, all others more often."""


class ServerReport(NamedTuple):
    """What a server says of itself: `INFO`, and its configuration, None where it is hidden.

    `name` says what lies on it; `ahead_ms` is by how much the clock of this machine is ahead of
    that of the server. `local`: it runs on this machine, so that its files are here.
    """

    name: str
    info: Mapping[str, Any]
    config: Mapping[str, str] | None = None
    ahead_ms: int = 0
    local: bool = False


class DiskUse(NamedTuple):
    """A disk: where it was looked at, how many bytes it has and how many are free."""

    path: Path
    total: int
    free: int


def measure_disk(path: Path) -> DiskUse:
    """Return the use of the disk that has a path."""
    found = shutil.disk_usage(path)
    return DiskUse(path, found.total, found.free)


class Site:
    """An installation: the environment of this process, a data directory, and what both name.

    `url` is the address of the store, '' where no `serve` runs on the directory and no variable
    names a store. `whole`: look at everything and not at a sample.
    """

    def __init__(
        self,
        data: Path,
        url: str,
        archive_url: str = "",
        whole: bool = False,
        clock: Clock = SYSTEM,
        disk: Callable[[Path], DiskUse] = measure_disk,
    ) -> None:
        self.data, self.url, self.archive_url = data, url, archive_url
        self.whole, self.clock, self.disk = whole, clock, disk
        self._opened: list[Redis] = []
        self._read: dict[Callable[[Self], Any], Any] = {}
        self.looked_at: dict[str, str] = {}
        """By section: what was looked at besides the settings and signs, for people."""

    def once(self, read: Callable[[Self], T]) -> T:
        """Return what a function reads of this site; several checks judge what is read once."""
        if read not in self._read:
            self._read[read] = read(self)
        found: T = self._read[read]
        return found

    def progress(self, label: str) -> AbstractContextManager[Show]:
        """Return what shows the progress of long work on stderr: only the whole takes long."""
        return progress(label, hidden=not self.whole)

    def find_archive_file(self) -> Path | None:
        """Return the file of the archive, None where it is no file of this machine."""
        # Imported here: SQLAlchemy takes longer than all else, and many have no archive.
        from cartulary.events.archive.database import find_file

        try:
            found = find_file(self.archive_url) if self.archive_url else None
        except ArchiveError:
            return None  # `archive_failing` says what is wrong with the URL
        return None if found is None else Path(found)

    @property
    def environment(self) -> Environment:
        """The settings of this process."""
        return Environment.of_process()

    @cached_property
    def keys(self) -> str:
        """The keys of the draws, '' where none is found or they cannot be read."""
        try:
            return find_keys(self.data)
        except Unusable:
            return ""  # `key_unreadable` or `setting_invalid` says so

    @cached_property
    def store(self) -> Store:
        """The store; nothing is asked yet. Raises `RedisError`, `Unusable`."""
        games, registry = connect_games(self.url, queue_url)
        keyring = make_keyring(self.keys)
        # No migration: a later release looks at the archive of an earlier one and leaves it.
        file = self.find_archive_file()
        is_there = file is None or file.exists()  # SQLite would make a file that is missing
        archive = choose_reader(self.archive_url if is_there else "", migrate=False)
        store = Store(games, OFFERS, keyring=keyring, registry=registry, archive=archive)
        with suppress(SettingsError):  # `setting_invalid` names it
            store.archive_after = read_archive_after(self.environment)
        return store

    @cached_property
    def queue(self) -> Redis:
        """The server of the queues. Raises `Unusable`."""
        url = queue_url()
        if not url or url == self.url:
            return self.store.registry
        self._opened.append(connect(url))
        return self._opened[-1]

    @cached_property
    def queues(self) -> Queues:
        """The queues of the jobs."""
        return queues_on(self.queue)

    @cached_property
    def trouble(self) -> str:
        """Why no server answers, '' where all of them do."""
        if not self.url:
            return "no store is known"
        try:
            for one in (self.store.redis, self.store.registry, self.queue):
                one.ping()
        except (RedisError, Unusable) as error:
            return str(error)
        return ""

    @cached_property
    def level(self) -> int:
        """The format level of the store, 0 without one. Raises `RedisError`."""
        return read_level(self.store.registry)

    @cached_property
    def unusable(self) -> UnusableStore | None:
        """Why this release may not work on the store, None where it may. Raises `RedisError`."""
        try:
            check_format(self.store.registry)
        except UnusableStore as error:
            return error
        return None

    @cached_property
    def servers(self) -> list[ServerReport]:
        """What each server says of itself, each once. Raises `RedisError`."""
        named: dict[str, tuple[list[str], Redis]] = {}
        for name, server in self._name_servers():
            run_id = str(server.info("server").get("run_id"))
            named.setdefault(run_id, ([], server))[0].append(name)
        return [self._ask(" and ".join(names), server) for names, server in named.values()]

    def _name_servers(self) -> Iterator[tuple[str, Redis]]:
        has_holes = bool(find_missing(self.store.redis))
        for server in list_servers(self.store.redis):
            if not has_holes or answers(server):  # `slots_missing` says what is away
                yield "the server of the games", server
        yield "the registry", self.store.registry
        yield "the server of the queues", self.queue

    def _ask(self, name: str, server: Redis) -> ServerReport:
        info: Any = server.info()
        before = self.clock.now_ms()
        time: Any = server.time()
        between = (before + self.clock.now_ms()) // 2
        ahead_ms = between - (1000 * time[0] + time[1] // 1000)
        return ServerReport(name, info, read_config(server), ahead_ms, is_local(server))

    @cached_property
    def signs(self) -> list[Sign]:
        """The processes that work. Raises `RedisError`."""
        found = list_reporting(self.store, self.queue)
        return [one for one in found if one.silent_s <= WORKS_WITHIN_S or one.name in OF_JOBS]

    @cached_property
    def backlog(self) -> Backlog | None:
        """What the dispatcher has reported last, None without a report. Raises `RedisError`."""
        return self.store.heartbeats.read()

    def close(self) -> None:
        """Close all connections."""
        if "store" in self.__dict__:
            self.store.close()
        for one in self._opened:
            one.close()


OF_JOBS: Final = ("fast", "worker")
"""A worker shows nothing while it runs a job, which takes 30 s at most."""


def read_config(server: Redis) -> dict[str, str] | None:
    """Return the configuration of a server; None where a service of others refuses to show it."""
    try:
        found: Any = server.config_get("*")
    except ResponseError:
        return None
    return dict(found)
