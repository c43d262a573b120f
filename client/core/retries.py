"""When a request is repeated, and after how long: the rules of `docs/http.md`.

After a 4xx nothing has changed, and the answer stands: only 408 and 429 are asked again. After a
5xx or without an answer the outcome is unknown, so only a repeatable request is sent again, byte
for byte and with the same key. A request that has never reached the service is always repeated.
"""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

from cartulary.client.core.problems import read_code, read_retry_after
from cartulary.client.core.requests import Answer, Lost, Outcome, Request

UNCHANGED: Final = frozenset({408, 429})
"""Refusals after which nothing has changed, and which do not last."""

UNKNOWN: Final = frozenset({500, 502, 503, 504})
"""Answers after which the outcome of a write is unknown."""

LASTING: Final = frozenset({"quota_exceeded", "game_damaged"})
"""Codes that a repetition does not mend."""


class RetryPolicy(NamedTuple):
    """How patient a client is; times in seconds.

    A request is sent `attempts` times at most. The pause doubles from `first` up to `longest`, less
    a random part of up to a half. `Retry-After` is waited for when it is not more than `patience`.
    """

    attempts: int = 8
    first: float = 0.5
    longest: float = 20.0
    patience: float = 60.0

    def find_pause(
        self, request: Request, outcome: Outcome, attempt: int, random: Random
    ) -> float | None:
        """Return the seconds before the request is repeated, None when the outcome stands.

        `attempt` counts from 0.
        """
        if attempt + 1 >= self.attempts or not _may_repeat(request, outcome):
            return None
        asked = None if isinstance(outcome, Lost) else read_retry_after(outcome.headers)
        pause = self.back_off(attempt, random)
        if asked is None:
            return pause
        # The pause comes on top: many clients that were refused together must not return together.
        return asked + random.uniform(0, self.first) if asked <= self.patience else None

    def back_off(self, attempt: int, random: Random) -> float:
        """Return the pause after so many failures in a row, counted from 0."""
        whole = min(self.longest, self.first * 2 ** min(attempt, 30))
        return random.uniform(whole / 2, whole)


def _may_repeat(request: Request, outcome: Outcome) -> bool:
    if isinstance(outcome, Lost):
        return request.repeatable or not outcome.sent
    if outcome.status in UNCHANGED:
        return not _lasts(outcome)
    return outcome.status in UNKNOWN and request.repeatable and not _lasts(outcome)


def _lasts(answer: Answer) -> bool:
    return read_code(answer.body) in LASTING
