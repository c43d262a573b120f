"""The partitions of the games in PostgreSQL: one for each month in which games were opened.

SQLite has one table, and every release with schema 0005 works with both. The partitions come once
no process of an earlier release runs (`events.server.format`), because an earlier release opens no
newer schema. The steps of `Partitions.tend` are transactions, each of which finds out by itself
what is left to do: a process that is killed between two of them leaves an archive that works.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy import Connection, text

from cartulary.events.archive.database import Database
from cartulary.events.archive.errors import ArchiveUnavailable
from cartulary.events.archive.schema import upgrade
from cartulary.events.archive.tables import BY_MONTHS
from cartulary.events.model.time.months import (
    END,
    SLACK_MS,
    choose_first_bound,
    find_month,
    find_month_of,
    make_bound,
    name_partition,
)

logger = logging.getLogger(__name__)

AHEAD: Final = 2
"""Months after this one whose partitions are made before a game needs them."""

LOCK_MS: Final = 3_000
"""So long a change of the tables waits for its lock. Who comes meanwhile waits behind it, so a dump
that takes hours must not hold up all reads: the change is tried again later."""

_CHECK: Final = "games_before_bound"
_BOUND: Final = re.compile(r"FROM \(MINVALUE\) TO \('([^']*)'\)")

_IS_PARTITIONED: Final = text("SELECT relkind = 'p' FROM pg_class WHERE oid = 'games'::regclass")
_LIST: Final = text(
    "SELECT relname, pg_get_expr(relpartbound, pg_class.oid) AS bounds FROM pg_inherits"
    " JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = 'games'::regclass"
)
_WEIGH: Final = text("SELECT pg_relation_size('games')")
_FIND_CHECK: Final = text(
    "SELECT obj_description(oid, 'pg_constraint') AS bound, convalidated FROM pg_constraint"
    f" WHERE conrelid = 'games'::regclass AND conname = '{_CHECK}'"
)
_IS_REFERENCE_CHECKED: Final = text(
    "SELECT convalidated FROM pg_constraint"
    " WHERE conrelid = 'people'::regclass AND conname = 'fk_people_game_id'"
)


class Partitions:
    """Makes the partitions of an archive. Thread-safe. On SQLite every method does nothing.

    All methods raise `ArchiveUnavailable`; nothing is half done then.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._made: set[int] = set()
        self._told = False

    def provide(self, ids: Iterable[str]) -> None:
        """Make the partitions that games with these ids need, before they are written."""
        if not self._database.is_sqlite:
            self._provide({find_month(one) for one in ids})

    def tend(self, now: int, largest: float) -> None:
        """Make the partitions of the coming months, at `now` in ms since the epoch.

        One table of up to `largest` bytes, without what lies in TOAST, becomes the first partition
        (-1: no table). That takes as long as a look at each id.
        """
        if self._database.is_sqlite or self._made >= _list_coming(now):
            return
        with self._database.reading() as connection:
            is_partitioned = _is_partitioned(connection)
            size = connection.execute(_WEIGH).scalar_one()
        if not is_partitioned:
            if size > largest:
                self._tell(size, largest)
                return
            self._divide(now)
        self._check_reference()
        self._provide(_list_coming(now))

    def _tell(self, size: int, largest: float) -> None:
        """Say once that a table is too large for the process that tends the archive."""
        if largest >= 0 and not self._told:
            self._told = True
            logger.warning(
                "%s has one table of %d bytes: `cartulary archive` gives it partitions",
                *(self._database.name, size),
            )

    def _provide(self, months: set[int]) -> None:
        wanted = months - self._made
        if not wanted:
            return
        with self._database.reading() as connection:
            if not _is_partitioned(connection):
                return
            missing = _find_missing(connection, wanted)
        if missing:
            with self._changing() as connection:
                for month in sorted(_find_missing(connection, wanted)):
                    _make_partition(connection, month)
        self._made |= wanted

    @contextmanager
    def _changing(self) -> Iterator[Connection]:
        """Yield a connection as `Database.migrating`, which waits for no lock for long."""
        with self._database.migrating() as connection:
            connection.execute(text(f"SET LOCAL lock_timeout = {LOCK_MS}"))
            connection.execute(text("SET LOCAL statement_timeout = 0"))
            yield connection

    # -- one table becomes the first partition ----------------------------------------------------

    def _divide(self, now: int) -> None:
        """Make the table the first partition, after its ids were looked at.

        They are looked at under a lock that lets others read and write.
        """
        with self._changing() as connection:
            _bound_ids(connection, now)
        try:
            with self._changing() as connection:
                _check_bound(connection)
        except ArchiveUnavailable:
            with self._changing() as connection:
                _drop_bound(connection)
            raise
        with self._changing() as connection:
            upgrade(connection, BY_MONTHS)
        logger.info("the games of the archive have a partition for each month from now on")

    def _check_reference(self) -> None:
        """Note that the people are people of games that are there: the migration has not looked."""
        with self._database.reading() as connection:
            is_checked = connection.execute(_IS_REFERENCE_CHECKED).scalar()
        if not is_checked:
            with self._changing() as connection:
                connection.execute(text("ALTER TABLE people VALIDATE CONSTRAINT fk_people_game_id"))


