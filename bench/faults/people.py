"""People at a table: they leave, go away, come back, and take moves back, by lot.

What the service acknowledges goes to the journal like a move. A refusal that the rules explain is
an answer like any other; every other refusal is trouble.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from typing import NamedTuple, Protocol

from bench.faults.journal import Json

RETURN = 0.3
"""How likely it is, each time that the table waits, that a player who is away comes back."""

RESIGN = 0.3
"""Share of the leavings that are for good."""

ACCEPT = 0.8
"""Share of the proposals that are accepted."""

EXPECTED = frozenset(
    (
        *("stale_version", "game_not_running", "alone", "seat_forfeited", "nothing_to_take_back"),
        *("takebacks_off", "asked_before", "proposal_open", "proposal_closed", "not_asked"),
        "rated_game",
    )
)
"""Refusals that the rules explain: the table has moved on, or the rules do not allow it now."""


class Habits(NamedTuple):
    """How likely it is, before each move, that a player leaves, and that moves are taken back.

    `timed` is the share of the games with a clock; everybody moves at once, so no flag may fall.
    `bots` are the bots that people play with, `seats` the most seats of a table. `keyed` is the
    share of the games whose moves have an idempotency key. `rated` is the share of the games of two
    people that are rated. `thinks` is for how many seconds at most a player thinks before a move.
    """

    leave: float = 0.01
    takeback: float = 0.05
    timed: float = 0.3
    bots: tuple[str, ...] = ("random", "medium", "hard")
    seats: int = 5
    keyed: float = 0.75
    rated: float = 0.0
    thinks: float = 0.0


class AwaitsTurns(Protocol):
    """What lets people wait for the message about a turn before they move."""

    def await_turn(self, game: str, version: int) -> None:
        """Wait for the message about the turn that began with a version of a game."""
        ...


class PeopleTable(Protocol):
    """What people need of the table at which they play."""

    def read_game(self) -> Json:
        """Return the game as the service shows it."""
        ...

    def write(
        self, token: str, method: str, path: str, body: Json, expected: Collection[str]
    ) -> Json | None:
        """Send a request; return the game after it, None when it was refused."""
        ...


class People:
    """The people that one client plays for at one table; `holders` are their tokens by seat."""

    def __init__(
        self, table: PeopleTable, habits: Habits, holders: dict[int, str], rng: random.Random
    ) -> None:
        self._table, self._habits, self._holders, self._rng = table, habits, holders, rng
        self.present = set(holders)
        """The seats of people who answer themselves."""
        self._away: set[int] = set()

    def look(self) -> None:
        """Read who is at the table: a fall-back of the store may have taken what people did."""
        game = self._table.read_game()
        states = {seat["seat"]: seat["state"] for seat in game["seats"]}
        self.present = {seat for seat in self._holders if states[seat] == "seated"}
        self._away = {seat for seat in self._holders if states[seat] == "away"}

    def act(self, seat: int, version: int) -> bool:
        """Do what people do besides moves when a seat is asked; returns whether they did it."""
        if self._rng.random() < self._habits.leave:
            self._leave(seat, version)
            return True
        if self._rng.random() < self._habits.takeback:
            self._take_back(seat, version)
            return True
        return False

    def come_back(self) -> None:
        """Let people come back; when no person is left at the table, one does."""
        self.look()
        for seat in sorted(self._away):
            if not self.present or self._rng.random() < RETURN:
                self._write(seat, "POST", f"/seats/{seat}/return", {})
                self.look()

    def _leave(self, seat: int, version: int) -> None:
        if self._rng.random() < RESIGN:
            self._write(seat, "POST", "/resignation", {"seat": seat, "expected_version": version})
        else:
            self._write(seat, "POST", f"/seats/{seat}/stand_in", {"expected_version": version})
        self.look()

    def _take_back(self, seat: int, version: int) -> None:
        body = {"kind": "takeback", "expected_version": version}
        game = self._write(seat, "POST", "/proposals", body)
        proposal = None if game is None else game["proposal"]
        if proposal is None:
            return  # it was refused, or free and done at once
        for other in proposal["needs"]:
            answer = "accept" if self._rng.random() < ACCEPT else "decline"
            self._write(other, "POST", f"/proposals/{proposal['id']}/answers", {"answer": answer})

    def _write(self, seat: int, method: str, path: str, body: Json) -> Json | None:
        """Send a request of a seat; return the game after it, None when it was refused."""
        return self._table.write(self._holders[seat], method, path, body, EXPECTED)
