"""The commands: everything that can be done to a game. HTTP handlers and workers alike use these.

Each checks, decides through the engine, and appends in one atomic step. A refused command raises a
`Refused` of `events.errors` and stores nothing.
"""

from __future__ import annotations

from typing import Any

from cartulary.events.accounts.blocks import Blocks
from cartulary.events.again import Again
from cartulary.events.ages import Looks, RulesSince
from cartulary.events.arranging import Arranging, Started
from cartulary.events.bot_moves import BotMoves
from cartulary.events.branching import Branching
from cartulary.events.checks import judge_move
from cartulary.events.clock import SYSTEM, Clock
from cartulary.events.consent import lapse_by_move
from cartulary.events.creating import Creator
from cartulary.events.drafts import Deal, Draft
from cartulary.events.draws import Draws, NewSecret
from cartulary.events.expiry import Expiry
from cartulary.events.inbox import Inbox
from cartulary.events.inviting import Inviting, offer_seat
from cartulary.events.leaving import Leaving, return_mover
from cartulary.events.ledger import Idempotency, Ledger
from cartulary.events.offers import Offers
from cartulary.events.opening import (
    NewGame,
    SeatRequest,
    check_request,
    fair_json,
    must_be_entropy,
    seats_json,
    terms_json,
)
from cartulary.events.overdue import Silence
from cartulary.events.pausing import resume
from cartulary.events.plans import Plans
from cartulary.events.players import Player, Players
from cartulary.events.preferences import Preferences
from cartulary.events.projections import Projections
from cartulary.events.projector import Projector
from cartulary.events.proposals import Proposals
from cartulary.events.quotas import UNLIMITED, Quotas
from cartulary.events.rematch import Rematches
from cartulary.events.restraint import Restraint
from cartulary.events.results import make_result
from cartulary.events.snapshots import Snapshots
from cartulary.events.standing_answers import StandingAnswers, answer_by_standing
from cartulary.events.status import Status
from cartulary.events.substitutes import Substitutes
from cartulary.events.table import Table
from cartulary.events.thinking import Choose
from cartulary.events.timekeeping import Timekeeping
from cartulary.events.timeouts import Timeouts
from cartulary.events.timing import NO_STOPS, Calendar
from cartulary.events.transcripts import Chance, draft_import, read_transcript
from cartulary.events.types import (
    DRAWS_RENEWED,
    GAME_CREATED,
    GAME_SCORED,
    Json,
)
from cartulary.events.vault import Commitment, Vault
from cartulary.events.writer import Decide, Prepared, Writer, Written

__all__ = ["Choose", "Commands", "NewGame", "Prepared", "SeatRequest", "Written"]


