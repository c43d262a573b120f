"""The parts of the dispatcher that look at seeks, at the lobby and at tournaments."""

from __future__ import annotations

from typing import ClassVar

from cartulary.workers.queues.low_priority_poll import Looking


class SeekLooker(Looking):
    """Lets the matchmaker go on where the process that was asked has died, or time has passed."""

    every_s: ClassVar[float] = 1.0

    def run(self) -> int:
        """Look at the seeks whose time has come; no job comes of it. Raises `RedisError`."""
        self._store.matchmaker.step()
        return 0


class LobbyLooker(Looking):
    """Adds what has changed in the lobby to its stream: twice a second at most."""

    every_s: ClassVar[float] = 0.5

    def run(self) -> int:
        """Look at the lobby, if it has readers; no job comes of it. Raises `RedisError`."""
        self._store.lobby.look()
        return 0


class TournamentLooker(Looking):
    """Moves tournaments on whose time has come, or of which a game has ended."""

    every_s: ClassVar[float] = 0.5

    def run(self) -> int:
        """Look at the tournaments that are due; no job comes of it. Raises `RedisError`."""
        self._store.tournaments.driver.run()
        return 0
