"""An independent reckoning of the clock: from the rules alone, and in another way.

The service computes with formulas and intervals (`docs/living.md`, "Clocks"). This module lets
a mechanical clock run instead: it cuts time at every moment at which something begins or ends,
decides for each piece whether the hand moves, and burns the free time of the turn first and the
bank after it. It reads the stored events and the rules of the game, and nothing of the ledger.

All times are in milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import Any, NamedTuple

from cartulary.engine.chance import RecordedSource
from cartulary.engine.core import Game, State

Json = dict[str, Any]
Span = tuple[int, int]
"""From, and until (not included)."""

LIVE_FIRST_TURN = 60_000
PATIENCE = 2_000
"""A request that waits for longer in the service stops the clock."""


class Charge(NamedTuple):
    """What an answer, or a flag, costs: time charged, time that did not count, and the bank."""

    used: int
    stopped: int
    bank: int


class Moment(NamedTuple):
    """The clock after an event.

    `charge` is that of the event, None where no seat is charged. `seat` is the seat that is asked
    and whose clock counts, None when no clock counts. `deadline` is without grace.
    """

    version: int
    charge: Charge | None
    seat: int | None
    since: int
    turn_used: int
    banks: tuple[int, ...]
    deadline: int | None
    overdue: bool


@dataclass
class Dial:
    """The clock of a seat: the free time that is left in this turn, and the bank."""

    free: int
    bank: int
    used: int = 0
    held: int = 0

    def burn(self, time: int) -> None:
        """Let the hand move."""
        self.used += time
        self.bank -= max(0, time - self.free)
        self.free = max(0, self.free - time)

    def hold(self, time: int) -> None:
        """Let the hand stand still."""
        self.held += time


@dataclass
class Holder:
    """A seat: its owner (a player id), its bot, and the bot that stands in."""

    player: str | None
    bot: str | None
    stand_in: str | None = None

    @property
    def person(self) -> bool:
        """True when a person answers."""
        return self.player is not None and self.bot is None and self.stand_in is None


def read_time(text: str) -> int:
    """Return a time of an event."""
    moment = datetime.fromisoformat(text)
    return int(moment.timestamp()) * 1000 + moment.microsecond // 1000


def pieces(since: int, until: int, stops: Iterable[Span]) -> list[tuple[int, int, bool]]:
    """Cut the time between two moments: from, until, and whether the clock stands there."""
    known = list(stops)
    cuts = {edge for stop in known for edge in stop if since < edge < until}
    edges = [since, *sorted(cuts), until] if since < until else []
    return [
        (begin, end, any(start <= begin and end <= stop for start, stop in known))
        for begin, end in pairwise(edges)
    ]


def run_out(dial: Dial, since: int, stops: Sequence[Span]) -> int:
    """Return when free time and bank are used up, by going along the time that is to come.

    A decision that begins with nothing left runs out when its clock begins to run: no flag
    falls while the clock stands.
    """
    left, resting = dial.free + max(0, dial.bank), since
    far = max([since, *(stop for _, stop in stops)]) + left + 1
    for begin, end, stands in pieces(since, far, stops):
        if left == 0 and not (stands and begin == resting):
            return begin
        resting = end if stands and begin == resting else resting
        if not stands and left <= end - begin:
            return begin + left
        left -= 0 if stands else end - begin
    raise AssertionError("a clock that never runs out")


@dataclass
class Reckoning:
    """The clock of a game, event by event."""

    games: Mapping[str, Game]
    outages: Sequence[Span] = ()
    vacations: Mapping[str, Sequence[Span]] = field(default_factory=dict)
    received: Mapping[int, int] = field(default_factory=dict)
    """When the moves were received, by version; left out: when they were stored."""

    pace: Json | None = None
    holders: list[Holder] = field(default_factory=list)
    states: dict[int, State[Any]] = field(default_factory=dict)
    banks: list[int] = field(default_factory=list)
    turned: set[int] = field(default_factory=set)
    pauses: list[Span] = field(default_factory=list)
    pause: Span | None = None
    raised: list[Span] = field(default_factory=list)
    """The times between a flag and the gift that raised it."""
    past: dict[int, tuple[int, frozenset[int]]] = field(default_factory=dict)
    """Since when the clock counted after each event, and who had had a turn."""
    version: int = 0
    since: int = 0
    turn_used: int = 0
    fell: int | None = None
    """When the flag of this decision fell, None while it is up."""
    running: bool = False
    started: bool = False

    def read(self, events: Iterable[Json]) -> list[Moment]:
        """Return the clock after each event of a stream."""
        return [self._follow(event) for event in events]

    def _follow(self, event: Json) -> Moment:
        self.version = event["version"]
        name = event["type"]
        act = getattr(self, f"_{name}", None)
        charge = None if act is None else act(event, read_time(event["at"]))
        self.past[self.version] = (self.since, frozenset(self.turned))
        return self.look(charge)

    def look(self, charge: Charge | None = None) -> Moment:
        """Return the clock as it is, with what is known of outages and vacations by now."""
        seat = self.asked if self.running else None
        counts = seat is not None and self.pace is not None and self.holders[seat].person
        return Moment(
            self.version,
            charge,
            seat if counts else None,
            self.since,
            self.turn_used,
            tuple(self.banks),
            run_out(self._dial(), self.since, self._stops()) if counts else None,
            counts and self.fell is not None,
        )

    # -- the seats before the start ---------------------------------------------------------------

    def _game_created(self, event: Json, _at: int) -> None:
        self.game: Game = self.games[event["game"]]
        self.options = event["options"]
        self.pace = event.get("pace")
        self.holders = [
            Holder(None if seat["player"] is None else seat["player"]["id"], seat["bot"])
            for seat in event["seats"]
        ]

    def _seat_taken(self, event: Json, _at: int) -> None:
        self.holders[event["seat"]] = Holder(event["player"]["id"], None)

    def _seat_left(self, event: Json, _at: int) -> None:
        self.holders[event["seat"]] = Holder(None, None)

    def _seat_assigned(self, event: Json, _at: int) -> None:
        self.holders[event["seat"]] = Holder(None, event["bot"])

    def _seat_opened(self, event: Json, _at: int) -> None:
        if not self.running:
            self.holders[event["seat"]] = Holder(None, None)

    def _seats_dropped(self, event: Json, _at: int) -> None:
        self.holders = [
            one for number, one in enumerate(self.holders) if number not in event["seats"]
        ]

    # -- the play ---------------------------------------------------------------------------------

    @property
    def asked(self) -> int | None:
        """The seat that is asked."""
        decision = self.state.decision
        return None if decision is None else decision.seat

    def _set(self, state: State[Any]) -> None:
        self.state = self.states[self.version] = state
        self.running = not state.over

    def _game_started(self, event: Json, at: int) -> None:
        if "seating" in event:
            self.holders = [self.holders[number] for number in event["seating"]]
        state = self.game.new(len(self.holders), self.options, event["setup"])
        state.settle(RecordedSource(event["chance"]))
        self._set(state)
        if self.pace is not None:
            self.banks = [1000 * self.pace["bank"]] * len(self.holders)
        self._ask(at)

    def _move_made(self, event: Json, at: int) -> Charge | None:
        seat = event["seat"]
        assert seat == self.asked, "another seat is asked"
        charge = None
        if self.pace is not None and "by" not in event and self.holders[seat].person:
            charge = self._charge(seat, min(at, self.received.get(self.version, at)))
            waited = at - max(self.since, self.received.get(self.version, at)) - PATIENCE
            charge = charge._replace(stopped=charge.stopped + max(0, waited))
            self.turn_used += charge.used
            self.banks[seat] = charge.bank
        state = self.state.copy()
        state.play(state.find(event["move"]))
        state.settle(RecordedSource(event["chance"]))
        self._set(state)
        if self.asked not in (seat, None):
            self._end_turn(seat)
        self._ask(at)
        return None if charge is None else charge._replace(bank=self.banks[seat])

    def _end_turn(self, seat: int) -> None:
        """Fill the bank up after a turn, by what the turn has used and to the start at most."""
        if self.pace is not None and self.holders[seat].person:
            full = 1000 * self.pace["bank"]
            back = min(1000 * self.pace.get("refill", 0), self.turn_used)
            self.banks[seat] = max(self.banks[seat], min(full, self.banks[seat] + back))
        self.turned.add(seat)
        self.turn_used = 0

    def _ask(self, at: int) -> None:
        """Begin to count for the seat that is asked now."""
        self.since, self.fell, self.raised = at, None, []
        self.pauses = []

    def _moves_taken_back(self, event: Json, at: int) -> None:
        self._set(self.states[event["to_version"]])
        clock = event.get("clock")
        if clock is None:
            self.turn_used = 0
            self._ask(at)
            return
        # A free takeback is charged; how much is for `test_charged_takebacks` to reckon.
        since, turned = self.past[event["to_version"]]
        owner = self.holders[event["seat"]].player
        own = {seat for seat, holder in enumerate(self.holders) if holder.player == owner}
        self._ask(since + clock["used"] + clock["stopped"])
        self.turn_used, self.banks = clock["turn_used"], list(clock["banks"])
        self.turned = (self.turned - own) | (self.turned & own & turned)

    def _play_ended(self, _event: Json, _at: int) -> None:
        self.running = False

    def _game_aborted(self, _event: Json, _at: int) -> None:
        self.running = False

    # -- the clock --------------------------------------------------------------------------------

    def _dial(self) -> Dial:
        assert self.pace is not None
        seat = self.asked
        assert seat is not None
        free = 1000 * self.pace["delay"]
        if self.pace["mode"] == "live" and seat not in self.turned:
            free = max(free, LIVE_FIRST_TURN)
        return Dial(max(0, free - self.turn_used), self.banks[seat])

    def _stops(self) -> list[Span]:
        """Return when the clock of the seat that is asked stands."""
        assert self.pace is not None
        stops = [*self.pauses, *self.raised, *self.outages]
        if self.pause is not None:
            stops.append(self.pause)
        seat = self.asked
        assert seat is not None
        owner = self.holders[seat].player
        if self.pace.get("vacation") and owner is not None:
            stops += self.vacations.get(owner, ())
        return [stop for stop in stops if stop[0] < stop[1]]

    def _charge(self, seat: int, received: int) -> Charge:
        dial = self._dial()
        assert seat == self.asked
        for begin, end, stands in pieces(self.since, received, self._stops()):
            (dial.hold if stands else dial.burn)(end - begin)
        return Charge(dial.used, dial.held, max(0, dial.bank))

    def _turn_timed_out(self, event: Json, at: int) -> Charge:
        seat = event["seat"]
        charge = self._charge(seat, at)._replace(bank=0)
        self.turn_used += charge.used
        self.banks[seat] = 0
        self._ask(at)
        self.fell = at
        return charge

    def _time_given(self, event: Json, at: int) -> None:
        self.banks[event["seat"]] += event["ms"]
        if event["seat"] == self.asked and self.fell is not None:
            self.raised.append((self.fell, at))
            self.fell = None

    def _game_paused(self, event: Json, at: int) -> None:
        self.pause = (at, read_time(event["until"]))

    def _game_resumed(self, _event: Json, at: int) -> None:
        assert self.pause is not None
        begin, until = self.pause
        self.pauses.append((begin, min(until, at)))
        self.pause = None

    # -- who answers ------------------------------------------------------------------------------

    def _stand_in_seated(self, event: Json, _at: int) -> None:
        self.holders[event["seat"]].stand_in = event["bot"]

    def _seat_forfeited(self, event: Json, _at: int) -> None:
        self.holders[event["seat"]].stand_in = event["stand_in"] or "nobody"

    def _seat_returned(self, event: Json, at: int) -> None:
        self.holders[event["seat"]].stand_in = None
        self._begin_again(event["seat"], at)

    def _seat_taken_over(self, event: Json, at: int) -> None:
        self.holders[event["seat"]] = Holder(event["player"]["id"], None)
        self._begin_again(event["seat"], at)

    def _begin_again(self, seat: int, at: int) -> None:
        """Give the person who answers from now on the whole delay."""
        if self.running and seat == self.asked:
            self.turn_used = 0
            self._ask(at)


def find_turns(games: Mapping[str, Game], events: Iterable[Json]) -> dict[str, list[int]]:
    """Return, by player, the versions at which a turn begins that the player has to answer."""
    turns: dict[str, list[int]] = {}
    reader, before = Reckoning(games), None
    for event in events:
        reader.read([event])
        if event["type"] not in ("game_started", "move_made"):
            continue
        asked = reader.asked if reader.running else None
        if asked is not None and asked != before and reader.holders[asked].person:
            holder = reader.holders[asked].player
            assert holder is not None
            turns.setdefault(holder, []).append(event["version"])
        before = asked
    return turns
