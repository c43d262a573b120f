"""What an effect may use besides table and event. Pure: no clock, no random source, no store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from cartulary.events.model.failures import Misfit
from cartulary.events.model.offers import Rules
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import Play, Seat
from cartulary.events.model.types import Json


class NothingEarlier(Exception):
    """A takeback asks for what came before, and the fold was not given it."""


class Earlier(Protocol):
    """What came before an event, as a function of the same stream. Only a takeback asks for it."""

    def table(self, version: int) -> Table:
        """Return the table of an earlier version."""
        ...

    def chance(self, moves: Sequence[int]) -> list[str]:
        """Return the outcomes of the moves of these versions, in order."""
        ...


class Folding:
    """The folding of consecutive events of a game.

    `rules` are those of the games on offer, `earlier` is what came before the events. A folding
    copies the state at the first event that changes the state, and changes its own copy from then
    on: one copy for all events.
    """

    __slots__ = ("earlier", "game_id", "own", "rules")

    def __init__(self, rules: Rules, game_id: str, earlier: Earlier | None = None) -> None:
        self.rules = rules
        self.game_id = game_id
        self.earlier = earlier
        self.own: Play | None = None
        """The play that this folding has made, whose state it may change."""

    def copy_of(self, play: Play) -> Play:
        """Return a copy of a play, from now on the one that this folding may change."""
        self.own = play.copy()
        return self.own


def find_seat(table: Table, event: Json) -> tuple[int, Seat]:
    """Return the seat that an event names, with its number. Raises `Misfit`."""
    number: int = event["seat"]
    if not 0 <= number < len(table.seats):
        raise Misfit("seat", f"there is no seat {number}")
    return number, table.seats[number]


def put_seat(table: Table, number: int, seat: Seat) -> Table:
    """Return the table with another seat in the place of this number."""
    seats = table.seats
    return table._replace(seats=(*seats[:number], seat, *seats[number + 1 :]))


def must(condition: object, problem: str, detail: str) -> None:
    """Raise `Misfit` unless the condition holds."""
    if not condition:
        raise Misfit(problem, detail)
