"""The table: what a game is at one version, as the fold of its events.

A table is frozen and made of parts (`events.model.table_parts`). An event gives a new table, which
shares the parts that the event leaves alone. Only the state of the game can change: to try moves,
take `state.copy()`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import orjson

from cartulary.engine.core import Decision, Game, State
from cartulary.events.model.clock import format_time
from cartulary.events.model.seats import is_practice, list_owners
from cartulary.events.model.status import Status
from cartulary.events.model.table_parts import (
    SERVICE,
    Clocks,
    Fair,
    FreeTakeback,
    GameEnding,
    GameSettings,
    Lifecycle,
    Play,
    Progress,
    Seat,
    SeatOffer,
    find_only_person,
    is_person,
    proposal_json,
)
from cartulary.events.model.types import Json


class Table(NamedTuple):
    """A game at one version. `play` is None before the start, `ending` before the end.

    `fair` is None without fair draws, `clocks` in an untimed game; `course` is everything else.
    `opened_at` says when the duplicate round of the game was closed, in ms since the epoch; no
    event of the game says so, but the projector (`events.ledger.closed_rounds`).

    Table and parts are tuples, and no frozen dataclasses, because a fold makes a table for each
    event: a dataclass takes three times as long (0.6 us instead of 0.2 us of 5 us for a move).
    """

    id: str
    rules: Game
    terms: GameSettings
    seats: tuple[Seat, ...]
    life: Lifecycle
    course: Progress
    play: Play | None = None
    ending: GameEnding | None = None
    fair: Fair | None = None
    clocks: Clocks | None = None
    opened_at: int | None = None

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
        """One of `public`, `unlisted`, `private`; a sealed game is private."""
        return "private" if self.sealed else self.terms.visibility

    @property
    def sealed(self) -> bool:
        """True until the duplicate round of the game is closed: only those seated may see it.

        The other tables of the round have the same draws. This is the one place that says so: all
        that hides private games hides sealed ones.
        """
        fair = self.fair
        return fair is not None and fair.round is not None and self.opened_at is None

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
    def running(self) -> bool:
        """True while a decision is pending."""
        return self.life.status is Status.RUNNING

    @property
    def bot_to_move(self) -> str | None:
        """The name of the bot that has to answer, None when a person or no seat has to.

        A stand-in answers for its owner. No bot answers in a game that rests.
        """
        if self.play is None or self.life.status is not Status.RUNNING:
            return None
        bot = self.seats[self.play.state.seat].answering_bot
        return None if bot is None or self.resting else bot

    @property
    def resting(self) -> bool:
        """True while no person is left at the table of a running game that began with a person."""
        if self.life.status is not Status.RUNNING:
            return False
        # An owner stays on the seat until another player takes it over, so owners tell who began.
        began = False
        for seat in self.seats:
            if seat.player is not None and is_person(seat.player):
                if seat.forfeited is None and seat.away is None:
                    return False
                began = True
        return began

    @property
    def contending_seats(self) -> list[int]:
        """The seats that contend: taken, and not forfeited."""
        return [number for number, seat in enumerate(self.seats) if seat.contending]

    @property
    def persons(self) -> list[int]:
        """The contending seats that are held by a person who is not away."""
        return [n for n, seat in enumerate(self.seats) if seat.person and seat.away is None]

    @property
    def everybody_has_answered(self) -> bool:
        """True when each seat of a contending person has answered a decision once."""
        answered = self.course.answered
        return all(number in answered for number, seat in enumerate(self.seats) if seat.person)

    @property
    def hints(self) -> bool:
        """True when the player of this practice game may ask for hints."""
        return self.terms.hints and is_practice(self.seats)

    def vacant(self, number: int) -> bool:
        """Return whether a player may take over the seat of one who left, or of a filling bot."""
        seat = self.seats[number]
        if self.terms.tournament is not None:
            return False
        if not self.running or seat.bot is not None:
            return self.running and self.terms.filled
        has_left = seat.forfeited is not None and seat.stand_in is not None
        return has_left and (self.terms.substitutes or seat.early)

    @property
    def open_offers(self) -> dict[int, SeatOffer]:
        """The offers by seat; none once no player can take a seat any more."""
        if self.life.status not in (Status.OPEN, Status.RUNNING):
            return {}
        return {n: seat.offer for n, seat in enumerate(self.seats) if seat.offer is not None}

    @property
    def has_moves(self) -> bool:
        """True when a move stands that could be taken back."""
        return self.course.place(self.life.position) > self.course.started > 0

    @property
    def free_takeback(self) -> FreeTakeback | None:
        """What may be taken back without asking, None when nothing may.

        The rules are in `docs/living.md`, "What is free".
        """
        if not self.running or not self.has_moves or self.terms.tournament is not None:
            return None
        alone = find_only_person(self.seats)
        if alone is not None:
            return FreeTakeback(alone, self.course.started)
        return None if self.terms.takebacks == "none" else self.life.run

    @property
    def live(self) -> bool:
        """True when everybody has to be at the table: the pace of the game is `live`."""
        pace = self.terms.pace
        return pace is not None and pace["mode"] == "live"

    @property
    def overdue(self) -> bool:
        """True when the flag of the seat that is asked has fallen and no bot answers for it."""
        if self.clocks is None or self.clocks.flagged != self.life.position:
            return False
        decision = self.decision
        return decision is not None and self.seats[decision.seat].answering_bot is None

    @property
    def paused_until(self) -> str | None:
        """Until when the clocks stand by a pause, None without a pause."""
        paused = None if self.clocks is None or not self.running else self.clocks.paused
        return None if paused is None else format_time(paused[1])

    def unmoved_since(self, version: int) -> bool:
        """Return whether the game has this version and its position is the same since then."""
        life = self.life
        return life.position <= version <= life.version

    def stands(self, version: int) -> bool:
        """Return whether no takeback has undone what the event of this version did."""
        return self.course.stands(version)

    def seats_of(self, player_id: str) -> list[int]:
        """Return the seats of a player, in order; those that the player has forfeited as well."""
        return [
            number
            for number, seat in enumerate(self.seats)
            if seat.player is not None and seat.player["id"] == player_id
        ]

    def visible_to(self, player_id: str | None) -> bool:
        """Return whether this caller (None: a caller without a token) may see the game."""
        return self.visibility != "private" or player_id in self.people

    @property
    def people(self) -> set[str]:
        """The ids of the players whom the game concerns: a private game is for no other player.

        The opener unless that is the service, the owners of the seats, those with an open offer,
        and earlier owners.
        """
        opener = {self.created_by} if self.created_by != SERVICE else set()
        return opener | list_owners(self.seats, self.open_offers.values(), self.course.tenures)

    # -- as JSON --------------------------------------------------------------------------------

    def state_of_seat(self, number: int, seat: Seat) -> str:
        """Return the state of a seat as in the HTTP contract (`seats[].state`)."""
        if seat.offer is not None and number in self.open_offers:
            return "offered"
        if seat.player is None and seat.bot is None:
            return "open"
        if self.vacant(number):
            return "vacant"
        if seat.forfeited is not None:
            return "forfeited"
        if seat.away is not None:
            return "away"
        if self.overdue and self.play is not None and self.play.state.seat == number:
            return "overdue"
        return "seated" if seat.bot is None else "bot"

    def seats_json(self) -> list[Json]:
        """Return the seats as in the HTTP contract.

        With the `name` that an imported game has, and the `offer` that an offered seat has.
        """
        waits = self.live and self.life.status is Status.OPEN
        seats: list[Json] = [
            {
                "seat": number,
                "player": seat.player,
                "bot": seat.bot,
                "state": self.state_of_seat(number, seat),
                "stand_in": seat.stand_in,
                "reason": seat.forfeited or seat.away,
                "ready": (seat.ready or seat.bot is not None) if waits else None,
                "bank": None,
            }
            for number, seat in enumerate(self.seats)
        ]
        for number, offer in self.open_offers.items():
            seats[number]["offer"] = offer._asdict()
        if self.clocks is not None:
            for number, bank in enumerate(self.clocks.banks):
                seats[number]["bank"] = bank if self.seats[number].bot is None else None
        if self.terms.names:
            for number, name in enumerate(self.terms.names):
                seats[number]["name"] = name
        return seats

    def text(self) -> bytes:
        """Return the game as in the HTTP contract, with its view and decision, as JSON text."""
        view = self.view_text()
        shown = None if view is None else orjson.Fragment(view)
        return orjson.dumps({**self.summary(), "view": shown})

    def view_text(self) -> bytes | None:
        """Return what everybody may see as JSON text, None before the start."""
        return self.play and (self.play.view[0] if self.play.view else self.play.view_text())

    def summary(self) -> Json:
        """Return the game as in the HTTP contract, but without `view`: for lists.

        A function of the stream: `visibility` is the one from when a sealed game is open to all.
        """
        decision, terms, life, course = self.decision, self.terms, self.life, self.course
        free = self.free_takeback
        return {
            "id": self.id,
            "game": terms.game,
            "options": terms.options,
            "status": life.status,
            "version": life.version,
            "visibility": terms.visibility,
            "host": course.host,
            "start": terms.start,
            "takebacks": terms.takebacks,
            "substitutes": terms.substitutes,
            "on_timeout": terms.on_timeout,
            "pace": terms.pace,
            "hints": self.hints,
            "bot_delay": terms.bot_delay,
            "rated": terms.rated,
            "ladder": course.ladder,
            "seats": self.seats_json(),
            "decision": None if decision is None else decision.to_json(),
            "proposal": course.proposal and proposal_json(course.proposal),
            "takeback": None if free is None else free._asdict(),
            "resting": self.resting,
            "paused_until": self.paused_until,
            "result": self.result,
            "rematch_of": terms.rematch_of,
            "branched_from": terms.branched_from,
            "tournament": terms.tournament,
            "created_at": terms.created_at,
            "updated_at": life.updated_at,
        }
