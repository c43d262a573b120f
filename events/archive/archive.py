"""The archive: finished games in a database, packed, and next to them what searches need.

A write is one transaction. Errors of the database become `ArchiveUnavailable` and its subclasses,
whose messages name the database without its password; `errors` has all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import Any, Final, Self, TypeVar

from sqlalchemy import Select, func, select, tuple_, update

from cartulary.events.archive import tables
from cartulary.events.archive.database import Database
from cartulary.events.archive.dictionaries import Codecs, Dictionary
from cartulary.events.archive.errors import ArchiveDamaged
from cartulary.events.archive.identity import Judge, Noted, note_nothing, read_identity
from cartulary.events.archive.kept import KeptRows
from cartulary.events.archive.learning import Learner
from cartulary.events.archive.partitions import Partitions
from cartulary.events.archive.rows import (
    Archived,
    GameRow,
    Seals,
    pack_row,
    pack_summary,
    unpack_row,
    unpack_summary,
    unpack_texts,
)
from cartulary.events.archive.schema import check_schema, read_version
from cartulary.events.archive.statements import (
    put_dictionaries,
    put_rows,
    read_dictionaries,
    read_lost,
    read_row,
    read_rows,
)
from cartulary.events.model.status import Status

PUBLIC: Final = "public"
UNTIMED: Final = "none"
"""The pace that a list of untimed games is asked for by."""

ROWS_AT_ONCE: Final = 50
"""Packed games that `rows` reads at once: half a megabyte."""

T = TypeVar("T")

OnDamage = Callable[[ArchiveDamaged], object]

_games, _people = tables.games, tables.people
_other = _people.alias("other")
_FIRST_SEAT: Final = (
    select(func.min(_other.c.number))
    .where(_other.c.player == _people.c.player, _other.c.game_id == _people.c.game_id)
    .correlate(_people)
    .scalar_subquery()
)
"""A player who has several seats has a row for each: a game is listed once."""
_OF_SUMMARY: Final = (
    *(_games.c.id, _games.c.game, _games.c.schema, _games.c.summary),
    *(_games.c.summary_dictionary, _games.c.form),
)


class Archive(KeptRows):
    """The archive behind a URL. Thread-safe; a process needs one. `open` makes it.

    It has the games; `tournament_shelf` has the tournaments of the same `database`.
    """

    def __init__(self, database: Database) -> None:
        super().__init__(database, tables.GAMES)
        self._learner = Learner(database)
        self._partitions = Partitions(database)

    @classmethod
    def open(cls, url: str, *, migrate: bool = True, noted: Noted = note_nothing) -> Self:
        """Open an archive, and bring its tables to the newest version if `migrate`.

        `noted` gives the id of the archive that the store has noted: no other database will do,
        neither here nor later. Raises `InvalidArchiveUrl`, `ArchiveUnavailable`, `ForeignArchive`,
        `ArchiveReadOnly`, `ArchiveTooNew`, `ArchiveTooOld` (`check_schema`).
        """
        database = Database(url)
        try:
            known = noted()
            database.must_exist = known is not None
            check_schema(database, migrate, known)
            database.must_exist = True
            database.judge = Judge(database.name, noted).check
        except BaseException:
            database.close()
            raise
        return cls(database)

    @property
    def name(self) -> str:
        """Return the URL of the archive without its password."""
        return self.database.name

    def close(self) -> None:
        """Close all connections."""
        self.database.close()

    def check(self) -> None:
        """Check that the database answers and has the tables of this release.

        Raises `ArchiveUnavailable`, `ArchiveTooNew`, `ArchiveTooOld`.
        """
        check_schema(self.database, migrate=False)

    def read_version(self) -> str:
        """Return the version of the tables. Raises `ArchiveUnavailable`, `ArchiveTooNew`."""
        with self.database.reading() as connection:
            return str(read_version(connection))

    def identify(self) -> str:
        """Return the id of the database. Raises `ArchiveUnavailable`."""
        with self.database.reading() as connection:
            return read_identity(connection, self.name)

    def tend(self, now: int, largest: float = inf) -> None:
        """Make what games of the coming months need (`Partitions.tend`)."""
        self._partitions.tend(now, largest)

    # -- games ------------------------------------------------------------------------------------

    def write(self, games: Sequence[Archived], seen: Seals | None = None) -> set[str]:
        """Write games in one transaction; a game that is here already is replaced.

        With `seen`, which `seals` returned, rows that were written since then stay as they are.
        Returns the ids of the games that were written. Raises `NotArchivable` for a game that would
        not come back as it is, `ArchiveUnavailable`, `ArchiveReadOnly`, `ArchiveFull`; nothing is
        written then.
        """
        codecs = self._learner.prepare(games)
        rows = [pack_row(game, codecs) for game in games]
        self._partitions.provide(game.id for game in games)
        with self.database.writing() as connection:
            return put_rows(connection, rows, seen)

    def read(self, game_id: str) -> Archived | None:
        """Return a game as it was written, None for a game that is not here.

        Raises `ArchiveDamaged`, `ArchiveUnavailable`.
        """
        return self._read(game_id, unpack_row)

    def texts(self, game_id: str) -> tuple[bytes, ...] | None:
        """Return the events of a game as `read` does, without what lies next to them: faster."""
        return self._read(game_id, unpack_texts)

    def _read(self, game_id: str, unpack: Callable[[GameRow, Codecs], T]) -> T | None:
        with self.database.reading() as connection:
            row = read_row(connection, game_id)
            if row is None:
                if read_lost(connection, tables.GAMES, [game_id]):
                    raise ArchiveDamaged(game_id, "its row is missing")
                return None
            codecs = self._learner.load(connection, [row.columns])
        return unpack(row, codecs)

    def may_show(self, game_id: str, player_id: str | None) -> bool:
        """Return whether a game is not private, or a player opened it or is listed with it.

        For a row that is damaged otherwise. Raises `ArchiveUnavailable`.
        """
        listed = select(_people.c.player).where(_people.c.game_id == game_id)
        query = select(_games.c.visibility, _games.c.created_by).where(_games.c.id == game_id)
        with self.database.reading() as connection:
            row = connection.execute(query).first()
            return (
                row is None
                or row.visibility == PUBLIC
                or player_id
                in (
                    row.created_by,
                    *connection.execute(listed).scalars(),
                )
            )

    def summaries(self, ids: Iterable[str], on_damage: OnDamage | None = None) -> dict[str, bytes]:
        """Return the summaries of those games that are here, as JSON.

        Raises `ArchiveUnavailable`, and `ArchiveDamaged`; with `on_damage` that gets the error, and
        the damaged summary is empty.
        """
        return dict(self._unpack(self.find(select(*_OF_SUMMARY), ids), on_damage))

    def page(
        self,
        owner: str,
        *,
        status: str | None = None,
        game: str | None = None,
        pace: str | None = None,
        before: str | None = None,
        limit: int = 20,
        on_damage: OnDamage | None = None,
    ) -> list[tuple[str, bytes]]:
        """Return ids and summaries of a list, newest id first, with ids less than `before`.

        `owner` is `public` or `player:<id>` (`events.lists.indexes`); `pace` is `live`,
        `correspondence` or `none` for untimed games. `on_damage` as for `summaries`. Raises
        `ArchiveDamaged`, `ArchiveUnavailable`.
        """
        query = _select_list(owner, pace).limit(limit)
        if before is not None:
            column = _games.c.id if owner == PUBLIC else _people.c.game_id
            query = query.where(column < before)
        if status is not None:
            query = query.where(_games.c.status == status)
        if game is not None:
            query = query.where(_games.c.game == game)
        with self.database.reading() as connection:
            found = [dict(row) for row in connection.execute(query).mappings()]
        return list(self._unpack(found, on_damage))

    def list_ended(
        self, game: str, after: tuple[int, str], limit: int = 1000
    ) -> list[tuple[int, str]]:
        """Return end (ms since the epoch) and id of games of a kind after such a pair, in order.

        Raises `ArchiveUnavailable`.
        """
        ended, game_id = after
        later = (_games.c.ended_at > ended) | (_games.c.id > game_id)
        query = (
            select(_games.c.ended_at, _games.c.id)
            .where(_games.c.game == game, _games.c.ended_at >= ended, later)
            .order_by(_games.c.ended_at, _games.c.id)
            .limit(limit)
        )
        with self.database.reading() as connection:
            return [(int(row[0]), str(row[1])) for row in connection.execute(query)]

    def find_newest(
        self, game: str, after: tuple[int, str], before: tuple[int, str]
    ) -> tuple[int, str] | None:
        """Return end (ms since the epoch) and id of the public game that ended last in between.

        Only games of a kind that are over, neither the one of `after` nor that of `before`; None
        without any. Raises `ArchiveUnavailable`.
        """
        place = tuple_(_games.c.ended_at, _games.c.id)
        query = (
            select(_games.c.ended_at, _games.c.id)
            .where(_games.c.game == game, _games.c.ended_at >= after[0])
            .where(_games.c.ended_at <= before[0], place > after, place < before)
            .where(_games.c.visibility == PUBLIC, _games.c.status == Status.OVER.value)
            .order_by(_games.c.ended_at.desc(), _games.c.id.desc())
            .limit(1)
        )
        with self.database.reading() as connection:
            row = connection.execute(query).first()
            return None if row is None else (int(row[0]), str(row[1]))

    def list_aged(self, form: int) -> list[str]:
        """Return the ids of games whose summary has an earlier form. Raises `ArchiveUnavailable`.

        Reads the whole table: for a rebuild.
        """
        query = select(_games.c.id).where(_games.c.form < form).order_by(_games.c.id)
        with self.database.reading() as connection:
            return list(connection.execute(query).scalars())

    def refresh(self, game_id: str, summary: bytes, form: int) -> None:
        """Replace the summary of a game by that of a newer form; an older form changes nothing.

        Raises `ArchiveUnavailable`, `ArchiveReadOnly`.
        """
        which = (_games.c.id == game_id) & (_games.c.form < form)
        with self.database.writing() as connection:
            query = select(_games.c.game, _games.c.schema).where(which)
            row = connection.execute(query).mappings().first()
            if row is not None:
                columns = pack_summary(dict(row), summary, self._learner.codecs)
                connection.execute(update(_games).where(which).values(form=form, **columns))

    # -- backups ----------------------------------------------------------------------------------

    def rows(self, after: str = "") -> Iterator[GameRow]:
        """Yield the games after an id in order, packed as they are, for a backup.

        Holds `ROWS_AT_ONCE` games in memory. Raises `ArchiveUnavailable`.
        """
        while True:
            with self.database.reading() as connection:
                found = read_rows(connection, _games.c.id > after, ROWS_AT_ONCE)
            yield from found
            if len(found) < ROWS_AT_ONCE:
                return
            after = found[-1].columns["id"]

    def rows_of(self, ids: Iterable[str]) -> list[GameRow]:
        """Return the rows of games, at most `AT_ONCE`, packed. Raises `ArchiveUnavailable`."""
        with self.database.reading() as connection:
            return read_rows(connection, _games.c.id.in_(list(ids)))

    def dictionaries(self) -> list[Dictionary]:
        """Return all dictionaries; the rows of a backup need them. Raises `ArchiveUnavailable`."""
        with self.database.reading() as connection:
            return read_dictionaries(connection)

    def put_rows(self, rows: Sequence[GameRow], needed: Sequence[Dictionary] = ()) -> None:
        """Write games and dictionaries of a backup in one transaction, checked before.

        A game that is here already is replaced. Raises `ArchiveDamaged` for a row that cannot be
        read, `ArchiveUnavailable`, `ArchiveReadOnly`, `ArchiveFull`; nothing is written then.
        """
        self._partitions.provide(row.columns["id"] for row in rows)
        with self.database.writing() as connection:
            put_dictionaries(connection, needed)
            codecs = self._learner.load(connection, (row.columns for row in rows))
            for row in rows:
                unpack_row(row, codecs)
            put_rows(connection, rows)

    # -- within -----------------------------------------------------------------------------------

    def _unpack(
        self, found: Sequence[Mapping[str, Any]], on_damage: OnDamage | None
    ) -> Iterator[tuple[str, bytes]]:
        """Yield ids and summaries of rows."""
        for row in found:
            try:
                summary = self._unpack_one(row)
            except ArchiveDamaged as error:
                if on_damage is None:
                    raise
                on_damage(error)
                summary = b""
            yield row["id"], summary

    def _unpack_one(self, row: Mapping[str, Any]) -> bytes:
        codecs = self._learner.codecs
        if codecs.find(row["summary_dictionary"]) is None:
            with self.database.reading() as connection:
                self._learner.load(connection, [row])
        return unpack_summary(row, codecs)


def _select_list(owner: str, pace: str | None) -> Select[Any]:
    """Return the query of a list, newest id first."""
    query = select(*_OF_SUMMARY)
    if pace is not None:
        query = query.where(_games.c.pace.is_(None) if pace == UNTIMED else _games.c.pace == pace)
    if owner != PUBLIC:
        # By the key of the people: else PostgreSQL looks at each of the newest games for them.
        query = query.select_from(_people.join(_games)).where(
            _people.c.player == owner.removeprefix("player:"), _people.c.number == _FIRST_SEAT
        )
        return query.order_by(_people.c.game_id.desc())
    query = query.where(_games.c.visibility == PUBLIC)
    if pace == UNTIMED:
        # Without the pace in the order PostgreSQL sorts all untimed games for each page.
        query = query.order_by(_games.c.pace.desc())
    return query.order_by(_games.c.id.desc())
