"""`cartulary ratings`: fold all results again from nothing and compare; write them for others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from cartulary.events.model.failures import BrokenHistory, UnknownEvent
from cartulary.events.model.types import Json
from cartulary.events.ratings.finding import find_result
from cartulary.events.ratings.stored import RatingChange
from cartulary.events.store import Store
from cartulary.events.upkeep.rated_games import list_archived
from cartulary.ratings.fold import follow
from cartulary.ratings.results import GameResult
from cartulary.ratings.scale import Standing

Progress = Callable[[int, int], None]
"""Called as (items done, items in all)."""


class Replay(NamedTuple):
    """What a replay has found: how many results, and a sentence for each difference."""

    results: int
    faults: list[str]


def replay(store: Store, progress: Progress, noted: bool = False) -> Replay:
    """Find the results of all games again, and fold them from nothing; compare both.

    `noted`: fold the results that are noted, and read no stream. Raises `RedisError`,
    `ArchiveError`.
    """
    store.ratings.fold_all(progress=progress)
    faults: list[str] = []
    if noted:
        buckets = store.rating_reader.list_buckets()
        results = sum(store.rating_reader.count_results(bucket) for bucket in buckets)
    else:
        results = _compare_results(store, progress, faults)
    return Replay(results, [*faults, *compare_ratings(store, progress)])


def _compare_results(store: Store, progress: Progress, faults: list[str]) -> int:
    """Add to `faults` where a noted result is not that of the stream; return how many count."""
    found: set[str] = set()
    for result in find_results(store, progress):
        found.add(result.id)
        if store.rating_reader.read_result(result.id, result.bucket) != result:
            faults.append(f"game {result.id}: the result is not the one that was noted")
    faults += _find_strangers(store, found)
    return len(found)


def find_results(store: Store, progress: Progress) -> Iterator[GameResult]:
    """Yield the results that count, as the streams of the store and of the archive say."""
    kept = list(store.ledger.game_ids())
    total = len(kept) + store.archive.count()
    for done, game_id in enumerate(_list_games(store, kept), start=1):
        progress(min(done, total), total)
        try:
            result = find_result(store.projector.table(game_id), store.ledger.events)
        except (BrokenHistory, UnknownEvent):
            continue  # `cartulary audit` names such a game
        if result is not None and not store.rating_reader.is_voided(game_id):
            yield result


def _list_games(store: Store, kept: Sequence[str]) -> Iterator[str]:
    """Yield the games of the store, and those of the archive that may count, each once."""
    yield from kept
    here = set(kept)
    yield from (game_id for game_id in list_archived(store) if game_id not in here)


def _find_strangers(store: Store, found: set[str]) -> Iterator[str]:
    for bucket in store.rating_reader.list_buckets():
        for result, _ in store.rating_reader.list_results(bucket):
            if result.id not in found:
                yield f"game {result.id}: a result was noted, and the game does not count"


def compare_ratings(store: Store, progress: Progress) -> Iterator[str]:
    """Yield where the stored ratings are not those of a fold from nothing, game by game."""
    for bucket in store.rating_reader.list_buckets():
        standings: dict[str, Standing] = {}
        total = store.rating_reader.count_results(bucket)
        rows = store.rating_reader.list_results(bucket)
        for done, (result, changes) in enumerate(rows, start=1):
            step = next(follow([result], standings))
            right = {one: RatingChange(step.before[one], step.after[one]) for one in step.after}
            if changes != right:
                yield f"game {result.id}: the ratings after it are not those of the fold"
            progress(done, total)
        shown = store.rating_reader.read_standings(sorted(standings), bucket)
        yield from (
            f"player {player}, {bucket.text()}: the rating is not that after the last game"
            for player, standing in standings.items()
            if shown[player] != standing
        )


def export_results(store: Store) -> Iterator[Json]:
    """Yield a line for each game that counts, in the order of the fold, players by number.

    `after` has mean and spread of each player after the game, so that others can check the fold.
    """
    numbers: dict[str, int] = {}
    for bucket in store.rating_reader.list_buckets():
        for result, changes in store.rating_reader.list_results(bucket):
            entrants: list[Json] = []
            after: list[list[float] | None] = []
            for one in result.entrants:
                if one.player is None:
                    entrants.append({"strength": one.strength})
                    after.append(None)
                    continue
                entrants.append({"player": numbers.setdefault(one.player, len(numbers) + 1)})
                standing = changes[one.player].after if changes else None
                after.append(None if standing is None else [standing.mu, standing.sigma])
            yield {
                "at": result.at,
                "ladder": bucket.ladder,
                "game": bucket.game,
                "seats": bucket.table,
                "entrants": entrants,
                "ranks": list(result.ranks),
                "after": after,
            }
