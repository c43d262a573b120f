"""Turns: how long the seats of a game took, and how the median of many turns is kept. Pure.

A turn is an unbroken run of decisions of one seat. Its time is what the clock charged; in an
untimed game it is the time from the last move of another seat. Moves that were taken back do not
count, nor do turns in which a bot of the service answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import log2
from typing import Final, NamedTuple

from cartulary.events.model.clock import milliseconds
from cartulary.events.model.types import GAME_STARTED, MOVE_MADE, MOVES_TAKEN_BACK, Json

STEPS: Final = 4
"""Spans in which the time doubles: the time of a span is right within a tenth."""

LAST_SPAN: Final = 4 * 24
"""Spans up to half a year."""

STANDING_ANSWER: Final = "standing_answer"


class Turn(NamedTuple):
    """A turn of a seat, in ms."""

    seat: int
    ms: int


def list_turns(events: Iterable[Json], taken_back: set[int]) -> Iterator[Turn]:
    """Yield the turns that players have taken themselves; `taken_back` are versions of moves."""
    since, run = 0, _Run(-1)
    for event in events:
        if event["type"] == MOVE_MADE and event["version"] not in taken_back:
            if event["seat"] != run.seat:
                yield from run.close()
                run = _Run(event["seat"])
            run.add(event, since)
        if event["type"] in (GAME_STARTED, MOVE_MADE, MOVES_TAKEN_BACK):
            since = milliseconds(event["at"])
    yield from run.close()


class _Run:
    """A run of moves of one seat."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self._ms, self._own, self._by_bot = 0, False, False

    def add(self, move: Json, since: int) -> None:
        """Add a move; `since` is when the seat was asked, in ms since the epoch."""
        if move.get("by") == STANDING_ANSWER:
            return
        clock = move.get("clock")
        self._ms += milliseconds(move["at"]) - since if clock is None else clock["used"]
        self._own = True
        self._by_bot = self._by_bot or "bot" in move

    def close(self) -> Iterator[Turn]:
        """Yield the turn, if the player has taken it."""
        if self._own and not self._by_bot:
            yield Turn(self.seat, self._ms)


def find_span(ms: int) -> int:
    """Return the number of the span of time that a turn belongs to; up to a second: 0."""
    return min(LAST_SPAN, round(STEPS * log2(max(ms, 1000) / 1000)))


def find_median(spans: Mapping[int, int]) -> int | None:
    """Return the median of turns in seconds; `spans` leads from a span to its turns.

    None without turns.
    """
    middle = (sum(spans.values()) + 1) // 2
    for span in sorted(spans):
        middle -= spans[span]
        if middle <= 0 and spans[span]:
            return round(2 ** (span / STEPS))
    return None
