"""Which moves a takeback takes back, and who may do so alone (`docs/living.md`, "What is free")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cartulary.events.commands.judging.consent import first_seat
from cartulary.events.commands.judging.endings import close_proposal
from cartulary.events.commands.judging.ladders import leave_ladder
from cartulary.events.ledger.drafts import Draft
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.model.effects.kinds import KINDS
from cartulary.events.model.errors import Invalid, NothingToTakeBack, TooLate
from cartulary.events.model.ladders import TAKEBACK, is_harmless
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import MERGED
from cartulary.events.model.time.recharging import Mark, charge_takeback, make_mark
from cartulary.events.model.types import MOVE_MADE, MOVES_TAKEN_BACK, Json
from cartulary.events.people.players import Player

CHARGED: Final = 2
"""From this schema on a takeback that was free says what it costs."""

PIECE: Final = 32
"""At least so many events are read at once when the ledger is read backwards."""


class Takeback(NamedTuple):
    """A takeback: to the position `to_version`, by which the `moves` (events) stand no more.

    `state_hash` is that of the position.
    """

    to_version: int
    moves: list[Json]
    state_hash: str

    @property
    def versions(self) -> list[int]:
        """The versions of the moves."""
        return [move["version"] for move in self.moves]


class PastEvents:
    """The events up to a table, read backwards as far as a caller asks.

    `events` are the last events of the table that are not stored yet.
    """

    def __init__(self, ledger: Ledger, table: Table, events: Sequence[Json] = ()) -> None:
        self._ledger, self._table = ledger, table
        self._events = list(events)
        self._begins = table.version + 1 - len(self._events)

    def event(self, version: int) -> Json:
        """Return the event of a version of this table."""
        if version < self._begins:
            after = max(0, min(version - 1, self._begins - 1 - PIECE))
            found = self._ledger.events(self._table.id, after, self._begins - 1 - after)
            self._events[:0] = found
            self._begins = after + 1
        return self._events[version - self._begins]

    def position(self, version: int) -> int:
        """Return the position that the table had at a version after the start."""
        while not KINDS[self.event(version)["type"]].changes_position:
            version -= 1
        return version

    def follow(self, draft: Draft, version: int) -> list[Mark]:
        """Return the marks of a timed table of a draft from a version on, to the last event."""
        events = [self.event(one) for one in range(version, self._table.version + 1)]
        tables = draft.follow(version, events[1:])
        return [make_mark(table, event) for table, event in zip(tables, events, strict=True)]

    def moves_back(self) -> Iterator[Json]:
        """Yield the moves that stand, the last one first."""
        for version in range(self._table.version, self._table.course.started, -1):
            event = self.event(version)
            if event["type"] == MOVE_MADE and self._table.stands(version):
                yield event

    def moves_after(self, version: int) -> list[Json]:
        """Return the moves after a version that stand, in order."""
        found = []
        for move in self.moves_back():
            if move["version"] <= version:
                break
            found.append(move)
        return found[::-1]


def find_takeback(
    past: PastEvents, table: Table, player_id: str, to_version: int | None
) -> Takeback:
    """Return the takeback to a version, None: to the position before the player's own last move.

    Any version from the position before a move up to that move means the position before the move.
    Raises `Invalid` for a version that the game does not have or that comes before the start,
    `NothingToTakeBack`.
    """
    if to_version is None:
        first = find_own_move(past, table, player_id)
        if first is None:
            raise NothingToTakeBack("you have made no move that stands")
        return find_before(past, first["version"])
    if not table.course.started <= to_version <= table.version:
        span = f"{table.course.started} (the start) to {table.version}"
        raise Invalid([("/to_version", f"a version from {span}")])
    stood = table.course.place(past.position(to_version))
    if not table.stands(stood):
        raise NothingToTakeBack(f"the moves up to version {to_version} were taken back already")
    moves = past.moves_after(stood)
    if not moves:
        raise NothingToTakeBack(f"no move was made after version {to_version}")
    return find_before(past, moves[0]["version"])


def find_before(past: PastEvents, version: int) -> Takeback:
    """Return the takeback of the move of a version, and of all moves after it."""
    return find_moves(past, past.position(version - 1))


def find_moves(past: PastEvents, to_version: int) -> Takeback:
    """Return the takeback to a position that stands."""
    return Takeback(to_version, past.moves_after(to_version), past.event(to_version)["state_hash"])


def is_own(table: Table, player_id: str, move: Json) -> bool:
    """Return whether a player has made this move; a move of a bot is no player's move."""
    seat: int = move["seat"]
    before = [(one.seat, one.version) for one in table.course.tenures if one.reason != MERGED]
    before += [(one.seat, one.version) for one in table.course.replaced]
    earlier = any(one == seat and until > move["version"] for one, until in before)
    return table.seats[seat].is_held_by(player_id) and "by" not in move and not earlier


