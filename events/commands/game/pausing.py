"""Pauses: the clocks stand for a while, because everybody has agreed (`docs/living.md`, "Pauses").

Steps of a draft. Every pause has an end; moves stay legal, and a move of a person ends the pause.
"""

from __future__ import annotations

from typing import Final

from cartulary.events.ledger.drafts import Draft
from cartulary.events.model.clock import format_time, milliseconds
from cartulary.events.model.errors import Invalid, Untimed
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import Proposal
from cartulary.events.model.time.silence_rules import DAY_MS
from cartulary.events.model.types import GAME_PAUSED, GAME_RESUMED

LONGEST_MS: Final = 30 * DAY_MS
"""A pause ends so long after its proposal at the latest."""


def must_be_timed(table: Table) -> None:
    """Raise `Untimed` for a game without clocks."""
    if table.clocks is None:
        raise Untimed("the game is untimed")


def write_end(until: int, now: int) -> str:
    """Return the end of a pause that a player asks for, as events have it.

    Both are in ms since the epoch. Raises `Invalid` for a time that is over, and for a pause that
    is too long.
    """
    if not now < until <= now + LONGEST_MS:
        raise Invalid([("/until", "a pause ends in the future, within 30 days")])
    return format_time(until)


def pause_as_agreed(draft: Draft, proposal: Proposal) -> None:
    """Stop the clocks until the end that everybody has agreed to."""
    draft.add(GAME_PAUSED, until=proposal.until, proposal=proposal.id, reason="agreed")


def resume(draft: Draft, reason: str, by: str | None = None) -> None:
    """End the pause, if there is one: because of a `move`, `agreed`, or because it is `due`.

    `by` is the id of the player who ends it. A pause whose end has come is due whatever ends it.
    """
    clocks = draft.table.clocks
    if clocks is None or clocks.paused is None:
        return
    if clocks.paused[1] <= milliseconds(draft.now()):
        reason, by = "due", None
    draft.add(GAME_RESUMED, by=by, reason=reason)
