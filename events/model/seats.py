"""What the seats of a table are together: for practice, whose, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cartulary.events.model.table_parts import Seat, SeatOffer, Tenure, is_person


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


def have_persons(seats: Iterable[Seat]) -> bool:
    """Return whether a person has, or had, a seat: a game of bots only needs no person to go on."""
    return any(is_person(seat.player) for seat in seats)


def list_owners(
    seats: Iterable[Seat], offers: Iterable[SeatOffer], tenures: Iterable[Tenure]
) -> set[str]:
    """Return the ids of the players who hold seats, are offered seats, or held seats before."""
    players = [seat.player for seat in seats if seat.player is not None]
    players += [offer.player for offer in offers]
    players += [tenure.player for tenure in tenures]
    return {player["id"] for player in players}
