"""A table of a round, whose seats one client plays over HTTP; some do not come, some leave."""

from __future__ import annotations

import random
import time
from typing import Final, NamedTuple

from bench.faults.clients import PlayedTable, ReconnectingClient
from bench.faults.journal import Journal, Json
from bench.faults.people import Habits
from bench.faults.tournaments.forms import ABSENT, LEAVING, ROUNDS

MOVES: Final = 50
"""About so many moves a seat makes in a game."""

OPEN_PAUSE_S: Final = 3.0
"""Seconds between two looks at a table that waits for entrants who do not come."""

RETRY_S: Final = 0.5
"""Seconds before a bot repeats a request: all tables at once would keep a start from ending."""

AWAY_S: Final = 900.0
"""Seconds for which the service may be away: a restore of many games takes minutes when busy."""

HABITS: Final = Habits(leave=0.0, takeback=0.0)

REFUSED: Final = (200, 201, 403, 404, 409)
"""A repeated request may find what the first one has done."""


class SeatedEntrant(NamedTuple):
    """An entrant at a table: the id of the player, and the token."""

    player: str
    token: str


class RoundTable(PlayedTable):
    """A game of a round, played to its end on the seats of those who come."""

    def __init__(
        self,
        caller: ReconnectingClient,
        journal: Journal,
        game_id: str,
        entry: str,
        seated: list[SeatedEntrant],
        rng: random.Random,
    ) -> None:
        """Note who is there; `entry` is the path of the entry."""
        super().__init__(caller, journal, [one.token for one in seated], rng, HABITS)
        self.id, self._path, self._entry = game_id, f"/games/{game_id}", entry
        self._leaving = LEAVING / (ROUNDS * MOVES)
        there = [n for n in range(len(seated)) if rng.random() >= ABSENT]
        self._holders.update({number: seated[number].token for number in there})
        self.left: list[str] = []
        """Those who have left the tournament from this table."""
        self._seated = seated

    def open(self) -> None:
        """Note the game, which the service has made; nothing was promised by an answer."""
        now = time.monotonic()
        self._journal.open({"id": self.id}, frozenset(self._holders), now)

    def _sit_down_again(self, game: Json) -> None:
        """Say that those who are there are ready, and wait."""
        for seat in game["seats"]:
            number = seat["seat"]
            if number in self._holders and seat["ready"] is False:
                path, body = f"{self._path}/seats/{number}/ready", {"ready": True}
                token, key = self._holders[number], self._new_key()
                self._insist("PUT", path, body, token, key, REFUSED)
        time.sleep(OPEN_PAUSE_S)

    def _act(self, page: Json) -> bool:
        """Let the player who is asked leave the tournament, by lot."""
        if self._unsettled is not None or self._rng.random() >= self._leaving:
            return False
        seat = page["decision"]["seat"]
        token = self._holders.pop(seat)
        self._insist("DELETE", self._entry, None, token, self._new_key(), REFUSED)
        self.left.append(self._seated[seat].player)
        self._people.look()
        return True
