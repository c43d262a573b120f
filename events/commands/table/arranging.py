"""Arranging: everything that can be done to a table before the game starts.

The host may arrange the seats: put a bot there, invite a player, open a seat again, drop the seats
that are open, hand the table over, abort the game. Everybody else may sit down where nothing is
promised to another player, decline an offer, and leave.

The order of the checks (`docs/living.md`, "What the host may change"): what the caller may see,
who the caller is at this table, the status, the version, and then the rule of the command.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from cartulary.events.commands.judging.checks import must_be_of_no_round, must_be_open, must_see
from cartulary.events.commands.judging.intent import Intent
from cartulary.events.commands.table import seating
from cartulary.events.commands.table.creating import Creator
from cartulary.events.commands.table.inviting import Inviting, open_expired
from cartulary.events.commands.table.opening import SeatRequest, must_be_entropy, seat_faults
from cartulary.events.commands.table.rated import RatedTables
from cartulary.events.draws.draws import Draws
from cartulary.events.ledger.drafts import Draft
from cartulary.events.ledger.ledger import Idempotency
from cartulary.events.ledger.writer import Decide, EventWriter, Written
from cartulary.events.model.errors import Invalid, NotSeated, Removed
from cartulary.events.model.offers import Offers
from cartulary.events.model.seats import have_persons
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.types import (
    GAME_ABORTED,
    HOST_CHANGED,
    SEAT_ASSIGNED,
    SEAT_DECLINED,
    SEAT_LEFT,
    SEAT_TAKEN,
    SEATS_DROPPED,
)
from cartulary.events.people.leaver_cooldown import LeaverCooldown
from cartulary.events.people.players import Player, name_of
from cartulary.events.people.quotas import Claims, Quotas


class Started(NamedTuple):
    """What judges two commands in a game that has started.

    `take_over` judges who asks for a seat: table, draft, intent, seat (None: any). `abort` judges
    who ends the game: table, draft, intent.
    """

    take_over: Callable[[Table, Draft, Intent, int | None], None]
    abort: Callable[[Table, Draft, Intent], None]


class Arranging:
    """What can be done to a table before the start. Thread-safe.

    `started` judges what a game that has started is asked for by the same calls.
    """

    def __init__(
        self,
        writer: EventWriter,
        creator: Creator,
        draws: Draws,
        offers: Offers,
        inviting: Inviting,
        quotas: Quotas,
        cooldown: LeaverCooldown,
        started: Started,
        rated: RatedTables,
    ) -> None:
        self._writer, self._creator, self._draws = writer, creator, draws
        self._offers, self._inviting, self._quotas = offers, inviting, quotas
        self._cooldown, self._started, self._rated = cooldown, started, rated

    # -- who sits down, declines or leaves ------------------------------------------------------

    def join(
        self, intent: Intent, game_id: str, seat: int | None = None, entropy: str | None = None
    ) -> Written:
        """Take a seat (None: one's own offer, else the first open seat).

        The last seat that is taken starts the game, unless the host is to start it. `entropy` is
        what the player adds to the draws. Raises, in the order of the checks:
        `IdempotencyMismatch`, `NotFound`, `Invalid` (no such seat, no entropy), `Removed`,
        `AlreadyStarted`, `GameNotRunning` (aborted), `StaleVersion`, `SeatTaken`, `SeatOffered`,
        `RateLimited`, `QuotaExceeded`, `RatedGame`, `AccountNeeded`; `DrawsUnavailable`. In a
        running game the player takes over a vacant seat (`Substitutes.take_over`).
        """
        must_be_entropy(entropy)
        added = {} if entropy is None else {"entropy": entropy}
        claims = self._quotas.claim()

        def decide(table: Table, draft: Draft) -> None:
            must_see(table, intent.who)
            if seat is not None and not 0 <= seat < len(table.seats):
                raise Invalid([("/seat", f"there is no seat {seat}")])
            if intent.who.id in table.course.removed:
                raise Removed
            if table.status is Status.RUNNING:
                self._started.take_over(table, draft, intent, seat)
                self._must_be_welcome(table, intent.who, None)
                claims.seat(intent.who.id, table.id)
                return
            must_be_open(table, intent.expected)
            open_expired(draft)  # the timer may be late, and an expired offer holds no player up
            number = seating.choose_seat(draft.table, intent.who, seat)
            self._must_be_welcome(table, intent.who, seat)
            self._cooldown.check(intent.who.id, table)
            claims.seat(intent.who.id, table.id)
            seating.decline_all(draft, intent.who, number)
            draft.add(SEAT_TAKEN, seat=number, player=name_of(intent.who), **added)
            self._rated.check(draft)
            self._creator.start_if_full(draft)

        body = intent.get_body({"seat": seat, **added} if added else seat)
        return self._write(game_id, intent.identify("join", body), decide, claims)

    def _must_be_welcome(self, table: Table, player: Player, seat: int | None) -> None:
        """Raise `SeatTaken` for a player whom the host blocks, as where no seat is free."""
        if not self._inviting.may_join(table, player):
            raise seating.no_free_seat(seat)

    def leave(self, intent: Intent, game_id: str, seat: int) -> Written:
        """Leave a seat before the start, or decline the offer of a seat.

        When the host leaves, the next person who sits there becomes host; a game that the last
        player leaves is aborted. Raises, in the order of the checks: `IdempotencyMismatch`,
        `NotFound` (game or seat), `NotSeated`, `AlreadyStarted`, `GameNotRunning` (aborted),
        `StaleVersion`.
        """

        def decide(table: Table, draft: Draft) -> None:
            must_see(table, intent.who)
            seating.must_exist(table, seat)
            offer = table.seats[seat].offer
            if offer is not None and offer.player["id"] == intent.who.id:
                seating.must_be_at(table, intent.expected)
                draft.add(SEAT_DECLINED, seat=seat, player=offer.player)
                return
            if seat not in table.seats_of(intent.who.id):
                raise NotSeated(f"seat {seat} is not yours")
            must_be_open(table, intent.expected)
            must_be_of_no_round(table, "no seat is given up: leave the tournament")
            draft.add(SEAT_LEFT, seat=seat, player=table.seats[seat].player)
            self._follow_leaving(table, draft, intent.who, seat)

        return self._write(game_id, intent.identify("leave", seat), decide)

    def decline(self, game_id: str, seat: int, player: Player, reason: str) -> Written:
        """Decline the offer of a seat for a bot that it does not fit; else do nothing.

        `reason` is one of `DECLINE_REASONS`. Raises `NotFound`.
        """

        def decide(table: Table, draft: Draft) -> None:
            offer = table.open_offers.get(seat)
            if offer is not None and offer.player["id"] == player.id:
                draft.add(SEAT_DECLINED, seat=seat, player=offer.player, reason=reason)

        return self._write(game_id, None, decide)

    def _follow_leaving(self, table: Table, draft: Draft, player: Player, seat: int) -> None:
        """Add what follows from a player's leaving: another host, or the end of the game."""
        left = draft.table
        if not have_persons(left.seats):
            why = "the last player left before the start"
            self._abort(table, draft, why, "empty", player)
        elif table.course.host == player.id and not left.seats_of(player.id):
            follower = seating.next_person(left, seat)
            draft.add(HOST_CHANGED, player=follower, by=player.id)

    # -- what only the host may do --------------------------------------------------------------

    def change_seat(self, intent: Intent, game_id: str, seat: int, wish: SeatRequest) -> Written:
        """Open a seat, put a bot on it, or offer it to a player, as the host wishes.

        A bot or an offer gives way to what is asked for; a player has to be removed first, with the
        wish for an open seat. A removed player may not come back. A bot on the last open seat
        starts the game, unless the host is to start it. In a running game the offer of a vacant
        seat can be made and withdrawn. Nothing happens where the seat is as wished.

        Raises, in the order of the checks: `IdempotencyMismatch`, `NotFound` (game or seat),
        `NotHost`, `AlreadyStarted`, `GameNotRunning` (aborted), `StaleVersion`, `Invalid` (unknown
        bot or player, …), `SeatTaken`, `RateLimited` (too many invitations), `RatedGame`;
        `DrawsUnavailable`.
        """
        claims = self._quotas.claim()

        def decide(table: Table, draft: Draft) -> None:
            must_see(table, intent.who)
            seating.must_exist(table, seat)
            seating.must_be_host(table, intent.who)
            if wish.kind != "bot" and table.status is Status.RUNNING and table.vacant(seat):
                seating.must_be_at(table, intent.expected)
            else:
                must_be_open(table, intent.expected)
            self._change_seat(table, draft, intent.who, seat, wish, claims)

        body = [seat, intent.get_body([*wish, intent.expected])]
        return self._write(game_id, intent.identify("change_seat", body), decide, claims)

    def _change_seat(
        self,
        table: Table,
        draft: Draft,
        player: Player,
        seat: int,
        wish: SeatRequest,
        claims: Claims,
    ) -> None:
        if wish.kind == "open":
            seating.open_seat(table, draft, player, seat)
        elif wish.kind == "bot":
            self._put_bot(table, draft, player, seat, wish)
        else:
            self._invite(table, draft, player, seat, wish, claims)

    def _put_bot(
        self, table: Table, draft: Draft, player: Player, seat: int, wish: SeatRequest
    ) -> None:
        """Put a bot on a seat where no player sits."""
        bots = self._offers[table.game].bots
        if faults := list(seat_faults(wish, table.game, bots)):
            raise Invalid([(f"/{name}", fault) for name, fault in faults])
        before = table.seats[seat]
        if before.bot == wish.bot:
            return
        seating.must_not_sit(table, seat)
        if before.bot is not None:
            seating.add_opened(draft, seat, {"bot": before.bot}, player, "changed")
        draft.add(SEAT_ASSIGNED, seat=seat, bot=wish.bot, by=player.id)
        self._rated.check(draft)
        self._creator.start_if_full(draft)

    def _invite(
        self,
        table: Table,
        draft: Draft,
        player: Player,
        seat: int,
        wish: SeatRequest,
        claims: Claims,
    ) -> None:
        """Offer a seat where no player sits, or a vacant seat, to a player."""
        guest = self._inviting.find(table, player, wish.player or "")
        before = table.seats[seat]
        if before.offer is not None and before.offer.player["id"] == guest.id:
            return
        if table.status is Status.OPEN:
            seating.must_not_sit(table, seat)
        seating.must_have_no_place(table, guest)
        claims.invitation(player.id, guest.id, table.id)
        seating.clear_seat(table, draft, player, seat)
        self._inviting.offer(draft, seat, guest, player)
        if table.status is Status.OPEN:
            self._rated.check(draft)

    def start(self, intent: Intent, game_id: str, drop_open_seats: bool = False) -> Written:
        """Start the game; empty seats are dropped where the host says so.

        The others close up in their order. An offer that is still open is withdrawn. Raises, in the
        order of the checks: `IdempotencyMismatch`, `NotFound`, `NotHost`, `AlreadyStarted`,
        `GameNotRunning` (aborted), `StaleVersion`, `SeatsOpen` (also when too few are left),
        `NotReady` (live tables); `DrawsUnavailable`.
        """

        def decide(table: Table, draft: Draft) -> None:
            must_see(table, intent.who)
            seating.must_be_host(table, intent.who)
            must_be_open(table, intent.expected)
            empty = [number for number, one in enumerate(table.seats) if one.open]
            if empty:
                seating.must_do_without(table, empty, drop_open_seats)
                for number in empty:
                    seating.clear_seat(table, draft, intent.who, number)
                draft.add(SEATS_DROPPED, seats=empty, by=intent.who.id)
            seating.must_be_ready(draft.table)
            self._creator.start(draft)

        body = intent.get_body([drop_open_seats, intent.expected])
        return self._write(game_id, intent.identify("start", body), decide)

    def hand_over(self, intent: Intent, game_id: str, to: str) -> Written:
        """Make another player who sits at the table its host; nothing happens for the host itself.

        Raises, in the order of the checks: `IdempotencyMismatch`, `NotFound`, `NotHost`,
        `GameNotRunning` (over or aborted), `StaleVersion`, `Invalid` (no such player sits there).
        """

        def decide(table: Table, draft: Draft) -> None:
            must_see(table, intent.who)
            seating.must_be_host(table, intent.who)
            seating.must_be_at(table, intent.expected)
            if to == intent.who.id:
                return
            seats = table.seats_of(to)
            if not seats or not table.seats[seats[0]].contending:
                raise Invalid([("/player", "no player with this id sits at the table")])
            draft.add(HOST_CHANGED, player=table.seats[seats[0]].player, by=intent.who.id)

        body = intent.get_body([to, intent.expected])
        return self._write(game_id, intent.identify("hand_over", body), decide)

    def abort(self, intent: Intent, game_id: str) -> Written:
        """End the game without a result: the host before the start, later as `started` says.

        Raises, in the order of the checks: `IdempotencyMismatch`, `NotFound`, `NotHost`,
        `StaleVersion`; `WrongKey`; and what `LeavingCommands.abort_started` raises.
        """

        def decide(table: Table, draft: Draft) -> None:
            must_see(table, intent.who)
            if table.status is not Status.OPEN:
                self._started.abort(table, draft, intent)
                return
            seating.must_be_host(table, intent.who)
            must_be_open(table, intent.expected)
            self._abort(table, draft, "the host called the game off", "host", intent.who)

        body = intent.get_body(intent.expected)
        return self._write(game_id, intent.identify("abort", body), decide)

    # -- what several of them need --------------------------------------------------------------

    def _abort(self, table: Table, draft: Draft, why: str, code: str, player: Player) -> None:
        secret = self._draws.reveal(table, draft)
        draft.add(GAME_ABORTED, reason=why, code=code, by=player.id, **secret)

    def _write(
        self,
        game_id: str,
        idempotency: Idempotency | None,
        decide: Decide,
        claims: Claims | None = None,
    ) -> Written:
        """Write, and show what was written in the lists at once."""

        def write() -> Written:
            return self._creator.show(self._writer.write(game_id, idempotency, decide))

        return write() if claims is None else claims.during(write)
