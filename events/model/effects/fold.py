"""Folding: from events to tables. Folding is pure: no clock, no random source, no store."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from cartulary.engine.core import State
from cartulary.engine.errors import ChanceError, EngineError, IllegalMove, UnknownGame
from cartulary.engine.kept import Kept
from cartulary.events.model.effects.board import awaiting_score, play_recorded
from cartulary.events.model.effects.clocks import move_clocks
from cartulary.events.model.effects.folding import Earlier, Folding, NothingEarlier
from cartulary.events.model.effects.kinds import KINDS, EventKind
from cartulary.events.model.failures import BrokenHistory, Misfit, UnknownEvent
from cartulary.events.model.kept import without_taken
from cartulary.events.model.offers import Rules
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import (
    Fair,
    FreeTakeback,
    Lifecycle,
    Play,
    Progress,
    Seat,
    is_person,
)
from cartulary.events.model.time.timing import after_move
from cartulary.events.model.types import MOVE_MADE, Json

_new_tuple = tuple.__new__
"""Makes a named tuple in half the time of its own constructor, for what each event makes."""


_RUNNING = Status.RUNNING

_FAULTS = (Misfit, EngineError, KeyError, TypeError, ValueError, AttributeError)
"""What an event raises that cannot come where it stands."""

CHECKPOINT = 25
"""Versions between two tables that a history remembers."""


class History:
    """What a fold knows of the events before: the tables of a prefix of a stream, as needed.

    `events` come after `base` (None: they begin with the first) and may grow; `before` answers for
    what is earlier than `base`. A game without takebacks makes no table; with takebacks each
    event is folded a second time at most, and each takeback folds `CHECKPOINT` events at most.
    """

    def __init__(
        self,
        rules: Rules,
        game_id: str,
        base: Table | None,
        events: Sequence[Json],
        before: Earlier | None = None,
    ) -> None:
        self._rules, self._game_id = rules, game_id
        self._first = 0 if base is None else base.version
        self._tables = {} if base is None else {base.version: base}
        self._events, self._before = events, before

    def table(self, version: int) -> Table:
        """Return the table of an earlier version."""
        if version < self._first:
            return self._must_have_before().table(version)
        start = max((known for known in self._tables if known <= version), default=0)
        while start < version:
            end = min(version, start - start % CHECKPOINT + CHECKPOINT)
            self._tables[end] = self._go_on(self._tables.get(start), start, end)
            start = end
        return self._tables[version]

    def _go_on(self, table: Table | None, start: int, end: int) -> Table:
        # A folding of its own: what a later folding changes must not be the state of this table.
        folding = Folding(self._rules, self._game_id, self)
        events = self._events[start - self._first : end - self._first]
        table = _go_through(folding, table, events)
        assert table is not None
        return table

    def chance(self, moves: Sequence[int]) -> list[str]:
        """Return the outcomes of the moves of these versions, in order."""
        outcomes: list[str] = []
        known = [move for move in moves if move > self._first]
        if len(known) < len(moves):
            outcomes += self._must_have_before().chance(moves[: len(moves) - len(known)])
        for move in known:
            outcomes += self._events[move - self._first - 1]["chance"]
        return outcomes

    def _must_have_before(self) -> Earlier:
        if self._before is None:
            raise NothingEarlier
        return self._before


def evolve(
    rules: Rules,
    game_id: str,
    table: Table | None,
    event: Json,
    head: str = "",
    earlier: Earlier | None = None,
) -> Table:
    """Return the table after one more event (None: the event opens the game); changes neither.

    `head` is the hash of the event: the next event names it. `earlier` is what came before; only a
    takeback asks for it, and raises `NothingEarlier` without it.
    Raises `BrokenHistory` when the event cannot come here, `UnknownEvent` for a game that is not on
    offer. The state hash and the result are not compared (`events.audit` does), so that reading
    stays cheap.
    """
    return _set_head(_advance(Folding(rules, game_id, earlier), table, event), head)


def fold(
    rules: Rules,
    game_id: str,
    table: Table | None,
    events: Sequence[Json],
    head: str = "",
    earlier: Earlier | None = None,
) -> Table | None:
    """Return the table after all `events`, as `evolve` would one by one; None without any.

    `head` is the hash of the last event. `earlier` is what came before `table`: only a takeback to
    a version before `table` asks for it. O(events); the state is copied once, and once more for
    each takeback.
    """
    folding = Folding(rules, game_id, History(rules, game_id, table, events, earlier))
    table = _go_through(folding, table, events)
    return _set_head(table, head) if table is not None and events else table


def _set_head(table: Table, head: str) -> Table:
    """Return the table with the hash of its last event."""
    return table._replace(life=table.life._replace(head=head))


def follow_move(
    table: Table, event: Json, state: State[Any], view: bytes, head: str, kept: Kept | None
) -> Table:
    """Return the table after a `move_made` that has led to `state`, whose text is `view`.

    As `evolve`, but the move is not made a second time. `head` is the hash of the event, `kept` has
    the kept outcomes that the draws of the move have left; None where no draw could take one.
    """
    assert table.play is not None
    play = Play(state, table.play.setup, table.play.rules_version, [view])
    after = _enter(table, KINDS[event["type"]], event, play, head)
    if after.clocks is not None:
        after = move_clocks(after, event, state)
    if kept is not None:
        after = without_taken(after, kept)
    return awaiting_score(after) if not state.kind and state.over else after


def _go_through(folding: Folding, table: Table | None, events: Sequence[Json]) -> Table | None:
    """Return the table after more events of a folding."""
    number = 0
    while number < len(events):
        if table is not None and _makes_plain_moves(table):
            table, number = _make_moves(folding, table, events, number)
            if number == len(events):
                break
        table = _advance(folding, table, events[number])
        number += 1
    return table


def _makes_plain_moves(table: Table) -> bool:
    """Return whether `_make_moves` may go on: after a takeback, kept outcomes are drawn first."""
    return table.life.status is _RUNNING and table.play is not None and not table.course.remembered


def _make_moves(
    folding: Folding, table: Table, events: Sequence[Json], number: int
) -> tuple[Table, int]:
    """Return the table after the moves from `events[number]` on, and the number of the next event.

    Does what `_advance` does for each move, in the same order. Most events of a game are moves, and
    a table for each of them takes as long as the rules; here a table is made after the last.
    """
    game_id, rules, terms, seats, life, course, play, ending, fair, clocks, opened_at = table
    _, version, position, at, state_hash, _, run = life
    drawn = 0
    assert play is not None
    try:
        if play is not folding.own and events[number]["type"] == MOVE_MADE:
            play = folding.copy_of(play)
        state = play.state
        for event in islice(events, number, None):
            if event["type"] != MOVE_MADE:
                break
            if event["version"] != version + 1:
                raise _make_gap(event, version + 1)
            chance, seat = event["chance"], event["seat"]
            if chance:
                run = None
                if fair is not None:
                    drawn += len(chance)
            elif run is None or run[0] != seat:
                run = _note_run(run, seats, position, event)
            if seat not in course.answered or "by" in event or course.declines:
                course = _note_move(course, seats, event)
            at, state_hash = event["at"], event["state_hash"]
            play_recorded(state, event)
            if clocks is not None:
                clocks = after_move(clocks, terms, event, state.seat)
            position = version = version + 1
            number += 1
            if state.over:
                break
    except _FAULTS as error:
        raise BrokenHistory(folding.game_id, version + 1, *_problem(error)) from error
    life = Lifecycle(_RUNNING, version, position, at, state_hash, "", run)
    fair = _count_draws(fair, drawn)
    after = Table(
        *(game_id, rules, terms, seats, life, course, play, ending, fair, clocks, opened_at)
    )
    return awaiting_score(after), number


def _count_draws(fair: Fair | None, drawn: int) -> Fair | None:
    return fair and fair._replace(number=fair.number + drawn)


def _advance(folding: Folding, table: Table | None, event: Json) -> Table:
    """Return the table after one more event of a folding."""
    try:
        kind = KINDS[event["type"]]
        if table is None:
            _check_first(kind, event)
            return kind.apply(None, event, folding)
        life = table.life
        if event["version"] != life.version + 1 or life.status not in kind.comes_in:
            raise _make_misplaced(kind, event, life)
        return kind.apply(_enter(table, kind, event, table.play), event, folding)
    except UnknownGame as error:
        raise UnknownEvent(folding.game_id, 1, str(error)) from error
    except _FAULTS as error:
        version = 1 if table is None else table.version + 1
        raise BrokenHistory(folding.game_id, version, *_problem(error)) from error


def _enter(table: Table, kind: EventKind, event: Json, play: Play | None, head: str = "") -> Table:
    """Return the table with a play, and with what every event of its kind changes.

    That is version, time, position, status, state hash, the number of the next draw, and what a
    move leaves behind besides the board.
    """
    game_id, rules, terms, seats, entered, course, _, ending, fair, clocks, opened_at = table
    status, _, position, _, state_hash, _, run = entered
    version: int = event["version"]
    if kind.has_chance:
        chance = event["chance"]
        if chance:
            run = None
            if fair is not None:
                commitment, number, entropies, round_ = fair
                fair = _new_tuple(Fair, (commitment, number + len(chance), entropies, round_))
        if status is _RUNNING:
            seat = event["seat"]
            if not chance and (run is None or run[0] != seat):
                run = _note_run(run, seats, position, event)
            if seat not in course.answered or "by" in event or course.declines:
                course = _note_move(course, seats, event)
    life = _new_tuple(
        Lifecycle,
        (
            kind.leads_to or status,
            version,
            version if kind.changes_position else position,
            event["at"],
            event["state_hash"] if kind.has_state_hash else state_hash,
            head,
            run,
        ),
    )
    return _new_tuple(
        Table,
        (game_id, rules, terms, seats, life, course, play, ending, fair, clocks, opened_at),
    )


def _note_move(course: Progress, seats: tuple[Seat, ...], event: Json) -> Progress:
    """Return the course after a move: who has answered, what stand-ins have moved.

    Most moves change nothing of it: call this only when the seat has not answered before, when a
    proposal was declined, or when another player or a bot has moved for the seat (`by`).
    """
    seat: int = event["seat"]
    if not 0 <= seat < len(seats):
        return course  # the effect refuses the move
    by = event.get("by")
    changes: Json = {}
    if seat not in course.answered:
        changes["answered"] = (*course.answered, seat)
    if by == "stand_in":
        counts = course.stand_in_moves
        changes["stand_in_moves"] = (*counts[:seat], counts[seat] + 1, *counts[seat + 1 :])
    elif by is None and seats[seat].bot is None and course.declines:
        changes["declines"] = tuple(
            one._replace(version=0) if one.seat == seat else one for one in course.declines
        )
    return course._replace(**changes) if changes else course


def _note_run(
    run: FreeTakeback | None, seats: tuple[Seat, ...], position: int, event: Json
) -> FreeTakeback | None:
    """Return what a person may take back after a move without chance that was made at `position`.

    The run of a person goes on over the moves of bots and stand-ins, and over the person's other
    seats.
    """
    seat: int = event["seat"]
    try:
        mover = seats[seat].player
    except IndexError:
        return run  # the effect refuses the move
    if mover is None or "by" in event or not is_person(mover):
        return run
    if run is not None:
        before = seats[run.seat].player
        if before is not None and mover["id"] == before["id"]:
            return run
    return _new_tuple(FreeTakeback, (seat, position))


def _check_first(kind: EventKind, event: Json) -> None:
    if event["version"] != 1:
        raise _make_gap(event, 1)
    if kind.comes_in:
        raise Misfit("order", f"{kind.type} as the first event")


def _make_misplaced(kind: EventKind, event: Json, life: Lifecycle) -> Misfit:
    if event["version"] != life.version + 1:
        return _make_gap(event, life.version + 1)
    return Misfit("order", f"{kind.type} in a game that is {life.status}")


def _make_gap(event: Json, due: int) -> Misfit:
    return Misfit("version_gap", f"version {event['version']} instead of {due}")


def _problem(error: Exception) -> tuple[str, str]:
    """Return the stable word and the sentence for what is wrong with an event."""
    match error:
        case Misfit():
            return error.problem, str(error)
        case IllegalMove():
            return "illegal_move", str(error)
        case ChanceError():
            return "chance", str(error)
        case EngineError():
            return "setup", str(error)
    return "unreadable", repr(error)
