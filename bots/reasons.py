"""Why a move is good: the facts that it causes, and facts made from what the evaluation sees.

`docs/facts.md` lists the types. `cartulary.locales.reasoning` makes a sentence of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from cartulary.engine.core import Json, State

Finder = Callable[[Any, Any, Sequence[Any]], tuple[list[Json], list[Json]]]
"""Returns the facts that a move causes, and the reasons for it."""

MOST: Final = 4
"""The most reasons that are given."""


def explain(
    finder: Finder | None, state: State[Any], move: Any, plan: Sequence[Any] = ()
) -> list[Json]:
    """Return facts that say what a move leads to, those that it causes first.

    `move` is one of `state.moves()`, `plan` what the same seat plans after it in the same turn
    (`Thought.moves` without its first). The state is not changed. A game without a `finder` has the
    facts that the move causes.
    """
    facts, reasons = (finder or find_facts)(state, move, plan)
    return [*facts, *reasons[:MOST]]


def find_facts(state: State[Any], move: Any, plan: Sequence[Any]) -> tuple[list[Json], list[Json]]:
    """Return the facts that a move and the plan cause, and no reasons."""
    position = state.copy()
    facts: list[Json] = []
    position.facts = facts
    for step in (move, *plan):
        position.play(step)
    return facts, []
