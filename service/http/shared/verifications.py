"""Verifications: the reports on games, computed once for each last event."""

from __future__ import annotations

from typing import NamedTuple

import orjson

from cartulary.events.audit.audit import Audit
from cartulary.service.http.shared.costly_results import Results

LIMIT = "verifications"
"""The name of the rate limit."""
REMEMBERED = 4 * 1024 * 1024
"""Bytes of reports that a process remembers; each report has some hundred bytes."""


class VerificationKey(NamedTuple):
    """What a report depends on; `deleted` is the number of deleted accounts, whose names go.

    `opened_at` says when the duplicate round of the game was closed: then its draws are proved.
    """

    game_id: str
    head: str
    rules_version: int
    deleted: int = 0
    opened_at: int | None = None


class Verifications(Results[VerificationKey]):
    """The verifications of one process. Thread-safe."""

    def __init__(self, audit: Audit) -> None:
        super().__init__(REMEMBERED)
        self._audit = audit

    def compute(self, key: VerificationKey) -> bytes:
        """Return the report of a game, and remember it if the game holds. The caller has the turn.

        A report with problems is made again each time, because an operator may repair the game.
        Raises `NotFound`, `RedisError`.
        """
        return self.make(key, lambda: self._audit_game(key))

    def _audit_game(self, key: VerificationKey) -> tuple[VerificationKey | None, bytes]:
        report = self._audit.game(key.game_id)
        made = key._replace(head=report.head) if report.valid else None
        return made, orjson.dumps(report.to_json())
