"""Which of the quiet games are looked at next."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection

ROUND = 15
"""Looks in which each watched game is looked at once."""
AT_ONCE = 200
"""Games in one look: more would keep the store from other work."""


class LookRound:
    """Divides names among `ROUND` looks, at most `AT_ONCE` for each look."""

    def __init__(self) -> None:
        self._left: deque[str] = deque()

    def choose(self, names: Collection[str]) -> list[str]:
        """Return the names of the next look; `names` are those of the next round."""
        if not self._left:
            self._left.extend(names)
        share = min(AT_ONCE, -(-len(names) // ROUND), len(self._left))
        return [self._left.popleft() for _ in range(share)]
