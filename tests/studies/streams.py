"""Streams of studies for tests."""

from __future__ import annotations

from typing import Any

from cartulary.engine.core import Json
from cartulary.events.model.chain import GENESIS
from cartulary.studies import events as types
from cartulary.studies.bounds import check_bounds
from cartulary.studies.editing import AskedChange, make_event
from cartulary.studies.fold import evolve
from cartulary.studies.state import StudyTree
from tests.studies.examples import GAMES, make_study

ADA = {"id": "ada", "name": "Ada"}
AT = "2026-11-26T18:00:00.000Z"


class Stream:
    """A study that is written in a test, and its events."""

    def __init__(self, title: str = "A study") -> None:
        self.events: list[Json] = []
        self.study: StudyTree | None = None
        fields = {"title": title, "language": "en", "visibility": "private", "author": ADA}
        self.add(types.STUDY_CREATED, **fields)

    @property
    def now(self) -> StudyTree:
        """The study after its last event."""
        assert self.study is not None
        return self.study

    def add(self, type_: str, **fields: Any) -> None:
        version = len(self.events) + 1
        event = {"version": version, "type": type_, "at": AT, "prev": GENESIS, **fields}
        self.study = evolve(self.study, event)
        self.events.append(event)

    def ask(self, **change: Any) -> None:
        """Add what an author asks for; raises `FaultyStudy`, and then nothing has changed."""
        before = self.study
        type_, fields = make_event(AskedChange(self.now, change, GAMES, ("changes", 0)))
        self.add(type_, **fields, by="ada")
        try:
            check_bounds(self.now)
        except ValueError:
            self.study = before
            self.events.pop()
            raise


def make_stream(game: str = "carcassonne", **more: Any) -> Stream:
    stream = Stream()
    stream.ask(type="chapter_added", content=make_study(game, **more)["chapters"][0])
    return stream
