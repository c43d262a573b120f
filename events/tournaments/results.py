"""From the ends of games to the results of tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from cartulary.events.commands.rounds.starting import list_absent
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.tournaments.stream.drafts import TournamentDraft
from cartulary.tournaments import events as types
from cartulary.tournaments.state import PLAYING, TournamentTable

FIRST: Final = 40
"""The start of a game of a round is among its first events."""


class Settled(NamedTuple):
    """How a table has ended: with a result, or (`void`, a word of `VOID_REASONS`) without one."""

    table: int
    game: str
    ranks: list[int]
    scores: list[int]
    outcomes: list[str]
    absent: list[int]
    void: str | None = None


def read_settled(
    ledger: Ledger, place: TournamentTable, table: Table, void_reason: str = "aborted"
) -> Settled | None:
    """Return how the game of a table has ended, None while it has not.

    `void_reason` says why a game without a result has none.
    """
    if table.status is Status.ABORTED:
        return make_void(place, void_reason)
    result = table.result
    if table.status is not Status.OVER or result is None:
        return None
    absent = list_absent(ledger.events(place.game, 0, FIRST))
    ranks, scores, outcomes = (list(result[name]) for name in ("ranks", "scores", "outcomes"))
    return Settled(place.number, place.game, ranks, scores, outcomes, absent)


def make_void(place: TournamentTable, reason: str) -> Settled:
    """Return the end of a table without a result."""
    return Settled(place.number, place.game, [], [], [], [], reason)


def add_results(draft: TournamentDraft, settled: Iterable[Settled]) -> None:
    """Add the results of tables that are still played as far as the stream knows."""
    for one in settled:
        if draft.tournament.tables[one.table].status != PLAYING:
            continue
        if one.void is not None:
            draft.add(types.TABLE_VOIDED, table=one.table, reason=one.void)
            continue
        draft.add(
            types.TABLE_SCORED,
            table=one.table,
            game=one.game,
            ranks=one.ranks,
            scores=one.scores,
            outcomes=one.outcomes,
            **({"absent": one.absent} if one.absent else {}),
        )
