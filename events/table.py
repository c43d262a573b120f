"""The table: what a game is at one version, as the fold of its events (`events.fold`).

A table is frozen and made of parts. An event gives a new table, which shares the parts that the
event leaves alone. Only the state of the game can change: to try moves, take `state.copy()`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import orjson

from cartulary.engine.core import Decision, Game, State
from cartulary.events.hashing import view_text
from cartulary.events.status import Status
from cartulary.events.types import Json


class Seat(NamedTuple):
    """Who sits on a seat: a player (`{"id", "name"}`), a bot (its name), or nobody yet.

    `entropy` is what the player has added to the draws (`events.fairness`), if anything.
    """

    player: Json | None = None
    bot: str | None = None
    entropy: str | None = None

    @property
    def open(self) -> bool:
        """True while nobody sits here."""
        return self.player is None and self.bot is None


class Terms(NamedTuple):
    """What `game_created` has fixed; no later event changes it.

    `game` is the name of the game, `options` are complete, `visibility` is `public`, `unlisted` or
    `private`, `created_by` is a player id. An imported game has the `names` of its transcript, else
    None.
    """

    game: str
    options: dict[str, str | int]
    visibility: str
    created_by: str
    created_at: str
    names: Sequence[str] | None
    shuffle_seats: bool = False


class Fair(NamedTuple):
    """The fair draws of a game (`events.fairness`).

    `commitment` is that of the secret. `number` is the number of the next draw; below 0, so many
    outcomes that come from a transcript are still to come. `entropies` are those of the seats at
    the start, before any shuffling; empty before the start.
    """

    commitment: str
    number: int
    entropies: tuple[str, ...] = ()


class Life(NamedTuple):
    """Where the game is in its stream.

    `position` is the version of the last event that changed the position (0 before the start),
    `state_hash` that of the last event that has one ('' before the start), `head` the hash of the
    last event ('' when the fold was not given it).
    """

    status: Status
    version: int
    position: int
    updated_at: str
    state_hash: str
    head: str = ""


class Play(NamedTuple):
    """The play: the state of the board and what the game was started with.

    `view` caches the text of what everybody may see: it is empty until the text is needed.
    """

    state: State[Any]
    setup: Json
    rules_version: int
    view: list[bytes]

    def copy(self) -> Play:
        """Return a play with a state of its own."""
        return Play(self.state.copy(), self.setup, self.rules_version, [])

    def view_text(self) -> bytes:
        """Return what everybody may see as JSON text."""
        if not self.view:
            self.view.append(view_text(self.state))
        return self.view[0]


class Ending(NamedTuple):
    """How the game ended: with a `result` (contract JSON), or aborted for a `reason`."""

    result: Json | None = None
    reason: str | None = None


class Table(NamedTuple):
    """A game at one version. `play` is None before the start, `ending` before the end.

    `fair` is None for a game without fair draws.

    Table and parts are tuples, and no frozen dataclasses, because a fold makes a table for each
    event: a dataclass takes three times as long (0.6 us instead of 0.2 us of 5 us for a move).
    """

    id: str
    rules: Game
    terms: Terms
    seats: tuple[Seat, ...]
    life: Life
    play: Play | None = None
    ending: Ending | None = None
    fair: Fair | None = None

    # -- the parts in the words of the HTTP contract --------------------------------------------

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.terms.game

    @property
    def options(self) -> dict[str, str | int]:
        """All options with their values."""
        return self.terms.options

    @property
    def visibility(self) -> str:
        """One of `public`, `unlisted`, `private`."""
        return self.terms.visibility

    @property
    def created_by(self) -> str:
        """The id of the player who created the game."""
        return self.terms.created_by

    @property
    def created_at(self) -> str:
        """The time of the first event."""
        return self.terms.created_at

    @property
    def names(self) -> Sequence[str] | None:
        """The names in the transcript of an imported game, else None."""
        return self.terms.names

    @property
    def status(self) -> Status:
        """The status of the game."""
        return self.life.status

    @property
    def version(self) -> int:
        """The number of events so far."""
        return self.life.version

    @property
    def position(self) -> int:
        """The version of the last event that changed the position, 0 before the start."""
        return self.life.position

    @property
    def updated_at(self) -> str:
        """The time of the last event."""
        return self.life.updated_at

    @property
    def state_hash(self) -> str:
        """The state hash of the last event that has one, '' before the start."""
        return self.life.state_hash

    @property
    def head(self) -> str:
        """The hash of the last event, '' when the fold was not given it."""
        return self.life.head

    @property
    def state(self) -> State[Any] | None:
        """The state of the game, None before the start; not to be changed."""
        return None if self.play is None else self.play.state

    @property
    def setup(self) -> Json:
        """The chance of the start, empty before the start."""
        return {} if self.play is None else self.play.setup

    @property
    def rules_version(self) -> int:
        """The version of the rules that the game was started with, 0 before the start."""
        return 0 if self.play is None else self.play.rules_version

    @property
    def result(self) -> Json | None:
        """The result as in the move contract, None before the count."""
        return None if self.ending is None else self.ending.result

    # -- what follows from the parts ------------------------------------------------------------

    @property
    def entropies(self) -> tuple[str, ...]:
        """The entropy of each seat, as the seed of the game takes them; '' for a missing one."""
        if self.fair is not None and self.fair.entropies:
            return self.fair.entropies
        return tuple(seat.entropy or "" for seat in self.seats)

    @property
    def decision(self) -> Decision | None:
        """The pending decision, None unless the game is running."""
        if self.play is None or self.life.status is not Status.RUNNING:
            return None
        return self.play.state.decision

    @property
    def bot_to_move(self) -> str | None:
        """The name of the bot that has to answer, None when a person has to or nobody has to."""
        if self.play is None or self.life.status is not Status.RUNNING:
            return None
        return self.seats[self.play.state.seat].bot

    def unmoved_since(self, version: int) -> bool:
        """Return whether the game has this version and its position is the same since then."""
        life = self.life
        return life.position <= version <= life.version

    def seats_of(self, player_id: str) -> list[int]:
        """Return the seats of a player, in order."""
        return [
            number
            for number, seat in enumerate(self.seats)
            if seat.player is not None and seat.player["id"] == player_id
        ]

    def visible_to(self, player_id: str | None) -> bool:
        """Return whether this caller (None: a caller without a token) may see the game."""
        if self.terms.visibility != "private":
            return True
        return player_id is not None and (
            player_id == self.created_by or bool(self.seats_of(player_id))
        )

    def with_head(self, head: str) -> Table:
        """Return this table with the hash of its last event."""
        return self._replace(life=self.life._replace(head=head))

    # -- as JSON --------------------------------------------------------------------------------

    def seats_json(self) -> list[Json]:
        """Return the seats as in the HTTP contract; with the `name` that an imported game has."""
        seats: list[Json] = [
            {"seat": number, "player": seat.player, "bot": seat.bot}
            for number, seat in enumerate(self.seats)
        ]
        for number, name in enumerate(self.names or ()):
            seats[number]["name"] = name
        return seats

    def text(self) -> bytes:
        """Return the game as in the HTTP contract, with its view and decision, as JSON text."""
        view = self.view_text()
        shown = None if view is None else orjson.Fragment(view)
        return orjson.dumps({**self.summary(), "view": shown})

    def view_text(self) -> bytes | None:
        """Return what everybody may see as JSON text, None before the start."""
        return None if self.play is None else self.play.view_text()

    def summary(self) -> Json:
        """Return the game as in the HTTP contract, but without `view`: for lists."""
        decision, terms, life = self.decision, self.terms, self.life
        return {
            "id": self.id,
            "game": terms.game,
            "options": terms.options,
            "status": life.status,
            "version": life.version,
            "visibility": terms.visibility,
            "seats": self.seats_json(),
            "decision": None if decision is None else decision.to_json(),
            "result": self.result,
            "created_at": terms.created_at,
            "updated_at": life.updated_at,
        }
