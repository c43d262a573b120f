"""What of tournaments costs much CPU time: the comparison of a round, the verification.

A comparison replays all games of its round, a verification pairs all rounds again. Both are
computed once for what they follow from.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final, NamedTuple

from cartulary.service.http.shared.costly_results import Results

REMEMBERED: Final = 8 * 1024 * 1024
"""Bytes of results that a process remembers; the comparison of eight tables has some 200 KB."""

VERIFIED: Final = 0
"""Stands for the verification among the comparisons, which have the numbers of rounds."""


class TournamentResultKey(NamedTuple):
    """What a result follows from: the `round` that is compared, or `VERIFIED`.

    `source` is what may change: the results of the tables, the last event.
    """

    tournament: str
    round: int
    source: Hashable


class TournamentResults(Results[TournamentResultKey]):
    """The results of one process. Thread-safe."""

    def __init__(self) -> None:
        super().__init__(REMEMBERED)
