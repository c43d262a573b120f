"""The picture of a table, in the language of its reader."""

from __future__ import annotations

from typing import Any

from cartulary import pictures
from cartulary.events.table import Table
from cartulary.service.http.context import parts
from cartulary.service.http.languages import names_of

LATEST_MOVE_WITHIN = 2
"""Events that may follow the last move: the count of the score, or an end without one."""


def drawn(table: Table, lang: str, **wishes: Any) -> str:
    """Return the SVG of a table that has started; `wishes` are `layout`, `theme` and `seat`."""
    assert table.state is not None
    decision = table.decision
    offer = parts().offers[table.game]
    assert offer.picture is not None
    return pictures.draw(
        offer.picture,
        table.state.view(),
        decision=decision and decision.to_json(),
        players=names_of(table, lang),
        status=table.status,
        result=table.result,
        last_move=_last_move(table),
        words=offer.words.picture(lang),
        **wishes,
    )


def _last_move(table: Table) -> dict[str, Any] | None:
    before = max(table.version - LATEST_MOVE_WITHIN - 1, 0)
    events = parts().store.ledger.events(table.id, before, table.version - before)
    moves = [event for event in events if event["type"] == "move_made"]
    return moves[-1] if moves else None
