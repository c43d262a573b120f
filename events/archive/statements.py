"""The statements that read and write whole games and dictionaries, the same on both databases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Table, bindparam, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from cartulary.events.archive.dictionaries import Dictionary
from cartulary.events.archive.rows import Columns, GameRow, Seals
from cartulary.events.archive.tables import GAMES, ArchiveTable, dictionaries, games, people


def _insert(connection: Connection, table: Table) -> Any:
    """Return an INSERT that can say what happens to rows that are there already."""
    of = sqlite if connection.dialect.name == "sqlite" else postgresql
    return of.insert(table)


def put_kept(
    connection: Connection, kept: ArchiveTable, rows: Sequence[Columns], seen: Seals | None = None
) -> set[str]:
    """Write rows, and note their ids; a row that is there already is replaced.

    With `seen` a row is replaced only while its seal is the one that was seen. In the order of the
    ids: two processes that write the same rows do not wait for each other. Returns the ids of those
    that were written.
    """
    if not rows:
        return set()
    ordered = dict(sorted((row["id"], row) for row in rows))
    table = kept.rows
    insert = _insert(connection, table)
    replaced = {column.name: insert.excluded[column.name] for column in table.c}
    unchanged = None if seen is None else table.c.seal == bindparam("seen")
    insert = insert.on_conflict_do_update(
        index_elements=[table.c.id], set_=replaced, where=unchanged
    )
    seals = seen or {}
    connection.execute(insert, [{**row, "seen": seals.get(key)} for key, row in ordered.items()])
    noted = _insert(connection, kept.inventory).on_conflict_do_nothing()
    connection.execute(noted, [{"id": key} for key in ordered])
    stored = read_seals(connection, kept, ordered)
    return {key for key, row in ordered.items() if stored[key] == row["seal"]}


def put_rows(
    connection: Connection, rows: Sequence[GameRow], seen: Seals | None = None
) -> set[str]:
    """Write games as `put_kept` does, with their people. Returns which games were written."""
    written = put_kept(connection, GAMES, [row.columns for row in rows], seen)
    connection.execute(delete(people).where(people.c.game_id.in_(written)))
    of_game = {row.columns["id"]: row.people for row in rows}
    persons = [person for key in sorted(written) for person in of_game[key]]
    if persons:
        connection.execute(_insert(connection, people).on_conflict_do_nothing(), persons)
    return written


def read_seals(connection: Connection, kept: ArchiveTable, ids: Iterable[str]) -> Seals:
    """Return the seals of some rows."""
    wanted, table = list(ids), kept.rows
    query = select(table.c.id, table.c.seal).where(table.c.id.in_(wanted))
    return dict.fromkeys(wanted) | {row.id: row.seal for row in connection.execute(query)}


def read_lost(connection: Connection, kept: ArchiveTable, ids: Iterable[str]) -> set[str]:
    """Return those of these ids that the inventory has and that have no row."""
    table, inventory = kept.rows, kept.inventory
    wanted = inventory.c.id.in_(list(ids)) & table.c.id.is_(None)
    query = select(inventory.c.id).outerjoin(table, table.c.id == inventory.c.id).where(wanted)
    return set(connection.execute(query).scalars())


def read_rows(
    connection: Connection, which: ColumnElement[bool], limit: int | None = None
) -> list[GameRow]:
    """Return games in the order of their ids, with their people in order."""
    query = select(games).where(which).order_by(games.c.id).limit(limit)
    found = [dict(row) for row in connection.execute(query).mappings()]
    ids = [row["id"] for row in found]
    of_games = (
        select(people).where(people.c.game_id.in_(ids)).order_by(people.c.game_id, people.c.number)
    )
    persons = map(dict, connection.execute(of_games).mappings())
    by_game = {key: list(some) for key, some in groupby(persons, itemgetter("game_id"))}
    return [GameRow(row, by_game.get(row["id"], [])) for row in found]


_WHOLE: Final = (
    select(games, people)
    .outerjoin(people, people.c.game_id == games.c.id)
    .where(games.c.id == bindparam("wanted"))
    .order_by(people.c.number)
)
"""Made once: making a statement takes longer than SQLite takes to answer it. A second statement
would take longer than reading the row again for each person."""

_OF_GAME: Final = tuple(games.c.keys())
_OF_PERSON: Final = tuple(people.c.keys())


def read_row(connection: Connection, game_id: str) -> GameRow | None:
    """Return a game with its people in order, None for a game that is not there."""
    found = connection.execute(_WHOLE, {"wanted": game_id}).all()
    if not found:
        return None
    width = len(_OF_GAME)
    persons = [dict(zip(_OF_PERSON, one[width:], strict=True)) for one in found]
    return GameRow(
        dict(zip(_OF_GAME, found[0][:width], strict=True)),
        [person for person in persons if person["game_id"] is not None],
    )


def put_dictionaries(connection: Connection, added: Sequence[Dictionary]) -> None:
    """Write dictionaries; those that are there stay as they are."""
    if added:
        insert = _insert(connection, dictionaries).on_conflict_do_nothing()
        connection.execute(insert, [one._asdict() for one in added])


def read_dictionaries(
    connection: Connection, which: ColumnElement[bool] | None = None
) -> list[Dictionary]:
    """Return dictionaries, oldest first."""
    query = select(dictionaries).order_by(dictionaries.c.made_at, dictionaries.c.id)
    if which is not None:
        query = query.where(which)
    return [Dictionary(**row) for row in connection.execute(query).mappings()]
