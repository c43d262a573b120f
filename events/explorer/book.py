"""The book: the sums of the explorer in a database. A game is added in one transaction, once."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import Connection, Table, delete, select, text
from sqlalchemy.dialects import postgresql, sqlite

from cartulary.events.archive.database import Database
from cartulary.events.explorer.counting import Count, ExploredGame, Sums
from cartulary.events.explorer.reading import OpenBook, read_states
from cartulary.events.explorer.tables import (
    COUNTED,
    FOLLOWED,
    FORM,
    FORM_NAME,
    KEPT,
    best,
    counted,
    hash_key,
    metadata,
    states,
    sums,
)

AT_ONCE: Final = 400
"""Keys of one query."""


class Book:
    """The sums behind a URL. Thread-safe. All methods raise `ArchiveUnavailable`."""

    def __init__(self, url: str) -> None:
        """Read a URL as that of an archive; connects later. Raises `InvalidArchiveUrl`."""
        self.database = Database(url)

    def close(self) -> None:
        """Close all connections."""
        self.database.close()

    def prepare(self) -> bool:
        """Make the tables; those of another form are emptied. Returns whether they were kept."""
        with self.database.migrating() as connection:
            if read_states(connection).get(FORM_NAME) == FORM:
                return True
            metadata.drop_all(connection)
            metadata.create_all(connection)
            connection.execute(states.insert(), {"name": FORM_NAME, "value": FORM})
            return False

    def clear(self) -> None:
        """Forget all sums."""
        with self.database.migrating() as connection:
            metadata.drop_all(connection)
        self.prepare()

    @contextmanager
    def open(self) -> Iterator[OpenBook]:
        """Yield the book to be read, all of it as of one moment."""
        with self.database.reading() as connection:
            yield OpenBook(connection)

    # -- adding -----------------------------------------------------------------------------------

    def find_missing(self, ids: Sequence[str]) -> list[str]:
        """Return those of some games that are not counted."""
        found: set[str] = set()
        with self.database.reading() as connection:
            for some in _portion(ids):
                query = select(counted.c.id).where(counted.c.id.in_(some))
                found.update(connection.execute(query).scalars())
        return [one for one in ids if one not in found]

    def add(self, games: Sequence[ExploredGame], skipped: Sequence[tuple[str, str]] = ()) -> int:
        """Add games that are not counted yet; returns how many of `games` were new.

        `skipped` are games, and what they are of, that add nothing and are not looked at again.
        """
        with self.database.writing() as connection:
            names = [(one.id, one.game) for one in games]
            fresh = _note(connection, [*names, *skipped])
            new = [one for one in games if one.id in fresh]
            _count(connection, new)
            _add_sums(connection, new)
            _add_best(connection, new)
        return len(new)

    def note_followed(self, game: str, ended_at: int) -> None:
        """Note until which end (ms since the epoch) the games of a kind are counted."""
        with self.database.writing() as connection:
            _put_states(connection, {f"{FOLLOWED}{game}": ended_at})

    def read_followed(self, game: str) -> int:
        """Return what `note_followed` has noted last, 0 for nothing."""
        with self.database.reading() as connection:
            return int(read_states(connection).get(f"{FOLLOWED}{game}", 0))


def _portion(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for at in range(0, len(items), AT_ONCE):
        yield items[at : at + AT_ONCE]


def _insert(connection: Connection, table: Table) -> Any:
    """Return an INSERT that can say what happens to rows that are there already."""
    return (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(table)


def _put_states(connection: Connection, noted: Mapping[str, int]) -> None:
    insert = _insert(connection, states)
    insert = insert.on_conflict_do_update(
        index_elements=[states.c.name], set_={"value": insert.excluded.value}
    )
    rows = [{"name": name, "value": str(value)} for name, value in noted.items()]
    connection.execute(insert, rows)


def _note(connection: Connection, names: Iterable[tuple[str, str]]) -> Collection[str]:
    """Note games as counted; returns those that were not. Two builders wait for each other."""
    if connection.dialect.name != "sqlite":
        connection.execute(text(f"LOCK TABLE {counted.name} IN SHARE ROW EXCLUSIVE MODE"))
    fresh = dict(names)
    for some in _portion(list(fresh)):
        query = select(counted.c.id).where(counted.c.id.in_(some))
        for game_id in connection.execute(query).scalars().all():
            del fresh[game_id]
    if fresh:
        rows = [{"id": game_id, "game": game} for game_id, game in fresh.items()]
        connection.execute(counted.insert(), rows)
    return fresh.keys()


def _count(connection: Connection, games: Iterable[ExploredGame]) -> None:
    """Add up how many games were added. Everybody sees it, so what was skipped is not in it."""
    number = Counter(f"{COUNTED}{one.game}" for one in games)
    if number:
        known = read_states(connection)
        _put_states(connection, {name: n + int(known.get(name, 0)) for name, n in number.items()})


def _add_sums(connection: Connection, games: Iterable[ExploredGame]) -> None:
    added: dict[tuple[int, Count], Sums] = {}
    for game in games:
        for count, one in game.sums.items():
            place = hash_key(game.game, count.key), count
            added[place] = added[place].plus(one) if place in added else one
    if not added:
        return
    insert = _insert(connection, sums)
    insert = insert.on_conflict_do_update(
        index_elements=list(sums.primary_key.columns),
        set_={name: sums.c[name] + insert.excluded[name] for name in Sums._fields},
    )
    rows = [
        {
            "key": key,
            "seats": count.seats,
            "answer": count.answer,
            "band": count.band,
            **one._asdict(),
        }
        for (key, count), one in added.items()
    ]
    rows.sort(key=lambda row: (row["key"], row["seats"], row["answer"], row["band"]))
    connection.execute(insert, rows)


def _add_best(connection: Connection, games: Iterable[ExploredGame]) -> None:
    """Keep the best games of each question and size of table, among them those of some games."""
    new: dict[tuple[int, int], set[tuple[int, str]]] = defaultdict(set)
    for game in games:
        for name in game.keys:
            new[hash_key(game.game, name), game.seats].add((game.strength, game.id))
    known: dict[tuple[int, int], set[tuple[int, str]]] = defaultdict(set)
    for some in _portion(sorted({key for key, _ in new})):
        for row in connection.execute(select(best).where(best.c.key.in_(some))):
            known[row.key, row.seats].add((row.strength, row.id))
    came, went = [], []
    for place, found in new.items():
        old = known[place]
        # Without a rating the games that are there stay: else each new game would write rows.
        order = sorted(old | found, key=lambda one: (-one[0], one not in old, one[1]))
        kept = set(order[:KEPT])
        came += [(*place, *one) for one in kept - old]
        went += [(*place, *one) for one in old - kept]
    names = ("key", "seats", "strength", "id")
    if came:
        connection.execute(best.insert(), [dict(zip(names, one, strict=True)) for one in came])
    for key, seats, _, game_id in went:
        which = (best.c.key == key) & (best.c.seats == seats) & (best.c.id == game_id)
        connection.execute(delete(best).where(which))
