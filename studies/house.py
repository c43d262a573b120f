"""The lessons of the house: study files that come with the program, and where their positions are.

Each file of `lessons/GAME/` has a `study`, whose texts are in several languages, and `facts`: what
the texts say that the engine reports, as `{"chapter", "move", "facts"}`. The tests compare them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from cartulary.engine.core import Json, State
from cartulary.studies.checking import pick_language
from cartulary.studies.lines import Games, play_node, play_start

FOLDER: Final = Path(__file__).parent / "lessons"


class HouseLesson(NamedTuple):
    """A lesson by its name, such as `01-first-worker`; the names are in the order of the lessons.

    `languages` are those of its texts, in order.
    """

    name: str
    study: Json
    facts: list[Json]

    @property
    def languages(self) -> list[str]:
        """The languages that every text of the lesson has."""
        return sorted(self.study["title"])

    def pick(self, language: str) -> Json:
        """Return the study in a language, with English where the lesson lacks it."""
        found: Json = pick_language(self.study, language)
        return found


class LessonPosition(NamedTuple):
    """A position of a chapter: what the study says of it, the move that led to it, the state."""

    notes: Json
    last_move: Json | None
    state: State[Any]


@cache
def list_lessons(game: str) -> tuple[HouseLesson, ...]:
    """Return the lessons of a game in their order, none where the house has none."""
    files = sorted((FOLDER / game).glob("*.json")) if game.isidentifier() else []
    return tuple(_read(file) for file in files)


def _read(file: Path) -> HouseLesson:
    found = json.loads(file.read_text(encoding="utf-8"))
    return HouseLesson(file.stem, found["study"], found["facts"])


def walk_chapter(chapter: Json, games: Games) -> Iterator[LessonPosition]:
    """Yield the start of a chapter, and the position after each move of its main line."""
    state = play_start(chapter["start"], games, ())
    yield LessonPosition(chapter, None, state.copy())
    for node in chapter["line"]:
        seat = state.seat
        play_node(state, node["move"], node.get("draws", ()), ())
        yield LessonPosition(node, {"seat": seat, "move": node["move"]}, state.copy())
