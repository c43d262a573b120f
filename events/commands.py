"""The commands: everything that can be done to a game. HTTP handlers and workers alike use these.

Each checks, decides through the engine, and appends in one atomic step. A refused command raises a
`Refused` of `events.errors` and stores nothing.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from typing import Any, NamedTuple

from redis.exceptions import RedisError
from ulid import ULID

from cartulary.engine.chance import RandomSource
from cartulary.engine.core import State
from cartulary.engine.errors import IllegalMove
from cartulary.events import keys
from cartulary.events.drafts import Draft
from cartulary.events.errors import (
    AlreadyStarted,
    GameNotRunning,
    IdempotencyMismatch,
    IllegalMoveRefused,
    Invalid,
    NotFound,
    NotSeated,
    NotYourTurn,
    Refused,
    SeatTaken,
    StaleVersion,
)
from cartulary.events.ledger import Idempotency, Ledger, Record, VersionConflict
from cartulary.events.offers import Offers
from cartulary.events.opening import NewGame, SeatRequest, check_request, seats_json
from cartulary.events.players import Player
from cartulary.events.projections import Projections
from cartulary.events.projector import Projector
from cartulary.events.snapshots import EVERY, Snapshots
from cartulary.events.status import Status
from cartulary.events.table import Table
from cartulary.events.transcripts import draft_import, read_transcript
from cartulary.events.types import (
    GAME_ABORTED,
    GAME_CREATED,
    GAME_SCORED,
    SEAT_LEFT,
    SEAT_TAKEN,
    Json,
)

__all__ = ["Choose", "Commands", "NewGame", "SeatRequest", "Written"]

Choose = Callable[[State[Any], random.Random], Any]
"""A bot: position and random generator -> one of `state.moves()` (internal form)."""

ATTEMPTS = 10
"""How often a command is judged: again after each append that came too late."""

log = logging.getLogger(__name__)


class Written(NamedTuple):
    """What a command did: the table as of its last event, and its events (contract form).

    `replayed`: the idempotency key was used before, and this is what the command did then. `events`
    is empty when a command of a worker (`bot_move`, `score`) has nothing left to do.
    """

    table: Table
    events: list[Json]
    replayed: bool = False


class Commands:
    """What can be done with the games on offer. Thread-safe.

    `rng` draws the tiles and shuffles the seats: the system's random source, but in tests.
    """

    def __init__(
        self,
        ledger: Ledger,
        projector: Projector,
        projections: Projections,
        snapshots: Snapshots,
        offers: Offers,
        rng: random.Random | None = None,
    ) -> None:
        self._ledger = ledger
        self._projector = projector
        self._projections = projections
        self._snapshots = snapshots
        self._offers = offers
        self._rules = {name: offer.rules for name, offer in offers.items()}
        self._rng = rng or random.SystemRandom()
        self._source = RandomSource(self._rng)

    # -- before the start -----------------------------------------------------------------------

    def create(self, player: Player, request: NewGame, key: str | None = None) -> Written:
        """Open a game; it starts at once when no seat is open.

        Raises `Invalid` (unknown game, number of seats, option, bot, …), `IdempotencyMismatch`.
        """
        body = {**request._asdict(), "options": dict(request.options)}

        def decide(draft: Draft) -> None:
            draft.add(
                GAME_CREATED,
                game=request.game,
                options=options,
                seats=seats_json(request, player, self._rng),
                visibility=request.visibility,
                created_by=player.id,
            )
            self._start_if_full(draft)

        idempotency = Idempotency.of(f"create:{player.id}", key, "create", body)
        if idempotency is not None and (done := self._created_before(player, idempotency)):
            return done
        options = check_request(request, self._offers)
        return self._create(player, idempotency, decide)

    def import_transcript(self, player: Player, transcript: Any, key: str | None = None) -> Written:
        """Make a game of a transcript (a JSON value), all of it in one append.

        The player sits on every seat. Raises `Invalid` for an unreadable or invalid transcript,
        with a pointer to the first bad move; `IdempotencyMismatch`.
        """
        idempotency = Idempotency.of(f"create:{player.id}", key, "import", transcript)
        if idempotency is not None and (done := self._created_before(player, idempotency)):
            return done
        read = read_transcript(self._rules, transcript)
        return self._create(
            player,
            idempotency,
            lambda draft: draft_import(self._rules, draft, player, read, self._source),
        )

    def join(
        self,
        player: Player,
        game_id: str,
        seat: int | None = None,
        key: str | None = None,
        expected_version: int | None = None,
    ) -> Written:
        """Take an open seat (None: the first one); the last one taken starts the game.

        Raises `NotFound`, `Invalid` (no such seat), `AlreadyStarted`, `GameNotRunning` (aborted),
        `StaleVersion`, `SeatTaken`, `IdempotencyMismatch`.
        """

        def decide(table: Table, draft: Draft) -> None:
            _must_see(table, player)
            if seat is not None and not 0 <= seat < len(table.seats):
                raise Invalid([("/seat", f"there is no seat {seat}")])
            _must_be_open(table, expected_version)
            free = [number for number, one in enumerate(table.seats) if one.open]
            if table.seats_of(player.id):
                raise SeatTaken("you sit at this table already")
            if not free or seat not in (None, *free):
                raise SeatTaken(f"seat {seat} is taken")
            number = free[0] if seat is None else seat
            draft.add(SEAT_TAKEN, seat=number, player={"id": player.id, "name": player.name})
            self._start_if_full(draft)

        idempotency = Idempotency.of(player.id, key, "join", seat)
        return self._show(self._write(game_id, idempotency, decide))

    def leave(
        self,
        player: Player,
        game_id: str,
        seat: int,
        key: str | None = None,
        expected_version: int | None = None,
    ) -> Written:
        """Leave a seat before the start; a game that the last player leaves is aborted.

        Raises `NotFound` (game or seat), `AlreadyStarted`, `GameNotRunning` (aborted),
        `StaleVersion`, `NotSeated`, `IdempotencyMismatch`.
        """

        def decide(table: Table, draft: Draft) -> None:
            _must_see(table, player)
            if not 0 <= seat < len(table.seats):
                raise NotFound(f"there is no seat {seat}")
            _must_be_open(table, expected_version)
            if seat not in table.seats_of(player.id):
                raise NotSeated(f"seat {seat} is not yours")
            draft.add(SEAT_LEFT, seat=seat, player=table.seats[seat].player)
            if not any(one.player for one in draft.table.seats):
                draft.add(GAME_ABORTED, reason="the last player left before the start")

        idempotency = Idempotency.of(player.id, key, "leave", seat)
        return self._show(self._write(game_id, idempotency, decide))

    # -- the play -------------------------------------------------------------------------------

    def move(
        self,
        player: Player,
        game_id: str,
        move: Json,
        expected_version: int | None = None,
        key: str | None = None,
        body: Any = None,
    ) -> Written:
        """Answer the pending decision.

        `expected_version` holds when the position is still that of this version: an event that
        leaves the position alone refuses no move. `body` is what a repeated `key` must come with
        again; None: move and expected version.

        Raises, in the order of the checks: `IdempotencyMismatch`, `NotFound`, `NotSeated`,
        `GameNotRunning`, `StaleVersion`, `NotYourTurn`, `IllegalMoveRefused`.
        """

        def decide(table: Table, draft: Draft) -> None:
            _must_see(table, player)
            seats = table.seats_of(player.id)
            if not seats:
                raise NotSeated("you have no seat in this game")
            life, play = table.life, table.play
            if life.status is not Status.RUNNING or play is None:
                raise GameNotRunning(life.status)
            if expected_version is not None and not table.unmoved_since(expected_version):
                raise StaleVersion(life.version, life.position)
            draft.play(_find(play.state, move, seats), self._source)

        idempotency = Idempotency.of(player.id, key, "move", body or [move, expected_version])
        return self._write_cached(game_id, expected_version, idempotency, decide) or self._write(
            game_id, idempotency, decide
        )

    def bot_move(self, game_id: str, position: int, choose: Choose) -> Written:
        """Let a bot answer, if the game is still at `position` and the bot is asked.

        Otherwise nothing happens. The bot thinks once: an event that leaves the position alone and
        comes while the bot thinks voids no work. The generator for `choose` is seeded with game id
        and position, so a repeated job plays the same move. Raises `NotFound`; `ValueError` when
        `choose` gives no legal move.
        """
        thought: list[tuple[str, Any]] = []

        def decide(table: Table, draft: Draft) -> None:
            bot, state = table.bot_to_move, table.state
            if table.position != position or state is None or bot is None:
                return
            if not thought:
                thought.append((bot, choose(state.copy(), random.Random(f"{game_id}:{position}"))))
            asked, found = thought[0]
            if asked != bot:
                return
            if found not in state.moves():
                raise ValueError(f"bot {bot} answered {found!r}: not a legal move")
            draft.play(found, self._source)

        return self._write_cached(game_id, position, None, decide) or self._write(
            game_id, None, decide
        )

    def score(self, game_id: str) -> Written:
        """Count a game whose play is over and append `game_scored`, once; else do nothing.

        Raises `NotFound`.
        """

        def decide(table: Table, draft: Draft) -> None:
            if table.status is Status.SCORING and table.state is not None:
                draft.add(GAME_SCORED, result=table.state.final().to_json())

        return self._write(game_id, None, decide)

    # -- how all of them write ------------------------------------------------------------------

    def _write(
        self,
        game_id: str,
        idempotency: Idempotency | None,
        decide: Callable[[Table, Draft], None],
    ) -> Written:
        """Judge a command on the stored game and append; judge it again when others were faster.

        Whether an expected version still holds is for `decide` to say: the event of somebody else
        may have left the position alone. Raises what `decide` raises, and `StaleVersion` when
        others are faster each time.
        """
        field = None if idempotency is None else idempotency.field
        current = 0
        for _ in range(ATTEMPTS):
            table, record = self._projector.current(game_id, field)
            if record is not None and idempotency is not None:
                return self._replay(game_id, record, idempotency)
            draft = Draft(self._rules, game_id, table)
            decide(table, draft)
            if not draft.events:
                return Written(table, [])
            try:
                return self._append(draft, table.version, idempotency)
            except VersionConflict as conflict:
                current = conflict.current_version
        raise StaleVersion(current)

    def _write_cached(
        self,
        game_id: str,
        expected: int | None,
        idempotency: Idempotency | None,
        decide: Callable[[Table, Draft], None],
    ) -> Written | None:
        """Write on the cached table, without reading the stream.

        A client that expects the version of that table is nearly always right, and the append
        checks key and version in any case. None when a check fails: only the stored game may
        refuse a command.
        """
        table = self._projector.newest(game_id)
        if table is None or expected is None or not table.unmoved_since(expected):
            return None
        draft = Draft(self._rules, game_id, table)
        try:
            decide(table, draft)
            return self._append(draft, table.life.version, idempotency) if draft.events else None
        except (Refused, VersionConflict):
            return None

    def _append(self, draft: Draft, expected: int, idempotency: Idempotency | None) -> Written:
        record = self._ledger.append(draft.game_id, expected, draft.events, idempotency)
        if record is not None and idempotency is not None:
            return self._replay(draft.game_id, record, idempotency)
        table = draft.table
        self._projector.remember(table)
        if table.life.version // EVERY > expected // EVERY and table.play is not None:
            self._afterwards(lambda: self._snapshots.save(table))
        return Written(table, draft.events)

    def _replay(self, game_id: str, record: Record, idempotency: Idempotency) -> Written:
        """Return what the key led to the first time; both are made from the stream again."""
        if record.digest != idempotency.digest:
            raise IdempotencyMismatch
        events = self._ledger.events(game_id, record.first - 1, record.last - record.first + 1)
        return Written(self._projector.table(game_id, record.last), events, replayed=True)

    def _create(
        self, player: Player, idempotency: Idempotency | None, decide: Callable[[Draft], None]
    ) -> Written:
        game_id = str(ULID())
        draft = Draft(self._rules, game_id)
        decide(draft)
        if idempotency is not None:
            # Reserved only now: a request that is refused leaves nothing behind.
            draft.rename(self._ledger.reserve(_creation_key(player, idempotency), game_id))
        return self._show(self._append(draft, 0, idempotency))

    def _created_before(self, player: Player, idempotency: Idempotency) -> Written | None:
        game_id = self._ledger.reserved(_creation_key(player, idempotency))
        record = game_id and self._ledger.record(game_id, idempotency.field)
        return self._replay(game_id, record, idempotency) if game_id and record else None

    def _start_if_full(self, draft: Draft) -> None:
        if not any(seat.open for seat in draft.table.seats):
            draft.start(self._rng, self._source)

    def _show(self, written: Written) -> Written:
        """Update the lobby at once, because a player who opens a game looks for it there."""
        self._afterwards(lambda: self._projections.apply(written.table))
        return written

    def _afterwards(self, task: Callable[[], object]) -> None:
        """Do what may fail: the events are stored, and the dispatcher or a rebuild repeats it."""
        try:
            task()
        except RedisError as error:
            log.warning("after an append: %s", error)


def _find(state: State[Any], move: Json, seats: list[int]) -> Any:
    if state.seat not in seats:
        raise NotYourTurn(_decision(state))
    try:
        return state.find(move)
    except IllegalMove as error:
        raise IllegalMoveRefused(error.reason, _decision(state), error.legal_moves) from error


def _decision(state: State[Any]) -> Json:
    decision = state.decision
    assert decision is not None
    return decision.to_json()


def _must_see(table: Table, player: Player) -> None:
    if not table.visible_to(player.id):
        raise NotFound(f"there is no game {table.id}")


def _must_be_open(table: Table, expected_version: int | None) -> None:
    if table.status is Status.ABORTED:
        raise GameNotRunning(table.status)
    if table.status is not Status.OPEN:
        raise AlreadyStarted("the game has started")
    if expected_version not in (None, table.version):
        raise StaleVersion(table.version)


def _creation_key(player: Player, idempotency: Idempotency) -> str:
    return keys.creation(player.id, idempotency.field.rpartition(":")[2])
