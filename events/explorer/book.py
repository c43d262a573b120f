"""The book: the sums of the explorer in a database. A game is added in one transaction, once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Table, delete, func, inspect, select, text
from sqlalchemy.dialects import postgresql, sqlite

from cartulary.events.archive.database import Database
from cartulary.events.explorer.counting import (
    ASKED,
    BestGame,
    Count,
    ExploredGame,
    GivenAnswer,
    Met,
    Sums,
)
from cartulary.events.explorer.tables import (
    FORM,
    best,
    counted,
    hash_key,
    metadata,
    states,
    sums,
)
from cartulary.explorer.questions import find_wide

KEPT: Final = 8
"""So many games of a question and a size of table are kept: some may go with their players."""

AT_ONCE: Final = 400
"""Keys of one query."""

_FORM: Final = "form"
_ADDED: Final = ("offered", "times", "won", "beaten", "score")


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
            found = _read_form(connection)
            if found == FORM:
                return True
            metadata.drop_all(connection)
            metadata.create_all(connection)
            connection.execute(states.insert(), {"name": _FORM, "value": FORM})
            return False

    def clear(self) -> None:
        """Forget all sums."""
        with self.database.migrating() as connection:
            metadata.drop_all(connection)
        self.prepare()

    def is_ready(self) -> bool:
        """Return whether the tables are those of this release."""
        with self.database.reading() as connection:
            return _read_form(connection) == FORM

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
            _add_sums(connection, new)
            _add_best(connection, new)
        return len(new)

    def note_followed(self, game: str, ended_at: int) -> None:
        """Note until which end (ms since the epoch) the games of a kind are counted."""
        row = {"name": f"followed:{game}", "value": str(ended_at)}
        with self.database.writing() as connection:
            insert = _insert(connection, states).values(row)
            connection.execute(
                insert.on_conflict_do_update(
                    index_elements=[states.c.name], set_={"value": insert.excluded.value}
                )
            )

    def read_followed(self, game: str) -> int:
        """Return what `note_followed` has noted last, 0 for nothing."""
        query = select(states.c.value).where(states.c.name == f"followed:{game}")
        with self.database.reading() as connection:
            return int(connection.execute(query).scalar() or 0)

    # -- reading ----------------------------------------------------------------------------------

    def count(self, game: str) -> int:
        """Return how many games of a kind were looked at."""
        query = select(func.count()).select_from(counted).where(counted.c.game == game)
        with self.database.reading() as connection:
            return int(connection.execute(query).scalar() or 0)

    def read(self, game: str, key: str, seats: int | None, bands: Collection[int]) -> Met:
        """Return the answers to a question, the most frequent first; `seats` None: all sizes."""
        query = (
            select(sums.c.answer, *(func.sum(sums.c[name]) for name in _ADDED))
            .where(sums.c.key == hash_key(game, key), sums.c.band.in_(bands))
            .group_by(sums.c.answer)
        )
        if seats is not None:
            query = query.where(sums.c.seats == seats)
        with self.database.reading() as connection:
            rows = connection.execute(query).all()
        found = {row[0]: Sums(*map(int, row[1:])) for row in rows}
        asked = found.pop(ASKED).offered if ASKED in found else 0
        if find_wide(key) != key:
            found = {answer: one._replace(offered=asked) for answer, one in found.items()}
        order = sorted(found, key=lambda one: (-found[one].times, -found[one].offered, one))
        return Met(asked, [GivenAnswer(answer, found[answer]) for answer in order])

    def read_best(self, game: str, key: str, seats: int | None) -> list[BestGame]:
        """Return the best-rated games with a question, the best first, the newest of equals."""
        query = select(best.c.id, best.c.strength).where(best.c.key == hash_key(game, key))
        if seats is not None:
            query = query.where(best.c.seats == seats)
        query = query.order_by(best.c.strength.desc(), best.c.id.desc()).limit(KEPT)
        with self.database.reading() as connection:
            return [BestGame(*row) for row in connection.execute(query)]


def _read_form(connection: Connection) -> str | None:
    if not inspect(connection).has_table(states.name):
        return None
    query = select(states.c.value).where(states.c.name == _FORM)
    found: str | None = connection.execute(query).scalar()
    return found


def _portion(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for at in range(0, len(items), AT_ONCE):
        yield items[at : at + AT_ONCE]


def _insert(connection: Connection, table: Table) -> Any:
    """Return an INSERT that can say what happens to rows that are there already."""
    return (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(table)


def _note(connection: Connection, names: Iterable[tuple[str, str]]) -> set[str]:
    """Note games as counted; returns those that were not. Two builders wait for each other."""
    if connection.dialect.name != "sqlite":
        connection.execute(text(f"LOCK TABLE {counted.name} IN SHARE ROW EXCLUSIVE MODE"))
    fresh = dict(names)
    for some in _portion(list(fresh)):
        query = select(counted.c.id).where(counted.c.id.in_(some))
        for known in connection.execute(query).scalars().all():
            del fresh[known]
    if fresh:
        rows = [{"id": game_id, "game": game} for game_id, game in fresh.items()]
        connection.execute(counted.insert(), rows)
    return set(fresh)


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
        set_={name: sums.c[name] + insert.excluded[name] for name in _ADDED},
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
