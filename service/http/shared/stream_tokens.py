"""The tokens of open streams: a stream ends soon after its token is valid no more."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from cartulary.events.people.players import PlayerRegistry


class StreamTokens:
    """The tokens with which the streams of this process were opened. Thread-safe."""

    def __init__(self, players: PlayerRegistry) -> None:
        self._players = players
        self._ends: dict[str, dict[Callable[[], None], None]] = {}
        self._lock = Lock()

    def hold(self, token_hash: str, end: Callable[[], None]) -> Callable[[], None]:
        """Have `end` called when a token becomes invalid; return a function that forgets it."""
        with self._lock:
            self._ends.setdefault(token_hash, {})[end] = None
        return lambda: self._forget(token_hash, end)

    def _forget(self, token_hash: str, end: Callable[[], None]) -> None:
        with self._lock:
            ends = self._ends.get(token_hash, {})
            ends.pop(end, None)
            if not ends:
                self._ends.pop(token_hash, None)

    def look(self) -> None:
        """End the streams of tokens that are invalid by now.

        The hub calls it every second or two: a token costs 5 µs of CPU time each time. Raises
        `RedisError`.
        """
        with self._lock:
            held = list(self._ends)
        if not held:
            return
        for token_hash in self._players.find_invalid(held):
            with self._lock:
                ends = self._ends.pop(token_hash, {})
            for end in ends:
                end()
