"""The people at the table of a match, by lot: they leave, come back, and take moves back.

Random play so meets what people do (`docs/living.md`). A bot plays for each person.
While a person is away, and after the person has left for good, a stand-in plays.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from cartulary.bots.base import Bot
from cartulary.bots.levels import find_usual
from cartulary.engine.core import Result
from cartulary.engine.ending import FORFEITS, PLAY, Ending, end_game, list_leavers
from cartulary.engine.ranking import AWAY, FORFEITED
from cartulary.engine.transcript import Transcript
from cartulary.games import OFFERS
from cartulary.match import Match

RETURN = 0.05
"""How likely it is before a move that a person who is away comes back."""

RETURNS = 3
"""So often a person may come back; the person who goes away once more has left."""

FARTHEST = 6
"""At most so many moves are taken back at once."""


class Company:
    """The people of one match. Each of `bots` plays for the person on its seat.

    `leave` and `takeback` are the chances, before each move, that a person leaves or goes away, and
    that moves are taken back. The same seed of the match gives the same comings and goings.

    Attributes: `leavings`, `returns` and `taken_back` count what has happened.
    """

    def __init__(
        self, match: Match, bots: Sequence[Bot | str], leave: float, takeback: float
    ) -> None:
        self._match, self._bots = match, bots
        self._leave, self._takeback = leave, takeback
        self._rng = random.Random(f"{match.seed}/people")
        self._stand_in = find_usual(OFFERS[match.game.name].bots)
        self._outcomes = ["finished"] * len(bots)
        self._came_back = [0] * len(bots)
        self._left: dict[int, int] = {}
        """The seats that their owners left, in the order of leaving, each with its version."""
        self._version = 0
        """The number of moves so far, those that were taken back included."""
        self._versions: list[int] = []
        """The versions of the moves that stand."""
        self._reached = 0
        """How many moves stood before the last takeback. Only later moves are taken back, because a
        game that is taken back again and again would not end."""
        self.leavings = self.returns = self.taken_back = 0

    def play(self) -> Transcript:
        """Play until the game has ended; return its transcript."""
        while (ended := self._end()) is None:
            self._go_on()
        return self._match.transcript(*ended)

    def _end(self) -> tuple[Result | None, Ending | None] | None:
        """Return the result and the ending of a game that has ended."""
        match = self._match
        if match.over and not self._left:
            return None, None
        moves = [
            (version, entry.seat)
            for version, entry in zip(self._versions, match.moves, strict=True)
        ]
        left = list_leavers(self._left.items(), moves)
        by = FORFEITS if len(self._contending()) == 1 else PLAY
        return end_game(match.state, by, list(self._outcomes), left)

    def _go_on(self) -> None:
        """Let people come and go, then make the next move."""
        for seat in self._seats(AWAY):
            if self._rng.random() < RETURN or not self._seats("finished"):
                self._return(seat)
        if self._rng.random() < self._leave:
            self._go(self._rng.choice(self._seats("finished")))
            return
        if len(self._versions) > self._reached and self._rng.random() < self._takeback:
            self._take_back()
        seat = self._match.seat
        stayed = self._outcomes[seat] == "finished"
        self._match.play_bot(self._bots[seat] if stayed else self._stand_in)
        self._version += 1
        self._versions.append(self._version)

    def _go(self, seat: int) -> None:
        """Let a person leave for good, or go away if another person stays and it is allowed."""
        outcome = self._rng.choice((AWAY, AWAY, *FORFEITED))
        if outcome == AWAY and self._came_back[seat] == RETURNS:
            outcome = "left"
        if outcome == AWAY and len(self._seats("finished")) == 1:
            return
        self._outcomes[seat] = outcome
        self._left[seat] = self._version
        self.leavings += 1

    def _return(self, seat: int) -> None:
        self._outcomes[seat] = "finished"
        self._came_back[seat] += 1
        del self._left[seat]
        self.returns += 1

    def _take_back(self) -> None:
        self._reached = len(self._versions)
        count = self._rng.randint(1, min(FARTHEST, self._reached))
        self._match.take_back(count)
        del self._versions[-count:]
        self.taken_back += count

    def _seats(self, outcome: str) -> list[int]:
        return [seat for seat, found in enumerate(self._outcomes) if found == outcome]

    def _contending(self) -> list[int]:
        return [seat for seat, found in enumerate(self._outcomes) if found not in FORFEITED]
