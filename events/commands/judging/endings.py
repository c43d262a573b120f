"""What several commands append when a player leaves or a game ends: steps of a draft.

Each function adds events to a draft and follows the rules (`docs/living.md`, "People who leave" and
"Ranks"), so that a resignation, a claim, a proposal and a timer lead to the same events.
"""

from __future__ import annotations

from collections.abc import Sequence

from cartulary.bots.levels import choose_stand_in, find_level, find_usual
from cartulary.events.draws.draws import Draws
from cartulary.events.ledger.drafts import Draft
from cartulary.events.model.offers import Offers
from cartulary.events.model.seats import have_persons
from cartulary.events.model.table import Table
from cartulary.events.model.types import (
    GAME_ABORTED,
    PLAY_ENDED,
    PROPOSAL_CLOSED,
    SEAT_FORFEITED,
    STAND_IN_SEATED,
    Json,
)

REASONS = {
    "host": "the host ended the game before its start",
    "early": "a player ended the game before everybody had answered once",
    "agreed": "the players agreed to end the game without a result",
    "unstarted": "the game waited too long for its start",
    "empty": "nobody went on with the game",
    "service": "the service ended the game without a result",
}
"""What `game_aborted.reason` says to people, by its code."""


def find_stand_in(table: Table, offers: Offers) -> str:
    """Return the bot that stands in at a table: the one asked for at the creation of the game.

    It is never stronger than the weakest bot at the table. Where the bot asked for is no longer on
    offer, the usual stand-in of the game takes its place.
    """
    offered = offers[table.game].bots
    wanted = table.terms.stand_in
    if wanted not in offered and find_level(wanted) not in offered:
        wanted = find_usual(offered)
    return choose_stand_in(wanted, [seat.bot for seat in table.seats if seat.bot], offered)


def is_decided(table: Table, left: Sequence[int]) -> bool:
    """Return whether the play ends when these seats are left that contend.

    It does when no opponent is left, or no person of a game that began with one.
    """
    persons = any(table.seats[one].person for one in left)
    return len(left) < 2 or (have_persons(table.seats) and not persons)


def forfeit_seat(draft: Draft, seat: int, reason: str, offers: Offers) -> None:
    """Put the owner of a seat out for good: a stand-in plays on, or the play ends.

    The play ends when one seat is left that contends, or no person. An open proposal that needs the
    owner lapses.
    """
    if _add_forfeit(draft, seat, reason, offers):
        end_play(draft, "forfeits")
    else:
        close_if_concerned(draft, seat)


def forfeit_absent(draft: Draft, seats: Sequence[int], offers: Offers) -> None:
    """Put the owners of seats out who were not there at the start; then the play may end.

    All of them, so that no absent player wins because another one was put out first.
    """
    ends = [_add_forfeit(draft, seat, "left", offers) for seat in seats]
    if any(ends):
        end_play(draft, "forfeits")


def _add_forfeit(draft: Draft, seat: int, reason: str, offers: Offers) -> bool:
    """Add that the owner of a seat is out; return whether that ends the play."""
    table = draft.table
    ends = is_decided(table, [one for one in table.contending_seats if one != seat])
    stand_in = None if ends else find_stand_in(table, offers)
    draft.add(
        SEAT_FORFEITED,
        seat=seat,
        player=table.seats[seat].player,
        reason=reason,
        stand_in=stand_in,
    )
    return ends


def put_stand_in(draft: Draft, seat: int, reason: str, by: str | None, offers: Offers) -> None:
    """Let a bot answer for the owner of a seat; an open proposal that needs the owner lapses.

    `by` is the id of the player who asks for it, None for a timer.
    """
    bot = find_stand_in(draft.table, offers)
    draft.add(STAND_IN_SEATED, seat=seat, bot=bot, reason=reason, by=by)
    close_if_concerned(draft, seat)


def end_play(draft: Draft, reason: str) -> None:
    """End the play before its natural end (`forfeits` or `agreement`): the score is counted."""
    close_proposal(draft, "lapsed")
    draft.add(PLAY_ENDED, reason=reason)


def end_by_window(draft: Draft, slowest: int | None) -> None:
    """End the play with the window of its round; the seat `slowest` is ranked last."""
    close_proposal(draft, "lapsed")
    more = {} if slowest is None else {"slowest": slowest}
    draft.add(PLAY_ENDED, reason="window", **more)


def abort_game(draft: Draft, draws: Draws, code: str, by: str | None = None) -> None:
    """End the game without a result. `by` is the id of the player who ends it, if any.

    Raises `WrongKey`.
    """
    if draft.table.running:
        close_proposal(draft, "lapsed")
    fields: Json = {"reason": REASONS[code], "code": code}
    if by is not None:
        fields["by"] = by
    draft.add(GAME_ABORTED, **fields, **draws.reveal(draft.table, draft))


def close_proposal(draft: Draft, outcome: str) -> None:
    """Close the open proposal, if there is any."""
    proposal = draft.table.course.proposal
    if proposal is not None:
        draft.add(PROPOSAL_CLOSED, proposal=proposal.id, outcome=outcome)


def close_if_concerned(draft: Draft, seat: int) -> None:
    """Let the open proposal lapse when this seat made it, has to answer it, or is its target."""
    proposal = draft.table.course.proposal
    if proposal is not None and seat in (proposal.seat, proposal.target, *proposal.needs):
        close_proposal(draft, "lapsed")