def find_own_move(past: PastEvents, table: Table, player_id: str) -> Json | None:
    """Return the last move of a player that stands, None when no such move stands."""
    return next((move for move in past.moves_back() if is_own(table, player_id, move)), None)


def has_own_move(ledger: Ledger, table: Table, player_id: str) -> bool:
    """Return whether a move of this player stands; most tables say it without the ledger."""
    own = [seat for seat in table.seats_of(player_id) if seat in table.course.answered]
    if not own or not table.has_moves:
        return False
    return find_own_move(PastEvents(ledger, table), table, player_id) is not None


def is_alone(table: Table, player_id: str) -> bool:
    """Return whether this player contends against bots only (rule 2)."""
    return all(seat.bot or seat.is_held_by(player_id) for seat in table.seats if seat.contending)


def is_free(table: Table, player_id: str, back: Takeback) -> bool:
    """Return whether a player may do a takeback without asking (rules 1 and 2)."""
    free = table.free_takeback
    if free is None or not table.seats[free.seat].is_held_by(player_id):
        return False
    if back.to_version < free.free_to:
        return False
    return is_own(table, player_id, back.moves[0]) or is_alone(table, player_id)


def must_have_moves(table: Table) -> None:
    """Raise `NothingToTakeBack` when no move stands."""
    if not table.has_moves:
        raise NothingToTakeBack("no move stands")


def find_mover(table: Table, player: Player, back: Takeback) -> int:
    """Return the seat of the player's own first move of a takeback."""
    own = (move["seat"] for move in back.moves if is_own(table, player.id, move))
    return next(own, first_seat(table, player))


def take_back_freely(draft: Draft, past: PastEvents, player: Player, back: Takeback) -> None:
    """Take moves back without asking; where others contend, the clock is charged for it.

    Raises `TooLate` when delay and bank are used up, or the flag fell.
    """
    table, clock = draft.table, None
    schema = draft.find_schema(MOVES_TAKEN_BACK)
    if table.clocks is not None and schema >= CHARGED and not is_alone(table, player.id):
        clock = _charge(draft, past, player.id, back.to_version)
    take_back(draft, find_mover(table, player, back), back, None, clock)


def _charge(draft: Draft, past: PastEvents, player_id: str, to_version: int) -> Json:
    marks = past.follow(draft, to_version)
    since = marks[0].clocks.since
    received, waited = draft.find_receipt(draft.now(), since)
    stops = draft.find_stops(marks[0].asked, since, received)
    clock = charge_takeback(draft.table, player_id, marks, received, stops)
    if clock is None:
        raise TooLate("the time for these moves is used up")
    clock["stopped"] += max(0, waited)
    return clock


def take_back(
    draft: Draft, seat: int, back: Takeback, proposal: int | None, clock: Json | None = None
) -> None:
    """Take moves back; an open proposal about one of these moves lapses, and so does a claim.

    The seat that was claimed is asked no more. A practice game leaves its ladder first, unless the
    takeback is harmless (`is_harmless`).
    """
    still = draft.table.course.proposal
    is_claim = still is not None and still.target is not None
    if still is not None and (is_claim or not set(still.moves).isdisjoint(back.versions)):
        close_proposal(draft, "lapsed")
    if not is_harmless(back.moves):
        leave_ladder(draft, TAKEBACK)
    draft.add(
        MOVES_TAKEN_BACK,
        seat=seat,
        to_version=back.to_version,
        moves=back.versions,
        proposal=proposal,
        state_hash=back.state_hash,
        **({} if clock is None else {"clock": clock}),
    )
