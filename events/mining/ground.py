"""The ground of a game: which of its archived games were looked at, the newest first. Pure.

All games that ended before the newest one that was looked at were looked at as well, but for those
in the gaps. A day (UTC) begins with the newest game; then it goes down through the gaps, and after
the last gap back to what has come since.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, Self

Place = tuple[int, str]
"""The end of a game (ms since the epoch) and its id."""

Find = Callable[[Place, Place], Place | None]
"""Returns the newest game between two places, None without any."""

START: Final[Place] = (0, "")

MOST_GAPS: Final = 60
"""Of more gaps the two oldest become one: games between them are looked at twice, which adds no
puzzle twice."""


class MiningGap(NamedTuple):
    """A stretch of games that were not looked at, both ends excluded."""

    low: Place
    high: Place


class MiningGround(NamedTuple):
    """What was looked at: `top` is the newest of these games, `day` the day of the last look.

    The oldest gap comes first.
    """

    top: Place = START
    gaps: tuple[MiningGap, ...] = ()
    day: int = -1

    def find_next(self, find: Find, today: int, end: Place) -> tuple[Place | None, MiningGround]:
        """Return the next game, None where nothing is left before `end`; and the ground then."""
        gaps = [*self.gaps]
        if today != self.day or not gaps:
            gaps.append(MiningGap(self.top, end))
        while gaps:
            gap = gaps.pop()
            found = find(*gap)
            if found is not None:
                gaps.append(MiningGap(gap.low, found))
                return found, MiningGround(max(self.top, found), _limit(gaps), today)
        return None, MiningGround(self.top, (), today)

    def to_json(self) -> list[Any]:
        """Return the form that is stored."""
        return [self.top, [[*gap] for gap in self.gaps], self.day]

    @classmethod
    def from_json(cls, stored: Sequence[Any]) -> Self:
        """Read the form that is stored."""
        top, gaps, day = stored
        return cls(
            _read_place(top), tuple(MiningGap(*map(_read_place, one)) for one in gaps), int(day)
        )


def _limit(gaps: list[MiningGap]) -> tuple[MiningGap, ...]:
    if len(gaps) > MOST_GAPS:
        gaps[:2] = [MiningGap(gaps[0].low, gaps[1].high)]
    return tuple(gaps)


def _read_place(stored: Sequence[Any]) -> Place:
    ended, game_id = stored
    return int(ended), str(game_id)
