"""Plays the games that are missing in the records, in this process or in several."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cartulary.league.matches import LeagueMatch, list_tasks, play_task
from cartulary.league.pool import run_each
from cartulary.league.records import Records

Show = Callable[[int, int], None]
"""Takes the number of games that are done, and the number of all games."""


def play_missing(
    records: Records,
    matches: Sequence[LeagueMatch],
    seed: str,
    deals: int,
    *,
    jobs: int = 1,
    show: Show = lambda _done, _all: None,
    is_decided: Callable[[], bool] = lambda: False,
) -> None:
    """Play the first `deals` deals of each match, as far as the records do not have them.

    All matches have a deal before one of them has the next. `is_decided` is asked after each game:
    when it says so, no further game begins. Raises what a bot raises; what was played before is in
    the records.
    """
    tasks = [
        task
        for deal in range(deals)
        for match in matches
        for task in list_tasks(match, seed, [deal])
    ]
    missing = [one for one in tasks if not records.has(one.match.name, one.deal, one.number)]
    done = len(tasks) - len(missing)
    show(done, len(tasks))
    if is_decided():
        return
    for played in run_each(play_task, missing, jobs):
        records.add(played)
        done += 1
        show(done, len(tasks))
        if is_decided():
            return
