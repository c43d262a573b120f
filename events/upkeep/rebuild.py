"""`cartulary rebuild`: compute projections and snapshots again from the streams."""

from __future__ import annotations

from collections.abc import Callable

from cartulary.events.ledger.snapshots import EVERY
from cartulary.events.ledger.writer import is_worth_saving
from cartulary.events.lists.projections import FORM, encode_summary
from cartulary.events.model.failures import BrokenHistory, UnknownEvent
from cartulary.events.model.table import Table
from cartulary.events.store import Store
from cartulary.events.upkeep.counted_games import count_archived, count_game
from cartulary.events.upkeep.rated_games import note_archived, note_result

Progress = Callable[[int, int], None]
"""Called as (games done, games in all)."""


def rebuild(store: Store, progress: Progress | None = None) -> list[str]:
    """Delete all projections and snapshots and compute them again from the streams.

    Archived games have neither: those whose summary is of an earlier release get another one.

    Safe while the service is running. Returns the ids of the games, tournaments and studies whose
    stream could not be folded (they are left out; `audit` says why). Raises `ArchiveError`, before
    anything is deleted when the archive cannot be read.
    """
    aged = store.archive.list_aged(FORM)  # first: without the archive nothing is deleted
    store.projector.forget()
    store.projections.clear()
    store.notices.rebuild_wishes()
    broken: list[str] = []
    game_ids = sorted(store.ledger.game_ids())
    folded = len(game_ids) + len(aged)
    total = folded + sum(1 for _ in store.archive.ids())

    def show(done: int) -> None:
        if progress is not None:
            progress(done, total)

    for done, game_id in enumerate([*game_ids, *aged], start=1):
        try:
            if done > len(game_ids):
                renew_archived(store, game_id)
            else:
                rebuild_game(store, game_id, empty_inboxes=True)
        except (BrokenHistory, UnknownEvent):
            broken.append(game_id)
        show(done)
    broken += rebuild_tournaments(store)
    broken += rebuild_studies(store)
    store.returned_mistakes.rebuild()
    note_archived(store, broken)
    count_archived(store, broken, lambda done: show(folded + done))
    store.ratings.fold_all()
    return broken


def rebuild_tournaments(store: Store) -> list[str]:
    """Make the lists of all tournaments again, stored or archived.

    Inboxes get nothing of what they have told before.

    Returns the ids of those that cannot be folded.
    """
    broken = []
    for tournament_id in store.tournaments.streams.all_ids():
        try:
            found = store.tournaments.streams.read(tournament_id)
        except (BrokenHistory, UnknownEvent):
            broken.append(tournament_id)
            continue
        store.tournaments.lists.show(tournament_id, found.tournament)
        store.tournaments.telling.skip(tournament_id, found.tournament)
    return broken


def rebuild_studies(store: Store) -> list[str]:
    """Make the lists of all studies again; return the ids of those that cannot be folded."""
    broken = []
    for study_id in store.studies.streams.ids():
        try:
            store.studies.streams.relist(store.studies.streams.read(study_id))
        except (BrokenHistory, UnknownEvent):
            broken.append(study_id)
    return broken


def renew_archived(store: Store, game_id: str) -> None:
    """Make the summary of an archived game again, in the form of this release.

    Raises `BrokenHistory`, `UnknownEvent`, `ArchiveError`.
    """
    summary = encode_summary(store.projector.table(game_id))
    store.archive.archive.refresh(game_id, summary, FORM)


def rebuild_game(store: Store, game_id: str, empty_inboxes: bool = False) -> None:
    """Compute the projections and snapshots of one game again from its stream.

    With `empty_inboxes` the inboxes get what the game waits for.
    Raises `BrokenHistory`, `UnknownEvent`.
    """
    store.snapshots.drop(game_id)
    if not store.ledger.stored_version(game_id) and store.archive.heads([game_id]):
        store.bringing_back.unlist(game_id)  # only the archive lists it
        return
    table: Table | None = None
    entries = store.ledger.entries(game_id)
    for done in range(0, len(entries), EVERY):
        part = entries[done : done + EVERY]
        earlier = store.projector.earlier(game_id)
        before, table = table, store.projector.fold_entries(table, game_id, part, earlier)
        if is_worth_saving(before, table):
            store.snapshots.save(table)
    if table is not None:
        relist(store, table, empty_inboxes)


def relist(store: Store, table: Table, empty_inboxes: bool = False) -> None:
    """Bring the projections of one game to its table, as it was folded."""
    table = store.projector.unseal(table)
    store.round_maker.note(table)
    store.list_updater.rebuild(table, empty_inboxes)
    store.bot_questions.ask(table)
    note_result(store, table)
    count_game(store, table)
