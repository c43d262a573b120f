"""What the start, the moves and the endings of a game do to a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cartulary.engine.chance import RecordedSource
from cartulary.engine.core import State, find_game
from cartulary.engine.kept import Kept
from cartulary.events.model.effects.clocks import move_clocks, start_clocks
from cartulary.events.model.effects.folding import Folding
from cartulary.events.model.failures import Misfit
from cartulary.events.model.fairness import count_setup
from cartulary.events.model.kept import KeptRecord, without_taken
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import (
    Clocks,
    Fair,
    GameEnding,
    GameSettings,
    Lifecycle,
    Play,
    Progress,
    Seat,
)
from cartulary.events.model.types import Json

_new_tuple = tuple.__new__
"""Makes a named tuple in half the time of its own constructor, for what each event makes."""


def create_game(_before: None, event: Json, folding: Folding) -> Table:
    """Open the table of `game_created`."""
    terms = GameSettings(
        event["game"],
        event["options"],
        event["visibility"],
        event["created_by"],
        event["at"],
        event.get("names"),
        event.get("shuffle_seats", False),
        event.get("takebacks", "none"),
        event.get("on_timeout", "claim"),
        event.get("substitutes", False),
        event.get("start", "full"),
        event.get("stand_in", "medium"),
        event.get("expires_in"),
        event.get("rematch_of"),
        event.get("branched_from"),
        event.get("bot_seats"),
        event.get("pace"),
        event.get("hints", False),
        event.get("bot_delay", 0),
        event.get("rated", False),
        event.get("fill") == "bots",
        event.get("tournament"),
    )
    fair: Json | None = event.get("fair")
    return Table(
        folding.game_id,
        find_game(folding.rules, terms.game),
        terms,
        tuple(Seat(seat["player"], seat["bot"], seat.get("entropy")) for seat in event["seats"]),
        Lifecycle(Status.OPEN, event["version"], 0, event["at"], ""),
        Progress(event["created_by"]),
        fair=None if fair is None else _begin_draws(fair),
        clocks=None if terms.pace is None else Clocks(),
    )


def _begin_draws(fair: Json) -> Fair:
    """Return the draws of a game that is opened; those of a duplicate round know their entropy."""
    entropies = (fair["entropy"],) if "entropy" in fair else ()
    return Fair(fair["commitment"], -fair["given"], entropies, fair.get("round"))


def start_game(table: Table, event: Json, folding: Folding) -> Table:
    """Seat the players as the lot says, set the game up and make the draws of the start."""
    table = _start_draws(table, event)
    state = table.rules.new(len(table.seats), table.options, event["setup"])
    _settle_from(RecordedSource(event["chance"]), state)
    folding.own = Play(state, event["setup"], event["rules_version"], [])
    course = table.course._replace(
        started=event["version"],
        stand_in_moves=(0,) * len(table.seats),
        ladder=event.get("ladder"),
    )
    table = table._replace(play=folding.own, course=course)
    return awaiting_score(table if table.clocks is None else start_clocks(table, event))


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
    remembered = table.course.remembered
    kept = Kept(remembered) if remembered else None
    play_recorded(state, event, kept)
    if kept is not None:
        table = without_taken(table, kept)
    if table.clocks is not None:
        table = move_clocks(table, event, state)
    return awaiting_score(table) if state.over else table


def play_recorded(state: State[Any], event: Json, kept: Kept | None = None) -> None:
    """Make the move of an event, with its draws: after a takeback each takes a `kept` outcome.

    Raises `Misfit`, `IllegalMove`, `ChanceError`.
    """
    if state.seat != event["seat"]:
        raise Misfit("wrong_seat", f"seat {state.seat} is asked, seat {event['seat']} moved")
    state.play(state.find(event["move"]))
    chance = event["chance"]
    if chance or state.chance is not None:  # most moves of Caylus draw nothing
        source = RecordedSource(chance) if kept is None else KeptRecord(chance, kept)
        _settle_from(source, state)


def awaiting_score(table: Table) -> Table:
    """Return the table with the status that follows from its play: over, it waits for its score."""
    if table.play is None or not table.play.state.over:
        return table
    life = table.life._replace(status=Status.SCORING)
    return _without_proposal(table._replace(life=life))


def _without_proposal(table: Table) -> Table:
    """Return the table of a game whose play has ended: nothing is left to agree on."""
    return table._replace(course=table.course._replace(proposal=None))


def _settle_from(source: RecordedSource, state: State[Any]) -> None:
    state.settle(source)
    if not source.exhausted:
        raise Misfit("chance", "more chance is recorded than was drawn")


def renew_draws(table: Table, event: Json, _folding: Folding) -> Table:
    """Take another commitment; the numbers of the draws begin with 0 again."""
    if table.fair is None:
        raise Misfit("order", "the game has no fair draws that could be renewed")
    number = min(table.fair.number, 0)
    return table._replace(fair=table.fair._replace(commitment=event["commitment"], number=number))


def end_play(table: Table, event: Json, _folding: Folding) -> Table:
    """End the play before its natural end: it waits for its score."""
    ending = GameEnding(ended_by=event["reason"], slowest=event.get("slowest"))
    return _without_proposal(table._replace(ending=ending))


def score_game(table: Table, event: Json, _folding: Folding) -> Table:
    """Set the result."""
    before = GameEnding() if table.ending is None else table.ending
    return table._replace(ending=before._replace(result=event["result"]))


def abort_game(table: Table, event: Json, _folding: Folding) -> Table:
    """End the game without a result."""
    return _without_proposal(table._replace(ending=GameEnding(reason=event["reason"])))
