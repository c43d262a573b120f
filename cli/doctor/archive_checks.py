"""Checks of the archive of finished games, and of the backups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cartulary.cli.doctor.list_checks import SHOWN, choose
from cartulary.cli.doctor.site import Site
from cartulary.events.archive.errors import ArchiveError, ArchiveTooOld
from cartulary.events.model.errors import LedgerError

LATE_MS: Final = 3_600_000
"""A game that is over for so long after its time is not archived: the archiver does 16 a second."""

MANY: Final = 10


def find_failing_archive(site: Site) -> Iterator[str]:
    """See whether the archive answers, is that of the store, and takes games."""
    noted = site.store.archive_state.read()
    if not noted.works:
        yield f"the archiver has failed {noted.failures} times: {noted.error}"
    elif (error := site.once(find_archive_trouble)) is not None:
        yield str(error)


def find_archive_trouble(site: Site) -> ArchiveError | None:
    """Return why the archive cannot be read, None where it can, or where it is not made yet.

    Raises `RedisError`.
    """
    store = site.store
    try:
        store.archive.archive.check()
    except ArchiveTooOld as error:
        return error if store.archive_state.find_identity() is not None else None
    except ArchiveError as error:
        return error
    return None


def find_unarchived(site: Site) -> Iterator[str]:
    """See whether finished games leave the store."""
    store = site.store
    if store.archive_after is None:
        return
    before = site.clock.now_ms() - 1000 * store.archive_after - LATE_MS
    waiting = store.projections.finished.count_before(before)
    if waiting > MANY:
        yield f"{waiting} games should have been archived more than an hour ago"


def find_damaged_archive(site: Site) -> Iterator[str]:
    """See whether archived games can be read, and whether their events hold."""
    if site.once(find_archive_trouble) is not None:
        return
    try:
        games = choose(site.store.archive.ids(), site.whole)
    except ArchiveTooOld:
        return  # it is not made yet
    site.looked_at["archive"] = f"{len(games)} archived games"
    damaged = []
    with site.progress("archived games") as show:
        for done, game_id in enumerate(games, start=1):
            if (fault := _find_fault(site, game_id)) is not None:
                damaged.append(f"{game_id} ({fault})")
            show(done, len(games))
    if damaged:
        yield f"{len(damaged)} of {len(games)} archived games: {'; '.join(damaged[:SHOWN])}"


def _find_fault(site: Site, game_id: str) -> str | None:
    """Return what is wrong with an archived game, None where it holds."""
    store = site.store
    try:
        found = store.archive.read(game_id)
        if found is None or store.ledger.stored_version(game_id):
            return None  # it was brought back since the games were listed
        table = store.projector.table(game_id)
    except LedgerError as error:
        return str(error)
    if (table.version, table.head) != (found.version, found.head):
        return f"its events lead to version {table.version}, its row says {found.version}"
    return None
