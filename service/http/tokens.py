"""The tokens of open streams: a stream ends soon after its token is valid no more."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Lock

from cartulary.events.players import Players

ROUND = 2
"""Looks, one a second, in which each token is looked at once: a token that comes during a round is
looked at in the next round, and so within 5 s."""


class OpenTokens:
    """The tokens with which the streams of this process were opened. Thread-safe."""

    def __init__(self, players: Players) -> None:
        self._players = players
        self._ends: dict[str, dict[Callable[[], None], None]] = {}
        self._left: deque[str] = deque()
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
        """Look at a part of the tokens, once a second; end the streams of those that are invalid.

        Raises `RedisError`.
        """
        with self._lock:
            if not self._left:
                self._left.extend(self._ends)
            share = min(-(-len(self._ends) // ROUND), len(self._left))
            chosen = [self._left.popleft() for _ in range(share)]
        if not chosen:
            return
        for token_hash in self._players.find_invalid(chosen):
            with self._lock:
                ends = self._ends.pop(token_hash, {})
            for end in ends:
                end()
