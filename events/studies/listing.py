"""What lists say of studies. A projection, which changes in the step that appends."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import orjson
from redis import Redis

from cartulary.events.ledger.masks import Masks
from cartulary.events.model.types import Json
from cartulary.events.server import keys
from cartulary.studies.events import PRIVATE, PUBLIC
from cartulary.studies.state import StudyTree

PAGE: Final = 20
"""Studies of a page."""


class StudySlice(NamedTuple):
    """Summaries, the last changed first, and the cursor of the next page, None at the end."""

    studies: list[Json]
    next_cursor: int | None


def summarise(study_id: str, study: StudyTree) -> Json:
    """Return what lists say of a study."""
    games = sorted({chapter.start["game"] for chapter in study.chapters.values()})
    return {
        "id": study_id,
        "title": study.title,
        "language": study.language,
        "games": games,
        "chapters": len(study.chapters),
        "visibility": study.visibility,
        "hidden": study.hidden is not None,
        "authors": list(study.authors),
        "version": study.version,
        "created_at": study.created_at,
        "updated_at": study.updated_at,
    }


def list_indexes(study: StudyTree) -> list[str]:
    """Return the indexes that a study stands in."""
    public = ["public"] if study.visibility == PUBLIC and study.hidden is None else []
    authors = [f"of:{one['id']}" for one in study.authors]
    return [*public, *authors, *(f"asked:{one['id']}" for one in study.invited)]


def is_readable(study: StudyTree, player_id: str | None) -> bool:
    """Return whether a caller (None: without a token) who knows its id may read a study.

    Who is asked to write in it reads it before the answer; one that is hidden its authors alone.
    """
    shared = study.visibility != PRIVATE and study.hidden is None
    return shared or study.has_author(player_id) or study.has_invited(player_id)


def find_first(study: StudyTree, player_id: str | None) -> int:
    """Return the first version of a study that a caller who may read it now may read.

    What was taken out before a study was shared is between its authors: the others read it from
    there on, and those who are invited to a private one as it is now.
    """
    if study.has_author(player_id):
        return 1
    return study.version if study.visibility == PRIVATE else study.opened


class StudyLists:
    """The lists of studies. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, registry: Redis, masks: Masks) -> None:
        self._registry, self._masks = registry, masks

    def read_page(
        self, index: str = "public", cursor: int | None = None, limit: int = PAGE
    ) -> StudySlice:
        """Return studies of an index: `public`, `of:PLAYER` or `asked:PLAYER`.

        `cursor` is how many studies come before the page.
        """
        first = cursor or 0
        found: Any = self._registry.zrevrange(keys.studies(index), first, first + limit)
        ids = [one.decode() for one in found]
        rest = first + limit if len(ids) > limit else None
        return StudySlice(self._read(ids[:limit]), rest)

    def _read(self, study_ids: list[str]) -> list[Json]:
        self._masks.look()
        pipe = self._registry.pipeline(transaction=False)
        for study_id in study_ids:
            pipe.hget(keys.study_summary(study_id), "json")
        return [self.mask(orjson.loads(one)) for one in pipe.execute() if one is not None]

    def mask(self, summary: Json) -> Json:
        """Return what shows authors, with deleted names masked."""
        authors = [self._masks.mask_player(one) for one in summary["authors"]]
        return {**summary, "authors": authors}

    def count_of(self, player_id: str) -> int:
        """Return how many studies an author has."""
        return int(self._registry.zcard(keys.studies(f"of:{player_id}")))

    def list_of(self, player_id: str) -> list[str]:
        """Return the ids of the studies of an author."""
        return self._list(f"of:{player_id}")

    def list_asked(self, player_id: str) -> list[str]:
        """Return the ids of the studies to which a player is invited."""
        return self._list(f"asked:{player_id}")

    def _list(self, index: str) -> list[str]:
        found: Any = self._registry.zrange(keys.studies(index), 0, -1)
        return [one.decode() for one in found]
