"""Leaving a running game and coming back: so that the game of the others stays whole.

The commands raise, in the order of the checks: `IdempotencyMismatch`, `NotFound`, `NotSeated`,
`GameNotRunning`, `StaleVersion`, and then what the rule of the command refuses.

The rules are in `docs/living.md`, "People who leave". `Commands.leaving` has these commands.
"""

from __future__ import annotations

from collections.abc import Callable

from cartulary.events.commands.game.overdue import OverduePlayers
from cartulary.events.commands.game.timeouts import CLAIM, RETURNS, STAND_IN, Timeouts
from cartulary.events.commands.judging.checks import (
    list_contending,
    must_be_of_no_round,
    must_hold,
    must_run,
    must_see,
)
from cartulary.events.commands.judging.consent import add_answer, first_seat, list_others
from cartulary.events.commands.judging.endings import (
    abort_game,
    close_proposal,
    forfeit_seat,
    put_stand_in,
)
from cartulary.events.commands.judging.intent import Intent
from cartulary.events.commands.table.seating import must_exist
from cartulary.events.draws.draws import Draws
from cartulary.events.ledger.drafts import Draft
from cartulary.events.ledger.ledger import Idempotency
from cartulary.events.ledger.writer import Decide, EventWriter, Written
from cartulary.events.model.clock import Clock, format_time, milliseconds
from cartulary.events.model.errors import (
    Alone,
    Invalid,
    NotForBots,
    NotSeated,
    ProposalOpen,
    RatedGame,
    SeatForfeited,
    TooLate,
)
from cartulary.events.model.offers import Offers
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import BOT_FAILED, Proposal
from cartulary.events.model.time.silence_rules import find_answer_wait
from cartulary.events.model.types import PROPOSAL_CLOSED, PROPOSAL_MADE, SEAT_RETURNED, Json
from cartulary.events.people.leaver_cooldown import LeaverCooldown
from cartulary.events.people.players import Player

Show = Callable[[Written], Written]
"""Updates the lists of games at once, because a player looks there for what has changed."""


