"""Checks of the backups: whether one is proven, and how old it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cartulary.cli.doctor.site import Site
from cartulary.events.backup.proven import read_last_proven
from cartulary.events.model.clock import format_time

FRESH_MS: Final = 48 * 3_600_000
"""The timer makes a backup each night; one that is missed shows before the second is."""


def find_no_backup(site: Site) -> Iterator[str]:
    """See whether a backup of an installation that has worked for two days is proven."""
    since = site.store.since.look()
    if since is None or site.clock.now_ms() - since <= FRESH_MS:
        return
    if read_last_proven(site.store.registry) is None:
        yield f"this installation works since {format_time(since)}, and no backup of it is proven"


def find_old_backup(site: Site) -> Iterator[str]:
    """See whether the last proven backup is fresh."""
    last = read_last_proven(site.store.registry)
    if last is None:
        return
    age_ms = site.clock.now_ms() - last.at
    if age_ms > FRESH_MS:
        yield (
            f"the last proven backup is of {format_time(last.at)} ({age_ms / 3_600_000:.0f} hours "
            f"ago): {last.target}, {last.games} games"
        )
