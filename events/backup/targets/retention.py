"""Which backups stay: the newest N, the newest of each of 4 weeks, the newest of each of 12 months.

Weeks and months are those of UTC, weeks begin on Monday, and those that have no backup do not
count. Only proven backups count, so the last proven one always stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any, Final

from cartulary.events.backup.targets.naming import FAILED, UNPROVEN, BackupName

WEEKS: Final = 4
MONTHS: Final = 12

FAILURES: Final = 3
"""Backups whose proof has failed stay for a look at them, but only so many."""


def choose_kept(names: Iterable[BackupName], newest: int) -> set[BackupName]:
    """Return which of the backups of an installation stay; `newest` is at least 1.

    An unproven backup stays until a newer one is proven.
    """
    ordered = sorted(names, reverse=True)
    proven = [name for name in ordered if not name.state]
    kept = set(proven[:newest])
    kept |= _keep_first(proven, WEEKS, lambda moment: moment.isocalendar()[:2])
    kept |= _keep_first(proven, MONTHS, lambda moment: (moment.year, moment.month))
    kept |= set([name for name in ordered if name.state == FAILED][:FAILURES])
    last = proven[0].at if proven else -1
    return kept | {name for name in ordered if name.state == UNPROVEN and name.at > last}


def _keep_first(
    proven: list[BackupName], number: int, period_of: Callable[[datetime], Any]
) -> set[BackupName]:
    """Return the newest backup of each of the last `number` periods that have one."""
    found: dict[Any, BackupName] = {}
    for name in proven:
        found.setdefault(period_of(datetime.fromtimestamp(name.at / 1000, UTC)), name)
    return set(list(found.values())[:number])
