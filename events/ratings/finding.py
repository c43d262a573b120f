"""Finding: what a game says of its players, as a function of its stream.

The rules are in `docs/ratings.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from cartulary.engine.ranking import move_behind, ranks
from cartulary.events.model.clock import milliseconds
from cartulary.events.model.ladders import PRACTICE, have_turns
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import MERGED, Tenure
from cartulary.events.model.types import MOVE_MADE, Json
from cartulary.ratings.results import Bucket, Entrant, GameResult, name_table

ReadEvents = Callable[[str, int, int], Sequence[Json]]
"""Returns events of a game after a version, at most so many."""

LOST: Final = ("agreed", "empty")
"""The codes with which a practice game is aborted by its player, or left alone by it."""


def name_bucket(table: Table, ladder: str) -> Bucket:
    """Return the ratings for which a game of a ladder counts."""
    return Bucket(ladder, table.game, name_table(len(table.seats)))


def find_ladder(table: Table) -> str | None:
    """Return the ladder of a game that has started, None for none.

    Practice is one person against levels. In streams of before, games whose seats bots held for
    other players are practice as well: none of them counts once a player has taken such a seat.
    """
    ladder = table.course.ladder
    return None if ladder == PRACTICE and table.course.replaced else ladder


def find_result(table: Table, read: ReadEvents) -> GameResult | None:
    """Return the result of a game that counts; None before its end, and for any other game.

    A game of a duplicate round counts when the round is closed, and with the time of that.
    """
    ladder = find_ladder(table)
    if ladder is None or not table.status.finished or table.sealed:
        return None
    found = _rank_practice(table, read) if ladder == PRACTICE else _rank_rated(table)
    entrants = list_entrants(table, read)
    players = [one.player for one in entrants if one.player is not None]
    if found is None or len(set(players)) < len(players):
        return None
    at = milliseconds(table.updated_at) if table.opened_at is None else table.opened_at
    return GameResult(at, table.id, name_bucket(table, ladder), tuple(entrants), tuple(found))


def list_entrants(table: Table, read: ReadEvents) -> list[Entrant]:
    """Return who began on each seat of a game that counts; a substitute is not rated."""
    strengths: Json = {}
    if any(seat.bot is not None for seat in table.seats):
        strengths = read(table.id, table.course.started - 1, 1)[0].get("strengths", {})
    entrants = []
    for number, seat in enumerate(table.seats):
        if seat.bot is not None:
            entrants.append(Entrant(None, strengths[seat.bot]))
            continue
        left = _find_replaced(table, number)
        player = seat.player if left is None else left.player
        assert player is not None
        entrants.append(Entrant(player["id"]))
    return entrants


def _find_replaced(table: Table, seat: int) -> Tenure | None:
    """Return who began on a seat and was replaced by another player, None for who stayed."""
    gone = (one for one in table.course.tenures if one.seat == seat and one.reason != MERGED)
    return next(gone, None)


def _rank_rated(table: Table) -> list[int] | None:
    """Return the ranks of a rated game; who was replaced is behind all others."""
    if table.status is not Status.OVER or table.result is None:
        return None
    found: list[int] = table.result["ranks"]
    gone = {seat: _find_replaced(table, seat) for seat in range(len(found))}
    return move_behind(found, {seat: one.version for seat, one in gone.items() if one is not None})


def _rank_practice(table: Table, read: ReadEvents) -> list[int] | None:
    """Return the ranks of a practice game, None where it does not count.

    A player who ends the game has lost, once every seat has had three turns.
    """
    result: Any = table.result
    if result is not None and result["ended_by"] == "play":
        found: list[int] = result["ranks"]
        return found
    if table.state is None or (result is None and not _is_lost(table, read)):
        return None
    if not _have_all_turns(table, read):
        return None
    scores = list(table.state.scores) if result is None else result["scores"]
    outcomes = ["bot" if seat.player is None else "resigned" for seat in table.seats]
    left = [number for number, seat in enumerate(table.seats) if seat.player is not None]
    return ranks(scores, outcomes, left)


def _is_lost(table: Table, read: ReadEvents) -> bool:
    return read(table.id, table.version - 1, 1)[0].get("code") in LOST


def _have_all_turns(table: Table, read: ReadEvents) -> bool:
    events = read(table.id, table.course.started, table.version)
    moves = (
        event for event in events if event["type"] == MOVE_MADE and table.stands(event["version"])
    )
    return have_turns(moves, len(table.seats), len(table.seats))
