"""What a game does to the ratings of its players, in the words of the HTTP contract."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cartulary.events.model.ladders import BOTS, PEOPLE
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import is_person
from cartulary.events.model.types import Json
from cartulary.events.ratings.finding import ReadEvents, find_ladder, list_entrants, name_bucket
from cartulary.events.ratings.reading import RatingReader
from cartulary.ratings.fold import preview
from cartulary.ratings.results import Bucket, Entrant
from cartulary.ratings.scale import Standing


def describe_standing(standing: Standing) -> Json:
    """Return what is known of a player, as it is shown."""
    return {
        "rating": standing.rating,
        "deviation": standing.deviation,
        "provisional": standing.provisional,
        "games": standing.games,
    }


class GameRatings:
    """Says what games do to ratings. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, reader: RatingReader, read: ReadEvents) -> None:
        self._reader, self._read = reader, read

    def describe(self, table: Table, caller: str | None, ahead: bool) -> Json:
        """Return before and after of each seat.

        `ahead`: with how each rank would change the rating of each player. At a table that waits
        for its start a caller without a seat is shown on the first open one, and other open seats
        count as new players.
        """
        ladder = _find_ladder(table)
        rows: list[Json] = [
            {"seat": number, "player": seat.player, "before": None, "after": None, "changes": None}
            for number, seat in enumerate(table.seats)
        ]
        voided = ladder is not None and self._reader.is_voided(table.id)
        if ladder is not None and not voided:
            self._fill(table, name_bucket(table, ladder), caller, ahead, rows)
        return {"ladder": ladder, "voided": voided, "seats": rows}

    def _fill(
        self, table: Table, bucket: Bucket, caller: str | None, ahead: bool, rows: list[Json]
    ) -> None:
        if table.status.finished:
            self._fill_changes(table, bucket, rows)
            return
        entrants = self._list_entrants(table, caller)
        players = [one.player for one in entrants if one.player is not None]
        standings = self._reader.read_standings(players, bucket)
        for number, (row, entrant) in enumerate(zip(rows, entrants, strict=True)):
            if entrant.player in standings and _is_known(table, number, entrant, caller):
                row["before"] = describe_standing(standings[entrant.player])
                if ahead:
                    row["changes"] = preview(entrants, standings, number)

    def _fill_changes(self, table: Table, bucket: Bucket, rows: list[Json]) -> None:
        changes = self._reader.read_changes(table.id, bucket)
        if changes is None:
            return
        for row, entrant in zip(rows, list_entrants(table, self._read), strict=True):
            change = None if entrant.player is None else changes.get(entrant.player)
            if change is not None:
                row["before"] = describe_standing(change.before)
                row["after"] = describe_standing(change.after)

    def _list_entrants(self, table: Table, caller: str | None) -> Sequence[Entrant]:
        """Return who plays, or would play if the caller sat down now."""
        if table.course.started:
            return list_entrants(table, self._read)
        free = [number for number, seat in enumerate(table.seats) if seat.open]
        sits = caller is None or bool(table.seats_of(caller)) or not free
        entrants = []
        for number, seat in enumerate(table.seats):
            if seat.player is not None:
                entrants.append(Entrant(seat.player["id"]))
            elif not sits and number == free[0]:
                entrants.append(Entrant(caller))
            else:
                entrants.append(Entrant(f"new {number}"))
        return entrants


def _is_known(table: Table, number: int, entrant: Entrant, caller: str | None) -> bool:
    """Return whether a seat has a player, or would have the caller."""
    return table.seats[number].player is not None or entrant.player == caller


def _find_ladder(table: Table) -> str | None:
    """Return the ladder of a game; before the start the one that it is going to have."""
    if table.course.started:
        return find_ladder(table)
    if not table.terms.rated:
        return None
    seated: list[Any] = [seat.player for seat in table.seats if seat.player is not None]
    bots = any(seat.bot is not None for seat in table.seats)
    return BOTS if bots or not all(is_person(one) for one in seated) else PEOPLE
