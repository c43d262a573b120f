"""Checks of the lists against the streams: what is computed, and from what.

A dispatcher brings a list to a stream in milliseconds, so a game that differs is looked at again
before it counts.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from cartulary.cli.doctor.site import Site
from cartulary.cli.shared.progress import Show
from cartulary.events.archive.errors import ArchiveError
from cartulary.events.lists.indexes import list_indexes
from cartulary.events.lists.projections import encode_summary
from cartulary.events.model.errors import LedgerError, NotFound
from cartulary.events.model.table import Table
from cartulary.events.model.time.due import due
from cartulary.events.server import keys
from cartulary.events.store import Store

SAMPLE: Final = 100
"""Games that are looked at without `--all`."""

SCANNED: Final = 20_000
"""Games, and summaries, from which the sample is drawn: a store may have millions."""

LOOKS, AGAIN_S = 4, 0.3
"""How often a game that differs is looked at, and how long after each other."""

SHOWN: Final = 5

NO_SUMMARY: Final = "it has no summary"


class OddGames(NamedTuple):
    """Games that do not hold, each with what is wrong.

    `damaged` cannot be folded, `unlisted` have no summary, `differing` have a list that says other
    than the stream, `orphans` have a summary and no stream.
    """

    looked_at: int
    damaged: list[str]
    unlisted: list[str]
    differing: list[str]
    orphans: list[str]


def find_damaged(site: Site) -> Iterator[str]:
    """See whether the games can be read."""
    yield from _describe(site, site.once(find_odd_games).damaged)


def find_unlisted(site: Site) -> Iterator[str]:
    """See whether each game has a summary."""
    yield from _describe(site, site.once(find_odd_games).unlisted)


def find_differing(site: Site) -> Iterator[str]:
    """See whether the lists say what the streams say."""
    yield from _describe(site, site.once(find_odd_games).differing)


def find_orphans(site: Site) -> Iterator[str]:
    """See whether each summary has its game."""
    yield from _describe(site, site.once(find_odd_games).orphans)


def _describe(site: Site, found: list[str]) -> Iterator[str]:
    if found:
        more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        looked_at = site.once(find_odd_games).looked_at
        yield f"{len(found)} of {looked_at} games: {'; '.join(found[:SHOWN])}{more}"


def find_odd_games(site: Site) -> OddGames:
    """Look at all games, or at a sample. Raises `RedisError`, `ArchiveError`."""
    store = site.store
    games = choose(store.ledger.game_ids(), site.whole)
    found = OddGames(len(games), [], [], [], _find_orphans(site))
    site.looked_at["games"] = f"{len(games)} games"
    with site.progress("games") as show:
        faults = _look(site, games, found.damaged, show)
    for _ in range(LOOKS - 1):
        if faults:
            time.sleep(AGAIN_S)
            faults = _look(site, list(faults), [])
    for game_id, wrong in faults.items():
        if wrong == [NO_SUMMARY]:
            found.unlisted.append(game_id)
        else:
            found.differing.append(f"{game_id} ({', '.join(wrong)})")
    return found


def choose(ids: Iterable[str], whole: bool) -> list[str]:
    """Return all ids, or a sample of them, without an order."""
    if whole:
        return list(ids)
    found = [one for one, _ in zip(ids, range(SCANNED), strict=False)]
    return random.sample(found, min(SAMPLE, len(found)))


def _look(
    site: Site, games: list[str], damaged: list[str], show: Show = lambda _done, _total: None
) -> dict[str, list[str]]:
    """Return the games whose lists differ, with what differs; add unreadable ones to `damaged`."""
    store, since, found = site.store, site.store.since.look(), {}
    for done, game_id in enumerate(games, start=1):
        try:
            table = store.projector.table(game_id)
        except NotFound:
            continue  # it was archived since the games were listed
        except ArchiveError:
            raise
        except LedgerError as error:
            damaged.append(f"{game_id} ({error})")
            continue
        if (faults := _compare(store, table, since)) and store.ledger.stored_version(game_id):
            found[game_id] = faults
        show(done, len(games))
    return found


def _compare(store: Store, table: Table, since: int | None) -> list[str]:
    """Return which lists say other than the table of a game."""
    key, indexes = keys.summary(table.id), list_indexes(table)
    pipe: Any = store.registry.pipeline(transaction=True)
    pipe.hmget(key, "version", "json", "indexes")
    pipe.zscore(keys.due(), table.id)
    for index in indexes:
        pipe.zscore(index, table.id)
    (version, summary, listed), due_at, *scores = pipe.execute()
    if version is None:
        return [NO_SUMMARY]
    if int(version) != table.version:
        return [f"its summary is at version {int(version)}, its stream at {table.version}"]
    faults = []
    if summary != encode_summary(table):
        faults.append("its summary says other than its stream")
    if (listed or b"").decode().split() != indexes or None in scores:
        faults.append("it is not in each list that it belongs to")
    if since is not None and due(table, since) is not None and due_at is None:
        faults.append("nothing waits for what is due in it")
    return faults


def _find_orphans(site: Site) -> list[str]:
    """Return games that have a summary, and a stream neither in the store nor in the archive."""
    store = site.store
    names = store.registry.scan_iter(match=keys.SUMMARIES_PATTERN, count=1000)
    ids = choose((keys.game_of_summary(name.decode()) for name in names), site.whole)
    lost = _list_lost(store, ids)
    if lost:
        time.sleep(AGAIN_S)  # a game that is archived has both for a moment
    return _list_lost(store, lost)


def _list_lost(store: Store, ids: list[str]) -> list[str]:
    found = []
    for start in range(0, len(ids), 500):
        part = ids[start : start + 500]
        streams, summaries = store.redis.pipeline(False), store.registry.pipeline(False)
        for game_id in part:
            streams.exists(keys.events(game_id))
            summaries.exists(keys.summary(game_id))
        rows = zip(part, summaries.execute(), streams.execute(), strict=True)
        found += [game_id for game_id, listed, stored in rows if listed and not stored]
    return found
