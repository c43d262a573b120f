"""Winning royal favours (rules 3, favours); how they are taken is in `favours`."""

from __future__ import annotations

from cartulary.engine.caylus.accounts import score, tell
from cartulary.engine.caylus.position import Position
from cartulary.engine.caylus.tables import SIMPLIFIED_FAVOUR_POINTS


def grant(state: Position, seat: int, count: int, source: str) -> None:
    """Put `count` favours on the stack of open questions.

    Simplified favours are paid at once instead and never lapse. `source` says what brought them.
    """
    tell(state, "favours_won", seat=seat, favours=count, source=source)
    if state.options["favours"] == "simplified":
        score(state, seat, SIMPLIFIED_FAVOUR_POINTS * count, "simplified_favour", source=source)
    else:
        state.stack += ((seat, "favour", source),) * count
