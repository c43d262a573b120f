"""The commands: everything that can be done to a game. HTTP handlers and workers alike use these.

Each checks, decides through the engine, and appends in one atomic step. A refused command raises a
`Refused` of `events.model.errors` and stores nothing.
"""

from __future__ import annotations

from typing import Any

from cartulary.events.archiving.bringing_back import BringingBack
from cartulary.events.commands.game.bot_moves import BotMoves
from cartulary.events.commands.game.expiry import Expiry
from cartulary.events.commands.game.failing_bots import FailingBots
from cartulary.events.commands.game.leaving import LeavingCommands, return_mover
from cartulary.events.commands.game.overdue import LastSeen, OverduePlayers
from cartulary.events.commands.game.pausing import resume
from cartulary.events.commands.game.plans import Plans
from cartulary.events.commands.game.practice import Practice
from cartulary.events.commands.game.proposals import Proposals
from cartulary.events.commands.game.timekeeping import Timekeeping
from cartulary.events.commands.game.timeouts import Timeouts
from cartulary.events.commands.judging.checks import judge_move
from cartulary.events.commands.judging.consent import lapse_by_move
from cartulary.events.commands.judging.endings import abort_game
from cartulary.events.commands.judging.intent import Intent
from cartulary.events.commands.judging.standing_answers import (
    StandingAnswers,
    answer_by_standing,
)
from cartulary.events.commands.rounds.importing import SealedGames
from cartulary.events.commands.rounds.starting import RoundStarts
from cartulary.events.commands.table.arranging import Arranging, Started
from cartulary.events.commands.table.branching import Branching
from cartulary.events.commands.table.continuations import Again
from cartulary.events.commands.table.creating import Creator
from cartulary.events.commands.table.inviting import Inviting
from cartulary.events.commands.table.matched import MatchedGames
from cartulary.events.commands.table.opening import (
    NewGame,
    SeatRequest,
    check_request,
    fair_json,
    must_be_entropy,
    seats_json,
    terms_json,
)
from cartulary.events.commands.table.rated import RatedTables, rated_faults
from cartulary.events.commands.table.rematch import Rematches
from cartulary.events.commands.table.substitutes import Substitutes
from cartulary.events.commands.table.transcripts import ImportChance, draft_import, read_transcript
from cartulary.events.draws.draws import Draws, NewSecret
from cartulary.events.draws.vault import Commitment, Vault
from cartulary.events.ledger.drafts import Deal, Draft
from cartulary.events.ledger.ledger import Idempotency, Ledger
from cartulary.events.ledger.projector import Projector
from cartulary.events.ledger.snapshots import Snapshots
from cartulary.events.ledger.writer import Decide, EventWriter, Prepared, Written
from cartulary.events.lists.inbox import Inbox
from cartulary.events.lists.projections import Projections
from cartulary.events.model.clock import Clock
from cartulary.events.model.errors import IllegalMoveRefused
from cartulary.events.model.offers import Offers
from cartulary.events.model.results import make_result
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.thinking import Choose
from cartulary.events.model.time.timing import ClockStops
from cartulary.events.model.types import DRAWS_RENEWED, GAME_CREATED, GAME_SCORED, Json
from cartulary.events.outside_bots.accepts import Acceptance
from cartulary.events.people.blocks import Blocks
from cartulary.events.people.leaver_cooldown import LeaverCooldown
from cartulary.events.people.players import Player, PlayerRegistry
from cartulary.events.people.preferences import Preferences
from cartulary.events.people.quotas import Quotas
from cartulary.events.time.looks import Looks
from cartulary.events.time.rules_since import RulesSince

__all__ = ["Choose", "Commands", "Intent", "NewGame", "Prepared", "SeatRequest", "Written"]


