"""Practice: hints, which end that a game counts for the practice rating."""

from __future__ import annotations

from cartulary.events.commands.judging.checks import must_hold, must_run
from cartulary.events.commands.judging.intent import Intent
from cartulary.events.commands.judging.ladders import leave_ladder
from cartulary.events.ledger.drafts import Draft
from cartulary.events.ledger.writer import EventWriter, Written
from cartulary.events.model.errors import HintsOff
from cartulary.events.model.ladders import HINT
from cartulary.events.model.table import Table


class Practice:
    """The commands of practice games. Thread-safe."""

    def __init__(self, writer: EventWriter) -> None:
        self._writer = writer

    def take_hints(self, intent: Intent, game_id: str) -> Written:
        """Let a game count for no rating, so that its player may have hints; nothing otherwise.

        Raises, in the order of the checks: `IdempotencyMismatch`, `NotFound`, `NotSeated`,
        `GameNotRunning`, `StaleVersion`, `HintsOff`.
        """

        def decide(table: Table, draft: Draft) -> None:
            must_hold(table, intent.who)
            must_run(table, intent.expected)
            if not table.hints:
                raise HintsOff
            leave_ladder(draft, HINT)

        body = intent.get_body(intent.expected)
        return self._writer.write(game_id, intent.identify("take_hints", body), decide)
