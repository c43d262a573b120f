"""Which partition of the table of games an id belongs to, where each month has a partition.

The ids of games are ULIDs: their first ten characters are the time at which the game was opened. A
text that is no ULID belongs to a partition as well, because ids are compared as texts. What a
database has was made by these rules, so they never change.
"""

from __future__ import annotations

from bisect import bisect_right
from calendar import timegm
from typing import Final

_DIGITS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_LENGTH: Final = 10

_FIRST_YEAR: Final = 1970
END: Final = 12 * (9999 - _FIRST_YEAR)
"""The month that has no partition any more: January 9999. Months count from January 1970."""

SLACK_MS: Final = 7 * 24 * 3_600_000
"""How much later than now others may still write to the table that has no partitions yet."""


def begin_ms(month: int) -> int:
    """Return the first moment of a month, in ms since the epoch."""
    year, number = divmod(month, 12)
    return timegm((_FIRST_YEAR + year, number + 1, 1, 0, 0, 0)) * 1000


def make_bound(month: int) -> str:
    """Return the least id of a month."""
    value, found = begin_ms(month), ""
    for _ in range(_LENGTH):
        value, digit = divmod(value, len(_DIGITS))
        found = _DIGITS[digit] + found
    return found


def name_partition(month: int) -> str:
    """Return the name of the table that has the games of a month."""
    year, number = divmod(month, 12)
    return f"games_{_FIRST_YEAR + year}_{number + 1:02}"


def find_month(game_id: str) -> int:
    """Return the month of an id: -1 for ids before the first month, `END` for those after all."""
    return bisect_right(range(END + 1), game_id, key=make_bound) - 1


def find_month_of(ms: int) -> int:
    """Return the month of a moment, in ms since the epoch."""
    return bisect_right(range(END + 1), ms, key=begin_ms) - 1


FIRST_BOUND: Final = make_bound(12 * (2020 - _FIRST_YEAR))
"""Where the months of an empty archive begin: no game is older."""


def choose_first_bound(newest: str | None, now: int) -> str:
    """Return where the months begin in an archive whose newest id is `newest`, at `now` in ms.

    All games that are there, or come while this is prepared, are before it.
    """
    if newest is None:
        return FIRST_BOUND
    month = max(find_month(newest), find_month_of(now + SLACK_MS)) + 1
    return make_bound(month) if month <= END else f"{newest}0"