class Commands:
    """What can be done with the games on offer. Thread-safe.

    `draws` answers chance, `vault` has the secrets of the draws. `last_seen` says when a
    player was last here.
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
        players: PlayerRegistry,
        blocks: Blocks,
        quotas: Quotas,
        clock: Clock,
        since: RulesSince,
        calendar: ClockStops,
        bringing_back: BringingBack,
        last_seen: LastSeen,
        acceptance: Acceptance,
    ) -> None:
        self._offers = offers
        self._rules = {name: offer.rules for name, offer in offers.items()}
        self.writer = EventWriter(ledger, projector, snapshots, self._rules, clock, calendar)
        self._vault, self._draws = vault, draws
        self.creator = Creator(offers, ledger, self.writer, projections, quotas, vault, draws)
        self._inviting = Inviting(players, blocks, acceptance)
        self.rated = RatedTables(ledger.registry, players, offers, self.writer.level.read)
        self.looks = Looks(ledger.redis, clock)
        cooldown = LeaverCooldown(ledger.registry, clock)
        self.timeouts = Timeouts(offers, clock, calendar, ledger.registry)
        self.silence = silence = OverduePlayers(clock, since, self.timeouts, last_seen)
        self.leaving = LeavingCommands(
            self.writer, offers, draws, clock, silence, self.timeouts, cooldown, self.creator.show
        )
        started = Started(Substitutes(clock, cooldown).take_over, self.leaving.abort_started)
        self.arranging = Arranging(
            *(self.writer, self.creator, draws, offers, self._inviting, quotas, cooldown, started),
            self.rated,
        )
        inbox = Inbox(ledger.registry)
        self._sealed = SealedGames(ledger.registry, ledger, projector)
        self.round_starts = RoundStarts(self.creator, offers)
        self.expiry = Expiry(
            *(self.writer, projections, draws, clock, since, self.looks, self.timeouts, inbox),
            self.round_starts.begin,
        )
        branching = Branching(ledger, projector, self.writer, self.creator, offers, bringing_back)
        rematches = Rematches(
            *(ledger, projector, self.writer, self.creator),
            *(self._inviting, quotas, cooldown, bringing_back),
            self.rated,
        )
        self.again = Again(projector, branching, rematches)
        self.matched = MatchedGames(
            self.creator, projector, offers, self.rated, self.writer.level.read
        )
        self.cooldown = cooldown
        self.standing_answers = StandingAnswers(projector, self.writer.standings)
        self.practice = Practice(self.writer)
        self.failing_bots = FailingBots(ledger.registry, self.writer, offers)
        self.bots = BotMoves(self.writer, projector, draws, Plans(ledger.redis), clock)
        begin = self.round_starts.begin_if_ready
        self.time = Timekeeping(self.writer, clock, calendar, self.creator.show, begin)
        self.proposals = Proposals(
            self.writer, ledger, draws, Preferences(ledger.registry), clock, self.leaving
        )

    # -- before the start -----------------------------------------------------------------------

    def create(self, intent: Intent, request: NewGame) -> Written:
        """Open a game; it starts at once when no seat is open, unless the host is to start it.

        Raises `Invalid` (unknown game, number of seats, option, bot, player, commitment, …),
        `IdempotencyMismatch`, `RatedGame`, `AccountNeeded`, `QuotaExceeded`, `RateLimited` (too
        many invitations), `DrawsUnavailable`.
        """

        def decide(draft: Draft, secret: NewSecret) -> None:
            draft.add(
                GAME_CREATED,
                game=request.game,
                options=options,
                seats=seats_json(request, intent.who),
                visibility=request.visibility,
                created_by=intent.who.id,
                shuffle_seats=request.shuffle_seats,
                fair=fair_json(secret.commit(), 0),
                **terms_json(request),
            )
            for seat, guest in guests.items():
                self._inviting.offer(draft, seat, guest, intent.who)
            self.rated.check(draft)
            self.creator.start_if_full(draft)

        idempotency = intent.identify_creation("create", request.body())
        if (done := self.creator.repeat(intent.who, idempotency)) is not None:
            return done
        options = check_request(request, self._offers, rated_faults(request, intent.who))
        guests = self._inviting.find_all(intent.who, request)
        return self.creator.create(
            intent.who,
            idempotency,
            decide,
            request.commitment,
            guests=[guest.id for guest in guests.values()],
        )

    def import_transcript(
        self,
        intent: Intent,
        transcript: Any,
        entropy: str | None = None,
        commitment: str | None = None,
        visibility: str = "public",
    ) -> Written:
        """Make a game of a transcript (a JSON value), all of it in one append.

        The player sits on every seat; the last three arguments are as for `create`. Raises
        `Invalid` for an unreadable or invalid transcript, with a pointer to the first bad move;
        `IdempotencyMismatch`, `RoundOpen`, `QuotaExceeded`, `DrawsUnavailable`.
        """
        terms = [entropy, commitment, *([] if visibility == "public" else [visibility])]
        content = [transcript, *terms] if any(terms) else transcript
        idempotency = intent.identify_creation("import", content)
        if (done := self.creator.repeat(intent.who, idempotency)) is not None:
            return done
        read = read_transcript(self._rules, transcript)
        must_be_entropy(entropy)
        self._sealed.must_not_show(intent.who.id, lambda: [read])

        def decide(draft: Draft, secret: NewSecret) -> None:
            chance = ImportChance(entropy, secret.commit, self._draws.source)
            draft_import(self._rules, draft, intent.who, read, chance, visibility)

        return self.creator.create(intent.who, idempotency, decide, commitment, imported=True)

    def abort(self, intent: Intent, game_id: str) -> Written:
        """End a game: `Arranging.abort` before the start, then `LeavingCommands.abort_started`."""
        done = self.arranging.abort(intent, game_id)
        self.leaving.note_abort(intent.who, done)
        return done

    # -- the play -------------------------------------------------------------------------------

    def move(self, intent: Intent, game_id: str, move: Json) -> Written:
        """Answer the pending decision.

        An owner who is away returns with the move, in one append. Raises, in the order of the
        checks: `IdempotencyMismatch`, `NotFound`, `NotSeated`, `GameNotRunning`, `StaleVersion`,
        `SeatForfeited`, `NotYourTurn`, `IllegalMoveRefused`; `DrawsUnavailable`. A refused move of
        the bot of a player is counted (`FailingBots`).
        """
        decide = self._decide_move(intent, move, self._draws.source)
        if intent.who.is_bot:
            decide = self._count_refusals(intent, decide)
        return self.writer.write(game_id, _identify_move(intent, move), decide)

    def _count_refusals(self, intent: Intent, decide: Decide) -> Decide:
        """Return `decide`, which then counts a refusal at the position that it has judged."""

        def decide_and_count(table: Table, draft: Draft) -> None:
            try:
                decide(table, draft)
            except IllegalMoveRefused:
                self.failing_bots.note_refusal(table, intent.who.id, intent.key)
                raise

        return decide_and_count

    def _decide_move(self, intent: Intent, move: Json, deal: Deal) -> Decide:
        def decide(table: Table, draft: Draft) -> None:
            draft.received = intent.received
            found = judge_move(table, intent.who, move, intent.expected)
            if table.course.left:
                return_mover(draft)
            if table.clocks is not None and table.clocks.paused is not None:
                resume(draft, "move", intent.who.id)
            if table.course.proposal is not None:
                lapse_by_move(draft, found)
            draft.play(found, deal)
            if draft.standing.given:
                answer_by_standing(draft, deal)

        return decide

    def prepare_move(self, intent: Intent, game_id: str, move: Json) -> Prepared | None:
        """Judge a move on the cached table and prepare its append; wait for nothing, store nothing.

        For an event loop, which sends the append itself. The arguments are those of `move`. None
        when the table is not cached, or the move is refused: only the stored game may refuse it.
        """
        idempotency = _identify_move(intent, move)
        decide = self._decide_move(intent, move, self._draws.cached_source)
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

        For a game whose secret is lost: the events say that its draws were renewed. A game of a
        duplicate round is aborted, because the other tables would have other draws. Raises
        `NotFound`, `WrongKey`.
        """

        def decide(table: Table, draft: Draft) -> None:
            if table.fair is None or table.status not in (Status.OPEN, Status.RUNNING):
                return
            if table.fair.round is not None:
                abort_game(draft, self._draws, "service")
            else:
                secret = NewSecret(self._draws, self._vault, "", None)
                draft.add(DRAWS_RENEWED, commitment=secret.commit())
                secret.store_with(draft)

        return self.writer.write(game_id, None, decide)

    def commit(self, player: Player) -> Commitment:
        """Make a commitment beforehand, for one game that the player opens. Raises `WrongKey`."""
        return self._vault.prepare(player.id, self._draws.make_secret())


def _identify_move(intent: Intent, move: Json) -> Idempotency | None:
    if intent.key is None:
        return None
    return intent.identify("move", intent.get_body([move, intent.expected]))
