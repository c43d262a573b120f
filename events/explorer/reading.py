"""Reading: what the book says of questions, all of it as of one moment and over one connection.

The statements are made once: for a book of 100 000 games building them took longer than the
database did. Each reads rows of one key, however many games there are.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, bindparam, func, select

from cartulary.events.explorer.counting import ASKED, BestGame, GivenAnswer, Met, Sums
from cartulary.events.explorer.tables import (
    COUNTED,
    FORM,
    FORM_NAME,
    KEPT,
    best,
    hash_key,
    states,
    sums,
)
from cartulary.explorer.questions import find_wide

_STATES: Final = select(states.c.name, states.c.value)

_SUMS: Final = (
    select(sums.c.answer, *(func.sum(sums.c[name]) for name in Sums._fields))
    .where(sums.c.key == bindparam("key"), sums.c.band >= bindparam("band"))
    .group_by(sums.c.answer)
)
_SUMS_OF_SIZE: Final = _SUMS.where(sums.c.seats == bindparam("seats"))

_BEST: Final = (
    select(best.c.id, best.c.strength)
    .where(best.c.key == bindparam("key"))
    .order_by(best.c.strength.desc(), best.c.id.desc())
    .limit(KEPT)
)
_BEST_OF_SIZE: Final = _BEST.where(best.c.seats == bindparam("seats"))


class OpenBook:
    """A book while it is read. All methods raise what the database raises."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._states = read_states(connection)

    def is_ready(self) -> bool:
        """Return whether the tables are those of this release."""
        return self._states.get(FORM_NAME) == FORM

    def count(self, game: str) -> int:
        """Return how many games of a kind are in the sums."""
        return int(self._states.get(f"{COUNTED}{game}", 0))

    def read(self, game: str, key: str, seats: int | None, bands: range) -> Met:
        """Return the answers to a question, the most frequent first.

        `seats` None: tables of all sizes; `bands` as `list_bands` returns them.
        """
        query = _SUMS if seats is None else _SUMS_OF_SIZE
        asked_for = {"key": hash_key(game, key), "seats": seats, "band": bands.start}
        rows = self._connection.execute(query, asked_for)
        found = {row[0]: Sums(*map(int, row[1:])) for row in rows}
        asked = found.pop(ASKED).offered if ASKED in found else 0
        if find_wide(key) != key:
            found = {answer: one._replace(offered=asked) for answer, one in found.items()}
        order = sorted(found, key=lambda one: (-found[one].times, -found[one].offered, one))
        return Met(asked, [GivenAnswer(answer, found[answer]) for answer in order])

    def read_best(self, game: str, key: str, seats: int | None) -> list[BestGame]:
        """Return the best-rated games with a question, the best first, the newest of equals."""
        query = _BEST if seats is None else _BEST_OF_SIZE
        asked_for = {"key": hash_key(game, key), "seats": seats}
        return [BestGame(*row) for row in self._connection.execute(query, asked_for)]


def read_states(connection: Connection) -> dict[str, str]:
    """Return what is noted of a book by name, nothing where there are no tables."""
    if not connection.dialect.has_table(connection, states.name):
        return {}
    return {row.name: row.value for row in connection.execute(_STATES)}
