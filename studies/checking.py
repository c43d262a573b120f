"""Is a study file right? Its form first, then each line by the engine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from cartulary.engine.core import Json
from cartulary.studies.faults import FaultyStudy, Path, StudyFault
from cartulary.studies.form import check_form
from cartulary.studies.limits import FAULTS
from cartulary.studies.lines import Games, check_answers, find_line_faults, play_start

_LANGUAGE: Final = re.compile(r"[a-z]{2}")


def check(document: Any, games: Games) -> list[StudyFault]:
    """Return what is wrong with a study file, an empty list for a right one.

    `games` are the rules by name. A wrong form gives its first fault alone; else the faults of the
    lines come, `FAULTS` at most.
    """
    try:
        study = check_form(document)
    except FaultyStudy as unfit:
        return [unfit.fault]
    return list(islice(_find_faults(study, games), FAULTS))


def _find_faults(study: Json, games: Games) -> Iterator[StudyFault]:
    for index, chapter in enumerate(study["chapters"]):
        yield from find_chapter_faults(chapter, games, ("chapters", index))


def find_chapter_faults(chapter: Json, games: Games, path: Path) -> Iterator[StudyFault]:
    """Yield what the engine finds wrong with a chapter of a right form."""
    try:
        state = play_start(chapter["start"], games, (*path, "start"))
        if "question" in chapter:
            check_answers(state, chapter["question"], (*path, "question"))
    except FaultyStudy as unfit:
        yield unfit.fault
        if unfit.fault.code == "start":
            return
    yield from find_line_faults(state, chapter["line"], (*path, "line"))


def pick_language(document: Any, language: str, fallback: str = "en") -> Any:
    """Return a study file in one language, from one whose texts are `{"en": "…", "de": "…"}`.

    A text that lacks the language is that of the fallback. Texts that are strings stay.
    """
    if isinstance(document, list):
        return [pick_language(item, language, fallback) for item in document]
    if not isinstance(document, dict):
        return document
    if document and all(_is_translation(*item) for item in document.items()):
        return document.get(language, document.get(fallback))
    picked = {key: pick_language(item, language, fallback) for key, item in document.items()}
    return {**picked, "language": language} if "chapters" in picked else picked


def _is_translation(key: Any, value: Any) -> bool:
    known = isinstance(key, str) and _LANGUAGE.fullmatch(key) is not None
    return known and isinstance(value, str)
