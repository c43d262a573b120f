"""What the events of time do to a table: readiness, flags, gifts of time, pauses.

The arithmetic is in `events.model.time.timing`, the rules are in `docs/living.md`, "Clocks".
"""

from __future__ import annotations

from typing import Any

from cartulary.engine.core import State
from cartulary.events.model.clock import milliseconds
from cartulary.events.model.effects.folding import Folding, find_seat, must, put_seat
from cartulary.events.model.failures import Misfit
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import Clocks
from cartulary.events.model.time import timing
from cartulary.events.model.time.pace import Pace
from cartulary.events.model.types import Json


def start_clocks(table: Table, event: Json) -> Table:
    """Fill the banks: the first seat that is asked has its first turn."""
    assert table.terms.pace is not None
    bank = Pace(**table.terms.pace).bank_ms
    return _with(table, Clocks((bank,) * len(table.seats), milliseconds(event["at"])))


def move_clocks(table: Table, event: Json, state: State[Any]) -> Table:
    """Return a timed table after a move that has led to `state`."""
    game_id, rules, terms, seats, life, course, play, ending, fair, clocks, opened_at = table
    assert clocks is not None
    clocks = timing.after_move(clocks, terms, event, state.seat)
    # Faster than `_replace`: every move of a timed game comes here.
    return Table(
        *(game_id, rules, terms, seats, life, course, play, ending, fair, clocks, opened_at)
    )


def restart_clocks(table: Table, event: Json) -> Table:
    """Give the seat that is asked now a full delay; nothing in an untimed game."""
    clocks = table.clocks
    return table if clocks is None else _with(table, timing.restart(clocks, event["at"]))


def charge_takeback(table: Table, earlier: Table, event: Json) -> Table:
    """Let the turn of the table gone back to go on: the takeback is charged like an answer.

    The delay is that of the table `earlier` as well: its player had not finished the turn.
    """
    clocks, base, clock = _must_be_timed(table), _must_be_timed(earlier), event["clock"]
    owner = find_seat(table, event)[1].player
    must(owner is not None, "clock", f"seat {event['seat']} has no player")
    assert owner is not None
    must(len(clock["banks"]) == len(clocks.banks), "clock", "not every seat has a bank")
    own = table.seats_of(owner["id"])
    turned = tuple(seat for seat in clocks.turned if seat not in own or seat in base.turned)
    receipt = base.since + clock["used"] + clock["stopped"]
    used, banks = clock["turn_used"], tuple(clock["banks"])
    return _with(table, Clocks(banks, receipt, used, turned, (), clocks.paused, 0, clocks.given))


def ask_again(table: Table, seat: int, event: Json) -> Table:
    """Give a seat whose owner answers again a full delay, if the seat is asked."""
    is_asked = table.play is not None and table.play.state.seat == seat
    return restart_clocks(table, event) if is_asked else table


def ready_seat(table: Table, event: Json, _folding: Folding) -> Table:
    """Note whether the player of a seat at a live table is ready for the start."""
    number, seat = find_seat(table, event)
    must(table.live, "clock", "only a live table asks who is ready")
    must(seat.player is not None, "seat", f"seat {number} has no player")
    return put_seat(table, number, seat._replace(ready=event["ready"]))


def time_out_turn(table: Table, event: Json, _folding: Folding) -> Table:
    """Let the flag of the seat that is asked fall: its bank is empty."""
    number, _ = find_seat(table, event)
    clocks = _must_be_timed(table)
    must(timing.find_timed_seat(table) == number, "clock", f"no clock of seat {number} runs")
    must(not table.overdue, "clock", f"the flag of seat {number} has fallen already")
    return _with(
        table,
        clocks._replace(
            banks=timing.put_bank(clocks.banks, number, event["clock"]["bank"]),
            since=milliseconds(event["at"]),
            turn_used=clocks.turn_used + event["clock"]["used"],
            stops=(),
            flagged=table.life.position,
        ),
    )


def give_time(table: Table, event: Json, _folding: Folding) -> Table:
    """Add time to the bank of a seat; a flag that has fallen is raised again.

    The time from the flag to the gift does not count.
    """
    number, seat = find_seat(table, event)
    clocks = _must_be_timed(table)
    must(seat.player is not None, "clock", f"seat {number} has no player")
    giver = next(iter(table.seats_of(event["by"])), None)
    if giver is None or event["ms"] <= 0:
        raise Misfit("clock", "nobody at the table gives this time")
    total = dict(clocks.given)
    total[giver] = total.get(giver, 0) + event["ms"]
    clocks = clocks._replace(
        banks=timing.put_bank(clocks.banks, number, clocks.banks[number] + event["ms"]),
        given=tuple(total.items()),
    )
    if table.overdue and timing.find_timed_seat(table) == number:
        fallen = (clocks.since, milliseconds(event["at"]))
        clocks = clocks._replace(stops=(*clocks.stops, fallen), flagged=0)
    return _with(table, clocks)


def pause_game(table: Table, event: Json, _folding: Folding) -> Table:
    """Stop the clocks until a given time; moves stay legal."""
    clocks = _must_be_timed(table)
    must(clocks.paused is None, "clock", "the game is paused already")
    pause = (milliseconds(event["at"]), milliseconds(event["until"]))
    must(pause[0] < pause[1], "clock", "the pause ends before it begins")
    return _with(table, clocks._replace(paused=pause))


def resume_game(table: Table, _event: Json, _folding: Folding) -> Table:
    """Let the clocks run again. A pause that lasted until its end has stopped them until then."""
    clocks = _must_be_timed(table)
    if clocks.paused is None:
        raise Misfit("clock", "the game is not paused")
    start, until = clocks.paused
    end = min(until, milliseconds(table.updated_at))
    return _with(table, clocks._replace(paused=None, stops=(*clocks.stops, (start, end))))


def _must_be_timed(table: Table) -> Clocks:
    if table.clocks is None:
        raise Misfit("clock", "the game is untimed")
    return table.clocks


def _with(table: Table, clocks: Clocks) -> Table:
    return table._replace(clocks=clocks)
