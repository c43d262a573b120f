"""Very many games for the bench of PostgreSQL: copies of a few real ones, for little each.

A copy has an id, a beginning, an end, a summary and people of its own, and the seal of all that.
Its events are those of the original, byte for byte, with their chain: a read makes every check.
PostgreSQL packs nothing and shares nothing between rows, so a copy takes what a game takes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any, Final, NamedTuple

import psycopg
from psycopg import sql
from ulid import ULID

from bench.store._row_writer import RowWriter
from cartulary.events.archive.rows import Archived, GameRow
from cartulary.events.archive.tables import games, inventory, people

PLAYERS: Final = 100_000
MONTH_MS: Final = 365 * 24 * 3_600_000 // 12
TABLES: Final = (games, inventory, people)


class ArchivePlan(NamedTuple):
    """`games` that were opened within `months` before `now` (ms since the epoch)."""

    games: int
    months: int
    now: int


def make_player(number: int) -> str:
    """Return the id of a player; player 0 has the most games."""
    return str(ULID.from_bytes(number.to_bytes(16, "big")))


def choose_player(rng: random.Random) -> str:
    """Return a player; a hundredth of the players have a fifth of the games."""
    return make_player(int(PLAYERS * rng.random() ** 3))


def make_rows(
    writer: RowWriter, originals: Sequence[Archived], plan: ArchivePlan, rng: random.Random
) -> Iterator[GameRow]:
    """Yield the rows of all games, oldest first."""
    packed = [_seat_people(row) for row in writer.pack(originals)]
    span = plan.months * MONTH_MS
    for number in range(plan.games):
        at = rng.randrange(len(packed))
        game, row = originals[at], packed[at]
        began = plan.now - span + span * number // plan.games
        game_id = str(ULID.from_bytes(began.to_bytes(6, "big") + rng.randbytes(10)))
        columns = {
            **row.columns,
            "created_at": began,
            "ended_at": began + game.ended_at - game.created_at,
        }
        persons = [{**one, "player": choose_player(rng)} for one in row.people]
        summary = game.summary.replace(game.id.encode(), game_id.encode())
        yield writer.renumber(GameRow(columns, persons), game_id, summary)


def _seat_people(row: GameRow) -> GameRow:
    """Return a row in which people have the seats of the bots as well."""
    seats = 2 if row.columns["game"] == "carcassonne" else 3
    first = row.people[0]
    persons = [{**first, "number": seat, "seat": seat} for seat in range(seats)]
    return GameRow(row.columns, persons)


class Copier:
    """Writes rows by COPY, some thousand in a transaction."""

    def __init__(self, url: str) -> None:
        self._connection = psycopg.connect(url.replace("+psycopg", "", 1), autocommit=True)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def tidy(self) -> None:
        """Do what autovacuum does in time."""
        self._connection.execute("VACUUM ANALYZE")

    def write(self, rows: Sequence[GameRow]) -> None:
        """Write games, their people, and their ids into the inventory."""
        of_table: Any = {
            games: [row.columns for row in rows],
            inventory: [row.columns for row in rows],
            people: [person for row in rows for person in row.people],
        }
        with self._connection.transaction():
            for table in TABLES:
                self._copy(table, of_table[table])

    def _copy(self, table: Any, rows: Sequence[dict[str, Any]]) -> None:
        names = [column.name for column in table.c]
        columns = sql.SQL(", ").join(map(sql.Identifier, names))
        command = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT BINARY)")
        with ExitStack() as stack:
            cursor = stack.enter_context(self._connection.cursor())
            copy = stack.enter_context(
                cursor.copy(command.format(sql.Identifier(table.name), columns))
            )
            copy.set_types([_find_type(column) for column in table.c])
            for row in rows:
                copy.write_row([row[name] for name in names])


def _find_type(column: Any) -> str:
    """Return the name of the type that PostgreSQL has for a column."""
    kinds = {"TEXT": "text", "BIGINT": "int8", "INTEGER": "int4"}
    return kinds.get(str(column.type), "bytea")
