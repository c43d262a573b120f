"""What each event does to a table: one function per event type, named in its row (`events.kinds`).

A function takes the table with the new version, time, position and status of its row, the event,
and the folding that it is part of. It returns a table with the parts that the event changes. It
changes nothing, except for the state that the folding owns (`Folding.own`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cartulary.engine.chance import RecordedSource
from cartulary.engine.core import State, find_game
from cartulary.events.errors import Misfit
from cartulary.events.fairness import count_setup
from cartulary.events.offers import Rules
from cartulary.events.status import Status
from cartulary.events.table import Ending, Fair, Life, Play, Seat, Table, Terms
from cartulary.events.types import Json


class Folding:
    """The folding of consecutive events of a game: what an effect may use beside table and event.

    `rules` are those of the games on offer. A folding copies the state at the first event that
    changes the state, and changes its own copy from then on: one copy for all events.
    """

    __slots__ = ("game_id", "own", "rules")

    def __init__(self, rules: Rules, game_id: str) -> None:
        self.rules = rules
        self.game_id = game_id
        self.own: Play | None = None
        """The play that this folding has made, whose state it may change."""

    def copy_of(self, play: Play) -> Play:
        """Return a copy of a play, from now on the one that this folding may change."""
        self.own = play.copy()
        return self.own


def create_game(_before: None, event: Json, folding: Folding) -> Table:
    """Open the table of `game_created`."""
    terms = Terms(
        event["game"],
        event["options"],
        event["visibility"],
        event["created_by"],
        event["at"],
        event.get("names"),
        event.get("shuffle_seats", False),
    )
    fair: Json | None = event.get("fair")
    return Table(
        folding.game_id,
        find_game(folding.rules, terms.game),
        terms,
        tuple(Seat(seat["player"], seat["bot"], seat.get("entropy")) for seat in event["seats"]),
        Life(Status.OPEN, event["version"], 0, event["at"], ""),
        fair=None if fair is None else Fair(fair["commitment"], -fair["given"]),
    )


def take_seat(table: Table, event: Json, _folding: Folding) -> Table:
    """Put a player on an open seat."""
    number = _seat_of(table, event)
    if not table.seats[number].open:
        raise Misfit("seat", f"seat {number} is taken")
    taken = Seat(event["player"], None, event.get("entropy"))
    return table._replace(seats=_with_seat(table.seats, number, taken))


def leave_seat(table: Table, event: Json, _folding: Folding) -> Table:
    """Open the seat of a player."""
    number = _seat_of(table, event)
    if table.seats[number].player != event["player"]:
        raise Misfit("seat", f"seat {number} is not the seat of {event['player']}")
    return table._replace(seats=_with_seat(table.seats, number, Seat()))


def _seat_of(table: Table, event: Json) -> int:
    number: int = event["seat"]
    if not 0 <= number < len(table.seats):
        raise Misfit("seat", f"there is no seat {number}")
    return number


def _with_seat(seats: tuple[Seat, ...], number: int, seat: Seat) -> tuple[Seat, ...]:
    return (*seats[:number], seat, *seats[number + 1 :])


def start_game(table: Table, event: Json, folding: Folding) -> Table:
    """Seat the players as the lot says, set the game up and make the draws of the start."""
    table = _start_draws(table, event)
    state = table.rules.new(len(table.seats), table.options, event["setup"])
    _settle(state, event["chance"])
    folding.own = Play(state, event["setup"], event["rules_version"], [])
    return awaiting_score(table._replace(play=folding.own))


def _start_draws(table: Table, event: Json) -> Table:
    """Fix the entropies, count the draws of seating and setup, and shuffle the seats."""
    seating: Sequence[int] = event.get("seating", ())
    if table.fair is not None:
        count = len(seating) + count_setup(table.rules, len(table.seats), table.options)
        number = table.fair.number + count
        table = table._replace(fair=table.fair._replace(number=number, entropies=table.entropies))
    if not seating:
        return table
    if sorted(seating) != list(range(len(table.seats))):
        raise Misfit("seat", f"the seating {seating} does not name each seat once")
    return table._replace(seats=tuple(table.seats[number] for number in seating))


def make_move(table: Table, event: Json, folding: Folding) -> Table:
    """Make the move on the board, with the draws that follow from it."""
    play = table.play
    if play is None:
        raise Misfit("order", "a move before the start")
    if play is not folding.own:
        play = folding.copy_of(play)
        table = table._replace(play=play)
    state = play.state
    if state.seat != event["seat"]:
        raise Misfit("wrong_seat", f"seat {state.seat} is asked, seat {event['seat']} moved")
    state.play(state.find(event["move"]))
    _settle(state, event["chance"])
    return awaiting_score(table) if state.over else table


def awaiting_score(table: Table) -> Table:
    """Return the table with the status that follows from its play: over, it waits for its score."""
    if table.play is None or not table.play.state.over:
        return table
    return table._replace(life=table.life._replace(status=Status.SCORING))


def _settle(state: State[Any], chance: Sequence[str]) -> None:
    if not chance and state.chance is None:
        return  # most moves of Caylus: a source costs a twentieth of the move
    source = RecordedSource(chance)
    state.settle(source)
    if not source.exhausted:
        raise Misfit("chance", "more chance is recorded than was drawn")


def renew_draws(table: Table, event: Json, _folding: Folding) -> Table:
    """Take another commitment; the numbers of the draws begin with 0 again."""
    if table.fair is None:
        raise Misfit("order", "the game has no fair draws that could be renewed")
    number = min(table.fair.number, 0)
    return table._replace(fair=table.fair._replace(commitment=event["commitment"], number=number))


def score_game(table: Table, event: Json, _folding: Folding) -> Table:
    """Set the result."""
    return table._replace(ending=Ending(result=event["result"]))


def abort_game(table: Table, event: Json, _folding: Folding) -> Table:
    """End the game without a result."""
    return table._replace(ending=Ending(reason=event["reason"]))
