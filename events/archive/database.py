"""The database of the archive: SQLite by default, PostgreSQL where one machine is not enough.

A game in the archive is no longer in the store, so a commit waits for the disk: SQLite writes ahead
with `synchronous=FULL`, PostgreSQL does by default. Each write takes the lock of SQLite before it
reads (`BEGIN IMMEDIATE`), because a transaction that reads first cannot always write later.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from cartulary.events.archive.errors import (
    ArchiveFull,
    ArchiveReadOnly,
    ArchiveUnavailable,
    InvalidArchiveUrl,
)

DRIVERS: Final = {
    "sqlite": "sqlite+pysqlite",
    "sqlite+pysqlite": "sqlite+pysqlite",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}
"""The names of databases that a URL may begin with, and the driver of each."""

BUSY_S: Final = 30
"""How long a write waits for the writes of other processes."""

CONNECT_S: Final = 5
STATEMENT_MS: Final = 60_000
"""After this time PostgreSQL gives a statement up."""

PAUSE_S: Final = 1.0
"""After a failed attempt to connect, requests fail at once for this long, without waiting."""

_SQLITE_FULL, _SQLITE_READONLY = 13, 8
_POSTGRESQL_FULL: Final = ("53100", "53400")
_POSTGRESQL_READONLY: Final = ("25006", "42501")
_PASSWORDS: Final = ("password", "sslpassword")
_MIGRATION_LOCK: Final = 0x63617274756C
"""The number of PostgreSQL's advisory lock: the letters `cartul`."""


def read_url(url: str) -> URL:
    """Return the URL of a database with its driver. Raises `InvalidArchiveUrl`."""
    try:
        found = make_url(url)
        driver = DRIVERS[found.drivername]
    except (ArgumentError, KeyError, ValueError):
        raise InvalidArchiveUrl(
            "the URL of the archive is neither sqlite:///PATH nor postgresql+psycopg://HOST/NAME"
        ) from None
    if driver.startswith("sqlite") and found.database in (None, "", ":memory:"):
        raise InvalidArchiveUrl("the archive needs a file: sqlite:///PATH")
    return found.set(drivername=driver)


def find_file(url: str) -> str | None:
    """Return the path of the file of SQLite that a URL names, None for another database.

    Raises `InvalidArchiveUrl`.
    """
    found = read_url(url)
    return _find_file(found) if found.get_backend_name() == "sqlite" else None


def show(url: URL) -> str:
    """Return a URL without its passwords; the driver takes them from the query as well."""
    hidden = {name: "***" for name in url.query if name in _PASSWORDS}
    return url.update_query_dict(hidden).render_as_string(hide_password=True)


