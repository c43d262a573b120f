"""Previews: what a move would lead to, as far as no chance is needed. Nothing is stored."""

from __future__ import annotations

from typing import Any, NamedTuple

from cartulary.engine.core import State
from cartulary.events.commands.judging.checks import judge_move
from cartulary.events.model.chain import view_text
from cartulary.events.model.table import Table
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player


class Preview(NamedTuple):
    """What a move would lead to, up to the first draw.

    `view` is what everybody would see then, as JSON text; `decision` is the next decision, None
    where a draw comes first (`chance`) and where the play would be over.
    """

    facts: list[Json]
    view: bytes
    decision: Json | None
    chance: bool


class MovePreview(NamedTuple):
    """What would be possible after a move: the legal moves, the features that it changes."""

    moves: list[Json]
    features: list[Json]


def preview_move(table: Table, player: Player, move: Json, expected_version: int | None) -> Preview:
    """Make a move on a copy of the position, and stop before the first draw.

    It needs no secret, so it shows nothing of the draws to come. Raises what `judge_move` raises.
    """
    facts: list[Json] = []
    return _describe(_try_move(table, player, move, expected_version, facts), facts)


def preview_further(
    table: Table, player: Player, move: Json, expected_version: int | None
) -> tuple[Preview, MovePreview]:
    """Preview a move, and say what would be possible after it; raises what `judge_move` raises."""
    facts: list[Json] = []
    state = _try_move(table, player, move, expected_version, facts)
    assert table.state is not None
    before = table.state.list_features()
    changed = [feature for feature in state.list_features() if feature not in before]
    moves = state.legal_moves() if state.decision else []
    return _describe(state, facts), MovePreview(moves, changed)


def _try_move(
    table: Table, player: Player, move: Json, expected_version: int | None, facts: list[Json]
) -> State[Any]:
    """Return the position after a move, before the first draw; its facts come to `facts`."""
    found = judge_move(table, player, move, expected_version)
    assert table.play is not None
    state = table.play.state.copy()
    state.facts = facts
    state.play(found)
    return state


def _describe(state: State[Any], facts: list[Json]) -> Preview:
    decision = state.decision
    return Preview(
        facts,
        view_text(state),
        None if decision is None else decision.to_json(),
        state.chance is not None,
    )
