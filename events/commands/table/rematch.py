"""Rematches: the next game with the same people.

A game has one rematch, however many players ask for it. The key `{game}:rematch` is set once,
before the rematch is created: it reserves the id of the rematch. A process that dies between the
two leaves a reserved id, and the next request creates the game under this id.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cartulary.events.archiving.bringing_back import BringingBack
from cartulary.events.commands.judging.checks import must_be_of_no_round, must_see
from cartulary.events.commands.judging.intent import Intent
from cartulary.events.commands.table.creating import Creator
from cartulary.events.commands.table.inviting import Inviting
from cartulary.events.commands.table.opening import (
    fair_json,
    must_be_entropy,
    same_terms,
    seat_json,
)
from cartulary.events.commands.table.rated import RatedTables
from cartulary.events.commands.table.seating import has_offer, no_free_seat
from cartulary.events.draws.draws import NewSecret
from cartulary.events.ledger.drafts import Draft
from cartulary.events.ledger.ledger import Idempotency, Ledger, VersionConflict
from cartulary.events.ledger.projector import Projector
from cartulary.events.ledger.writer import EventWriter, Written
from cartulary.events.model.errors import GameRunning, Invalid, NotFound, NotSeated, Removed
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import Seat
from cartulary.events.model.types import GAME_CREATED, SEAT_TAKEN, Json
from cartulary.events.people.leaver_cooldown import LeaverCooldown
from cartulary.events.people.players import Player, name_of
from cartulary.events.people.quotas import Quotas
from cartulary.events.server import keys


class NewRematch(NamedTuple):
    """A request for a rematch. `entropy` and `commitment` are as in `NewGame`.

    `order`, one of `ORDERS`, and `commitment` count for the first request only.
    """

    order: str = "rotate"
    entropy: str | None = None
    commitment: str | None = None

    def body(self) -> Json | str:
        """Return the request as the digest of its idempotency key covers it.

        A release that knew no entropy here made the digest of the order alone.
        """
        chosen = {key: value for key, value in self._asdict().items() if value is not None}
        return chosen if len(chosen) > 1 else self.order


ORDERS = ("same", "rotate", "shuffle")
"""Who sits where: as before; the second seat begins; the lot decides."""

GONE = ("left", "removed")
"""Why a player has no seat in the rematch: the player went away during the game."""


class Rematches:
    """Opens and finds rematches. Thread-safe."""

    def __init__(
        self,
        ledger: Ledger,
        projector: Projector,
        writer: EventWriter,
        creator: Creator,
        inviting: Inviting,
        quotas: Quotas,
        cooldown: LeaverCooldown,
        bringing_back: BringingBack,
        rated: RatedTables,
    ) -> None:
        self._bringing_back, self._rated = bringing_back, rated
        self._ledger, self._projector = ledger, projector
        self._writer, self._creator = writer, creator
        self._inviting, self._quotas, self._cooldown = inviting, quotas, cooldown

    def find(self, game_id: str, player_id: str | None) -> Table:
        """Return the rematch of a game.

        Raises `NotFound` before a player has opened it, and for a caller (None: a caller without a
        token) who may not see it.
        """
        self._projector.visible(game_id, player_id)
        rematch = self._ledger.rematch(game_id)
        if rematch is None:
            raise NotFound(f"game {game_id} has no rematch")
        return self._projector.visible(rematch, player_id)

    def open(
        self,
        intent: Intent,
        game_id: str,
        request: NewRematch = NewRematch(),  # noqa: B008  immutable
    ) -> Written:
        """Open the rematch of a game that is over, or sit down at it when it is there already.

        The player sits, the other persons have offers of their seats, bots sit. The seat of a
        player who went away during the game is open. Raises, in the order of the checks:
        `IdempotencyMismatch`, `NotFound`, `NotSeated`, `GameRunning`, `RoundOpen`, `Invalid`
        (order, entropy, commitment), `Removed`, `SeatTaken` (the rematch has no seat left),
        `RateLimited`, `QuotaExceeded`, `RatedGame`, `AccountNeeded`, `DrawsUnavailable`.
        """
        use = intent.identify("rematch", request.body())
        return self._creator.once(
            game_id, use, lambda: self._open(intent.who, game_id, request, use)
        )

    def _open(
        self, player: Player, game_id: str, request: NewRematch, use: Idempotency | None
    ) -> Written:
        idempotency = use and use._replace(field=f"rematch:{use.field}")
        there = self._ledger.rematch(game_id)
        if there and idempotency and (record := self._ledger.record(there, idempotency.field)):
            return self._writer.replay(there, record, idempotency)
        table = self._projector.table(game_id)
        _must_allow_rematch(table, player)
        if request.order not in ORDERS:
            raise Invalid([("/seats", f"one of {', '.join(ORDERS)}")])
        must_be_entropy(request.entropy)
        self._bringing_back.pin(game_id)
        if there is None or not self._ledger.version(there):
            try:
                return self._create(player, table, request, idempotency)
            except VersionConflict:
                there = self._ledger.rematch(game_id)
        assert there is not None
        return self._sit(player, there, request.entropy, idempotency)

    def _create(
        self,
        player: Player,
        before: Table,
        request: NewRematch,
        idempotency: Idempotency | None,
    ) -> Written:
        seats = _arrange(before.seats, request.order)
        guests = self._find_guests(seats, player)

        def decide(draft: Draft, secret: NewSecret) -> None:
            draft.add(
                GAME_CREATED,
                game=before.game,
                options=before.options,
                seats=[
                    seat_json(number, player, None, request.entropy)
                    if _is_of(seat, player)
                    else seat_json(number, None, seat.bot)
                    for number, seat in enumerate(seats)
                ],
                visibility=before.visibility,
                created_by=player.id,
                shuffle_seats=request.order == "shuffle",
                fair=fair_json(secret.commit(), 0),
                rematch_of=before.id,
                **same_terms(before.terms),
            )
            for number, guest in guests.items():
                self._inviting.offer(draft, number, guest, player)
            self._rated.check(draft)
            self._creator.start_if_full(draft)

        pointer = keys.rematch(before.id)
        return self._creator.create(
            player, idempotency, decide, request.commitment, pointer=pointer
        )

    def _find_guests(self, seats: Sequence[Seat], host: Player) -> Mapping[int, Player]:
        """Return who is offered which seat: the other persons who did not go away.

        The seat of a person who blocks the host, or whom the host blocks, is open.
        """
        persons = {}
        for number, seat in enumerate(seats):
            person = seat.player or (seat.offer and seat.offer.player)
            if person is not None and person["id"] != host.id and not _has_gone(seat):
                persons[number] = person["id"]
        partners = self._inviting.find_partners(host, set(persons.values()))
        return {number: partners[one] for number, one in persons.items() if one in partners}

    def _sit(
        self, player: Player, game_id: str, entropy: str | None, idempotency: Idempotency | None
    ) -> Written:
        """Seat a player at the rematch: on the seats that are offered, else on an open seat."""
        added = {} if entropy is None else {"entropy": entropy}
        claims = self._quotas.claim()

        def decide(table: Table, draft: Draft) -> None:
            must_see(table, player)
            if table.seats_of(player.id) or table.status is Status.ABORTED:
                return
            if player.id in table.course.removed:
                raise Removed
            seats = _choose_seats(table, player)
            if not self._inviting.may_join(table, player):
                raise no_free_seat(None)
            self._cooldown.check(player.id, table)
            claims.seat(player.id, table.id)
            for number in seats:
                draft.add(SEAT_TAKEN, seat=number, player=name_of(player), **added)
            self._rated.check(draft)
            self._creator.start_if_full(draft)

        return claims.during(
            lambda: self._creator.show(self._writer.write(game_id, idempotency, decide))
        )


def _must_allow_rematch(table: Table, player: Player) -> None:
    must_see(table, player)
    if not table.seats_of(player.id):
        raise NotSeated("you have no seat in this game")
    if not table.status.finished:
        raise GameRunning(table.status)
    must_be_of_no_round(table, "there is no rematch: the next round pairs again")


def _arrange(seats: Sequence[Seat], order: str) -> list[Seat]:
    """Return the seats of a game as they are in its rematch; the lot shuffles later."""
    return [*seats[1:], seats[0]] if order == "rotate" else [*seats]


def _is_of(seat: Seat, player: Player) -> bool:
    return seat.player is not None and seat.player["id"] == player.id


def _has_gone(seat: Seat) -> bool:
    """Return whether a player went away during the game; who has resigned has not."""
    return seat.away is not None or seat.forfeited in GONE


def _choose_seats(table: Table, player: Player) -> list[int]:
    """Return the seats that a player takes; raises `SeatTaken` when none is left."""
    offered = [n for n in range(len(table.seats)) if has_offer(table, n, player.id)]
    free = [n for n, seat in enumerate(table.seats) if seat.open and seat.offer is None]
    if table.status is not Status.OPEN or not (offered or free):
        raise no_free_seat(None)
    return offered or free[:1]