class Commands:
    """What can be done with the games on offer. Thread-safe.

    `draws` answers chance, `vault` has the secrets of the draws.
    """

    def __init__(
        self,
        ledger: Ledger,
        projector: Projector,
        projections: Projections,
        snapshots: Snapshots,
        offers: Offers,
        vault: Vault,
        draws: Draws,
        players: Players,
        blocks: Blocks,
        quotas: Quotas | None = None,
        clock: Clock = SYSTEM,
        since: RulesSince | None = None,
        calendar: Calendar = NO_STOPS,
    ) -> None:
        self._offers = offers
        self._rules = {name: offer.rules for name, offer in offers.items()}
        self.writer = Writer(ledger, projector, snapshots, self._rules, clock, calendar)
        self._vault, self._draws = vault, draws
        quotas = quotas or Quotas(ledger.registry, UNLIMITED)
        self.creator = Creator(self._rules, ledger, self.writer, projections, quotas, vault, draws)
        self._inviting = Inviting(players, blocks)
        since = since or RulesSince(ledger.registry, clock)
        self.looks = Looks(ledger.redis, clock)
        restraint = Restraint(ledger.registry, clock)
        self.timeouts = Timeouts(offers, clock, calendar, ledger.registry)
        self.silence = silence = Silence(clock, since, self.timeouts)
        self.leaving = Leaving(
            self.writer, offers, draws, clock, silence, self.timeouts, restraint, self.creator.show
        )
        substitutes = Substitutes(clock, restraint)
        self.arranging = Arranging(
            self.writer,
            self.creator,
            draws,
            offers,
            self._inviting,
            quotas,
            restraint,
            Started(substitutes.take_over, self.leaving.abort_started),
        )
        self.expiry = Expiry(
            self.writer,
            projections,
            draws,
            clock,
            since,
            self.looks,
            self.timeouts,
            Inbox(ledger.registry),
        )
        self.again = Again(
            projector,
            Branching(ledger, projector, self.creator, offers),
            Rematches(
                ledger, projector, self.writer, self.creator, self._inviting, quotas, restraint
            ),
        )
        self.standing_answers = StandingAnswers(projector, self.writer.standings)
        self.bots = BotMoves(self.writer, projector, draws, Plans(ledger.redis), clock)
        self.time = Timekeeping(self.writer, clock, calendar, self.creator.show)
        self.proposals = Proposals(
            self.writer, ledger, draws, Preferences(ledger.registry), clock, self.leaving
        )

    # -- before the start -----------------------------------------------------------------------

    def create(self, player: Player, request: NewGame, key: str | None = None) -> Written:
        """Open a game; it starts at once when no seat is open, unless the host is to start it.

        Raises `Invalid` (unknown game, number of seats, option, bot, player, commitment, …),
        `IdempotencyMismatch`, `QuotaExceeded`, `RateLimited` (too many invitations),
        `DrawsUnavailable`.
        """

        def decide(draft: Draft, secret: NewSecret) -> None:
            draft.add(
                GAME_CREATED,
                game=request.game,
                options=options,
                seats=seats_json(request, player),
                visibility=request.visibility,
                created_by=player.id,
                shuffle_seats=request.shuffle_seats,
                fair=fair_json(secret.commit(), 0),
                **terms_json(request),
            )
            for seat, guest in guests.items():
                offer_seat(draft, seat, guest, player)
            self.creator.start_if_full(draft)

        idempotency = Idempotency.of(f"create:{player.id}", key, "create", request.body())
        if (done := self.creator.repeat(player, idempotency)) is not None:
            return done
        options = check_request(request, self._offers)
        guests = self._inviting.find_all(player, request)
        return self.creator.create(
            player,
            idempotency,
            decide,
            request.commitment,
            guests=[guest.id for guest in guests.values()],
        )

    def import_transcript(
        self,
        player: Player,
        transcript: Any,
        key: str | None = None,
        entropy: str | None = None,
        commitment: str | None = None,
        visibility: str = "public",
    ) -> Written:
        """Make a game of a transcript (a JSON value), all of it in one append.

        The player sits on every seat; the last three arguments are as for `create`. Raises
        `Invalid` for an unreadable or invalid transcript, with a pointer to the first bad move;
        `IdempotencyMismatch`, `QuotaExceeded`, `DrawsUnavailable`.
        """
        beside = [entropy, commitment, *([] if visibility == "public" else [visibility])]
        asked = [transcript, *beside] if any(beside) else transcript
        idempotency = Idempotency.of(f"create:{player.id}", key, "import", asked)
        if (done := self.creator.repeat(player, idempotency)) is not None:
            return done
        read = read_transcript(self._rules, transcript)
        must_be_entropy(entropy)

        def decide(draft: Draft, secret: NewSecret) -> None:
            chance = Chance(entropy, secret.commit, self._draws.source)
            draft_import(self._rules, draft, player, read, chance, visibility)

        return self.creator.create(player, idempotency, decide, commitment, imported=True)

    def join(
        self,
        player: Player,
        game_id: str,
        seat: int | None = None,
        key: str | None = None,
        expected_version: int | None = None,
        entropy: str | None = None,
        body: Any = None,
    ) -> Written:
        """Take a seat: `Arranging.join`."""
        return self.arranging.join(player, game_id, seat, key, expected_version, entropy, body)

    def leave(
        self,
        player: Player,
        game_id: str,
        seat: int,
        key: str | None = None,
        expected_version: int | None = None,
    ) -> Written:
        """Leave a seat before the start, or decline its offer: `Arranging.leave`."""
        return self.arranging.leave(player, game_id, seat, key, expected_version)

    def abort(
        self,
        player: Player,
        game_id: str,
        key: str | None = None,
        expected_version: int | None = None,
        body: Any = None,
    ) -> Written:
        """End a game: `Arranging.abort` before the start, then `Leaving.abort_started`."""
        done = self.arranging.abort(player, game_id, key, expected_version, body)
        self.leaving.note_abort(player, done)
        return done

    # -- the play -------------------------------------------------------------------------------

    def move(
        self,
        player: Player,
        game_id: str,
        move: Json,
        expected_version: int | None = None,
        key: str | None = None,
        body: Any = None,
        received: int | None = None,
    ) -> Written:
        """Answer the pending decision.

        `expected_version` holds when the position is still that of this version: an event that
        leaves the position alone refuses no move. `body` is what a repeated `key` must come with
        again; None: move and expected version. `received` is the moment at which the request came
        in (ms since the epoch; None: now): the clock of a timed game counts to it.

        An owner who is away returns with the move, in one append. Raises, in the order of the
        checks: `IdempotencyMismatch`, `NotFound`, `NotSeated`, `GameNotRunning`, `StaleVersion`,
        `SeatForfeited`, `NotYourTurn`, `IllegalMoveRefused`; `DrawsUnavailable`.
        """
        idempotency = Idempotency.of(player.id, key, "move", body or [move, expected_version])
        decide = self._decide_move(player, move, expected_version, self._draws.source, received)
        return self.writer.write_cached(
            game_id, expected_version, idempotency, decide
        ) or self.writer.write(game_id, idempotency, decide)

    def _decide_move(
        self,
        player: Player,
        move: Json,
        expected_version: int | None,
        deal: Deal,
        received: int | None,
    ) -> Decide:
        def decide(table: Table, draft: Draft) -> None:
            draft.received = received
            found = judge_move(table, player, move, expected_version)
            if table.course.left:
                return_mover(draft)
            if table.clocks is not None and table.clocks.paused is not None:
                resume(draft, "move", player.id)
            if table.course.proposal is not None:
                lapse_by_move(draft, found)
            draft.play(found, deal)
            if draft.standing.given:
                answer_by_standing(draft, deal)

        return decide

    def prepare_move(
        self,
        player: Player,
        game_id: str,
        move: Json,
        expected_version: int | None = None,
        key: str | None = None,
        body: Any = None,
        received: int | None = None,
    ) -> Prepared | None:
        """Judge a move on the cached table and prepare its append; wait for nothing, store nothing.

        For an event loop, which sends the append itself. The arguments are those of `move`. None
        when the table is not cached, or the move is refused: only the stored game may refuse it.
        """
        idempotency = Idempotency.of(player.id, key, "move", body or [move, expected_version])
        deal = self._draws.cached_source
        decide = self._decide_move(player, move, expected_version, deal, received)
        return self.writer.prepare(game_id, idempotency, decide)

    def score(self, game_id: str) -> Written:
        """Count a game whose play is over and append `game_scored`, once; else do nothing.

        The event reveals the secret of the draws. Raises `NotFound`, `DrawsUnavailable`.
        """

        def decide(table: Table, draft: Draft) -> None:
            if table.status is Status.SCORING and table.state is not None:
                secret = self._draws.reveal(table, draft)
                draft.add(GAME_SCORED, result=make_result(table), **secret)

        return self.writer.write(game_id, None, decide)

    def renew_draws(self, game_id: str) -> Written:
        """Give an open or running game with fair draws a new secret; else do nothing.

        For a game whose secret is lost: the events say that its draws were renewed. Raises
        `NotFound`, `WrongKey`.
        """

        def decide(table: Table, draft: Draft) -> None:
            if table.fair is not None and table.status in (Status.OPEN, Status.RUNNING):
                secret = NewSecret(self._draws, self._vault, "", None)
                draft.add(DRAWS_RENEWED, commitment=secret.commit())
                secret.put_beside(draft)

        return self.writer.write(game_id, None, decide)

    def commit(self, player: Player) -> Commitment:
        """Make a commitment beforehand, for one game that the player opens. Raises `WrongKey`."""
        return self._vault.prepare(player.id, self._draws.make_secret())
