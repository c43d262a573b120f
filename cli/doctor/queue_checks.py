"""Checks of what waits: appends, jobs, games, notices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cartulary.cli.doctor.site import Site
from cartulary.cli.operators.survey import find_oldest_due
from cartulary.events.notices.waiting import count_waiting
from cartulary.workers.queues.readings import read_queues

OUTBOX_S: Final = 30.0
"""A dispatcher takes an append within milliseconds, and one of a dead dispatcher after 10 s."""

WAITS_S: Final = 60.0
"""A game of people waits for a second at most; games of bots only may wait for longer."""

SLOW_S: Final = 3600.0
"""Analyses and games of bots only give way to people."""

SHOWN: Final = 3


def find_stuck_outbox(site: Site) -> Iterator[str]:
    """See whether the dispatchers take the appends."""
    age = site.store.outbox.read_age()
    if age > OUTBOX_S:
        yield f"{site.store.outbox.depth()} appends wait, the oldest for {age:.0f} s"


def find_stuck_queues(site: Site) -> Iterator[str]:
    """See whether the jobs move."""
    for queue in read_queues(site.queues):
        slow = queue.name.endswith(("bots", "analysis"))
        if queue.age_s > (SLOW_S if slow else WAITS_S):
            yield (
                f"{queue.waiting} jobs wait in `{queue.name}`, the first for {queue.age_s:.0f} s"
            )


def find_failed_jobs(site: Site) -> Iterator[str]:
    """See whether jobs have failed within a day, which is how long RQ keeps them."""
    for queue in read_queues(site.queues):
        if queue.failed:
            shown = ", ".join(queue.failed[-SHOWN:])
            yield f"{len(queue.failed)} jobs of `{queue.name}` have failed, the last: {shown}"


def find_waiting_games(site: Site) -> Iterator[str]:
    """See whether a game waits for a bot, a score or a timer although nothing holds it up."""
    due = find_oldest_due(site.store.registry)
    if due is not None and due["age_ms"] > 1000 * WAITS_S:
        yield f"game {due['game']} has waited for {due['age_ms'] / 1000:.0f} s"


def find_late_timers(site: Site) -> Iterator[str]:
    """See whether the dispatcher judges the timers in time."""
    if (backlog := site.backlog) is not None and backlog.timer_age > WAITS_S:
        yield f"{backlog.timers} timers are late, the first by {backlog.timer_age:.0f} s"


def find_late_notices(site: Site) -> Iterator[str]:
    """See whether messages are sent in time."""
    waiting = count_waiting(site.store.registry, site.clock.now_ms() - round(1000 * WAITS_S))
    if waiting["late"]:
        yield f"{waiting['late']} of {waiting['deliveries']} messages are late by a minute and more"
