"""What a report of a study keeps: a copy of its words, so that its authors cannot delete them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cartulary.events.model.types import Json
from cartulary.events.studies.streams import KnownStudy
from cartulary.studies.state import StudyNode, StudyTree

LONGEST: Final = 2000
"""Characters of the texts that are kept; the version says where the others are found."""


def copy_study(found: KnownStudy) -> Json:
    """Return what operators need of a study, which has an author.

    `player` is its owner, `text` the beginning of its words.
    """
    study = found.study
    text = "\n".join(one for one in _read_words(study) if one)
    owner = dict(study.authors[0])
    return {
        "id": found.id,
        "title": study.title,
        "version": study.version,
        "player": owner,
        "text": text[:LONGEST],
    }


def _read_words(study: StudyTree) -> Iterator[str]:
    for chapter in study.chapters.values():
        yield chapter.title
        for node in sorted(study.walk(chapter.root), key=lambda one: one.number):
            yield from _read_node(node)


def _read_node(node: StudyNode) -> Iterator[str]:
    yield node.text
    if node.question is not None:
        question = node.question
        yield question["ask"]
        yield from (one["text"] for one in question.get("wrong", ()))
        yield from (question.get("otherwise", ""), *question.get("hints", ()))