class LeavingCommands:
    """The commands of people who leave, return, claim and replace. Thread-safe."""

    def __init__(
        self,
        writer: EventWriter,
        offers: Offers,
        draws: Draws,
        clock: Clock,
        silence: OverduePlayers,
        timeouts: Timeouts,
        cooldown: LeaverCooldown,
        show: Show,
    ) -> None:
        self._writer, self._offers, self._draws = writer, offers, draws
        self._clock, self.silence, self._timeouts = clock, silence, timeouts
        self.cooldown, self._show = cooldown, show

    # -- one's own seat ---------------------------------------------------------------------------

    def resign(self, intent: Intent, game_id: str, seat: int | None = None) -> Written:
        """Give a seat up for good; `seat` may be None for a player with one seat.

        Refuses with `SeatForfeited`, and `Invalid` when the player has several seats.
        """

        def decide(table: Table, draft: Draft) -> None:
            must_hold(table, intent.who, seat)
            must_run(table, intent.expected)
            forfeit_seat(draft, _choose_seat(table, intent.who, seat), "resigned", self._offers)

        body = [seat, intent.get_body(intent.expected)]
        return self._write(game_id, intent.identify("resign", body), decide)

    def go_away(self, intent: Intent, game_id: str, seat: int) -> Written:
        """Let a stand-in answer for one's own seat until one returns; nothing for one who is away.

        An owner who has come back `RETURNS` times leaves for good. Refuses with `SeatForfeited`,
        `RatedGame`, and `Alone` when no other person contends.
        """

        def decide(table: Table, draft: Draft) -> None:
            self._check_own_seat(table, intent, seat)
            must_be_of_no_round(table, "no bot plays for a player who is away")
            if table.terms.rated:
                raise RatedGame("in a rated game no bot plays for a person")
            if table.seats[seat].away is not None:
                return
            if not list_others(table, intent.who.id):
                raise Alone("no other person plays: the game waits for you")
            if table.seats[seat].returns >= RETURNS:
                forfeit_seat(draft, seat, "left", self._offers)
            else:
                put_stand_in(draft, seat, "requested", intent.who.id, self._offers)

        body = [seat, intent.get_body(intent.expected)]
        return self._write(game_id, intent.identify("go_away", body), decide)

    def come_back(self, intent: Intent, game_id: str, seat: int) -> Written:
        """Answer for one's own seat again; nothing for one who was not away.

        Refuses with `SeatForfeited`.
        """

        def decide(table: Table, draft: Draft) -> None:
            self._check_own_seat(table, intent, seat)
            if table.seats[seat].away is not None:
                must_be_allowed_back(table, seat)
                return_owner(draft, seat)

        body = [seat, intent.get_body(intent.expected)]
        return self._write(game_id, intent.identify("come_back", body), decide)

    def abort_started(self, table: Table, draft: Draft, intent: Intent) -> None:
        """Judge a player who ends a game before everybody has answered once.

        A step of the command that aborts a game, after the checks of what may be seen. With more
        than two persons the player leaves, and the others play on; a bot always leaves. Raises
        `NotSeated`, `GameNotRunning`, `StaleVersion`, `SeatForfeited`, `TooLate`, `WrongKey`.
        """
        must_hold(table, intent.who)
        must_run(table, intent.expected)
        own = list_contending(table, table.seats_of(intent.who.id))
        must_be_of_no_round(table, "no player calls the game off: resign")
        if table.everybody_has_answered:
            raise TooLate("everybody has answered once: resign, or propose to end the game")
        if table.terms.rated:
            raise RatedGame("a rated game is not called off: resign, or propose to end the game")
        if len(list_others(table, intent.who.id)) < 2 and not intent.who.is_bot:
            abort_game(draft, self._draws, "early", intent.who.id)
        else:
            # A seat that has not answered comes last: until then no seat has left too late.
            for seat in sorted(own, key=lambda one: one not in table.course.answered):
                forfeit_seat(draft, seat, "left", self._offers)

    def note_abort(self, player: Player, done: Written) -> None:
        """Count a game that a player has ended or left at its start, if others played in it."""
        ended = done.table.course.started and not done.replayed
        if ended and done.events and list_others(done.table, player.id):
            self._writer.attempt(lambda: self.cooldown.note(player.id, done.table.id))

    # -- the seats of others ----------------------------------------------------------------------

    def claim(self, intent: Intent, game_id: str, seat: int, remedy: str) -> Written:
        """Do something about a seat whose owner is silent for too long: one of `REMEDIES`.

        `stand_in` is done at once, and so are `forfeit` and `abort` when no other player has to
        agree; else the claim is a proposal, or it accepts the same claim of another player. A flag
        that is due and has not fallen yet falls first: then what the game has agreed on is done.
        Refuses with `NotOverdue` and `ProposalOpen`; raises `WrongKey`.
        """

        def decide(table: Table, draft: Draft) -> None:
            must_see(table, intent.who)
            must_exist(table, seat)
            own = _find_claimant(table, intent.who, seat)
            must_run(table, intent.expected)
            if intent.who.is_bot and remedy != STAND_IN:
                raise NotForBots("a bot claims a stand-in only")
            if remedy == "abort":
                must_be_of_no_round(table, "no claim ends the game without a result")
            if table.terms.rated and remedy == "abort":
                raise RatedGame("a claim does not end a rated game without a result")
            self._close_expired(draft)
            found = self.silence.must_be_overdue(table, seat, remedy)
            if found.reason == "timed_out" and self._let_flag_fall(draft):
                return
            proposal = draft.table.course.proposal
            if remedy == STAND_IN:
                put_stand_in(draft, seat, found.reason, intent.who.id, self._offers)
            elif proposal is None:
                self._propose(draft, own, remedy, seat, intent.who)
            elif (proposal.kind, proposal.target) == (remedy, seat):
                self._join(draft, proposal, intent.who)
            else:
                raise ProposalOpen(proposal.id)

        body = [seat, intent.get_body([remedy, intent.expected])]
        done = self._write(game_id, intent.identify("claim", body), decide)
        self._timeouts.count(done)
        self._writer.attempt(self._timeouts.store_counts)
        return done

    def describe_claim(self, table: Table, player: Player | None) -> Json | None:
        """Return what a caller may claim, as in the HTTP contract; the time may lie ahead."""
        found = self.silence.find(table) if player is not None else None
        if found is None or player is None or not _may_claim(table, player, found.seat):
            return None
        counts = table.terms.rated or table.terms.tournament is not None
        remedies = [
            one
            for one in found.remedies
            if (one == STAND_IN or not player.is_bot) and not (counts and one == "abort")
        ]
        return {"seat": found.seat, "from": format_time(found.at), "remedies": remedies}

    def _let_flag_fall(self, draft: Draft) -> bool:
        """Let a flag fall that no timer has noticed yet; return whether that settles the claim.

        It does unless the game leaves it to the others what follows.
        """
        if draft.table.clocks is None or draft.table.overdue:
            return False
        self._timeouts.drop_flag(draft)
        return draft.table.terms.on_timeout != CLAIM

    def _propose(self, draft: Draft, own: int, remedy: str, seat: int, player: Player) -> None:
        """Propose a remedy to the others, or do it when there is no other player to ask."""
        table = draft.table
        claimed = table.seats[seat].player
        assert claimed is not None
        needs = list_others(table, player.id, claimed["id"], present=True)
        if not needs:
            self.conclude(draft, remedy, seat, player.id)
            return
        draft.add(
            PROPOSAL_MADE,
            seat=own,
            kind=remedy,
            target=seat,
            moves=[],
            needs=needs,
            expires_at=format_time(self._clock.now_ms() + find_answer_wait(table.terms.pace)),
        )

    def _join(self, draft: Draft, proposal: Proposal, player: Player) -> None:
        """Accept a claim; nothing for a player who need not answer, or has answered."""
        answered = [seat for seat, _ in proposal.answers]
        own = [seat for seat in draft.table.seats_of(player.id) if seat in proposal.needs]
        missing = [seat for seat in own if seat not in answered]
        for seat in missing:
            add_answer(draft, proposal, seat, "accept", auto=False)
        if missing and set(proposal.needs) <= {*answered, *missing}:
            draft.add(PROPOSAL_CLOSED, proposal=proposal.id, outcome="accepted")
            assert proposal.target is not None
            self.conclude(draft, proposal.kind, proposal.target, player.id)

    def conclude(self, draft: Draft, kind: str, seat: int, by: str) -> None:
        """Do what a claim (`forfeit` or `abort`) of a seat asks for: everybody has agreed."""
        if kind == "forfeit":
            forfeit_seat(draft, seat, "timed_out", self._offers)
        else:
            abort_game(draft, self._draws, "agreed", by)

    def _write(self, game_id: str, idempotency: Idempotency | None, decide: Decide) -> Written:
        return self._show(self._writer.write(game_id, idempotency, decide))

    # -- checks -----------------------------------------------------------------------------------

    def _check_own_seat(self, table: Table, intent: Intent, seat: int) -> None:
        must_see(table, intent.who)
        must_exist(table, seat)
        must_hold(table, intent.who, seat)
        must_run(table, intent.expected)
        if table.seats[seat].forfeited is not None:
            raise SeatForfeited(f"you have lost seat {seat} for good")

    def _close_expired(self, draft: Draft) -> None:
        """Close a proposal whose time is over, although no timer has done it yet."""
        proposal = draft.table.course.proposal
        if proposal is not None and milliseconds(proposal.expires_at) <= self._clock.now_ms():
            close_proposal(draft, "expired")


