"""A reader of streams by version: what it was shown must be what is stored in the end."""

from __future__ import annotations

from bench.faults.watchers import StreamMessage, Watched
from simulation.play.people import SimulatedPeople
from simulation.world.world import SECOND

LOOKS_S = 3.0
"""Seconds between two looks at a game without news."""

FORGETS_S = 120.0
"""So long after a fall-back the reader takes silence for a stream that was shortened."""

LAST_EVENTS = ("game_scored", "game_aborted")


class StreamReader:
    """Follows one game after another by the version of the last event that it was shown."""

    def __init__(self, crowd: SimulatedPeople) -> None:
        self.crowd = crowd
        self.watched: dict[str, Watched] = {}

    def run(self) -> None:
        """Follow the newest game until it is over, then the next one."""
        world, crowd = self.crowd.world, self.crowd
        while True:
            games = list(crowd.journal.games)
            if games and games[-1] not in self.watched:
                self._follow(games[-1])
            world.sleep(LOOKS_S)

    def _follow(self, game: str) -> None:
        """Read a game to its end; one that a fall-back may have shortened is left alone."""
        world, journal = self.crowd.world, self.crowd.journal
        watched = self.watched[game] = Watched()
        while not watched.events or watched.events[-1]["type"] not in LAST_EVENTS:
            if self._read_on(game, watched):
                continue
            if journal.fell_back_since(world.now / SECOND - FORGETS_S):
                del self.watched[game]
                return
            world.sleep(LOOKS_S)
        watched.ended = world.now / SECOND

    def _read_on(self, game: str, watched: Watched) -> bool:
        """Read what is new; returns whether there was anything."""
        after = len(watched.events)
        shown = self.crowd.insist(lambda store: store.ledger.deliver(game, after, 50))
        for event in shown:
            if not watched.take(StreamMessage("message", event)):
                watched.events.clear()
                break
        return bool(shown)
