"""A study file as a study: for readers of files that are in no store."""

from __future__ import annotations

from cartulary.engine.core import Json
from cartulary.studies import events as types
from cartulary.studies.editing import place_chapter
from cartulary.studies.fold import evolve
from cartulary.studies.lines import Games
from cartulary.studies.state import StudyTree

_AT = "1970-01-01T00:00:00.000Z"


def read_study(document: Json, games: Games) -> StudyTree:
    """Return the study of a right study file, without authors; nodes are counted as in a store.

    Raises `FaultyStudy`; `check` names all faults.
    """
    author = {"id": "", "name": ""}
    head = {"title": document["title"], "language": document["language"], "author": author}
    study = evolve(None, _make(1, types.STUDY_CREATED, visibility=types.PUBLIC, **head))
    for index, chapter in enumerate(document["chapters"]):
        fields = place_chapter(study, chapter, games, ("chapters", index))
        study = evolve(study, _make(index + 2, types.CHAPTER_ADDED, **fields, by=""))
    return study._replace(authors=())


def _make(version: int, type_: str, **fields: object) -> Json:
    return {"version": version, "type": type_, "at": _AT, **fields}
