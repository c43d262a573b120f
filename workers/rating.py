"""Rating: what the dispatcher folds besides the results that it notes itself.

A late result makes many others be folded again, and a dispatcher may die between noting and
folding: both wait in the store, and each look folds a batch of every bucket.
"""

from __future__ import annotations

import time

from cartulary.events.store import Store

LOOK_S = 0.25
"""Seconds between two looks: a rating follows its result within a second."""


class RatingFeeder:
    """Folds what waits, a batch at a time; for one thread, as a dispatcher has it."""

    def __init__(self, store: Store) -> None:
        self._ratings = store.ratings
        self._due = 0.0

    def run_when_due(self) -> None:
        """Fold a batch of each bucket in which results wait, and its newest ones.

        Raises `RedisError`.
        """
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + LOOK_S
        for bucket in self._ratings.list_pending():
            self._ratings.advance(bucket)
