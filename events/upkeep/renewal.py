"""Renewal: games whose secret is lost get a new secret, so that they can go on.

A secret is lost when the store does not have it (after a restore of something older) or when no key
of this process decrypts it. Open and running games get the event `draws_renewed`. A game that waits
for its score needs no draws any more: it ends with `"secret": null`. A game of a duplicate round is
aborted, because it would have other draws than the other tables.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import NamedTuple

from cartulary.events.model.errors import LedgerError
from cartulary.events.model.failures import WrongKey
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.store import Store

Progress = Callable[[int, int], None]
"""Called as (games done, games in all)."""

log = logging.getLogger(__name__)


class Renewal(NamedTuple):
    """What was done: games that go on with a new secret, and games that end without theirs.

    `tournaments` are cancelled by the next dispatcher: the secret of their pairing is lost.
    """

    renewed: list[str]
    lost: list[str]
    tournaments: list[str]


def find_lost(store: Store, progress: Progress | None = None) -> Iterator[Table]:
    """Yield the tables of unfinished games whose secret is lost. O(games); changes nothing."""
    game_ids = sorted(store.ledger.game_ids())
    for done, game_id in enumerate(game_ids, start=1):
        table = _read(store, game_id)
        if table is not None and _is_lost(store, table):
            yield table
        if progress is not None:
            progress(done, len(game_ids))


def renew_lost(store: Store, progress: Progress | None = None) -> Renewal:
    """Give each unfinished game whose secret is lost a new secret; then adopt the key.

    May be repeated after a crash, and while the service is running. Raises `WrongKey` for a store
    that has no key.
    """
    store.vault.disregard_noted_key()
    renewed: list[str] = []
    lost: list[str] = []
    for table in find_lost(store, progress):
        if table.status is Status.SCORING:
            store.vault.drop(table.id)
            lost.append(table.id)
        else:
            done = store.commands.renew_draws(table.id)
            (lost if done.table.status.finished else renewed).append(table.id)
    tournaments = list(_drop_secrets_of_tournaments(store))
    store.vault.adopt()  # last: until here a start with this key asks for the renewal again
    return Renewal(renewed, lost, tournaments)


def _drop_secrets_of_tournaments(store: Store) -> Iterator[str]:
    """Drop the secrets of tournaments that no key decrypts; yield these tournaments."""
    for tournament_id in store.tournaments.streams.ids():
        try:
            store.vault.read(tournament_id)
        except WrongKey:
            store.vault.drop(tournament_id)
            yield tournament_id


def renew_chains(store: Store) -> list[str]:
    """Void the open rounds of duplicates of a restored store, and begin new chains.

    Returns the tournaments. May be repeated. Raises `WrongKey`.
    """
    found = sorted(store.tournaments.streams.ids())
    return [one for one in found if store.tournaments.driver.renew_after_restore(one)]


def _read(store: Store, game_id: str) -> Table | None:
    try:
        return store.projector.table(game_id)
    except LedgerError as error:
        log.warning("game %s is not looked at: %s", game_id, error)
        return None


def _is_lost(store: Store, table: Table) -> bool:
    if table.fair is None or table.status.finished:
        return False
    return not store.vault.has(table.id, table.fair.commitment)