def _list_coming(now: int) -> set[int]:
    """Return this month and those whose partitions are made ahead."""
    month = find_month_of(now)
    return set(range(month, month + AHEAD + 1))


def _is_partitioned(connection: Connection) -> bool:
    return bool(connection.execute(_IS_PARTITIONED).scalar())


def list_partitions(connection: Connection) -> dict[str, str]:
    """Return the bounds of the partitions by name, as PostgreSQL writes them; {} for one table."""
    return {row.relname: row.bounds for row in connection.execute(_LIST)}


def _find_missing(connection: Connection, months: set[int]) -> set[int]:
    """Return the months that have no partition and are not in the first or the last."""
    made = list_partitions(connection)
    known = _BOUND.search(made["games_before"])
    assert known is not None, made
    return {
        month
        for month in months
        if 0 <= month < END and make_bound(month) >= known[1] and name_partition(month) not in made
    }


def _make_partition(connection: Connection, month: int) -> None:
    """Make a partition as a table of its own and attach it: readers do not wait for that."""
    name = name_partition(month)
    first, end = make_bound(month), make_bound(month + 1)
    connection.execute(text(f"CREATE TABLE {name} (LIKE games INCLUDING ALL)"))
    connection.execute(
        text(f"ALTER TABLE games ATTACH PARTITION {name} FOR VALUES FROM ('{first}') TO ('{end}')")
    )


def _bound_ids(connection: Connection, now: int) -> None:
    """Have PostgreSQL refuse ids that do not belong into the first partition, from now on.

    A bound that is too near is moved: games of this release may still come into this table.
    """
    if _is_partitioned(connection):
        return
    newest = connection.execute(text("SELECT max(id) FROM games")).scalar()
    known = connection.execute(_FIND_CHECK).first()
    if newest is None or (known and known.bound > make_bound(find_month_of(now + SLACK_MS))):
        return
    _drop_bound(connection)
    bound = choose_first_bound(newest, now)
    connection.execute(
        text(f"ALTER TABLE games ADD CONSTRAINT {_CHECK} CHECK (id < '{bound}') NOT VALID")
    )
    connection.execute(text(f"COMMENT ON CONSTRAINT {_CHECK} ON games IS '{bound}'"))


def _check_bound(connection: Connection) -> None:
    """Look whether the bound holds for the ids that are there."""
    known = connection.execute(_FIND_CHECK).first()
    if known is not None and not known.convalidated:
        connection.execute(text(f"ALTER TABLE games VALIDATE CONSTRAINT {_CHECK}"))


def _drop_bound(connection: Connection) -> None:
    """Take the bound away: it would refuse games once its month has come."""
    if not _is_partitioned(connection):
        connection.execute(text(f"ALTER TABLE games DROP CONSTRAINT IF EXISTS {_CHECK}"))
