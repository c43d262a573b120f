"""Previews: what a move would lead to, as far as no chance is needed. Nothing is stored."""

from __future__ import annotations

from typing import NamedTuple

from cartulary.events.checks import judge_move
from cartulary.events.hashing import view_text
from cartulary.events.players import Player
from cartulary.events.table import Table
from cartulary.events.types import Json


class Preview(NamedTuple):
    """What a move would lead to, up to the first draw.

    `view` is what everybody would see then, as JSON text; `decision` is the next decision, None
    where a draw comes first (`chance`) and where the play would be over.
    """

    facts: list[Json]
    view: bytes
    decision: Json | None
    chance: bool


def preview_move(table: Table, player: Player, move: Json, expected_version: int | None) -> Preview:
    """Make a move on a copy of the position, and stop before the first draw.

    It needs no secret, so it shows nothing of the draws to come. Raises what `judge_move` raises.
    """
    found = judge_move(table, player, move, expected_version)
    assert table.play is not None
    state = table.play.state.copy()
    facts: list[Json] = []
    state.facts = facts
    state.play(found)
    decision = state.decision
    return Preview(
        facts,
        view_text(state),
        None if decision is None else decision.to_json(),
        state.chance is not None,
    )
