"""Kept chance: outcomes of moves that were taken back are drawn again, in their order.

Each later draw takes the first kept outcome that its question allows. An outcome before it that the
question does not allow is dropped. So no player draws anything else by taking back
(`docs/living.md`, "What was drawn stays drawn").
"""

from __future__ import annotations

from collections.abc import Sequence

from cartulary.engine.chance import Chance, Source


class Kept:
    """The kept outcomes of a game, as the draws of a move take them."""

    def __init__(self, outcomes: Sequence[str]) -> None:
        """Begin with these outcomes: the next outcome comes first."""
        self._left = list(reversed(outcomes))
        self.taken = 0
        """How many draws have taken a kept outcome: these draws have no number."""

    def take(self, question: Chance) -> str | None:
        """Return the outcome of a draw, None when no kept outcome can be drawn."""
        possible = dict(zip(question.outcomes, question.weights, strict=True))
        while self._left:
            outcome = self._left.pop()
            if possible.get(outcome):
                self.taken += 1
                return outcome
        return None

    @property
    def left(self) -> tuple[str, ...]:
        """The outcomes for later moves, the next one first."""
        return tuple(reversed(self._left))


class KeptSource:
    """Answers draws with kept outcomes, and with fresh ones when no kept outcome is possible."""

    def __init__(self, kept: Kept, fresh: Source) -> None:
        self._kept, self._fresh = kept, fresh

    def draw(self, question: Chance) -> str:
        """Return an outcome. Raises `ChanceError` when there is nothing to draw."""
        outcome = self._kept.take(question)
        return self._fresh.draw(question) if outcome is None else outcome
