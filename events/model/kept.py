"""Kept chance in the events: a record that agrees with what a takeback has kept. Pure.

A takeback puts the outcomes of its moves at the front of `Progress.remembered`; `engine.kept`
has the rule by which later draws take them.
"""

from __future__ import annotations

from collections.abc import Sequence

from cartulary.engine.chance import Chance, RecordedSource
from cartulary.engine.kept import Kept
from cartulary.events.model.failures import Misfit
from cartulary.events.model.table import Table


class KeptRecord(RecordedSource):
    """Gives recorded outcomes back, and checks each against the kept outcomes."""

    def __init__(self, outcomes: Sequence[str], kept: Kept) -> None:
        super().__init__(outcomes)
        self._kept = kept

    def draw(self, question: Chance) -> str:
        """Return the next recorded outcome.

        Raises `Misfit` for another outcome than the kept one, `ChanceError` for an impossible one.
        """
        outcome = super().draw(question)
        kept = self._kept.take(question)
        if kept is not None and kept != outcome:
            raise Misfit("chance", f"{outcome} was drawn where a takeback has kept {kept}")
        return outcome


def without_taken(table: Table, kept: Kept) -> Table:
    """Return the table after draws that took kept outcomes: these draws took no number."""
    course = table.course._replace(remembered=kept.left)
    fair = table.fair
    if fair is not None:
        fair = fair._replace(number=fair.number - kept.taken)
    return table._replace(course=course, fair=fair)
