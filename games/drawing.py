"""A position of a game on offer as a picture, without a table around it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cartulary import pictures
from cartulary.engine.core import State
from cartulary.games.offer import Offer


def draw_position(
    offer: Offer,
    state: State[Any],
    lang: str,
    last_move: Mapping[str, Any] | None,
    **more: Any,
) -> str | None:
    """Return the SVG of a position, None for a game without a picture.

    `more` is for `pictures.draw`, which says what `last_move` is. Raises `ValueError` as it does.
    """
    if offer.picture is None:
        return None
    decision = state.decision
    return pictures.draw(
        offer.picture,
        state.view(),
        decision=None if decision is None else decision.to_json(),
        status="running",
        last_move=last_move,
        options=state.options,
        words=offer.words.picture(lang),
        **more,
    )
