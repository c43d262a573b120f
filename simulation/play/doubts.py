"""What a person at a table takes for wrong: a bot that never comes, a refusal without a reason."""

from __future__ import annotations

import random
from typing import Any

from cartulary.events.commands.commands import Intent, Written
from cartulary.events.model.errors import Refused
from cartulary.events.model.table import Table
from simulation.play.web import Perform
from simulation.world.world import SECOND

SimulatedPeople = Any
"""`simulation.play.people.SimulatedPeople`, which knows this module."""

STANDS_S = 240
"""Seconds after which a worker must have moved for a bot, whatever went wrong."""

REUSED = "idempotency_mismatch"
"""The refusal of a key that was used for another request."""


EXPECTED = frozenset(
    {
        *("stale_version", "not_your_turn", "game_not_running", "seat_forfeited", "not_seated"),
        *("proposal_open", "proposal_closed", "nothing_to_take_back", "too_late", "asked_before"),
        *("takebacks_off", "not_asked", "alone", "seat_taken", "already_started"),
        *("idempotency_elsewhere", "not_overdue"),
    }
)
"""Refusals that what others did in the meantime explains."""


class PersonalDoubts:
    """Judges what a person is shown and answered in one game."""

    def __init__(self, crowd: SimulatedPeople, who: str, game: str, rng: random.Random) -> None:
        self.crowd, self.who, self.game, self.rng = crowd, who, game, rng
        self._stands = 0, crowd.world.now
        """A version, and since when the game has been at it."""

    def watch(self, table: Table) -> None:
        """Report a game that waits for a bot or for its score, and no worker comes."""
        now = self.crowd.world.now
        if table.version != self._stands[0]:
            self._stands = table.version, now
        if table.bot_to_move is None and table.decision is not None:
            return
        if now - self._stands[1] > STANDS_S * SECOND:
            self._stands = table.version, now
            self.crowd.report(f"{self.game} version {table.version}: no worker moves for a bot")

    def reuse(self, what: str, perform: Perform) -> None:
        """Send a key again with another request, now and then: it must be refused as reused."""
        reuses = self.crowd.profile.reuses
        if not reuses or self.rng.random() >= reuses:
            return
        called, code = self.crowd.world.now, ""
        self.crowd.tell(self.who, f"sends {what} in {self.game}")
        try:
            self.crowd.insist(perform)
        except Refused as error:
            code = error.code
        if code != REUSED and not self.crowd.journal.fell_back_since(called / SECOND - 60):
            self.crowd.report(f"{self.game}: {what} leads to {code or 'an answer'}")

    def judge_stale(self, intent: Intent, called: int) -> None:
        """Report a move that was refused as stale although the position was what it expected."""
        table = self.crowd.insist(lambda store: store.projector.table(self.game))
        assert intent.expected is not None
        fell_back = self.crowd.journal.fell_back_since(called / SECOND - 60)
        if table.unmoved_since(intent.expected) and not fell_back:
            line = f"version {intent.expected} is refused as stale, and no move has come since"
            self.crowd.report(f"{self.game}: a move at {line}")

    def judge_answer(self, intent: Intent, done: Written, chosen: Any) -> None:
        """Report a move whose answer shows no event of that move."""
        moved = [event["move"] for event in done.events if event["type"] == "move_made"]
        if chosen not in moved:
            line = f"the move at {intent.expected} is answered with an event of another: {moved}"
            self.crowd.report(f"{self.game}: {line}"[:300])
