"""The tables of the archive. A change here needs a migration in `migrations/versions`.

`games` has one row for each archived game: what one searches by, and the game itself packed
(`rows`). `inventory` has the id of each game that must be there, so that a row that was lost is
noticed. `people` has one row for each person under whose name a game is listed. `dictionaries` has
what zstd needs to unpack (`dictionaries`). `identity` has one row, which names the database
(`identity`). `tournaments` has one row for each archived tournament (`tournament_rows`), and
`tournament_inventory` the id of each that must be there.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

VERSIONS: Final = ("0001", "0002", "0003", "0004", "0005", "0006")
"""The versions of the schema that this release knows, oldest first; each is a migration."""

NEWEST: Final = "0005"
"""The version of the schema that this release needs, and brings a database to that it opens."""

BY_MONTHS: Final = "0006"
"""The version in which the games of PostgreSQL have partitions, which takes the same statements.

A database gets it once no process of an earlier release runs (`partitions`); SQLite never.
"""

ASKED_FOR: Final = ("status", "game", "pace")
"""The columns that a list may be asked for by, any of them together."""

VERSION_TABLE: Final = "archive_version"
"""Where Alembic notes the version of the schema."""

ID: Final = Text().with_variant(Text(collation="C"), "postgresql")
"""Ids sort by their bytes, as those in the store do: cursors name the same place in both."""

NAMES: Final = {
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
}
"""How constraints are named: PostgreSQL and SQLite have the same names then."""

metadata = MetaData(naming_convention=NAMES)


class Bytes(LargeBinary):
    """Bytes as they are stored; SQLite may have a text or a number in their place.

    SQLAlchemy fails at those, and one damaged row would spoil what is read with it.
    """

    def result_processor(self, dialect: object, coltype: object) -> Any:
        """Return what makes bytes of a stored value."""
        return lambda value: value if isinstance(value, bytes) else str(value).encode()


dictionaries = Table(
    "dictionaries",
    metadata,
    Column("id", Text, primary_key=True, doc="begin of the SHA-256 of `data`, 16 hex digits"),
    Column("game", Text, nullable=False),
    Column("schema", Integer, nullable=False),
    Column("part", Text, nullable=False, doc="what is packed with it: events or summary"),
    Column("made_at", BigInteger, nullable=False, doc="ms since the epoch"),
    Column("data", Bytes, nullable=False),
)


def _list_indexes() -> Iterator[Index]:
    """Yield an index for every list of public games, whatever the list is asked for.

    Without its own index a list of which few games are part reads the whole archive.
    """
    for count in range(len(ASKED_FOR) + 1):
        for columns in combinations(ASKED_FOR, count):
            by = f"_by_{'_'.join(columns)}" if columns else ""
            yield Index(f"games_listed{by}", "visibility", *columns, "id")


games = Table(
    "games",
    metadata,
    Column("id", ID, primary_key=True),
    Column("game", Text, nullable=False),
    Column("status", Text, nullable=False, doc="over or aborted"),
    Column("visibility", Text, nullable=False),
    Column("pace", Text, doc="live or correspondence, NULL: untimed"),
    Column("created_by", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False, doc="ms since the epoch"),
    Column("ended_at", BigInteger, nullable=False, doc="ms since the epoch"),
    Column("version", Integer, nullable=False, doc="the number of events"),
    Column("schema", Integer, nullable=False, doc="the highest schema of the events"),
    Column("rules", Integer, doc="version of the rules, NULL: never started"),
    Column("form", Integer, nullable=False, doc="of the summary"),
    Column("head", Bytes, nullable=False, doc="hash of the last event; empty: unchained"),
    Column("seal", Bytes, nullable=False, doc="checksum of the row (`rows`)"),
    Column("events_dictionary", Text, ForeignKey("dictionaries.id")),
    Column("summary_dictionary", Text, ForeignKey("dictionaries.id")),
    Column("summary", Bytes, nullable=False, doc="JSON under zstd"),
    Column("beside", Bytes, nullable=False, doc="what lies next to the events, zstd"),
    Column("hashes", Bytes, nullable=False, doc="the hashes of the events"),
    Column("events", Bytes, nullable=False, doc="the lines of the events, zstd"),
    *_list_indexes(),
    Index("games_by_end", "game", "ended_at"),
)

inventory = Table(
    "inventory", metadata, Column("id", ID, primary_key=True), sqlite_with_rowid=False
)

people = Table(
    "people",
    metadata,
    Column("player", ID, primary_key=True),
    Column("game_id", ID, ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, doc="a player may hold several seats"),
    Column("seat", Integer),
    Column("rank", Integer),
    Column("score", Integer),
    Index("people_by_game", "game_id"),
    sqlite_with_rowid=False,
)

identity = Table(
    "identity",
    metadata,
    Column("id", Text, primary_key=True, doc="made at random by the migration, never changed"),
)

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", ID, primary_key=True),
    Column("status", Text, nullable=False, doc="over or cancelled"),
    Column("visibility", Text, nullable=False),
    Column("people", Text, nullable=False, doc="whom it concerns: ids as a list in JSON"),
    Column("created_at", BigInteger, nullable=False, doc="ms since the epoch"),
    Column("ended_at", BigInteger, nullable=False, doc="ms since the epoch"),
    Column("version", Integer, nullable=False, doc="the number of events"),
    Column("head", Bytes, nullable=False, doc="hash of the last event"),
    Column("seal", Bytes, nullable=False, doc="checksum of the row (`tournament_rows`)"),
    Column("beside", Bytes, nullable=False, doc="what lies next to the events, zstd"),
    Column("hashes", Bytes, nullable=False, doc="the hashes of the events"),
    Column("events", Bytes, nullable=False, doc="the lines of the events, zstd"),
)

tournament_inventory = Table(
    "tournament_inventory", metadata, Column("id", ID, primary_key=True), sqlite_with_rowid=False
)


class ArchiveTable(NamedTuple):
    """A table of archived streams, and the table with the ids that must be there.

    Both have `id`, the first also `version`, `head` and `seal`. `name` is what a row is, for
    people.
    """

    name: str
    rows: Table
    inventory: Table


GAMES: Final = ArchiveTable("game", games, inventory)
TOURNAMENTS: Final = ArchiveTable("tournament", tournaments, tournament_inventory)
