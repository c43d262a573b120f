"""The table: what a game is at one version, as the fold of its events.

A table is never changed once it has been handed out: `evolve` and `fold` work on a copy of their
own. Its `state` is shared by everyone who holds the table, so whoever wants to try moves takes
`state.copy()`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import orjson

from cartulary.engine.chance import RecordedSource
from cartulary.engine.core import Decision, Game, State, find_game
from cartulary.engine.errors import ChanceError, EngineError, IllegalMove
from cartulary.events.errors import BrokenHistory
from cartulary.events.hashing import view_text
from cartulary.events.offers import Rules
from cartulary.events.types import (
    ALLOWED_IN,
    GAME_ABORTED,
    GAME_CREATED,
    GAME_SCORED,
    GAME_STARTED,
    MOVE_MADE,
    SEAT_LEFT,
    SEAT_TAKEN,
    Json,
)


class Seat(NamedTuple):
    """Who sits on a seat: a player (`{"id", "name"}`), a bot (its name), or nobody yet."""

    player: Json | None = None
    bot: str | None = None

    @property
    def open(self) -> bool:
        """True while nobody sits here."""
        return self.player is None and self.bot is None


class Table:
    """A game at one version.

    Attributes: `id`, `game` (its name), `options` (complete), `visibility` (`public`, `unlisted`,
    `private`), `created_by` (player id), `seats`, `status` (`open`, `running`, `scoring`, `over`,
    `aborted`), `version`, `position` (the version of the last event that changed the position, 0
    before the start), `rules` (of the game), `state` (None before the start), `setup`,
    `rules_version` (0 before the start), `result` (contract JSON, None before the count),
    `state_hash` of the last event that has one, `created_at`, `updated_at`, `names` (of an imported
    transcript, else None) and `extra` (its unknown keys).
    """

    _view: bytes | None
    id: str
    game: str
    options: dict[str, str | int]
    visibility: str
    created_by: str
    seats: tuple[Seat, ...]
    status: str
    version: int
    position: int
    rules: Game
    state: State[Any] | None
    setup: Json
    rules_version: int
    result: Json | None
    state_hash: str
    created_at: str
    updated_at: str
    names: Sequence[str] | None
    extra: Json

    def __init__(self) -> None:
        self._view = None

    @property
    def decision(self) -> Decision | None:
        """The pending decision, None unless the game is running."""
        if self.status != "running" or self.state is None:
            return None
        return self.state.decision

    @property
    def bot_to_move(self) -> str | None:
        """The name of the bot that is asked, None when a person or nobody is."""
        if self.status != "running" or self.state is None:
            return None
        return self.seats[self.state.seat].bot

    def seats_of(self, player_id: str) -> list[int]:
        """Return the seats of a player, in order."""
        return [
            number
            for number, seat in enumerate(self.seats)
            if seat.player is not None and seat.player["id"] == player_id
        ]

    def visible_to(self, player_id: str | None) -> bool:
        """Return whether this caller (None: nobody in particular) may see the game."""
        if self.visibility != "private":
            return True
        return player_id is not None and (
            player_id == self.created_by or bool(self.seats_of(player_id))
        )

    def seats_json(self) -> list[Json]:
        """Return the seats as in the HTTP contract; with the `name` that an imported game kept."""
        seats: list[Json] = [
            {"seat": number, "player": seat.player, "bot": seat.bot}
            for number, seat in enumerate(self.seats)
        ]
        for number, name in enumerate(self.names or ()):
            seats[number]["name"] = name
        return seats

    def text(self) -> bytes:
        """Return the game as in the HTTP contract, with its view and decision, as JSON text.

        Text, because the view is long and its text is remembered.
        """
        view = self.view_text()
        shown = None if view is None else orjson.Fragment(view)
        return orjson.dumps({**self.summary(), "view": shown})

    def view_text(self) -> bytes | None:
        """Return what everybody may see as JSON text, None before the start."""
        if self._view is None and self.state is not None:
            self._view = view_text(self.state)
        return self._view

    def summary(self) -> Json:
        """Return the game as in the HTTP contract, but without `view`: for lists."""
        decision = self.decision
        return {
            "id": self.id,
            "game": self.game,
            "options": self.options,
            "status": self.status,
            "version": self.version,
            "visibility": self.visibility,
            "seats": self.seats_json(),
            "decision": None if decision is None else decision.to_json(),
            "result": self.result,
            "created_at": self.created_at,
            "updated_at": self.updated_at,
        }

    def copy(self) -> Table:
        """Return an independent copy, state included."""
        return self._with(None if self.state is None else self.state.copy())

    def moved(self, event: Json, state: State[Any], view: bytes | None = None) -> Table:
        """Return the table after a `move_made` that has led to `state`; `view` is its text."""
        new = self._with(state)
        new._view = view
        new._reach(event)
        new._note_state(event)
        return new

    def _with(self, state: State[Any] | None) -> Table:
        new = Table.__new__(Table)
        new.__dict__ = self.__dict__.copy()
        new.state = state
        new._view = None
        return new

    def _reach(self, event: Json) -> None:
        self.version = event["version"]
        self.updated_at = event["at"]

    def _note_state(self, event: Json) -> None:
        self.state_hash = event["state_hash"]
        self.position = event["version"]
        if self.state is not None and self.state.over:
            self.status = "scoring"


class Misfit(Exception):
    """An event that cannot come here: `problem` is a stable word (`docs/ledger.md`)."""

    def __init__(self, problem: str, detail: str) -> None:
        super().__init__(detail)
        self.problem = problem


def created(rules: Rules, game_id: str, event: Json) -> Table:
    """Return the table that a `game_created` opens."""
    new = Table()
    new.id = game_id
    new.game = event["game"]
    new.rules = find_game(rules, new.game)
    new.options = event["options"]
    new.visibility = event["visibility"]
    new.created_by = event["created_by"]
    new.seats = tuple(Seat(seat["player"], seat["bot"]) for seat in event["seats"])
    new.status = "open"
    new.version = event["version"]
    new.position = 0
    new.state = None
    new.setup = {}
    new.rules_version = 0
    new.result = None
    new.state_hash = ""
    new.created_at = new.updated_at = event["at"]
    new.names = event.get("names")
    new.extra = event.get("extra", {})
    return new


# Each evolver changes a table that nobody else holds, and may leave it half changed when it raises.


def _seated(table: Table, event: Json, sitter: Json | None) -> None:
    number = event["seat"]
    if not 0 <= number < len(table.seats):
        raise Misfit("seat", f"there is no seat {number}")
    taken = table.seats[number]
    if taken.open == (sitter is None) or (sitter is None and taken.player != event["player"]):
        raise Misfit("seat", f"seat {number} cannot be taken or left by {event['player']}")
    table.seats = (*table.seats[:number], Seat(sitter), *table.seats[number + 1 :])


def _taken(table: Table, event: Json) -> None:
    _seated(table, event, event["player"])


def _left(table: Table, event: Json) -> None:
    _seated(table, event, None)


def _started(table: Table, event: Json) -> None:
    state = table.rules.new(len(table.seats), table.options, event["setup"])
    _settle(state, event["chance"])
    table.state = state
    table.status = "running"
    table.setup = event["setup"]
    table.rules_version = event["rules_version"]
    table._note_state(event)


def _moved(table: Table, event: Json) -> None:
    state = table.state
    if state is None:
        raise Misfit("order", "a move before the start")
    if state.seat != event["seat"]:
        raise Misfit("wrong_seat", f"seat {state.seat} is asked, seat {event['seat']} moved")
    state.play(state.find(event["move"]))
    _settle(state, event["chance"])
    table._note_state(event)


def _settle(state: State[Any], chance: Iterable[str]) -> None:
    source = RecordedSource(chance)
    state.settle(source)
    if not source.exhausted:
        raise Misfit("chance", "more chance is recorded than was drawn")


def _scored(table: Table, event: Json) -> None:
    table.status = "over"
    table.result = event["result"]


def _aborted(table: Table, event: Json) -> None:
    table.status = "aborted"


EVOLVERS: dict[str, Callable[[Table, Json], None]] = {
    SEAT_TAKEN: _taken,
    SEAT_LEFT: _left,
    GAME_STARTED: _started,
    MOVE_MADE: _moved,
    GAME_SCORED: _scored,
    GAME_ABORTED: _aborted,
}


def evolve(rules: Rules, game_id: str, table: Table | None, event: Json) -> Table:
    """Return the table after one more event; changes neither.

    Raises `BrokenHistory` when the event cannot come here. The state hash and the result are not
    compared (`events.audit` does), so that reading stays cheap.
    """
    return _advance(rules, game_id, None if table is None else table.copy(), event)


def fold(rules: Rules, game_id: str, table: Table | None, events: Sequence[Json]) -> Table | None:
    """Return the table after all `events`, as `evolve` would one by one; None without any.

    O(events), one copy for all of them.
    """
    if table is not None and events:
        table = table.copy()
    for event in events:
        table = _advance(rules, game_id, table, event)
    return table


def _advance(rules: Rules, game_id: str, table: Table | None, event: Json) -> Table:
    """Change a table that nobody else holds by one event; opens one when there is none."""
    version = 1 if table is None else table.version + 1
    try:
        _check_place(table, event, version)
        if table is None:
            return created(rules, game_id, event)
        EVOLVERS[event["type"]](table, event)
        table._reach(event)
        return table
    except Misfit as misfit:
        raise BrokenHistory(game_id, version, misfit.problem, str(misfit)) from misfit
    except IllegalMove as error:
        raise BrokenHistory(game_id, version, "illegal_move", str(error)) from error
    except ChanceError as error:
        raise BrokenHistory(game_id, version, "chance", str(error)) from error
    except EngineError as error:
        raise BrokenHistory(game_id, version, "setup", str(error)) from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BrokenHistory(game_id, version, "unreadable", repr(error)) from error


def _check_place(table: Table | None, event: Json, version: int) -> None:
    if event["version"] != version:
        raise Misfit("version_gap", f"version {event['version']} where {version} is due")
    status = "none" if table is None else table.status
    if status not in ALLOWED_IN[event["type"]]:
        raise Misfit("order", f"{event['type']} in a game that is {status}")
    if event["type"] == GAME_CREATED and table is not None:
        raise Misfit("order", "a second game_created")
