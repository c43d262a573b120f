"""Building: archived games are counted, each once; a build that was stopped goes on where it was.

Only the archive is read: a game that is in the store may still be sealed or written to.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import orjson

from cartulary.engine.errors import ChanceError, IllegalMove, SetupError
from cartulary.events.archive.reading import ArchiveReader
from cartulary.events.explorer.book import Book
from cartulary.events.explorer.counting import ExploredGame, counts, explore
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.model.failures import BrokenHistory, UnknownEvent
from cartulary.events.model.offers import Rules
from cartulary.events.model.types import GAME_STARTED, Json
from cartulary.events.ratings.reading import RatingReader
from cartulary.ratings.results import Bucket, name_table

BATCH: Final = 100
"""Games that `build` counts in one transaction."""

FEW: Final = 10
"""Games that `follow` counts in one transaction: it ends within some tenths of a second."""

PAGE: Final = 1000
"""Ids that are looked at in one step."""

LATE_MS: Final = 86_400_000
"""Games that are archived so long after a later one are still found by `follow`."""

log = logging.getLogger("cartulary.explorer")

Progress = Callable[[int, int], None]
"""Called as (games done, games in all)."""


class BuildCounts(NamedTuple):
    """Games that were added, games that add nothing, and games that could not be read."""

    added: int = 0
    skipped: int = 0
    broken: int = 0

    def plus(self, other: BuildCounts) -> BuildCounts:
        """Return both together."""
        return BuildCounts(*(one + two for one, two in zip(self, other, strict=True)))


class Builder:
    """Fills a book from the archive. Several builders of one book may work at once."""

    def __init__(
        self, ledger: Ledger, reader: ArchiveReader, ratings: RatingReader, rules: Rules
    ) -> None:
        self._ledger, self._reader = ledger, reader
        self._ratings, self._rules = ratings, rules

    def build(self, book: Book, progress: Progress) -> BuildCounts:
        """Count all archived games that are not counted.

        Raises `ArchiveError`, `RedisError`; what was counted until then stays.
        """
        book.prepare()
        built, done, total = BuildCounts(), 0, self._reader.count()
        for ids in self._list_pages():
            for batch in _split(book.find_missing(ids), BATCH):
                built = built.plus(self._add(book, batch))
            done += len(ids)
            progress(min(done, total), total)
        return built

    def follow(self, book: Book, is_over: Callable[[], bool]) -> BuildCounts:
        """Count what was archived since the last time, the oldest end first, until `is_over`.

        The first time these are all games. A game that is archived more than a day after games that
        ended later is left to `build`. Raises `ArchiveError`, `RedisError`.
        """
        book.prepare()
        built = BuildCounts()
        for game in self._rules:
            built = built.plus(self._follow_game(book, game, is_over))
        return built

    def _follow_game(self, book: Book, game: str, is_over: Callable[[], bool]) -> BuildCounts:
        built = BuildCounts()
        after = max(book.read_followed(game) - LATE_MS, 0), ""
        while page := self._reader.archive.list_ended(game, after, PAGE):
            for batch in _split(book.find_missing([one for _, one in page]), FEW):
                if is_over():
                    return built
                built = built.plus(self._add(book, batch))
            after = page[-1]
            book.note_followed(game, after[0])
        return built

    def _list_pages(self) -> Iterator[list[str]]:
        page: list[str] = []
        for game_id in self._reader.ids():
            page.append(game_id)
            if len(page) == PAGE:
                yield page
                page = []
        if page:
            yield page

    def _add(self, book: Book, ids: Sequence[str]) -> BuildCounts:
        summaries = self._reader.summaries(ids)
        games: list[ExploredGame] = []
        skipped: list[tuple[str, str]] = []
        broken: list[tuple[str, str]] = []
        unknown = 0
        for game_id in ids:
            if game_id not in summaries:
                continue
            summary = orjson.loads(summaries[game_id])
            name = game_id, summary["game"]
            try:
                found = self._explore(summary)
            except (BrokenHistory, IllegalMove, ChanceError, SetupError) as error:
                log.warning("game %s is not counted: %s", game_id, error)
                broken.append(name)
                continue
            except UnknownEvent as error:
                # A newer release has played it, and that one counts it: it is not noted.
                log.warning("game %s is not counted by this release: %s", game_id, error)
                unknown += 1
                continue
            if found is None:
                skipped.append(name)
            else:
                games.append(found)
        added = book.add(games, [*skipped, *broken])
        return BuildCounts(added, len(skipped), len(broken) + unknown)

    def _explore(self, summary: Json) -> ExploredGame | None:
        """Return what a game adds, None for a game that does not count."""
        rules = self._rules.get(summary["game"])
        if rules is None or not counts(summary):
            return None
        events = self._ledger.events(summary["id"], 0, summary["version"])
        return explore(summary, events, rules, self._find_ratings(summary, events))

    def _find_ratings(self, summary: Json, events: Sequence[Json]) -> list[float | None]:
        """Return the rating of each seat before the game; None for a seat that was not rated."""
        started = next(event for event in events if event["type"] == GAME_STARTED)
        strengths: dict[str, float] = started.get("strengths") or {}
        seats: list[Json] = summary["seats"]
        ladder = started.get("ladder")
        changes: Any = {}
        if ladder is not None:
            bucket = Bucket(ladder, summary["game"], name_table(len(seats)))
            changes = self._ratings.read_changes(summary["id"], bucket) or {}
        found: list[float | None] = []
        for seat in seats:
            change = changes.get((seat["player"] or {}).get("id"))
            bot = strengths.get(seat["bot"] or "")
            found.append(bot if change is None else change.before.rating)
        return found


def _split(ids: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    for at in range(0, len(ids), size):
        yield ids[at : at + size]
