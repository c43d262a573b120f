"""For which ratings a game counts, decided at its start; and why a practice game counts no more.

The rules are in `docs/ratings.md`.
"""

from __future__ import annotations

from collections.abc import Collection

from cartulary.events.ledger.drafts import Draft
from cartulary.events.model.ladders import BOTS, PEOPLE, PRACTICE
from cartulary.events.model.offers import find_strength
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import is_person
from cartulary.events.model.types import LADDER_LEFT, Json


def choose_ladder(draft: Draft, bots: Collection[str]) -> Json:
    """Return what `game_started` says of the ratings for which a game counts, {}: for none.

    `bots` are those on offer. No game counts while a process of an earlier release runs, because
    that process would let its player have help. Raises `RedisError`.
    """
    table = draft.table
    ladder = _find_ladder(table)
    if ladder is None or not draft.find_schema(LADDER_LEFT):
        return {}
    seated = sorted({seat.bot for seat in table.seats if seat.bot is not None})
    strengths = {bot: find_strength(bots, bot) for bot in seated}
    if None in strengths.values():
        return {}
    return {"ladder": ladder, **({"strengths": strengths} if strengths else {})}


def _find_ladder(table: Table) -> str | None:
    """Return the ladder of a full table; a practice game is one seat of a person against bots.

    A branch counts for none: its player knows how the moves before it have turned out. Nor does a
    game in which bots hold seats for other players: it is one of persons as soon as they come.
    """
    players = [seat.player for seat in table.seats if seat.player is not None]
    if table.terms.rated:
        return PEOPLE if all(is_person(player) for player in players) else BOTS
    alone = len(players) == 1 and is_person(players[0]) and len(table.seats) > 1
    counts = table.terms.branched_from is None and not table.terms.filled
    return PRACTICE if alone and counts else None


def leave_ladder(draft: Draft, reason: str) -> None:
    """Let a practice game count for no rating from here on; nothing in any other game."""
    if draft.table.course.ladder == PRACTICE:
        draft.add(LADDER_LEFT, reason=reason)
