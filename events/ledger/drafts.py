"""Drafts: events that are not stored yet, with the table they lead to. No Redis in here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from cartulary.engine.chance import Dealer
from cartulary.engine.core import State
from cartulary.engine.kept import Kept, KeptSource
from cartulary.events.ledger.standing import NO_ANSWERS, GivenAnswers
from cartulary.events.model.chain import GENESIS, Sealed, has_float, seal, view_and_hash
from cartulary.events.model.clock import SYSTEM, Clock, milliseconds, now
from cartulary.events.model.effects.fold import evolve, follow_move
from cartulary.events.model.effects.folding import Earlier
from cartulary.events.model.effects.kinds import KINDS
from cartulary.events.model.offers import Rules
from cartulary.events.model.table import Table
from cartulary.events.model.time.intervals import Interval
from cartulary.events.model.time.timing import NO_STOPS, Charge, charge, describe_charge
from cartulary.events.model.types import GAME_STARTED, MOVE_MADE, Json, event
from cartulary.events.server.format import FORMAT, LEVELED, find_schema

FindStops = Callable[[Table, int, int, int], Sequence[Interval]]
"""Returns what stops the clock of a seat from one moment to another, without an event."""

Deal = Callable[[Table], Dealer]
"""Returns what answers the next draws of a table. Raises `DrawsUnavailable`."""


PATIENCE_MS: Final = 2_000
"""What the time of an event may be later than the request; the audit allows for as much."""


class Draft:
    """The events that a command is about to append to the stream of `table` (None: a new game).

    `earlier` is what came before the events: a takeback asks for it. `clock` tells their time.
    `find_stops` finds what stops the clock of a seat without an event
    (`events.model.time.timing.ClockStops`). `standing` are the standing answers: the append
    compares their revision. `read_level` is asked before an event that not every release reads
    (`events.server.format`).
    """

    def __init__(
        self,
        rules: Rules,
        game_id: str,
        table: Table | None = None,
        earlier: Earlier | None = None,
        clock: Clock = SYSTEM,
        find_stops: FindStops = NO_STOPS.stops,
        standing: GivenAnswers = NO_ANSWERS,
        read_level: Callable[[], int] = lambda: FORMAT,
    ) -> None:
        self.game_id = game_id
        self.standing = standing
        self.received: int | None = None
        """When the request came in, in ms since the epoch; None: just now. Clocks count to it."""
        self._rules, self._earlier, self._clock = rules, earlier, clock
        self._find_stops, self._read_level = find_stops, read_level
        self.events: list[Json] = []
        """The events as they are delivered, with their hashes."""
        self.sealed: list[Sealed] = []
        """The events as they are appended."""
        self.side_keys: dict[Callable[[str], str], bytes | None] = {}
        """What is stored next to the stream in the same step (`events.ledger.ledger.SideKeys`)."""
        self.before = table
        """The table that the draft was begun on, None for a new game."""
        self.after = table
        """The table after the events so far, None for a new game before its first event."""
        self._head = GENESIS if table is None else table.life.head
        self._version = 0 if table is None else table.life.version

    @property
    def table(self) -> Table:
        """The table after the events so far; there must be one."""
        assert self.after is not None
        return self.after

    def rename(self, game_id: str) -> None:
        """Give another id to a game that is not stored yet."""
        self.game_id = game_id
        self.after = self.table._replace(id=game_id)

    def add(self, type_: str, /, **fields: Any) -> None:
        """Add an event and fold it; raises `TypeError` for a number that is no integer.

        The readers of JSON write such numbers in different ways, so each would find another hash.
        """
        new = event(self._next(), type_, self.now(), prev=self._head, **fields)
        if has_float(new):
            raise TypeError(f"{type_} with a number that is no integer")
        head = self._seal(new)
        self.after = evolve(self._rules, self.game_id, self.after, new, head, self._earlier)

    def start(self, deal: Deal, counts: Mapping[str, Any] = MappingProxyType({})) -> None:
        """Add `game_started`: seats by lot where that was asked for, the setup, the first draws.

        `counts` is what the event says of the ratings for which the game counts.
        """
        table = self.table
        game, seats, source = table.rules, len(table.seats), deal(table)
        shuffled = source.sample(range(seats), seats) if table.terms.shuffle_seats else None
        setup = game.draw_setup(seats, table.options, source)
        state = game.new(seats, table.options, setup)
        facts: list[Json] = []
        state.facts = facts
        chance = state.settle(source)
        self.add_start(setup, chance, facts, state, shuffled, counts)

    def add_start(
        self,
        setup: Json,
        chance: list[str],
        facts: list[Json],
        state: State[Any],
        seating: list[int] | None = None,
        counts: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """Add `game_started` for a state that has been set up."""
        shuffled = {} if seating is None else {"seating": seating}
        self.add(
            GAME_STARTED,
            setup=setup,
            chance=chance,
            facts=facts,
            rules_version=self.table.rules.rules_version,
            state_hash=view_and_hash(state)[1],
            **shuffled,
            **counts,
        )

    def play(self, found: Any, deal: Deal, bot: Json | None = None, by: str | None = None) -> None:
        """Add `move_made` for a legal move in internal form, with the draws that follow.

        `bot` is what the event says of the bot that has moved, `by` what it says of the mover
        (None: the owner of the seat, its bot or its stand-in).
        """
        play = self.table.play
        assert play is not None
        state = play.state.copy()
        seat, move = state.seat, state.move_json(found)
        facts: list[Json] = []
        state.facts = facts
        state.play(found)
        # Most moves lead to a question or to the end: they draw nothing, and need no seed.
        draws = not state.kind and state.chance is not None
        chance, kept = self._draw(state, deal) if draws else ([], None)
        state.facts = None
        self.add_move(seat, move, chance, facts, state, bot, kept, by)

    def _draw(self, state: State[Any], deal: Deal) -> tuple[list[str], Kept | None]:
        """Make the pending draws; what a takeback has kept is drawn first."""
        remembered, fresh = self.table.course.remembered, deal(self.table)
        if not remembered:
            return state.settle(fresh), None
        kept = Kept(remembered)
        return state.settle(KeptSource(kept, fresh)), kept

    def add_move(
        self,
        seat: int,
        move: Json,
        chance: list[str],
        facts: list[Json],
        state: State[Any],
        bot: Json | None = None,
        kept: Kept | None = None,
        by: str | None = None,
    ) -> None:
        """Add `move_made` for a move that has led to `state`.

        `kept` has the kept outcomes that its draws have left, None where they could take none.
        """
        view, state_hash = view_and_hash(state)
        new: Json = {
            "version": self._next(),
            "type": MOVE_MADE,
            "at": self.now(),
            "prev": self._head,
            "seat": seat,
            "move": move,
            "chance": chance,
            "facts": facts,
            "state_hash": state_hash,
        }
        if bot is not None:
            new["bot"] = bot
        if by is not None:
            new["by"] = by
        elif self.table.seats[seat].stand_in is not None:
            new["by"] = "stand_in"
        elif self.table.clocks is not None and self.table.seats[seat].player is not None:
            new["clock"] = describe_charge(self.table, self.charge(new["at"]), state.seat)
        self.after = follow_move(self.table, new, state, view, self._seal(new), kept)

    def charge(self, at: str) -> Charge:
        """Return what the seat that is asked has used up to an event of this time.

        The clock counts to the moment at which the request came in. A service that keeps the
        request waiting for longer than `PATIENCE_MS` stops the clock from that moment on.
        """
        table = self.table
        assert table.clocks is not None
        assert table.play is not None
        since = table.clocks.since
        received, waited = self.find_receipt(at, since)
        charged = charge(table, received, self.find_stops(table.play.state.seat, since, received))
        return charged if waited <= 0 else charged._replace(stopped=charged.stopped + waited)

    def find_receipt(self, at: str, since: int) -> tuple[int, int]:
        """Return when the request of an event of this time came in, and how long it has waited.

        The clock runs since `since`; what counts as stopped of the wait is above 0.
        """
        now, received = milliseconds(at), self.received
        if received is None or received >= now:
            return now, 0
        return received, now - max(received, since) - PATIENCE_MS

    def find_stops(self, seat: int, since: int, until: int) -> Sequence[Interval]:
        """Return what stops the clock of a seat between two moments, without an event."""
        return self._find_stops(self.table, seat, since, until)

    def follow(self, version: int, events: Sequence[Json]) -> Iterator[Table]:
        """Yield the table of an earlier version, and those after the `events` that followed."""
        assert self._earlier is not None
        table = self._earlier.table(version)
        yield table
        for one in events:
            table = evolve(self._rules, self.game_id, table, one, earlier=self._earlier)
            yield table

    def _seal(self, new: Json) -> str:
        """Add an event to those to be appended; return its hash, which the next event names."""
        sealed = seal(new, self.find_schema(new["type"]))
        self.sealed.append(sealed)
        self._head = new["hash"] = sealed.hash
        self.events.append(new)
        return sealed.hash

    def find_schema(self, type_: str) -> int:
        """Return the schema in which an event of this type is written now. Raises `RedisError`."""
        current = KINDS[type_].schema
        return current if type_ not in LEVELED else find_schema(type_, current, self._read_level())

    def now(self) -> str:
        """Return the time of the next event: never before the event before.

        The clock of a machine may be set back.
        """
        at = now(self._clock)
        return at if self.after is None else max(self.after.life.updated_at, at)

    def _next(self) -> int:
        return self._version + len(self.events) + 1