def return_mover(draft: Draft) -> None:
    """Let the owner of the seat that is asked return when the owner is away, for the own move.

    Raises `SeatForfeited` as `must_be_allowed_back` does.
    """
    play = draft.table.play
    if play is not None and draft.table.seats[play.state.seat].away is not None:
        must_be_allowed_back(draft.table, play.state.seat)
        return_owner(draft, play.state.seat)


def must_be_allowed_back(table: Table, number: int) -> None:
    """Raise `SeatForfeited` for a bot that failed after it had come back `RETURNS` times.

    The stand-in plays on for such a bot to the end, and no player of the table has to act.
    """
    seat = table.seats[number]
    if seat.away == BOT_FAILED and seat.returns >= RETURNS:
        raise SeatForfeited(f"a bot may return {RETURNS} times in a game")


def return_owner(draft: Draft, seat: int) -> None:
    """Let the owner of a seat answer again instead of the stand-in."""
    draft.add(SEAT_RETURNED, seat=seat, player=draft.table.seats[seat].player)


def _choose_seat(table: Table, player: Player, seat: int | None) -> int:
    """Return the seat that a player means; raises `SeatForfeited`, `Invalid`."""
    own = list_contending(table, table.seats_of(player.id))
    if seat is None and len(own) > 1:
        raise Invalid([("/seat", f"name one of your seats: {', '.join(map(str, own))}")])
    if seat is None:
        return own[0]
    if seat not in own:
        raise SeatForfeited(f"you have lost seat {seat} for good")
    return seat


def _find_claimant(table: Table, player: Player, seat: int) -> int:
    """Return a seat of the player who claims the seat of another player; raises `NotSeated`."""
    if not _may_claim(table, player, seat):
        raise NotSeated("you do not play on another seat of this game")
    return first_seat(table, player)


def _may_claim(table: Table, player: Player, seat: int) -> bool:
    """Return whether a player contends in the game, and on other seats than this one."""
    own = table.seats_of(player.id)
    return seat not in own and any(table.seats[one].contending for one in own)
