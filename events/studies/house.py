"""The lessons of the house as studies that everybody reads and no player writes.

They come with the program and stand in no store: the id of one is its name, and its tag changes
with its texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Final

from cartulary.engine.canonical import canonical_json
from cartulary.events.model.offers import Rules
from cartulary.events.model.types import Json
from cartulary.events.studies.listing import PAGE, StudySlice, summarise
from cartulary.events.studies.streams import KnownStudy
from cartulary.studies.house import HouseLesson, list_lessons
from cartulary.studies.reading import read_study

PREFIX: Final = "house-"
SINCE: Final = "2026-11-26T00:00:00.000Z"
"""When the first lessons were written: a lesson has no clock of its own."""
_ENGLISH: Final = "en"


def is_of_house(study_id: str) -> bool:
    """Return whether an id is that of a lesson, or of none; ids of stored studies have no `-`."""
    return study_id.startswith(PREFIX)


class HouseStudies:
    """The lessons of all games on offer. Thread-safe."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._known: dict[tuple[str, str], KnownStudy] = {}

    def read_page(self, language: str, cursor: int | None = None, limit: int = PAGE) -> StudySlice:
        """Return lessons by game, in their order; in a language, or in English where it lacks it.

        `cursor` is how many lessons come before the page.
        """
        first = cursor or 0
        ids = [study_id for study_id, _ in self._walk()]
        shown = [self._find(one, language) for one in ids[first : first + limit]]
        rest = first + limit if len(ids) > first + limit else None
        return StudySlice([summarise(one.id, one.study) for one in shown if one], rest)

    def find(self, study_id: str, language: str) -> KnownStudy | None:
        """Return a lesson in a language, or in English where it lacks it; None for no lesson."""
        return self._find(study_id, language) if is_of_house(study_id) else None

    def _find(self, study_id: str, language: str) -> KnownStudy | None:
        known = self._known.get((study_id, language))
        if known is None:
            lesson = next((one for name, one in self._walk() if name == study_id), None)
            if lesson is None:
                return None
            known = self._known[study_id, language] = self._read(study_id, lesson, language)
        return known

    def _walk(self) -> Iterator[tuple[str, HouseLesson]]:
        for game in sorted(self._rules):
            for lesson in list_lessons(game):
                yield f"{PREFIX}{game}-{lesson.name}", lesson

    def _read(self, study_id: str, lesson: HouseLesson, language: str) -> KnownStudy:
        document: Json = lesson.pick(language if language in lesson.languages else _ENGLISH)
        text = canonical_json(document)
        digest = sha256(text.encode()).hexdigest()
        study = read_study(document, self._rules)
        study = study._replace(created_at=SINCE, updated_at=SINCE, edition=digest[:12])
        return KnownStudy(study_id, study, digest, len(text))
