"""Proposals: what a player may do when the others agree (`docs/living.md`, "Agreeing").

A player proposes to take moves back, to pause the game, to abort it, or to end it as it stands. The
others accept or decline. A takeback that needs no consent is done at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from cartulary.events.commands.game.leaving import LeavingCommands
from cartulary.events.commands.game.pausing import (
    must_be_timed,
    pause_as_agreed,
    resume,
    write_end,
)
from cartulary.events.commands.game.takebacks import (
    PastEvents,
    Takeback,
    find_moves,
    find_takeback,
    has_own_move,
    is_free,
    must_have_moves,
    take_back,
    take_back_freely,
)
from cartulary.events.commands.judging.checks import must_be_of_no_round, must_see
from cartulary.events.commands.judging.consent import (
    add_answer,
    find_owner,
    first_seat,
    list_others,
    list_unanswered,
    must_play,
)
from cartulary.events.commands.judging.endings import abort_game, close_proposal, end_play
from cartulary.events.commands.judging.intent import Intent
from cartulary.events.draws.draws import Draws
from cartulary.events.ledger.drafts import Draft
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.ledger.writer import EventWriter, Written
from cartulary.events.model.clock import Clock, format_time, milliseconds
from cartulary.events.model.errors import (
    AskedBefore,
    Invalid,
    NotFound,
    NotSeated,
    ProposalClosed,
    ProposalOpen,
    RatedGame,
    Refused,
    TakebacksOff,
)
from cartulary.events.model.ladders import TURNS, have_turns
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import Proposal, proposal_json
from cartulary.events.model.time.silence_rules import find_answer_wait
from cartulary.events.model.types import PROPOSAL_MADE, Json
from cartulary.events.people.players import Player
from cartulary.events.people.preferences import Preferences

TAKEBACK, PAUSE, ABORT, END = KINDS = ("takeback", "pause", "abort", "end")
"""What a player may propose."""

ACCEPT, DECLINE = ANSWERS = ("accept", "decline")

MISCLICK_MS: Final = 15_000
"""The preference `misclick` agrees to a takeback that is asked for within this time."""

DECLINES: Final = 3
"""After so many declines a seat may not ask for the same thing again."""

Carry = Callable[[Draft, Proposal], None]
"""Adds the events by which a proposal that everybody has accepted is carried out."""


class Proposals:
    """The commands about proposals. Thread-safe."""

    def __init__(
        self,
        writer: EventWriter,
        ledger: Ledger,
        draws: Draws,
        preferences: Preferences,
        clock: Clock,
        leaving: LeavingCommands,
    ) -> None:
        self._writer, self._ledger, self._draws = writer, ledger, draws
        self._preferences, self._clock = preferences, clock
        self._leaving = leaving
        self._carries: dict[str, Carry] = {
            TAKEBACK: self._take_back_as_agreed,
            PAUSE: pause_as_agreed,
            ABORT: self._abort,
            END: _end_play,
        }

    # -- the commands ---------------------------------------------------------------------------

    def propose(
        self,
        intent: Intent,
        game_id: str,
        kind: str,
        to_version: int | None = None,
        until: int | None = None,
    ) -> Written:
        """Propose something to the others; what needs no consent is done at once.

        `kind` is one of `KINDS`. `to_version` says how far a takeback goes back, None: to before
        the player's last move. `until` (ms since the epoch) is the end of a pause. Raises, in the
        order of the checks: `Invalid` (kind), `IdempotencyMismatch`, `NotFound`, `NotSeated`,
        `GameNotRunning`, `StaleVersion`, `Untimed`, `Invalid` (version, end), `NothingToTakeBack`,
        `TooLate`, `TakebacksOff`, `RatedGame`, `ProposalOpen`, `AskedBefore`; `DrawsUnavailable`.
        """
        _must_be_known(kind, to_version, until)

        def decide(table: Table, draft: Draft) -> None:
            draft.received = intent.received
            must_play(table, intent.who, intent.expected)
            if kind == TAKEBACK:
                self._propose_takeback(draft, intent.who, to_version)
            elif until is not None:
                must_be_timed(table)
                self._ask(draft, intent.who, kind, until=write_end(until, self._now(table)))
            else:
                must_be_of_no_round(table, "the players do not agree on its end")
                self._must_be_far_enough(table, kind)
                self._ask(draft, intent.who, kind)

        end = [] if until is None else [until]
        body = intent.get_body([kind, to_version, intent.expected, *end])
        return self._writer.write(game_id, intent.identify("propose", body), decide)

    def answer(self, intent: Intent, game_id: str, proposal: int, answer: str) -> Written:
        """Accept or decline a proposal; the last accept carries the proposal out.

        The same answer a second time does nothing. Raises `Invalid` (answer),
        `IdempotencyMismatch`, `NotFound` (game or proposal), `NotSeated`, `GameNotRunning`,
        `StaleVersion`, `ProposalClosed`, `NotAsked`; `DrawsUnavailable`.
        """
        if answer not in ANSWERS:
            raise Invalid([("/answer", f"one of {', '.join(ANSWERS)}")])

        def decide(table: Table, draft: Draft) -> None:
            found = self._find(table, intent, proposal)
            if seats := list_unanswered(table, intent.who, found, answer):
                self._answer(draft, found, seats, answer)

        body = [proposal, intent.get_body([answer, intent.expected])]
        return self._writer.write(game_id, intent.identify("answer", body), decide)

    def withdraw(self, intent: Intent, game_id: str, proposal: int) -> Written:
        """Withdraw one's own proposal.

        Raises `IdempotencyMismatch`, `NotFound` (game or proposal), `NotSeated` (also when another
        player has proposed it), `GameNotRunning`, `StaleVersion`, `ProposalClosed`.
        """

        def decide(table: Table, draft: Draft) -> None:
            found = self._find(table, intent, proposal)
            if not table.seats[found.seat].is_held_by(intent.who.id):
                raise NotSeated("only the player who has proposed it withdraws a proposal")
            close_proposal(draft, "withdrawn")

        body = [proposal, intent.get_body(intent.expected)]
        return self._writer.write(game_id, intent.identify("withdraw", body), decide)

    def describe(self, table: Table, player: Player | None) -> Json:
        """Return the open proposal, and what a caller may propose now, as in the HTTP contract."""
        proposal = table.course.proposal
        shown = None if proposal is None or self._has_expired(table, proposal) else proposal
        return {
            "open": proposal_json(shown),
            "may": {
                "takeback": self._describe_takeback(table, player),
                "pause": self._refusal(table, player, PAUSE) is None,
                "abort": self._refusal(table, player, ABORT) is None,
                "end": self._refusal(table, player, END) is None,
                "claim": self._leaving.describe_claim(table, player),
            },
        }

    # -- what a caller may do -------------------------------------------------------------------

    def _describe_takeback(self, table: Table, player: Player | None) -> Json:
        free = table.free_takeback
        mine = (
            free is not None and player is not None and table.seats[free.seat].is_held_by(player.id)
        )
        refusal = self._refusal(table, player, TAKEBACK)
        return {
            "free_to": free.free_to if free is not None and mine else None,
            "ask": refusal is None,
            "why_not": refusal,
            "own": player is not None and has_own_move(self._ledger, table, player.id),
        }

    def _refusal(self, table: Table, player: Player | None, kind: str) -> str | None:
        """Return the code with which a proposal would be refused, None when it would not be."""
        if player is None:
            return NotSeated.code
        try:
            must_play(table, player, None)
            if kind == TAKEBACK:
                must_have_moves(table)
                self._must_be_askable(table, player)
            elif kind == PAUSE:
                must_be_timed(table)
            else:
                must_be_of_no_round(table, "the players do not agree on its end")
            self._must_be_far_enough(table, kind)
            self._must_be_new(table, player, kind)
        except Refused as refused:
            return refused.code
        return None

    # -- proposing ------------------------------------------------------------------------------

    def _propose_takeback(self, draft: Draft, player: Player, to_version: int | None) -> None:
        table = draft.table
        past = PastEvents(self._ledger, table, draft.events)
        back = find_takeback(past, table, player.id, to_version)
        if is_free(table, player.id, back):
            take_back_freely(draft, past, player, back)
            return
        wishes = self._must_be_askable(table, player)
        self._ask(draft, player, TAKEBACK, to_version=back.to_version, moves=back.versions)
        self._answer_by_itself(draft, back, wishes)

    def _must_be_askable(self, table: Table, player: Player) -> dict[int, str]:
        """Return the preference of each seat that would have to agree to a takeback.

        Raises `TakebacksOff` when the terms of the game or another player rule takebacks out.
        """
        if table.terms.takebacks != "consent":
            raise TakebacksOff("at this table nobody may ask for a takeback")
        needs = list_others(table, player.id)
        if not needs:
            raise TakebacksOff("there is nobody to ask")
        owners = [table.seats[seat].player or {} for seat in needs]
        found = self._preferences.of_many([owner["id"] for owner in owners])
        for owner, preferences in zip(owners, found, strict=True):
            if preferences["takebacks"] == "never":
                raise TakebacksOff(f"{owner['name']} wants no takebacks")
        return {seat: one["takebacks"] for seat, one in zip(needs, found, strict=True)}

    def _ask(self, draft: Draft, player: Player, kind: str, **about: Any) -> None:
        """Open a proposal about something; it is carried out at once when no other player is asked.

        A proposal to pause expires when the pause would end.
        """
        table = draft.table
        self._must_be_new(table, player, kind)
        if table.course.proposal is not None:
            close_proposal(draft, "expired")
        wait = find_answer_wait(table.terms.pace)
        expires_at = format_time(milliseconds(draft.now()) + wait)
        draft.add(
            PROPOSAL_MADE,
            seat=first_seat(table, player),
            kind=kind,
            needs=list_others(table, player.id),
            expires_at=min(expires_at, about.get("until", expires_at)),
            **about,
        )
        self._carry_out_if_agreed(draft)

    def _must_be_far_enough(self, table: Table, kind: str) -> None:
        """Raise `RatedGame` for the end of a rated game of which little has been played.

        Half of the seats must have had `TURNS` turns.
        """
        if kind != END or not table.terms.rated:
            return
        moves, seats = PastEvents(self._ledger, table).moves_back(), len(table.seats)
        if not have_turns(moves, seats, enough=(seats + 1) // 2):
            raise RatedGame(f"a rated game ends by agreement after {TURNS} turns of half the seats")

    def _must_be_new(self, table: Table, player: Player, kind: str) -> None:
        """Raise `ProposalOpen` while another one is open, `AskedBefore` after a decline."""
        proposal = table.course.proposal
        if proposal is not None and not self._has_expired(table, proposal):
            raise ProposalOpen(proposal.id)
        for seat, declined, count, version in table.course.declines:
            if declined != kind or not table.seats[seat].is_held_by(player.id):
                continue
            if count >= DECLINES:
                raise AskedBefore(f"this was declined {count} times")
            if version:
                raise AskedBefore("this was declined: make a move before you ask again")

    def _answer_by_itself(self, draft: Draft, back: Takeback, wishes: Mapping[int, str]) -> None:
        """Answer for those whose preference agrees to a takeback."""
        proposal = draft.table.course.proposal
        for seat, wish in wishes.items():
            if proposal is not None and (wish == "always" or self._is_misclick(wish, draft, back)):
                add_answer(draft, proposal, seat, ACCEPT, auto=True)
        self._carry_out_if_agreed(draft)

    def _is_misclick(self, wish: str, draft: Draft, back: Takeback) -> bool:
        """Return whether `misclick` agrees: the very last move, a few seconds ago."""
        age = self._clock.now_ms() - milliseconds(back.moves[-1]["at"])
        return wish == "misclick" and len(back.moves) == 1 and age <= MISCLICK_MS

    # -- answering ------------------------------------------------------------------------------

    def _find(self, table: Table, intent: Intent, number: int) -> Proposal:
        """Return the open proposal with this number, after the checks that all answers share."""
        must_see(table, intent.who)
        proposal = table.course.proposal
        if proposal is None or proposal.id != number:
            self._must_have_been(table, number)
        must_play(table, intent.who, intent.expected)
        if proposal is None or proposal.id != number or self._has_expired(table, proposal):
            raise ProposalClosed(number)
        return proposal

    def _must_have_been(self, table: Table, number: int) -> None:
        found = self._ledger.events(table.id, number - 1, 1) if 0 < number <= table.version else []
        if not found or found[0]["type"] != PROPOSAL_MADE:
            raise NotFound(f"there is no proposal {number}")

    def _has_expired(self, table: Table, proposal: Proposal) -> bool:
        return milliseconds(proposal.expires_at) <= self._now(table)

    def _now(self, table: Table) -> int:
        """Return the time of the next event: a clock that was set back is before the last event."""
        return max(self._clock.now_ms(), milliseconds(table.updated_at))

    def _answer(self, draft: Draft, proposal: Proposal, seats: list[int], answer: str) -> None:
        for seat in seats:
            add_answer(draft, proposal, seat, answer, auto=False)
        if answer == DECLINE:
            close_proposal(draft, "declined")
        self._carry_out_if_agreed(draft)

    def _carry_out_if_agreed(self, draft: Draft) -> None:
        """Close the open proposal and carry it out, once everybody who was asked has accepted."""
        proposal = draft.table.course.proposal
        if proposal is None or len(proposal.answers) < len(proposal.needs):
            return
        if proposal.kind == PAUSE:
            resume(draft, "agreed", find_owner(draft.table, proposal.seat))
        close_proposal(draft, "accepted")
        if proposal.target is not None:
            self._conclude_claim(draft, proposal)
        else:
            self._carries[proposal.kind](draft, proposal)

    # -- what follows from an agreement -----------------------------------------------------------

    def _take_back_as_agreed(self, draft: Draft, proposal: Proposal) -> None:
        """Take back what was asked for, and what the player has moved since."""
        assert proposal.to_version is not None
        past = PastEvents(self._ledger, draft.table, draft.events)
        back = find_moves(past, proposal.to_version)
        take_back(draft, proposal.seat, back, proposal.id)

    def _abort(self, draft: Draft, proposal: Proposal) -> None:
        abort_game(draft, self._draws, "agreed", find_owner(draft.table, proposal.seat))

    def _conclude_claim(self, draft: Draft, proposal: Proposal) -> None:
        assert proposal.target is not None
        proposer = find_owner(draft.table, proposal.seat)
        self._leaving.conclude(draft, proposal.kind, proposal.target, proposer)


# -- parts that the commands share ----------------------------------------------------------------


def _must_be_known(kind: str, to_version: int | None, until: int | None) -> None:
    if kind not in KINDS:
        raise Invalid([("/kind", f"one of {', '.join(KINDS)}")])
    if (kind == PAUSE) != (until is not None):
        raise Invalid([("/until", "is needed with the kind `pause`, and belongs to it only")])
    if kind != TAKEBACK and to_version is not None:
        raise Invalid([("/to_version", "belongs to the kind `takeback` only")])


def _end_play(draft: Draft, _proposal: Proposal) -> None:
    end_play(draft, "agreement")
