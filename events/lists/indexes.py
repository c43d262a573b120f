"""Indexes: in which sorted sets a game is listed (`events.lists.projections` keeps them)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import product

from cartulary.events.lists.inbox_items import find_asked, find_person
from cartulary.events.model.clock import milliseconds
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.time.timing import deadline
from cartulary.events.people.quotas import SEATS, list_counted
from cartulary.events.server import keys

ANY = "any"

PACES = ("live", "correspondence", "none")
"""The paces that a list of games may be asked for; `none`: untimed."""

SEATS_FREE = ("open", "vacant")
"""What a list of games may be asked for: a seat before the start, or one that a player has left."""


def list_indexes(table: Table) -> list[str]:
    """Return the keys of the sets without an order of their own in which a game is listed."""
    owners = [f"player:{player_id}" for player_id in sorted(table.people)]
    if table.visibility == "public":
        owners.append("public")
    conditions = (ANY, table.status, *(f"seat_{kind}" for kind in _free_seats(table)))
    # Most games are untimed: a list of untimed games looks through the list of all games.
    paces = ("",) if table.terms.pace is None else ("", str(table.terms.pace["mode"]))
    return [
        *_name_indexes(tuple(owners), conditions, table.game, paces),
        *(keys.invited(player) for player in sorted(_list_guests(table))),
        *(keys.sealed_games(player) for player in sorted(table.people) if table.sealed),
        *_counts(table),
    ]


@lru_cache(maxsize=1024)
def _name_indexes(
    owners: tuple[str, ...], conditions: tuple[str, ...], game: str, paces: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the keys of indexes; cached, because they are the same for each move of a game."""
    return tuple(
        keys.index(owner, condition, name, pace)
        for owner, condition, name, pace in product(owners, conditions, (ANY, game), paces)
    )


def _list_guests(table: Table) -> set[str]:
    return {offer.player["id"] for offer in table.open_offers.values()}


def find_turn(table: Table, find_deadline: Callable[[Table], int | None] = deadline) -> str:
    """Return whose turn it is: a key of `keys.turns` and the score, '' when no player is asked.

    `find_deadline` returns the deadline in ms since the epoch, None in an untimed game.
    """
    player = find_person(table, find_asked(table))
    if player is None:
        return ""
    due_at = find_deadline(table)
    score = keys.UNTIMED + milliseconds(table.updated_at) if due_at is None else due_at
    return f"{keys.turns(player)} {score}"


def _free_seats(table: Table) -> list[str]:
    """Return which of `SEATS_FREE` a game has: a seat that is offered to no player."""
    if table.status is Status.OPEN:
        return ["open"] * any(seat.open and seat.offer is None for seat in table.seats)
    if table.status is not Status.RUNNING:
        return []
    return ["vacant"] * any(
        table.vacant(number) and seat.offer is None for number, seat in enumerate(table.seats)
    )


def _counts(table: Table) -> list[str]:
    """Return the sets of the quotas for which a game counts."""
    counts = [keys.quota(table.created_by, name) for name in list_counted(table)]
    if table.status in (Status.RUNNING, Status.SCORING):
        seated = {seat.player["id"] for seat in table.seats if seat.player and seat.contending}
        counts += [keys.quota(player_id, SEATS) for player_id in sorted(seated)]
    if table.status.finished:
        return counts
    offers = [seat.offer for seat in table.seats if seat.offer is not None]
    return counts + [keys.offers(offer.by, offer.player["id"]) for offer in offers]