class Database:
    """The database behind a URL. Thread-safe; connects when it is first used."""

    def __init__(self, url: str) -> None:
        """Read a URL; connects later.

        Raises `InvalidArchiveUrl`, and `ArchiveUnavailable` where the driver is not installed.
        """
        self._url = read_url(url)
        self.name = show(self._url)
        """The URL without its password."""
        self.is_sqlite = self._url.get_backend_name() == "sqlite"
        self._engine = self._make_engine()
        self._retry_at, self._said = 0.0, ""
        self._file = _find_file(self._url) if self.is_sqlite else None
        self._inode: tuple[int, int] | None = None
        self.must_exist = False
        """Whether a file that is missing is an error; else SQLite makes the file."""
        self.judge: Callable[[Connection], object] = lambda _connection: None
        """Checks each transaction at its begin; may raise `ArchiveError`."""

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a connection whose transaction only reads, all of it as of one moment.

        Raises `ArchiveUnavailable`.
        """
        with self._translate(), self._connect() as connection:
            if not self.is_sqlite:
                # Else a game that is replaced between two statements would look damaged.
                connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                self.judge(connection)
                yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Yield a connection whose transaction is committed at the end, or not at all.

        Raises `ArchiveUnavailable`, `ArchiveReadOnly`, `ArchiveFull`.
        """
        with self._translate(), self._connect() as connection:
            connection.execution_options(writes=True)
            with connection.begin():
                self.judge(connection)
                yield connection

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """Yield a connection as `writing`; other processes that migrate wait until its end."""
        if self.is_sqlite:
            # Outside of a transaction, which cannot change the mode; the file keeps the mode.
            with self._translate(), self._connect() as connection:
                connection.connection.cursor().execute("PRAGMA journal_mode=WAL")
        with self.writing() as connection:
            if not self.is_sqlite:
                lock = text("SELECT pg_advisory_xact_lock(:lock)")
                connection.execute(lock, {"lock": _MIGRATION_LOCK})
            yield connection

    def _make_engine(self) -> Engine:
        try:
            engine = create_engine(
                self._url,
                pool_timeout=CONNECT_S,
                pool_pre_ping=not self.is_sqlite,
                connect_args={"timeout": BUSY_S} if self.is_sqlite else _list_options(self._url),
            )
        except (ImportError, NoSuchModuleError) as error:
            raise ArchiveUnavailable(
                f"the driver of {self.name} is not installed ({error}): install the extra"
                " `postgres`"
            ) from error
        if self.is_sqlite:
            event.listen(engine, "connect", _prepare_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
        return engine

    def _connect(self) -> Connection:
        """Return a connection; raises `ArchiveUnavailable` while the last failure is recent."""
        if monotonic() < self._retry_at:
            raise ArchiveUnavailable(self._said)
        if self._file is not None:
            self._check_file(self._file)
        try:
            return self._engine.connect()
        except SQLAlchemyError as error:
            self._said = self._describe(error)
            self._retry_at = monotonic() + PAUSE_S
            raise

    def _check_file(self, file: str) -> None:
        """Connect again when the file has another place on the disk than before.

        SQLite goes on with a file that was removed or replaced: what is written there is lost.
        Raises `ArchiveUnavailable`.
        """
        try:
            found = os.stat(file)
        except OSError as error:
            inode = None
            if self.must_exist:
                raise ArchiveUnavailable(
                    f"the archive {self.name} does not work: {error}"
                ) from error
        else:
            inode = found.st_dev, found.st_ino
        if inode != self._inode:
            self._engine.dispose()
            self._inode = inode

    @contextmanager
    def _translate(self) -> Iterator[None]:
        """Raise what an error of the database means."""
        try:
            yield
        except (SQLAlchemyError, sqlite3.Error) as error:
            cause = error.orig if isinstance(error, DBAPIError) else error
            raise _choose(cause)(self._describe(error)) from error

    def _describe(self, error: Exception) -> str:
        """Say what has happened, without the statement, its values and the password."""
        cause = error.orig if isinstance(error, DBAPIError) else error
        lines = str(cause).strip().splitlines() or [type(cause).__name__]
        return f"the archive {self.name} does not work: {lines[0]}"


def _find_file(url: URL) -> str:
    """Return the path of the file of SQLite, which may be a URI."""
    path = url.database or ""
    return unquote(urlsplit(path).path) if path.startswith("file:") else path


def _list_options(url: URL) -> dict[str, Any]:
    """Return the arguments of a connection to PostgreSQL; options of the URL are kept."""
    options = url.query.get("options", "")
    given = options if isinstance(options, str) else " ".join(options)
    return {
        "connect_timeout": CONNECT_S,
        "application_name": "cartulary",
        "options": f"-c statement_timeout={STATEMENT_MS} {given}".strip(),
    }


def _prepare_sqlite(connection: Any, _record: object) -> None:
    """Set a new connection of SQLite up; sqlite3 itself must not begin transactions then."""
    connection.isolation_level = None
    # Else one damaged text would spoil every row that is read with it.
    connection.text_factory = lambda text: text.decode(errors="replace")
    cursor = connection.cursor()
    for pragma in ("synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _choose(cause: BaseException | None) -> type[ArchiveUnavailable]:
    """Return the error that the error of a driver is."""
    code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
    state = getattr(cause, "sqlstate", None)
    if code == _SQLITE_FULL or state in _POSTGRESQL_FULL:
        return ArchiveFull
    if code == _SQLITE_READONLY or state in _POSTGRESQL_READONLY:
        return ArchiveReadOnly
    return ArchiveUnavailable
