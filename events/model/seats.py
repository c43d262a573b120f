"""What the seats of a table are together: for one person, for practice, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cartulary.events.model.table_parts import Seat


def find_only_person(seats: Sequence[Seat]) -> int | None:
    """Return the first seat of the only person who contends; None when there are several."""
    found, owner = None, ""
    for number, seat in enumerate(seats):
        if seat.player is None or not seat.person:
            continue
        if found is None:
            found, owner = number, seat.player["id"]
        elif seat.player["id"] != owner:
            return None
    return found


def is_practice(seats: Sequence[Seat]) -> bool:
    """Return whether one player sits at the table, and bots on all other seats.

    A table that was opened for practice may be another: its host may invite a player.
    """
    players = {seat.player["id"] for seat in seats if seat.player is not None}
    bots = sum(seat.bot is not None for seat in seats)
    taken = sum(seat.player is not None for seat in seats) + bots
    return len(players) == 1 and bots > 0 and taken == len(seats)


def call_seats(
    names: Sequence[str] | None, seats: Sequence[Seat], bots: Mapping[str, str]
) -> list[str | None]:
    """Return the name of every seat: of the transcript, the player or the bot; None when open.

    `names` are those of a transcript; `bots` has the words for the levels of the bots.
    """
    if names is not None:
        return list(names)
    return [
        seat.player["name"] if seat.player else seat.bot and bots.get(seat.bot, seat.bot)
        for seat in seats
    ]
