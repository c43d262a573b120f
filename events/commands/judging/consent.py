"""Consent: whom a proposal asks, what they have answered, and what closes the open proposal.

The rules are in `docs/living.md`, "Agreeing"; `events.commands.game.proposals` has the commands.
"""

from __future__ import annotations

from typing import Any

from cartulary.engine.core import State
from cartulary.events.commands.judging.checks import (
    list_contending,
    must_hold,
    must_run,
)
from cartulary.events.commands.judging.endings import close_proposal
from cartulary.events.ledger.drafts import Draft
from cartulary.events.model.errors import NotAsked, NotForBots
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import Proposal, is_person
from cartulary.events.model.types import PROPOSAL_ANSWERED
from cartulary.events.people.players import Player


def must_play(table: Table, player: Player, expected_version: int | None) -> None:
    """Raise unless the player contends in a running game that has the expected version (None: any).

    Raises `NotFound`, `NotSeated`, `GameNotRunning`, `StaleVersion`, `SeatForfeited`, `NotForBots`.
    """
    seats = must_hold(table, player)
    must_run(table, expected_version)
    list_contending(table, seats)
    if player.is_bot:
        raise NotForBots("a bot proposes nothing, and no proposal asks a bot")


def first_seat(table: Table, player: Player) -> int:
    """Return the first seat on which a player contends; there must be one."""
    seats = table.seats_of(player.id)
    return next(number for number in seats if table.seats[number].contending)


def list_others(table: Table, *without: str, present: bool = False) -> list[int]:
    """Return the first seat of each contending person but those with these ids.

    `present`: only players who are not away. A proposal needs these seats to agree.
    """
    first: dict[str, int] = {}
    for number in table.persons if present else table.contending_seats:
        owner = table.seats[number].player
        if owner is not None and is_person(owner) and owner["id"] not in without:
            first.setdefault(owner["id"], number)
    return list(first.values())


def list_unanswered(table: Table, player: Player, proposal: Proposal, answer: str) -> list[int]:
    """Return the seats for which a player still has to answer; none when the answer is known."""
    asked = [seat for seat in proposal.needs if table.seats[seat].is_held_by(player.id)]
    if not asked:
        raise NotAsked("the proposal does not ask you")
    known = dict(proposal.answers)
    if any(known.get(seat, answer) != answer for seat in asked):
        raise NotAsked("you have answered already")
    return [seat for seat in asked if seat not in known]


def add_answer(draft: Draft, proposal: Proposal, seat: int, answer: str, *, auto: bool) -> None:
    """Add the answer of a seat; `auto`: its player's preference has answered."""
    draft.add(PROPOSAL_ANSWERED, proposal=proposal.id, seat=seat, answer=answer, auto=auto)


def lapse_by_move(draft: Draft, found: Any, by_bot: bool = False) -> None:
    """Close the open proposal, if any, when it lapses by a move (internal form).

    A takeback lapses by a move of any player but the one who asks for it, a claim by a move of the
    player who is claimed. No proposal outlasts the play.
    """
    table = draft.table
    proposal, state = table.course.proposal, table.state
    if proposal is None or state is None:
        return
    if _is_void(table, proposal, state.seat, by_bot) or _ends_play(state, found):
        close_proposal(draft, "lapsed")


def _is_void(table: Table, proposal: Proposal, mover: int, by_bot: bool) -> bool:
    if proposal.target is not None:
        return mover == proposal.target and not by_bot
    asking, moving = table.seats[proposal.seat].player, table.seats[mover].player
    return proposal.kind == "takeback" and (
        moving is None or asking is None or moving["id"] != asking["id"]
    )


def _ends_play(state: State[Any], found: Any) -> bool:
    after = state.copy()
    after.play(found)
    return after.over


def find_owner(table: Table, seat: int) -> str:
    """Return the id of the player of a seat; there must be one."""
    owner = table.seats[seat].player
    assert owner is not None
    return str(owner["id"])
